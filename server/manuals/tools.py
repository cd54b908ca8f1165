"""The manual tools: each takes a parsed input and says what happens, in the order it happens."""

import sqlite3
from typing import Any

from morenashi.indexer.encodings import UndecodableError
from morenashi.indexer.files import file_type_of
from morenashi.server.asking import make_request
from morenashi.server.calls import inputs
from morenashi.server.deadline import Deadline
from morenashi.server.delivery.delivered import describe_delivery
from morenashi.server.delivery.given_places import given_places
from morenashi.server.errors import ToolError
from morenashi.server.line_numbers import number_lines
from morenashi.server.reading import FileText, ReadScope, Span
from morenashi.server.search.adaptation.reads import Read
from morenashi.server.search.adaptation.statistics import Usage
from morenashi.server.search.outcome import Answer
from morenashi.server.search.traces import Trace
from morenashi.server.workspace import Workspace

from . import catalogue, excepts
from .files import (
    check_line,
    check_scope,
    find_default_manual,
    find_manual,
    locate_document,
    open_document,
    require_folder,
)
from .hits import page_hits
from .texts_read_on import Identity, texts_read_on

DEFAULT_PAGE, DEFAULT_HITS = 100, 50
DEFAULT_READ_CHARS, DEFAULT_READ_SECTIONS = 8_000, 20

Result = dict[str, Any]


def manual_list(workspace: Workspace, call: inputs.ManualList) -> Result:
    """Name the manuals (seed 004 §4)."""
    require_folder(workspace)
    pending = workspace.count_pending()
    return {"items": workspace.ask(catalogue.list_manuals), **_to_come(pending)}


def manual_ls(workspace: Workspace, call: inputs.ManualLs) -> Result:
    """List the files of a manual or of all."""
    offset, limit = call.offset or 0, call.limit or DEFAULT_PAGE
    require_folder(workspace)
    manual_id = find_manual(workspace, call.manual_id) if call.manual_id is not None else None
    pending = workspace.count_pending(manual_id)
    items, total = workspace.ask(lambda index: catalogue.list_files(index, manual_id, offset, limit))
    return {"items": items, "offset": offset, "limit": limit, "total": total, **_to_come(pending)}


def manual_toc(workspace: Workspace, call: inputs.ManualToc) -> Result:
    """List the headings of a manual's Markdown files, and its JSON files."""
    offset, limit = call.offset or 0, call.limit or DEFAULT_PAGE
    manual_id = find_manual(workspace, call.manual_id)
    pending = workspace.count_pending(manual_id)
    items, total = workspace.ask(lambda index: catalogue.list_sections(index, manual_id, offset, limit))
    return {"items": items, "offset": offset, "limit": limit, "total": total, **_to_come(pending)}


def manual_find(workspace: Workspace, call: inputs.ManualFind, deadline: Deadline) -> Result:
    """Search, and keep what was found and what was left over as a trace."""
    require_folder(workspace)
    taken_up = None
    if call.only_unscanned_from_trace_id is not None:
        parameter = "only_unscanned_from_trace_id"
        taken_up = workspace.traces.find(call.only_unscanned_from_trace_id, parameter, "manual_find")
    request = make_request(
        call.query,
        _manual_to_search(workspace, call, taken_up),
        workspace.config,
        workspace.dictionaries,
        intent=call.intent,
        max_candidates=call.budget.max_candidates if call.budget else None,
        max_stage=call.max_stage,
        resumed=taken_up.rest if taken_up else None,
        parameters=call.model_dump(exclude_none=True, exclude={"query"}),
    )
    return workspace.search(request, deadline, lambda answer: _usage(call, answer)).as_result()


def _manual_to_search(workspace: Workspace, call: inputs.ManualFind, taken_up: Trace | None) -> str | None:
    """The manual's id as its folder is spelled, `None` for all. A trace that is taken up says it, whatever is named."""
    named = None if call.manual_id is None else find_manual(workspace, call.manual_id)
    if taken_up is None:
        return named or find_default_manual(workspace)
    if taken_up.manual_id is None or taken_up.summary["scope_expanded"] or taken_up.is_stage_capped:
        return None
    return find_manual(workspace, taken_up.manual_id)


def manual_excepts(workspace: Workspace, call: inputs.ManualExcepts) -> Result:
    """List the lines of a manual, a file or a section that say "except", "only if", "not in this case"."""
    offset, limit = call.offset or 0, call.limit or DEFAULT_PAGE
    manual_id = find_manual(workspace, call.manual_id)

    def list_lines(index: sqlite3.Connection) -> tuple[list[excepts.ExceptedLine], int]:
        node = excepts.Node() if call.node_id is None else excepts.find_node(index, manual_id, call.node_id, waiting)
        return excepts.list_lines(index, manual_id, node, offset, limit)

    waiting = {path for _, path in workspace.list_pending(manual_id)}
    lines, total = workspace.ask(list_lines)
    items = excepts.with_snippets(workspace, manual_id, lines)
    return {"items": items, "offset": offset, "limit": limit, "total": total, **_to_come(len(waiting))}


