"""What a search in manuals or notes found, many hits in one answer, as they are on disk now. With the scope `sections`
what there is room for of the sections of the best, and of the others the lines that match; with `section` all of each
one's section, with `snippet` the lines that match.

An agent that wants everything would read them one by one otherwise, and pay for each call. What is given of a hit
begins with a line that names it, `[hit] manual/path:lines`, of a note `[hit] path:lines`.
"""

from collections.abc import Sequence
from typing import Any

from morenashi.server.errors import ToolError
from morenashi.server.search.traces import Trace
from morenashi.server.workspace import Workspace

from .given import note_given
from .hit_pieces import (
    GIVEN_BEFORE,
    ONLY_REFERRED_TO,
    Piece,
    as_line,
    each_line_once,
    each_once,
    in_reading_order,
    take,
)
from .hit_reader import HitReader
from .hits_asked import HitsAsked
from .read_limits import DEFAULT_SECTIONS

_MOST_PARTS = 50


def read_hits(workspace: Workspace, call: HitsAsked) -> dict[str, Any]:
    """Read what a search found, as many hits as the limits allow; the answer says where to go on."""
    trace = _find_trace(workspace, call)
    asked = _asked(call, len(trace.candidates))
    reader = HitReader(workspace, call, trace.candidates)
    linked = [hit for hit in asked if reader.has_no_lines(hit)]
    given = [hit for hit in asked if hit not in linked]
    most = _most_hits(workspace, call, are_lines=any(map(reader.gives_lines, asked)))
    # The line that names the others before the hit at which the next answer begins takes room, too.
    ends = [*given[1:], len(trace.candidates)]
    rooms = (call.max_chars - len(as_line(ONLY_REFERRED_TO, [hit for hit in linked if hit < end])) for end in ends)
    pieces = take(zip(map(reader.piece, given), rooms, strict=False), most)
    left = given[len(pieces) :]
    if not left and call.hits is None and call.offset == 0:
        room = call.max_chars - len(as_line(ONLY_REFERRED_TO, linked))
        pieces = [*pieces, *reader.named(linked, pieces, room)]
        pieces = each_once(reader.with_more(pieces, room))
    if call.only_new:
        pieces = each_line_once(pieces)
    for piece in pieces:
        if piece.file is not None:
            note_given(workspace, piece.candidate.key, piece.file, piece.candidate.line, piece.had)
    before = [piece.hit for piece in pieces if piece.note == GIVEN_BEFORE]
    told = [piece for piece in pieces if piece.note != GIVEN_BEFORE]
    named = {piece.hit for piece in pieces}
    linked = [hit for hit in linked if hit not in named and (not left or call.hits is not None or hit < left[0])]
    text = "".join(piece.text for piece in in_reading_order(told))
    more = _more(call, pieces, left)
    return {
        "text": text + as_line(GIVEN_BEFORE, before) + as_line(ONLY_REFERRED_TO, linked),
        "truncated": bool(more),
        "applied": {"scope": call.scope, "max_sections": most, "max_chars": call.max_chars},
        **more,
    }


def _find_trace(workspace: Workspace, call: HitsAsked) -> Trace:
    trace = workspace.traces.find(call.trace_id)
    if trace.tool != call.tool:
        reader = "vault_read" if trace.tool == "vault_find" else "manual_read"
        message = f"trace_id: it is of {trace.tool}; {reader} reads what that found"
        raise ToolError("invalid_parameter", message, parameter="trace_id", expected=f"a trace of {call.tool}")
    return trace


def _asked(call: HitsAsked, total: int) -> list[int]:
    """The hits that are asked for: those that are named, each once, or all from an offset on."""
    if call.hits is None:
        return list(range(call.offset, total))
    if max(call.hits) >= total:
        message = f"hits: they are counted from 0, and the search has {total}"
        raise ToolError("invalid_parameter", message, parameter="hits", expected=f"numbers below {total}")
    return list(dict.fromkeys(call.hits))


def _most_hits(workspace: Workspace, call: HitsAsked, *, are_lines: bool) -> int:
    """How many hits are given at most; more of them where only lines are given."""
    if are_lines:
        return min(call.max_sections or _MOST_PARTS, _MOST_PARTS)
    return min(call.max_sections or DEFAULT_SECTIONS, workspace.config.hard_max_sections)


def _more(call: HitsAsked, pieces: Sequence[Piece], left: Sequence[int]) -> dict[str, Any]:
    """How to get what the answer lacks."""
    more: dict[str, Any] = {}
    if cut := [piece.hit for piece in pieces if not piece.is_whole]:
        more["in_parts"] = cut
    if left and call.hits is None:
        more["next_offset"] = left[0]
    elif following := [*(cut if call.only_new or call.hits is None else ()), *left]:
        more["next_hits"] = following
    return more
