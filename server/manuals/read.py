"""`manual_read`: a part of a document as it is on disk now (seed 004 §4)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from morenashi.indexer.files import FileType, Key, file_type_of, key_below_root
from morenashi.server.calls import inputs
from morenashi.server.delivery.given_places import given_places
from morenashi.server.errors import ToolError
from morenashi.server.line_numbers import number_lines
from morenashi.server.reading import FileText, HitScope, ReadScope, Span
from morenashi.server.unreadable import refusing_unreadable
from morenashi.server.workspace import Workspace

from .files import check_line, check_scope, locate_document, open_document
from .given import note_given
from .hits_asked import HitsAsked, refuse_beside_trace, refuse_without_trace
from .read_hits import read_hits
from .read_limits import limits_of
from .read_places import read_places
from .texts_read_on import Identity, texts_read_on


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be read of which file, `place` being its path below the root; the limits as they apply."""

    ref: inputs.ManualRef
    parts: tuple[str, ...]
    file_type: FileType
    scope: ReadScope
    max_sections: int
    max_chars: int

    @property
    def place(self) -> str:
        return "/".join(self.parts)

    @property
    def key(self) -> Key:
        return key_below_root(self.parts)


@dataclass(frozen=True, slots=True)
class _Part:
    """The characters [start, end) that a call is given; `is_cut` if what it asked for goes on behind them."""

    start: int
    end: int
    is_cut: bool


def manual_read(workspace: Workspace, call: inputs.ManualRead) -> dict[str, Any]:
    """Read a snippet, a section, several or a file; or what a search found."""
    if call.trace_id is not None:
        return _read_trace(workspace, call, call.trace_id)
    if call.places is not None:
        return _read_places(workspace, call, call.places)
    wanted = _find_wanted(workspace, call)
    file, identity = _read_file(workspace, wanted)
    if _is_of_a_value(file, call, wanted):
        wanted = replace(wanted, scope="snippet")
    check_scope(workspace, wanted.scope, wanted.file_type, allow_file=bool(call.limits and call.limits.allow_file))
    part = _choose(file, call, wanted)
    _keep_cut(file, identity, wanted, part)
    _record(workspace, file, wanted, part)
    return _answer(file, call, wanted, part)


def _read_trace(workspace: Workspace, call: inputs.ManualRead, trace_id: str) -> dict[str, Any]:
    if call.scope == "file":
        message = "scope: what a search found is read as sections, not as whole files"
        raise ToolError("invalid_scope", message, parameter="scope", allowed=list(get_args(HitScope)))
    refuse_beside_trace(call, "ref", "places", "cursor", "expand")
    _, max_chars = limits_of(workspace, call)
    max_sections = call.limits.max_sections if call.limits else None
    scope, offset = call.scope or "sections", call.offset or 0
    asked = HitsAsked("manual_find", trace_id, scope, call.hits, offset, max_sections, max_chars, bool(call.only_new))
    return read_hits(workspace, asked) | {"source": None, "next_cursor": None}


def _read_places(workspace: Workspace, call: inputs.ManualRead, places: Sequence[inputs.Place]) -> dict[str, Any]:
    for name in ("ref", "offset", "hits", "scope", "expand", "cursor"):
        if getattr(call, name) is not None:
            message = f"{name}: places are read as they are; leave it out beside them"
            raise ToolError("invalid_parameter", message, parameter=name, expected="no value beside places")
    _, max_chars = limits_of(workspace, call)
    return read_places(workspace, places, max_chars, only_new=bool(call.only_new))


def _find_wanted(workspace: Workspace, call: inputs.ManualRead) -> _Wanted:
    ref = _require_ref(call)
    parts = locate_document(workspace, ref.manual_id, ref.path, "ref.path", "ref.manual_id")
    file_type = file_type_of(parts[-1]) or "md"
    scope = call.scope or ("file" if file_type == "json" else "snippet")
    return _Wanted(ref, parts, file_type, scope, *limits_of(workspace, call))


def _require_ref(call: inputs.ManualRead) -> inputs.ManualRef:
    if call.ref is None:
        raise ToolError(
            "invalid_parameter", "ref: it is required, or places or a trace_id", parameter="ref", expected="a ref"
        )
    refuse_without_trace(call, "ref", "offset", "hits", "only_new")
    return call.ref


def _read_file(workspace: Workspace, wanted: _Wanted) -> tuple[FileText, Identity | None]:
    """The document, and under what it can be kept for the calls that read on."""
    whole = workspace.config.manuals.joinpath(*wanted.parts)
    with (
        refusing_unreadable(whole, "ref.path", "manual_ls"),
        open_document(workspace, wanted.parts, "ref.path") as descriptor,
    ):
        return texts_read_on.read(descriptor, wanted.file_type)


