"""A call that nobody waits for any more stops its work."""

from typing import Any

import pytest

from morenashi.server.deadline import CallCancelledError, Deadline
from morenashi.server.edge.registry import TOOLS
from morenashi.server.edge.validate import parse_arguments
from morenashi.server.errors import ToolError

from ..server.serving import ask_database
from ..workspaces import eventually
from .calls import LONG_CALLS, LOOSE, SLOW_PATTERN
from .connecting import Connection, ends, is_running

CALLS = [*LONG_CALLS.items(), LOOSE]
IDS = [f"{tool}-{n}" for n, (tool, _) in enumerate(CALLS)]
# An expression is searched in several files at once; these go on to the end of what they have begun.
STEADY = [call for call in CALLS if call != ("vault_search", LONG_CALLS["vault_search"])]


class Cancelling:
    """A deadline that is cancelled from another place as soon as the call has told something."""

    def __init__(self) -> None:
        self.told = 0
        self.deadline = Deadline(60_000, told=self._take)

    def _take(self, done: int, total: int) -> None:
        self.told += 1
        self.deadline.cancel()


@pytest.mark.parametrize(("tool", "arguments"), STEADY, ids=[tool for tool, _ in STEADY])
def test_a_call_stops_where_it_is_when_it_is_cancelled(busy: Connection, tool: str, arguments: dict[str, Any]) -> None:
    cancelling = Cancelling()
    call = parse_arguments(TOOLS[tool].input, arguments)
    with pytest.raises((CallCancelledError, ToolError)):
        TOOLS[tool].run(busy.workspace, call, cancelling.deadline)
    assert cancelling.told == 1


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=IDS)
def test_a_cancelled_call_ends_and_the_server_goes_on(busy: Connection, tool: str, arguments: dict[str, Any]) -> None:
    busy.begin(tool, **arguments).cancel()
    assert ends(tool)
    assert busy.call("manual_list") == {"items": [{"manual_id": "m"}]}


def test_a_search_that_would_take_seconds_ends_when_its_client_gives_up(busy: Connection) -> None:
    search = busy.begin("vault_search", **SLOW_PATTERN)
    assert eventually(lambda: is_running("matching_lines"))
    assert search.cancel()
    assert ends("vault_search")
    assert ends("matching_lines")


def test_a_cancelled_search_leaves_no_trace(busy: Connection) -> None:
    cancelling = Cancelling()
    call = parse_arguments(TOOLS["manual_find"].input, {"query": "鍵言葉 取りやめた検索"})
    with pytest.raises(CallCancelledError):
        TOOLS["manual_find"].run(busy.workspace, call, cancelling.deadline)
    kept = busy.call("manual_find", query="鍵言葉")["trace_id"]
    assert eventually(lambda: ask_database(busy.folder, "SELECT 1 FROM traces WHERE id = ?", kept))
    assert ask_database(busy.folder, "SELECT count(*) FROM traces WHERE query LIKE '%取りやめた%'") == [(0,)]
