"""`manual_read` of a trace: what a search found, many hits in one answer, as they are on disk now. With the scope
`sections` what there is room for of each one's section, with `section` all of it, with `snippet` the lines that match.

An agent that wants everything would read them one by one otherwise, and pay for each call. What is given of a hit
begins with a line that names it, `[hit] manual/path:lines`. Lines of documents begin with their number and a tab: none
of them can pass for such a line.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any

from morenashi.indexer.encodings import decode
from morenashi.indexer.files import parts_below_root, read_whole
from morenashi.server.calls import inputs
from morenashi.server.delivery.delivered import describe_delivery
from morenashi.server.errors import ToolError
from morenashi.server.line_numbers import number_lines
from morenashi.server.reading import FileText
from morenashi.server.search.adaptation.reads import Read
from morenashi.server.search.ranking.candidates import Candidate
from morenashi.server.unreadable import refusing_unreadable
from morenashi.server.workspace import Workspace

from .excerpts import Excerpt, excerpt, matching_lines, whole_section
from .files import open_document
from .known_sections import known_sections
from .read_limits import limits_of

_CutOut = Callable[[FileText, Candidate, Sequence[int]], Excerpt]
_CUT_OUT: Mapping[str, _CutOut] = {"snippet": matching_lines, "section": whole_section, "sections": excerpt}

_MOST_SNIPPETS = 50
# Of the files of one answer, whose hits do not follow each other.
_CHARACTERS_KEPT = 8_000_000
_GIVEN = "given above"
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is given of a hit: places in its file; or a note why there are none."""

    hit: int
    candidate: Candidate
    file: FileText | None = None
    places: Sequence[tuple[int, int]] = ()
    is_whole: bool = True
    note: str = ""

    @property
    def place(self) -> tuple[str, str]:
        return self.candidate.manual_id, self.candidate.path

    @property
    def characters(self) -> int:
        return sum(end - start for start, end in self.places)

    def is_part_of(self, other: "_Piece") -> bool:
        """Whether all that is given of it is given of the other, too."""
        return self.place == other.place and all(
            any(first <= start and end <= last for first, last in other.places) for start, end in self.places
        )


def read_hits(workspace: Workspace, call: inputs.ManualRead, trace_id: str) -> dict[str, Any]:
    """Read what a search found, as many hits as the limits allow; the answer says where to go on."""
    _check(call)
    candidates = _candidates(workspace, trace_id)
    asked = _asked(call, len(candidates))
    max_sections, max_chars = limits_of(workspace, call)
    most = _MOST_SNIPPETS if call.scope == "snippet" else max_sections
    cut_out = _CUT_OUT[call.scope or "sections"]
    if call.hits is not None and cut_out is excerpt:
        # Who names them wants all of them.
        cut_out = partial(excerpt, most=max_chars)
    # Those that were passed over were given before: what was given with them is not given again.
    known = candidates if call.hits is None else [candidates[hit] for hit in asked]
    pieces = _take(_pieces(workspace, candidates, asked[:most], known, cut_out), max_chars)
    for piece in pieces:
        _record(workspace, piece)
    left = asked[len(pieces) :]
    answer = {
        "text": "".join(map(_as_text, _in_reading_order(pieces))),
        "truncated": bool(left) or not all(piece.is_whole for piece in pieces),
        "applied": {
            "scope": call.scope or "sections",
            "max_sections": most,
            "max_chars": max_chars,
        },
        "source": None,
        "next_cursor": None,
    }
    if not left:
        return answer
    return answer | ({"next_offset": left[0]} if call.hits is None else {"next_hits": left})


def _check(call: inputs.ManualRead) -> None:
    """Refuse what is for a single place."""
    if call.scope == "file":
        message = "scope: what a search found is read as sections, not as whole files"
        raise ToolError("invalid_scope", message, parameter="scope", allowed=list(_CUT_OUT))
    for name in ("ref", "cursor", "expand"):
        if getattr(call, name) is not None:
            message = f"{name}: it is for reading one place; leave it out beside a trace_id"
            raise ToolError("invalid_parameter", message, parameter=name, expected="no value beside a trace_id")
    if call.hits is not None and call.offset is not None:
        message = "offset: it passes over hits; leave it out where they are named"
        raise ToolError("invalid_parameter", message, parameter="offset", expected="no value beside hits")
    if call.line_numbers is False:
        message = "line_numbers: the lines of what a trace found are always numbered"
        raise ToolError("invalid_parameter", message, parameter="line_numbers", expected="true")


def _candidates(workspace: Workspace, trace_id: str) -> tuple[Candidate, ...]:
    trace = workspace.traces.find(trace_id)
    if trace.tool == "vault_find":
        message = "trace_id: it is of notes; vault_read reads them, by the paths and lines that manual_hits lists"
        raise ToolError("invalid_parameter", message, parameter="trace_id", expected="a trace of manual_find")
    return trace.candidates