def _is_of_a_value(file: FileText, call: inputs.ManualRead, wanted: _Wanted) -> bool:
    """Whether the ref of a search, sent as it is, means the value that it names: the file is too long for an answer,
    and its beginning is not what was found.
    """
    names_value = bool(wanted.ref.json_path) and wanted.file_type == "json"
    return names_value and call.scope is None and len(file.text) > wanted.max_chars


def _choose(file: FileText, call: inputs.ManualRead, wanted: _Wanted) -> _Part:
    """From where the scope begins, or the cursor, as far as the limits reach."""
    resumed_at = 0
    if call.cursor:
        _check_cursor(wanted.place, file, call.cursor)
        resumed_at = call.cursor.char_offset
    span = _span(file, call, wanted, resumed_at)
    start = max(span.start, resumed_at)
    if start > span.end:
        raise ToolError("conflict", "cursor: it lies behind what is read; begin again without it", parameter="cursor")
    end = min(span.end, start + wanted.max_chars)
    return _Part(start, end, is_cut=end < span.end or span.goes_on)


def _check_cursor(path: str, file: FileText, cursor: inputs.ReadCursor) -> None:
    """Raise `conflict` if the cursor was given of another content: what lay behind it may lie before it now."""
    version = given_places.recall("manual", path, cursor.char_offset)
    line = file.line_of(cursor.char_offset)
    if version not in (None, file.version) or cursor.start_line not in (None, line):
        raise ToolError(
            "conflict", "cursor: it is not of this file as it is now; begin again without it", parameter="cursor"
        )


def _span(file: FileText, call: inputs.ManualRead, wanted: _Wanted, resumed_at: int) -> Span:
    """The characters of the scope. Raises `not_found` for a place that the document does not have."""
    line = wanted.ref.start_line or 1
    check_line(line, file.lines, "ref.start_line")
    if wanted.ref.json_path is not None and file.offset_of(wanted.ref.json_path) is None:
        message = f"ref.json_path: {_why_nowhere(file, wanted.ref.json_path)}"
        raise ToolError("not_found", message, parameter="ref.json_path")
    if wanted.scope == "file":
        return file.file(wanted.max_sections, resumed_at)
    if wanted.scope == "section":
        return file.section(line)
    if wanted.scope == "sections":
        return file.sections(line, wanted.max_sections, resumed_at)
    expand = call.expand or inputs.ReadExpand()
    return file.snippet(line, wanted.ref.json_path, expand.before_chars or 0, expand.after_chars or 0, resumed_at)


def _why_nowhere(file: FileText, json_path: str) -> str:
    """Why a pointer leads nowhere, and what to do."""
    if file.file_type != "json":
        return "this is no .json file; leave it out"
    if not json_path.startswith("/"):
        return "expected a JSON Pointer, like /items/0/name"
    return "no value is there; search again for where the text is now"


def _keep_cut(file: FileText, identity: Identity | None, wanted: _Wanted, part: _Part) -> None:
    """What goes on will be asked for next: the place is known then, and the file need not be read again."""
    if part.is_cut:
        given_places.remember("manual", wanted.place, part.end, file.version)
    if identity is not None:
        texts_read_on.keep(identity, file) if part.is_cut else texts_read_on.let_go(identity)


def _record(workspace: Workspace, file: FileText, wanted: _Wanted, part: _Part) -> None:
    is_value = wanted.ref.json_path and wanted.scope == "snippet"
    had = file.with_margins(part.start, part.end) if is_value else (part.start, part.end)
    note_given(workspace, wanted.key, file, wanted.ref.start_line or 1, [had])


def _answer(file: FileText, call: inputs.ManualRead, wanted: _Wanted, part: _Part) -> dict[str, Any]:
    text, first_line = file.part(part.start, part.end), file.line_of(part.start)
    is_in_sections = wanted.file_type == "md" and wanted.scope in ("sections", "file")
    return {
        "text": number_lines(text, first_line) if call.line_numbers else text,
        "truncated": part.is_cut,
        "applied": {
            "scope": wanted.scope,
            "max_sections": wanted.max_sections if is_in_sections else None,
            "max_chars": wanted.max_chars,
        },
        "source": {
            "manual_id": wanted.key[0],
            "path": wanted.key[1],
            "start_line": first_line,
            "end_line": file.line_of(max(part.end - 1, part.start)),
        },
        "next_cursor": {"start_line": file.line_of(part.end), "char_offset": part.end} if part.is_cut else None,
    }
