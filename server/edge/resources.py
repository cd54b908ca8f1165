"""Resources: the active context, the manuals' documents, the notes, in this order."""

import mcp.types as t
from mcp.shared.exceptions import MCPError

from morenashi.server.whole_characters import as_shown
from morenashi.server.workspace import Workspace

from . import memory_context
from .documents import list_manual_documents, list_notes, read_document, templates
from .pages import PAGE, ListPlace, make_cursor, read_cursor, wrong_cursor
from .registry import find_tool

_CONTEXT, _MANUALS, _NOTES = "context", "manuals", "notes"
_BEFORE_ALL = ("", "")
_SHOWN = 2_000


def list_resources(workspace: Workspace, cursor: str | None) -> t.ListResourcesResult:
    """One page of all that the client may read. Raises `MCPError`."""
    after = None if cursor is None else _read_place(cursor)
    found = _resources_after(workspace, after, PAGE + 1)
    page = found[:PAGE]
    next_cursor = make_cursor(page[-1][0]) if len(found) > PAGE else None
    return t.ListResourcesResult(resources=[resource for _, resource in page], next_cursor=next_cursor)


def list_templates() -> t.ListResourceTemplatesResult:
    """The templates of what the client may read."""
    of_memory = [memory_context.TEMPLATE] if _has_memory() else []
    return t.ListResourceTemplatesResult(resource_templates=[*of_memory, *templates()])


def read_resource(workspace: Workspace, uri: str) -> t.ReadResourceResult:
    """The text of a resource, as it is now. Raises `MCPError`."""
    contents = memory_context.read_context(workspace, uri) if _has_memory() else None
    if contents is None:
        contents = read_document(workspace, uri)
    if contents is None:
        message = "uri: there is no such resource; resources/list and the templates name them"
        raise MCPError(t.INVALID_PARAMS, message, {"uri": as_shown(uri[:_SHOWN])})
    return t.ReadResourceResult(contents=list(contents))


def _read_place(cursor: str) -> ListPlace:
    place = read_cursor(cursor)
    if place[0] not in (_CONTEXT, _MANUALS, _NOTES):
        raise wrong_cursor()
    return place


def _resources_after(workspace: Workspace, after: ListPlace | None, most: int) -> list[tuple[ListPlace, t.Resource]]:
    kind, place = (after[0], (after[1], after[2])) if after else ("", _BEFORE_ALL)
    found: list[tuple[ListPlace, t.Resource]] = []
    if kind == "" and _has_memory():
        found.append(((_CONTEXT, *_BEFORE_ALL), memory_context.RESOURCE))
    if kind != _NOTES:
        documents = list_manual_documents(workspace, place if kind == _MANUALS else _BEFORE_ALL, most - len(found))
        found += [((_MANUALS, *key), resource) for key, resource in documents]
    notes = list_notes(workspace, place if kind == _NOTES else _BEFORE_ALL, most - len(found))
    return found + [((_NOTES, *key), resource) for key, resource in notes]


def _has_memory() -> bool:
    return find_tool("pce_memory_activate") is not None
