"""What is found, and in which order, follows from the files: not from the order in which they were indexed."""

from typing import Any

import pytest

from morenashi.indexer.schema import recreate_derived
from morenashi.server.deadline import Deadline
from morenashi.server.search.canonical import as_canonical
from morenashi.server.search.find import Search
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.scope import ScopeCache

from ..indexer.indexes import OpenIndex, open_index
from ..workspaces import WorkspaceFolder

QUESTIONS = {
    "as heavy": ("鍵言葉", [f"鍵言葉を書く。第{n % 40 + 1}条による。" for n in range(1, 41)]),
    "near misses": ("基礎控除 申告期限", [f"基礎的な控除を申告する者の期限は{n}日。" for n in range(1, 41)]),
    "exceptions elsewhere": (
        "鍵言葉",
        ["鍵言葉を書く。", *(f"[第1条](z.md#第1条)の規定は、{n}月には適用しない。" for n in range(2, 8))],
    ),
    "appendices": ("別表第1", [f"別表第1による。{n}日。" for n in range(1, 9)]),
}


def found(opened: OpenIndex, question: str) -> dict[str, Any]:
    request = FindRequest(parse_query(question, {}, {}), question, None, None, 20)
    outcome = Search(opened.connection, ScopeCache(), frozenset()).run(request, Deadline(60_000))
    return as_canonical(outcome.complete())


@pytest.mark.parametrize(("question", "articles"), QUESTIONS.values(), ids=QUESTIONS)
def test_what_came_first_into_the_index_is_not_found_before_the_others(
    workspace: WorkspaceFolder, question: str, articles: list[str]
) -> None:
    text = "".join(f"## 第{n}条\n\n{said}\n\n" for n, said in enumerate(articles, 1))
    far = "".join(f"## 遠い{n}\n\n図書館の本を{n}冊まで借りる。\n\n" for n in range(200))
    with open_index(workspace) as opened:
        for name in "zab":
            workspace.write(f"m/{name}.md", f"# 規程{name}\n\n{text}{far}## 別表第1\n\n東京\n")
            opened.synchronise()
        grown = found(opened, question)
        recreate_derived(opened.connection)
        opened.synchronise()
        assert found(opened, question) == grown
        assert grown["candidates"]
