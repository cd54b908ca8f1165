"""Completion: which manuals and documents there are, while a user writes the argument of a template or a prompt."""

from collections.abc import Callable, Iterable

import mcp.types as t
from mcp.shared.exceptions import MCPError

from morenashi.indexer.files import is_storable
from morenashi.indexer.text import normalise
from morenashi.server.manuals import catalogue
from morenashi.server.workspace import Workspace

from . import memory_context
from .document_uris import MANUAL_TEMPLATE, VAULT_TEMPLATE
from .documents import TEMPLATES
from .prompts import find_prompt
from .registry import find_tool

_MOST = 100

Given = dict[str, str]
"""The arguments that the user has filled in already."""


def complete(workspace: Workspace, params: t.CompleteRequestParams) -> t.CompleteResult:
    """Values that begin with what is written, then those that hold it. Raises `MCPError`."""
    _check_reference(params.ref)
    reference = params.ref.name if isinstance(params.ref, t.PromptReference) else params.ref.uri
    list_values = _VALUES.get((reference, params.argument.name))
    filled_in = (params.context.arguments if params.context else None) or {}
    # What no manual can be called cannot be asked for either.
    given = {name: value for name, value in filled_in.items() if is_storable(value)}
    fitting = _fitting(list_values(workspace, given), params.argument.value) if list_values else []
    return t.CompleteResult(
        completion=t.Completion(values=fitting[:_MOST], total=len(fitting), has_more=len(fitting) > _MOST)
    )


def _check_reference(reference: t.PromptReference | t.ResourceTemplateReference) -> None:
    if isinstance(reference, t.PromptReference):
        find_prompt(reference.name)
        return
    known = {template.uri_template for tool, template in TEMPLATES.items() if find_tool(tool)}
    if reference.uri not in known | {memory_context.TEMPLATE.uri_template}:
        raise MCPError(t.INVALID_PARAMS, "there is no such template; resources/templates/list names them")


def _fitting(values: Iterable[str], written: str) -> list[str]:
    """Case, width and notation do not count; those that begin with it come first."""
    wanted = normalise(written)
    folded = [(normalise(value), value) for value in values]
    found = [(not fold.startswith(wanted), value) for fold, value in folded if wanted in fold]
    return [value for _, value in sorted(found)]


def _manuals(workspace: Workspace, _: Given) -> list[str]:
    return [manual["manual_id"] for manual in workspace.ask(catalogue.list_manuals)]


def _documents(workspace: Workspace, given: Given) -> list[str]:
    """Of the manual that is given. Without one, a path would say nothing."""
    manual_id = given.get("manual_id", "")
    return workspace.ask(
        lambda index: catalogue.list_paths(index, catalogue.find_spelling(index, manual_id) or manual_id)
    )


def _notes(workspace: Workspace, _: Given) -> list[str]:
    if find_tool("vault_read") is None or not workspace.has_vault:
        return []
    return workspace.vault.ask(lambda index: catalogue.list_paths(index, ""))


def _sources(workspace: Workspace, given: Given) -> list[str]:
    """As coverage and audit name a source: a note, or a manual's document below `manuals/`."""
    notes = _notes(workspace, given)
    if find_tool("manual_read") is None:
        return notes
    files, _ = workspace.ask(lambda index: catalogue.list_files(index, None, 0, -1))
    return [*notes, *(f"manuals/{file['manual_id']}/{file['path']}" for file in files)]


_VALUES: dict[tuple[str, str], Callable[[Workspace, Given], list[str]]] = {
    (MANUAL_TEMPLATE, "manual_id"): _manuals,
    (MANUAL_TEMPLATE, "path"): _documents,
    (VAULT_TEMPLATE, "path"): _notes,
    ("find_everything", "manual_id"): _manuals,
    ("audit_artifact", "artifact_path"): _notes,
    ("audit_artifact", "source_path"): _sources,
}
"""By prompt or template, and argument. Others are free text."""
