"""Which hits of a search are asked for, and what does not go together in a call that reads."""

from collections.abc import Sequence
from dataclasses import dataclass

from morenashi.server.calls.inputs import ManualRead
from morenashi.server.calls.vault_inputs import VaultRead
from morenashi.server.errors import ToolError
from morenashi.server.reading import HitScope
from morenashi.server.search.traces import Tool


@dataclass(frozen=True, slots=True)
class HitsAsked:
    """Which hits of a search to read, all from `offset` on if they are not named, and how much: with `only_new` no line
    that the client has had whole, as it stands now.
    """

    tool: Tool
    trace_id: str
    scope: HitScope
    hits: Sequence[int] | None
    offset: int
    max_sections: int | None
    max_chars: int
    only_new: bool


def refuse_beside_trace(call: ManualRead | VaultRead, *names: str) -> None:
    """Refuse parameters of a call that are for reading a single place, and those that do not go together."""
    for name in names:
        if getattr(call, name) is not None:
            message = f"{name}: it is for reading one place; leave it out beside a trace_id"
            raise ToolError("invalid_parameter", message, parameter=name, expected="no value beside a trace_id")
    if call.hits is not None and call.offset is not None:
        message = "offset: it passes over hits; leave it out where they are named"
        raise ToolError("invalid_parameter", message, parameter="offset", expected="no value beside hits")
    if call.line_numbers is False:
        message = "line_numbers: the lines of what a trace found are always numbered"
        raise ToolError("invalid_parameter", message, parameter="line_numbers", expected="true")


def refuse_without_trace(call: ManualRead | VaultRead, place: str, *names: str) -> None:
    """Refuse parameters that pick among the hits of a search where a single `place` is read."""
    for name in names:
        if getattr(call, name) is not None:
            message = f"{name}: it is of a trace; give its trace_id, without a {place}"
            raise ToolError("invalid_parameter", message, parameter=name, expected=f"no value beside a {place}")
