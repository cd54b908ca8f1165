"""What a search left over is taken up when the index is another one: made anew, or with documents that came since."""

from collections.abc import Iterator

import pytest

from morenashi.indexer.schema import recreate_derived
from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.outcome import Outcome
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.resuming import Rest
from morenashi.server.search.scope import ScopeCache

from ..indexer.indexes import OpenIndex, open_index
from ..workspaces import WorkspaceFolder

QUERY = "鍵言葉"


@pytest.fixture
def opened(workspace: WorkspaceFolder) -> Iterator[OpenIndex]:
    """An index of one manual, whose file does not hold the term."""
    workspace.write("m/a.md", "# 題\n\n本文\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        yield opened


def find(opened: OpenIndex, rest: Rest | None = None, *pending: str, question: str = QUERY) -> tuple[Outcome, Rest]:
    """A search while these files of the manual wait to be indexed, and what it left over."""
    request = FindRequest(parse_query(question, {}, {}), question, None, None, 50, resumed=rest)
    outcome = Search(opened.connection, ScopeCache(), frozenset(("m", path) for path in pending)).run(
        request, Deadline(60_000)
    )
    return outcome, outcome.complete().rest


def status(outcome: Outcome) -> str:
    return str(outcome.answer.summary["completeness"]["status"])


def test_a_file_that_was_to_be_indexed_anew_is_taken_up_to_its_end(
    workspace: WorkspaceFolder, opened: OpenIndex
) -> None:
    """Its content is the one that it had in earlier generations, so that nothing says it has changed."""
    workspace.write("m/b.md", "# 前書き\n\n本文\n\n# 題\n\n鍵言葉\n")
    opened.synchronise()
    recreate_derived(opened.connection)
    first, rest = find(opened, None, "a.md", "b.md")
    assert status(first) == "unknown"
    opened.synchronise()
    second, _ = find(opened, rest)
    assert (status(second), second.answer.summary["completeness"]["lines"]["total"]) == ("found", 10)


def test_a_rest_is_not_absent_if_a_file_has_come_meanwhile(workspace: WorkspaceFolder, opened: OpenIndex) -> None:
    first, rest = find(opened, None, "a.md")
    assert (status(first), status(find(opened, rest)[0])) == ("unknown", "absent")
    assert status(find(opened, rest, "b.md")[0]) == "unknown"
    workspace.write("m/b.md", "# 題\n\n鍵言葉\n")
    opened.synchronise()
    _, further = find(opened, rest, "a.md")
    assert [status(find(opened, later)[0]) for later in (rest, further)] == ["unknown", "unknown"]


@pytest.mark.parametrize("question", ["労働基準法39条", "**停止条件**", "~~**停止条件**~~", "  Ｑ＆Ａ\n"])
def test_the_rest_of_a_question_is_its_own_however_that_was_written(opened: OpenIndex, question: str) -> None:
    _, rest = find(opened, None, "a.md", question=question)
    assert status(find(opened, rest, question=question)[0]) == "absent"