def _asked(call: inputs.ManualRead, total: int) -> list[int]:
    """The hits that are asked for: those that are named, each once, or all from an offset on."""
    if call.hits is None:
        return list(range(call.offset or 0, total))
    if max(call.hits) >= total:
        message = f"hits: they are counted from 0, and the search has {total}"
        raise ToolError("invalid_parameter", message, parameter="hits", expected=f"numbers below {total}")
    return list(dict.fromkeys(call.hits))


def _pieces(
    workspace: Workspace,
    candidates: Sequence[Candidate],
    asked: Iterable[int],
    known: Iterable[Candidate],
    cut_out: _CutOut,
) -> Iterator[_Piece]:
    """One after the other: what the limits leave no room for need not be read."""
    files: dict[tuple[str, str], FileText] = {}
    hits: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for candidate in known:
        hits[candidate.manual_id, candidate.path].append(candidate.line)
    for hit in asked:
        candidate = candidates[hit]
        place = candidate.manual_id, candidate.path
        try:
            file = files.get(place) or _read_file(workspace, candidate)
        except ToolError as error:
            yield _Piece(hit, candidate, note=f"{error.code}; search again")
            continue
        if sum(len(one.text) for one in files.values()) > _CHARACTERS_KEPT:
            files.clear()
        files[place] = file
        cut = cut_out(file, candidate, hits[place])
        yield _Piece(hit, candidate, file, cut.places, cut.is_whole, _why_nothing(file, candidate, cut))


def _why_nothing(file: FileText, candidate: Candidate, cut: Excerpt) -> str:
    """Why nothing is given of a hit, if nothing is."""
    if cut.with_line is not None:
        return f"given with line {cut.with_line}"
    has_changed = candidate.line > file.lines or not file.text
    return "the file has changed; search again" if has_changed else "no line matches; it is referred to"


def _read_file(workspace: Workspace, candidate: Candidate) -> FileText:
    parts = parts_below_root(candidate.manual_id, candidate.path)
    whole = workspace.config.manuals.joinpath(*parts)
    with refusing_unreadable(whole, "hits", "manual_ls"), open_document(workspace, parts, "hits") as descriptor:
        data, _ = read_whole(descriptor)
        text = decode(data).text
    if candidate.file_type == "json":
        return FileText(text, "json")
    digest = sha256(data).digest()
    known = workspace.ask(lambda index: known_sections(index, candidate.manual_id, candidate.path, digest))
    return FileText(text, candidate.file_type, known)


def _take(pieces: Iterable[_Piece], max_chars: int) -> list[_Piece]:
    """Those that the limit has room for, in order: the first in any case, cut if need be. Nothing is given twice."""
    taken: list[_Piece] = []
    room = max_chars
    for piece in pieces:
        if piece.places and any(piece.is_part_of(other) for other in taken):
            taken.append(replace(piece, places=(), note=_GIVEN))
        elif piece.characters <= room or not taken:
            taken.append(_shorten(piece, room))
            room -= piece.characters
        else:
            break
    return taken


def _shorten(piece: _Piece, most: int) -> _Piece:
    if piece.characters <= most:
        return piece
    places = []
    for start, end in piece.places:
        places.append((start, min(end, start + most)))
        most -= min(end - start, most)
        if not most:
            break
    return replace(piece, places=places, is_whole=False)


def _record(workspace: Workspace, piece: _Piece) -> None:
    """Note what the session has read and which lines it was given."""
    candidate, file = piece.candidate, piece.file
    if file is None:
        return
    workspace.traces.record_read(Read(candidate.manual_id, candidate.path, candidate.line))
    place = "/".join(parts_below_root(candidate.manual_id, candidate.path))
    for start, end in piece.places:
        workspace.delivered.record(describe_delivery("manual", place, file, start, end, file.part))


def _in_reading_order(pieces: Sequence[_Piece]) -> list[_Piece]:
    """What is of one file together, in the order of its lines; the file of the best hit first."""
    files = list(dict.fromkeys(piece.place for piece in pieces))
    return sorted(pieces, key=lambda one: (files.index(one.place), not one.places, one.candidate.line))


def _as_text(piece: _Piece) -> str:
    name, file = f"[{piece.hit}] {_on_one_line(f'{piece.candidate.manual_id}/{piece.candidate.path}')}", piece.file
    if file is None or not piece.places:
        return f"{name}:{piece.candidate.line}, {piece.note}\n"
    lines = f"{file.line_of(piece.places[0][0])}-{file.line_of(piece.places[-1][1] - 1)}"
    texts = (number_lines(file.part(start, end), file.line_of(start)) for start, end in piece.places)
    return f"{name}:{lines}{'' if piece.is_whole else ', in parts'}\n" + "".join(map(_ended, texts))


def _on_one_line(path: str) -> str:
    """A path, with escapes for what would end the line: a file can be called anything."""
    return _BREAKS.sub(lambda found: found[0].encode("unicode_escape").decode(), path)


def _ended(text: str) -> str:
    """A text with a line feed at its end: to many that read the answer a carriage return ends no line."""
    return text if text.endswith("\n") else text + "\n"
