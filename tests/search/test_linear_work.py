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


def _distinct(number: int) -> str:
    """A word of two kanji, another one for each number."""
    return chr(0x4E00 + number % 5_000) + chr(0x6E00 + number // 5_000)


VERY_MUCH = {
    "references from one section to one": "# 第1条\n\n旅行。\n\n# 第2条\n\n" + "旅費は、第1条による。\n" * 30_000,
    "denials": "# 規程\n\n"
    + "".join(f"旅費{_distinct(n)}はできない。\n旅費{_distinct(n + 10_000)}はできる。\n" for n in range(10_000)),
    "values of one quantity on a line": "# 甲\n\n"
    + "".join(f"旅費手当は{n}円。 " for n in range(1, 8_000, 2))
    + "\n\n# 乙\n\n"
    + "".join(f"旅費手当は{n}円。 " for n in range(2, 8_000, 2)),
}


@pytest.mark.parametrize("text", VERY_MUCH.values(), ids=VERY_MUCH)
def test_a_search_in_very_much_of_one_kind_is_linear_work(
    workspace: WorkspaceFolder, run_within: RunWithin, text: str
) -> None:
    workspace.write("m/a.md", text)
    index(workspace)
    run_within(CPU_SECONDS, _SEARCH, str(workspace.database), "旅費")
