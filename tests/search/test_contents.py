"""A table of contents or an index has every word and no answer: what says something comes before it."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.ranking.contents import is_contents

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

ENTRIES = [f"-   [第{number}節 旅費の精算](part{number}.md#{number}-旅費)" for number in range(9)]
INDEX = [f"-   旅費の種類{number}, [旅費の精算](part{number}.md), [旅費の表](table.md#{number})" for number in range(9)]
BESIDE = [
    f"- [旅費{number}](part{number}.md): 出張の三日前までに申請し、戻ったら七日のうちに精算する。"
    for number in range(9)
]
SENTENCES = [f"旅費は[第{number}条](rules.md#{number})により精算し、[様式](form.md)で届け出る。" for number in range(9)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (ENTRIES, True),
        (["# 目次", "", "**目次**", "", *ENTRIES], True),
        ([f"{'    ' * (number % 3)}{entry}" for number, entry in enumerate(ENTRIES)], True),
        ([f"{number}. [旅費](part{number}.md)" for number in range(9)], True),
        (INDEX, True),
        (ENTRIES[:7], False),
        ([*ENTRIES, "文。", "次の文。", "また文。"], False),
        (BESIDE, False),
        (SENTENCES, False),
        ([f"- 旅費（別表{number}）（様式）" for number in range(9)], False),
        ([], False),
    ],
)
def test_a_list_of_links_and_little_else_is_one(lines: list[str], *, expected: bool) -> None:
    assert is_contents([normalise("\n\n".join(lines))]) == expected


def test_it_comes_after_what_says_something(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/index.md", "# 旅費の精算\n\n" + "\n".join(ENTRIES))
    workspace.write("m/rules.md", "# 規程\n\n出張に出た者は、旅費の精算を七日のうちに行う。\n")
    assert [hit["path"] for hit in serve().find("旅費の精算").hits()] == ["rules.md", "index.md"]


def test_it_is_found_all_the_same(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/index.md", "# 目次\n\n" + "\n".join(ENTRIES))
    assert serve().find("旅費の精算").lines["matched"] == 9
