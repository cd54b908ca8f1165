"""The manual tools that find and list: each takes a parsed input and says what happens, in the order it happens."""

import sqlite3
from typing import Any

from morenashi.server.asking import make_request
from morenashi.server.calls import inputs
from morenashi.server.deadline import Deadline
from morenashi.server.search.adaptation.statistics import Usage
from morenashi.server.search.outcome import Answer
from morenashi.server.search.traces import Trace
from morenashi.server.workspace import Workspace

from . import catalogue, excepts, sections
from .files import find_default_manual, find_manual, require_folder
from .hits import page_hits
from .nodes import find_node

DEFAULT_PAGE, DEFAULT_HITS = 100, 50

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
    """List the headings of a manual's Markdown files, and its JSON files; or of a file, or a section."""
    offset, limit = call.offset or 0, call.limit or DEFAULT_PAGE
    manual_id = find_manual(workspace, call.manual_id)

    def list_sections(index: sqlite3.Connection) -> tuple[list[Result], int]:
        node = find_node(index, manual_id, call.node_id, waiting)
        return sections.list_sections(index, manual_id, node, offset, limit)

    waiting = {path for _, path in workspace.list_pending(manual_id)}
    items, total = workspace.ask(list_sections)
    return {"items": items, "offset": offset, "limit": limit, "total": total, **_to_come(len(waiting))}


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
        node = find_node(index, manual_id, call.node_id, waiting)
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


def _to_come(pending_files: int) -> Result:
    """What a list says of files that it may not have yet: nothing where there are none."""
    return {"pending_files": pending_files} if pending_files else {}


def _usage(call: inputs.ManualFind, answer: Answer) -> Usage:
    return Usage(len(call.query), len(str(answer.as_result())))
