"""What a search in manuals or notes found, many hits in one answer, as they are on disk now. With the scope `sections`
what there is room for of the sections of the best, and of the others the lines that match; with `section` all of each
one's section, with `snippet` the lines that match.

An agent that wants everything would read them one by one otherwise, and pay for each call. What is given of a hit
begins with a line that names it, `[hit] manual/path:lines`, of a note `[hit] path:lines`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from morenashi.indexer.encodings import decode
from morenashi.indexer.files import parts_below_root, read_whole
from morenashi.server.calls.inputs import ManualRead
from morenashi.server.calls.vault_inputs import VaultRead
from morenashi.server.errors import ToolError
from morenashi.server.paths import open_guarded
from morenashi.server.ranges import merge
from morenashi.server.reading import FileText, HitScope
from morenashi.server.search.ranking.candidates import Candidate
from morenashi.server.search.traces import Tool, Trace
from morenashi.server.shelf import Shelf
from morenashi.server.unreadable import refusing_unreadable
from morenashi.server.workspace import Workspace

from .excerpts import Excerpt, excerpt, is_only_referred_to, matching_lines, whole_section
from .given import note_given
from .hit_pieces import GIVEN_BEFORE, Piece, as_text, in_reading_order, only_new, take
from .known_sections import known_sections
from .read_limits import DEFAULT_CHARS, DEFAULT_SECTIONS

_CutOut = Callable[[FileText, Candidate, Sequence[int]], Excerpt]

# Measured on 26 questions for everything about a subject (docs/decisions/0021): to give more of the sections whole
# leaves room for fewer, to give none loses what stands beside the lines that match.
_BEST = 3
_MOST_PARTS = 50
# Of the files of one answer, whose hits do not follow each other.
_CHARACTERS_KEPT = 8_000_000
_LINKED = "only referred to"


@dataclass(frozen=True, slots=True)
class HitsAsked:
    """Which hits of a search to read, all from `offset` on if they are not named, and how much: with `only_new` no line
    that the client has had whole, as it stands now.
    """

    tool: Tool
    trace_id: str
    scope: HitScope = "sections"
    hits: Sequence[int] | None = None
    offset: int = 0
    max_sections: int | None = None
    max_chars: int = DEFAULT_CHARS
    only_new: bool = False


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


def read_hits(workspace: Workspace, call: HitsAsked) -> dict[str, Any]:
    """Read what a search found, as many hits as the limits allow; the answer says where to go on."""
    trace = _find_trace(workspace, call)
    shelf = workspace.vault if trace.tool == "vault_find" else workspace.manuals
    asked = _asked(call, len(trace.candidates))
    ways = {hit: _way(call, hit) for hit in asked}
    most = _most_hits(workspace, call, are_lines=matching_lines in ways.values())
    # Those that were passed over were given before: what was given with them is not given again.
    known = trace.candidates if call.hits is None else [trace.candidates[hit] for hit in asked]
    linked = [hit for hit in asked if ways[hit] is matching_lines and is_only_referred_to(trace.candidates[hit])]
    given = [hit for hit in asked if hit not in linked]
    found = _pieces(shelf, trace.candidates, given, known, ways)
    pieces = take(only_new(workspace.delivered, found) if call.only_new else found, most, call.max_chars)
    for piece in pieces:
        if piece.file is not None:
            note_given(workspace, piece.key, piece.file, piece.candidate.line, piece.places)
    left = given[len(pieces) :]
    before = [piece.hit for piece in pieces if piece.note == GIVEN_BEFORE]
    told = [piece for piece in pieces if piece.note != GIVEN_BEFORE]
    if left and call.hits is None:
        linked = [hit for hit in linked if hit < left[0]]
    text = "".join(map(as_text, in_reading_order(told)))
    more = _more(call, pieces, left)
    return {
        "text": text + _as_line(GIVEN_BEFORE, before) + _as_line(_LINKED, linked),
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


def _way(call: HitsAsked, hit: int) -> _CutOut:
    """What is given of a hit."""
    if call.scope == "section":
        return whole_section
    if call.scope == "sections" and call.hits is not None:
        # Who names them wants all of them.
        return partial(excerpt, most=call.max_chars)
    return excerpt if call.scope == "sections" and hit < _BEST else matching_lines


def _pieces(
    shelf: Shelf,
    candidates: Sequence[Candidate],
    asked: Iterable[int],
    known: Iterable[Candidate],
    ways: Mapping[int, _CutOut],
) -> Iterator[Piece]:
    """One after the other: what the limits leave no room for need not be read."""
    files: dict[tuple[str, str], FileText] = {}
    hits: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for candidate in known:
        hits[candidate.manual_id, candidate.path].append(candidate.line)
    for hit in asked:
        candidate = candidates[hit]
        place = candidate.manual_id, candidate.path
        try:
            file = files.get(place) or _read_file(shelf, candidate)
        except ToolError as error:
            yield Piece(hit, candidate, note=f"{error.code}; search again")
            continue
        if sum(len(one.text) for one in files.values()) > _CHARACTERS_KEPT:
            files.clear()
        files[place] = file
        cut = ways[hit](file, candidate, hits[place])
        yield Piece(hit, candidate, file, cut.places, cut.is_whole, _why_nothing(cut))


def _why_nothing(cut: Excerpt) -> str:
    """Why nothing is given of a hit, if nothing is."""
    return "the file has changed; search again" if cut.with_line is None else f"given with line {cut.with_line}"


def _read_file(shelf: Shelf, candidate: Candidate) -> FileText:
    root, parts = shelf.collection.root, parts_below_root(candidate.manual_id, candidate.path)
    # Of a refusal the code alone is given.
    with (
        refusing_unreadable(root.joinpath(*parts), "hits", "manual_ls"),
        open_guarded(root, parts, "hits") as descriptor,
    ):
        data, _ = read_whole(descriptor)
        text = decode(data).text
    if candidate.file_type == "json":
        return FileText(text, "json")
    digest = sha256(data).digest()
    known = shelf.ask(lambda index: known_sections(index, candidate.manual_id, candidate.path, digest))
    return FileText(text, candidate.file_type, known)


def _more(call: HitsAsked, pieces: Sequence[Piece], left: Sequence[int]) -> dict[str, Any]:
    """How to get what the answer lacks."""
    more: dict[str, Any] = {}
    if cut := [piece.hit for piece in pieces if not piece.is_whole]:
        more["in_parts"] = cut
    if left and call.hits is None:
        more["next_offset"] = left[0]
    elif left:
        more["next_hits"] = left
    return more


def _as_line(said: str, hits: Sequence[int]) -> str:
    """A line that says the same of all these hits."""
    runs = (f"[{first}]" if first == last else f"[{first}-{last}]" for first, last in merge((hit, hit) for hit in hits))
    return f"{said}: {' '.join(runs)}\n" if hits else ""
