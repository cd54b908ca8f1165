"""`vault_find`: everything the notes say about a subject, as counts and next calls (seed 000 §3, §4)."""

from dataclasses import replace
from typing import Any

from morenashi.server.asking import make_request
from morenashi.server.calls import vault_inputs
from morenashi.server.deadline import Deadline
from morenashi.server.search.note_scope import NoteScope
from morenashi.server.workspace import Workspace

from .scope import note_scope

_MAX_STAGE = 1


def vault_find(workspace: Workspace, call: vault_inputs.VaultFind, deadline: Deadline) -> dict[str, Any]:
    """Search the vault, and keep what was found and what was left over as a trace, which `manual_hits` pages."""
    asked = call.scope or vault_inputs.FindScope()
    scope = note_scope(workspace, asked.relative_dir, asked.glob, daily=asked.daily is not False, within="scope.")
    resumed = None
    if call.only_unscanned_from_trace_id is not None:
        parameter = "only_unscanned_from_trace_id"
        trace = workspace.traces.find(call.only_unscanned_from_trace_id, parameter, "vault_find")
        resumed = trace.rest
        scope = NoteScope(**trace.parameters["in_force"]["scope"])
    request = make_request(
        call.query,
        None,
        workspace.config,
        workspace.dictionaries,
        max_candidates=call.budget.max_candidates if call.budget else None,
        resumed=resumed,
        parameters=call.model_dump(exclude_none=True, exclude={"query"}),
    )
    chunk_lines = workspace.config.vault_scan_default_chunk_lines
    request = replace(request, tool="vault_find", scope=scope, max_stage=_MAX_STAGE, chunk_lines=chunk_lines)
    return workspace.search_vault(request, deadline).as_result()
