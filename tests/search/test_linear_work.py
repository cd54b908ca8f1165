"""Manuals with very much of one kind. At these sizes, a search in linear work takes less than a third of the time that
is allowed."""

import pytest

from ..indexer.indexes import index
from ..limited_work import RunWithin
from ..workspaces import WorkspaceFolder

CPU_SECONDS = 5
_SEARCH = """
import sys
from pathlib import Path
from morenashi.indexer.database import open_reader
from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.scope import ScopeCache
database, question = sys.argv[1:]
request = FindRequest(parse_query(question, {}, {}), question, None, None, 200)
search = Search(open_reader(Path(database)), ScopeCache(), frozenset())
assert search.run(request, Deadline(600_000)).answer.summary["candidates"]
"""
_TAKE_UP = """
import sys
from pathlib import Path
from morenashi.indexer.database import open_reader
from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.scope import ScopeCache
search, rest = Search(open_reader(Path(sys.argv[1])), ScopeCache(), frozenset()), None
for _ in range(6):
    request = FindRequest(parse_query("旅費", {}, {}), "旅費", None, None, 10, resumed=rest)
    trace = search.run(request, Deadline(600_000)).complete()
    rest = trace.rest
assert len(trace.leads) > 100
"""


def _distinct(number: int) -> str:
    """A word of two kanji, another one for each number."""
    return chr(0x4E00 + number % 5_000) + chr(0x6E00 + number // 5_000)


VERY_MUCH = {
    "references from one section to one": "# 第1条\n\n旅行。\n\n# 第2条\n\n" + "旅費は、第1条による。\n" * 30_000,
    "denials": "# 規程\n\n"
    + "".join(f"旅費{_distinct(n)}はできない。\n旅費{_distinct(n + 10_000)}はできる。\n" for n in range(8_000)),
    "values of one quantity on a line": "# 甲\n\n"
    + "".join(f"旅費手当は{n}円。 " for n in range(1, 8_000, 2))
    + "\n\n# 乙\n\n"
    + "".join(f"旅費手当は{n}円。 " for n in range(2, 8_000, 2)),
    "cells of a line": "# 規程\n\n" + "旅費|100円|" * 60_000,
    "links that do not end": "# 規程\n\n" + '[旅費](a/b "c' * 60_000,
}


@pytest.mark.parametrize("text", VERY_MUCH.values(), ids=VERY_MUCH)
def test_a_search_in_very_much_of_one_kind_is_linear_work(
    workspace: WorkspaceFolder, run_within: RunWithin, text: str
) -> None:
    workspace.write("m/a.md", text)
    index(workspace)
    run_within(CPU_SECONDS, _SEARCH, str(workspace.database), "旅費")


def test_words_near_each_other_in_a_line_of_nothing_else_are_linear_work(
    workspace: WorkspaceFolder, run_within: RunWithin
) -> None:
    workspace.write("m/a.md", "# 規程\n\n" + "旅費は、別表。" * 40_000)
    index(workspace)
    run_within(CPU_SECONDS, _SEARCH, str(workspace.database), "旅費~別表")


def test_what_references_lead_to_is_taken_up_without_going_through_the_sections_before_it(
    workspace: WorkspaceFolder, run_within: RunWithin
) -> None:
    last = 8_000
    referring = (
        f"## 第{n}条\n\n旅費は、{'、'.join(f'第{last - (7 * n + i) % 200}条' for i in range(20))}による。\n\n"
        for n in range(100)
    )
    workspace.write("m/a.md", "".join(referring) + "".join(f"## 第{n}条\n\n費目。\n\n" for n in range(100, last + 1)))
    index(workspace)
    run_within(CPU_SECONDS, _TAKE_UP, str(workspace.database))