def manual_hits(workspace: Workspace, call: inputs.ManualHits) -> Result:
    """Page a list of a trace."""
    trace = workspace.traces.find(call.trace_id)
    kind, offset, limit = call.kind or "candidates", call.offset or 0, call.limit or DEFAULT_HITS
    items, total = page_hits(workspace, trace, kind, offset, limit)
    return {
        "trace_id": trace.id,
        "kind": kind,
        "offset": offset,
        "limit": limit,
        "total": total,
        "items": items,
    }


def manual_read(workspace: Workspace, call: inputs.ManualRead) -> Result:
    """Read a snippet, a section, several or a file, as it is on disk now."""
    limits = call.limits or inputs.ReadLimits()
    parts = locate_document(workspace, call.ref.manual_id, call.ref.path, "ref.path", "ref.manual_id")
    file_type = file_type_of(parts[-1]) or "md"
    scope: ReadScope = call.scope or ("snippet" if file_type == "md" else "file")
    max_chars = min(limits.max_chars or DEFAULT_READ_CHARS, workspace.config.hard_max_chars)
    max_sections = min(limits.max_sections or DEFAULT_READ_SECTIONS, workspace.config.hard_max_sections)
    file, identity = _read_file(workspace, parts, file_type)
    check_scope(workspace, scope, file_type, allow_file=bool(limits.allow_file))
    manual_id, path, place = parts[0], "/".join(parts[1:]), "/".join(parts)
    if call.cursor:
        _check_cursor(place, file, call.cursor)
    span = _span(file, call, scope, max_sections)
    start = max(span.start, call.cursor.char_offset if call.cursor else 0)
    end = min(span.end, start + max_chars)
    if start > span.end:
        raise ToolError("conflict", "cursor: it lies behind what is read; begin again without it", parameter="cursor")
    is_cut = end < span.end or span.goes_on
    if is_cut:
        given_places.remember("manual", place, end, file.version)
    if identity is not None:
        texts_read_on.keep(identity, file) if is_cut else texts_read_on.let_go(identity)
    workspace.traces.record_read(Read(manual_id, path, call.ref.start_line or 1))
    had = file.with_margins(start, end) if call.ref.json_path and scope == "snippet" else (start, end)
    workspace.delivered.record(describe_delivery("manual", place, file, *had, file.part))
    text, first_line = file.part(start, end), file.line_of(start)
    return {
        "text": number_lines(text, first_line) if call.line_numbers else text,
        "truncated": is_cut,
        "applied": {
            "scope": scope,
            "max_sections": max_sections if file_type == "md" and scope in ("sections", "file") else None,
            "max_chars": max_chars,
        },
        "source": {
            "manual_id": manual_id,
            "path": path,
            "start_line": first_line,
            "end_line": file.line_of(max(end - 1, start)),
        },
        "next_cursor": {"start_line": file.line_of(end), "char_offset": end} if is_cut else None,
    }


def _check_cursor(path: str, file: FileText, cursor: inputs.ReadCursor) -> None:
    """Raise `conflict` if the cursor was given of another content: what lay behind it may lie before it now."""
    version = given_places.recall("manual", path, cursor.char_offset)
    line = file.line_of(cursor.char_offset)
    if version not in (None, file.version) or cursor.start_line not in (None, line):
        raise ToolError(
            "conflict", "cursor: it is not of this file as it is now; begin again without it", parameter="cursor"
        )


def _to_come(pending_files: int) -> Result:
    """What a list says of files that it may not have yet: nothing where there are none."""
    return {"pending_files": pending_files} if pending_files else {}


def _usage(call: inputs.ManualFind, answer: Answer) -> Usage:
    return Usage(len(call.query), len(str(answer.as_result())))


def _read_file(workspace: Workspace, parts: tuple[str, ...], file_type: str) -> tuple[FileText, Identity | None]:
    try:
        with open_document(workspace, parts, "ref.path") as descriptor:
            return texts_read_on.read(descriptor, file_type)
    except OSError:
        message = "ref.path: this is no regular file of a readable size"
        raise ToolError("forbidden", message, parameter="ref.path") from None
    except UndecodableError as error:
        raise ToolError("conflict", f"ref.path: the file cannot be decoded: {error}", parameter="ref.path") from None


def _span(file: FileText, call: inputs.ManualRead, scope: ReadScope, max_sections: int) -> Span:
    line, resumed_at = call.ref.start_line or 1, call.cursor.char_offset if call.cursor else 0
    check_line(line, file.lines, "ref.start_line")
    if call.ref.json_path is not None and file.offset_of(call.ref.json_path) is None:
        message = f"ref.json_path: {_why_nowhere(file, call.ref.json_path)}"
        raise ToolError("not_found", message, parameter="ref.json_path")
    if scope == "file":
        return file.file(max_sections, resumed_at)
    if scope == "section":
        return file.section(line)
    if scope == "sections":
        return file.sections(line, max_sections, resumed_at)
    expand = call.expand or inputs.ReadExpand()
    return file.snippet(line, call.ref.json_path, expand.before_chars or 0, expand.after_chars or 0, resumed_at)


def _why_nowhere(file: FileText, json_path: str) -> str:
    """Why a pointer leads nowhere, and what to do."""
    if file.file_type != "json":
        return "this is no .json file; leave it out"
    if not json_path.startswith("/"):
        return "expected a JSON Pointer, like /items/0/name"
    return "no value is there; search again for where the text is now"
