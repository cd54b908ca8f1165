"""A question for what a word means is answered by the line that defines it, whatever the form of that line."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

# What speaks of them much, and defines none.
_USES = """# 使用

## 使い方

保護者は端末を使う。端末は保護者が返す。第2条に規定する保護者をいう。端末とSLOを見る。
"""

_DEFINITIONS = [
    ("一　児童　十八歳に満たない者をいう。", "二の二　保護者　児童を現に監護する者をいう。", "保護者の定義"),
    ("(1)　児童　幼い者をいう。", "　(2)　保護者（代理人を含む。）　監護する者をいう。", "保護者とは何ですか"),
    ("ア　児童　幼い者をいう。", "イ　保護者　監護する者をいう。", "保護者の意味"),
    ("- 児童　幼い者をいう。", "- 保護者　監護する者をいう。", "保護者とは"),
    ("**回線**: 端末を結ぶもの。", "**端末**（たんまつ）: 手元の機械。", "端末とは"),
    ("- **回線** — 端末を結ぶもの。", "- **端末** — 手元の機械。", "端末とは"),
    ("- __回線__ — 端末を結ぶもの。", "- __端末__ — 手元の機械。", "端末とは"),
    ("- 回線：端末を結ぶもの。", "- 端末（PC）：利用者の手元にある機械。", "端末とは"),
    ("電話を結ぶものを回線という。", "手元で使う機械を、端末と呼ぶ。", "端末とは"),
    ("- `回線`: 端末を結ぶもの。", "- `端末`: 手元の機械。", "端末とは"),
    ("* **`回線`** - 端末を結ぶもの。", "* **`端末`** - 手元の機械。", "端末とは"),
    ("回線\n: 端末を結ぶもの。\n", "端末\n: 手元の機械。", "端末の意味"),
    ("| 回線 | 端末を結ぶものの総称 |", "| 端末 | 利用者の手元にある機械 |", "端末とは"),
    ("| 用語 | 意味 |\n| --- | --- |", "| **端末**（たんまつ） | 利用者の手元にある機械 |", "端末の意味"),
    ("| 用語 | 意味 |\n| --- | --- |", "| `端末` | 利用者の手元にある機械 |", "端末の意味"),
    ("**Error budget** - what the SLO leaves.", "**SLO** (service level objective): a target.", "what is SLO"),
]


_NUMBERS = [("**Quotas** - limits of use.", "What is a quota?"), ("**Quota**: a limit of use.", "What are quotas?")]


@pytest.mark.parametrize(("line", "question"), _NUMBERS)
def test_one_of_them_or_several_are_defined_alike(
    workspace: WorkspaceFolder, serve: Serve, line: str, question: str
) -> None:
    workspace.write("m/terms.md", f"# Terms\n\nTerms such as quotas and the quota.\n\n* {line}\n* **Token** - a key.\n")
    workspace.write("m/uses.md", "# Quotas\n\n## The quota\n\nSee quotas. Quotas and the quota: ask for a quota.\n")
    best = serve().find(question).hits("integrated_top")[0]["ref"]
    assert (best["path"], best["start_line"]) == ("terms.md", 5)


@pytest.mark.parametrize(("other", "line", "question"), _DEFINITIONS)
def test_an_item_of_a_list_of_definitions_comes_first_with_its_line(
    workspace: WorkspaceFolder, serve: Serve, other: str, line: str, question: str
) -> None:
    text = f"# 用語\n\n保護者、端末、SLOなどの語を用いる。\n\n{other}\n\n{line}\n\n後に続く端末、保護者、SLOの文。\n"
    workspace.write("m/terms.md", text)
    workspace.write("m/uses.md", _USES)
    best = serve().find(question).hits("integrated_top")[0]["ref"]
    at = text[: text.index(line)].count("\n") + 1
    assert (best["path"], best["start_line"]) == ("terms.md", at)


@pytest.mark.parametrize(("_", "line", "question"), _DEFINITIONS)
def test_an_item_of_a_list_of_definitions_says_what_it_is(
    workspace: WorkspaceFolder, serve: Serve, _: str, line: str, question: str
) -> None:
    workspace.write("m/terms.md", f"# 語\n\n{line}\n")
    assert serve().find(question).hits("gaps") == []


@pytest.mark.parametrize("item", ["- 端末：3台", "- 端末: 12,000円", "- 端末一覧：手元の機械の一覧である"])
def test_an_item_with_a_value_defines_nothing(workspace: WorkspaceFolder, serve: Serve, item: str) -> None:
    workspace.write("m/prices.md", f"# 料金\n\n{item}\n")
    gaps = [gap["gap_hint"] for gap in serve().find("端末とは").hits("gaps")]
    assert gaps == ["intent definition: no candidate says what it is"]


@pytest.mark.parametrize(
    "row", ["| 端末 | 3 | 利用者の手元にある |", "| 端末 | 12,000円 |", "| 端末一覧 | 手元の機械の一覧 |"]
)
def test_a_row_of_values_defines_nothing(workspace: WorkspaceFolder, serve: Serve, row: str) -> None:
    workspace.write("m/prices.md", f"# 料金\n\n{row}\n")
    gaps = [gap["gap_hint"] for gap in serve().find("端末とは").hits("gaps")]
    assert gaps == ["intent definition: no candidate says what it is"]


def test_a_line_of_a_program_defines_nothing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 設定\n\n```python\nx = {\n    '端末': '手元の機械',\n}\n```\n")
    gaps = [gap["gap_hint"] for gap in serve().find("端末とは").hits("gaps")]
    assert gaps == ["intent definition: no candidate says what it is"]


def test_a_line_that_only_begins_with_the_word_defines_nothing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/terms.md", "# 用語\n\n保護者 児童は別の語である。\n\n一 保護者会 保護者の集まりをいう。\n")
    workspace.write("m/uses.md", "# 様式\n\n## 保護者\n\n保護者が記入する。\n")
    assert serve().find("保護者とは").hits("integrated_top")[0]["ref"]["path"] == "uses.md"


_ABOUT_VALVES = "A {}valve is a part, as anybody knows who has seen one, and has a {}valve to open and to shut.\n"


@pytest.mark.parametrize("kind", ["safety-", "safety ", "old\u3000", "**safety** "])
@pytest.mark.parametrize("question", ["what is a valve", "what's a valve?", "whats a valve"])
def test_what_is_said_of_a_kind_of_it_comes_behind_the_section_that_is_called_so(
    workspace: WorkspaceFolder, serve: Serve, kind: str, question: str
) -> None:
    workspace.write("m/a.md", f"# Safety\n\n## Kinds\n\n{_ABOUT_VALVES.format(kind, kind)}")
    workspace.write(
        "m/b.md", "# Parts\n\n## Valves\n\nThe valve lets steam out, a valve for each of two valve seats.\n"
    )
    workspace.write("m/c.md", f"# Other\n\n## Kinds\n\n{_ABOUT_VALVES.format('', '')}")
    best = [hit["path"] for hit in serve().find(question).hits("integrated_top")]
    assert best == ["c.md", "b.md", "a.md"]


@pytest.mark.parametrize("title", ["端末", "「端末」", "`端末`", "**端末**", "（端末）"])
def test_a_title_is_the_name_of_the_thing_whatever_marks_are_round_it(
    workspace: WorkspaceFolder, serve: Serve, title: str
) -> None:
    workspace.write("m/a.md", "# 利用\n\n## 返却する端末\n\n端末は、使った者が端末の箱に返す。\n")
    workspace.write("m/b.md", f"# 機器\n\n## {title}\n\n手元に置く。使った者が端末の箱に返す。\n")
    assert serve().find("端末とは").hits("integrated_top")[0]["path"] == "b.md"


def test_of_sentences_about_kinds_of_the_thing_the_first_is_the_place(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# Parts\n\nParts open and shut.\n\nA safety valve is red.\n\nA ball valve is blue.\n")
    assert serve().find("what is a valve").places() == {("a.md", 5)}


def test_the_sentence_that_is_said_of_the_thing_is_the_place_not_the_one_of_a_kind_of_it(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# Parts\n\nA safety valve is red.\n\nOf these, the valve is what opens.\n")
    assert serve().find("what is a valve").places() == {("a.md", 5)}
