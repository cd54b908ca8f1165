"""Manuals and notes as resources. One is read as the reading tools read it: same guard, same limits, same record."""

from typing import Any

import mcp.types as t
from mcp.shared.exceptions import MCPError

from morenashi.indexer.collections import CollectionKind, display_name
from morenashi.indexer.files import Key, file_type_of
from morenashi.server.clients import Client
from morenashi.server.deadline import Deadline
from morenashi.server.manuals import catalogue
from morenashi.server.workspace import Workspace

from .document_uris import MANUAL_TEMPLATE, VAULT_TEMPLATE, DocumentPlace, place_of, uri_of
from .registry import find_tool, tools_of

PLAIN = "text/plain"
_MIME_TYPES = {"md": "text/markdown", "json": "application/json"}
TEMPLATES = {
    "manual_read": t.ResourceTemplate(
        uri_template=MANUAL_TEMPLATE,
        name="manual",
        title="A manual's document",
        description="The document; with #L12 behind it, the section of line 12.",
    ),
    "vault_read": t.ResourceTemplate(
        uri_template=VAULT_TEMPLATE, name="note", title="A note", description="A file of the vault."
    ),
}
"""By the tool that reads them: who has not got it is not told of them."""

_OF_SCOPES = {
    "forbidden": "a whole .md file needs ALLOW_FILE_SCOPE=true in the server; with #L12 behind it, the URI names the "
    "section of line 12",
    "invalid_scope": "a .json file has no sections; leave out what stands behind #",
}
_CUT = "The text above ends at line {line}, where a limit cut it. Read on with {tool}."


def templates() -> list[t.ResourceTemplate]:
    """The templates of the documents that the client may read."""
    return [template for tool, template in TEMPLATES.items() if find_tool(tool)]


def may_read(place: DocumentPlace) -> bool:
    """Whether the client has the tool that reads such documents."""
    return find_tool("manual_read" if place.manual_id else "vault_read") is not None


def is_listed_for(client: Client, kind: CollectionKind) -> bool:
    """Whether the documents of this index are among the resources of a client."""
    return ("vault_read" if kind == "vault" else "manual_read") in tools_of(client)


def list_manual_documents(workspace: Workspace, after: Key, most: int) -> list[tuple[Key, t.Resource]]:
    """The manuals' documents after one, by manual and path."""
    if most <= 0 or find_tool("manual_read") is None:
        return []
    return _as_resources(workspace.ask(lambda index: catalogue.list_documents(index, after, most)))


def list_notes(workspace: Workspace, after: Key, most: int) -> list[tuple[Key, t.Resource]]:
    """The notes after one, by path. Without a vault there are none."""
    if most <= 0 or find_tool("vault_read") is None or not workspace.has_vault:
        return []
    return _as_resources(workspace.vault.ask(lambda index: catalogue.list_documents(index, after, most)))


def read_document(workspace: Workspace, uri: str) -> list[t.TextResourceContents] | None:
    """The text of a document, or of a section of it. `None` if the URI is not that of one that the client may read.

    What a limit has cut is said in a text of its own behind it. Raises `MCPError` with the tool's own error.
    """
    place = place_of(uri)
    if place is None or not may_read(place):
        return None
    name, arguments = _reading(workspace, place)
    tool = find_tool(name)
    assert tool is not None
    answer = tool.answer(workspace, arguments, Deadline(tool.budget_ms(arguments)))
    if answer.code is not None:
        raise _refusal(answer.body)
    contents = [t.TextResourceContents(uri=uri, mime_type=_mime_type(place.path), text=answer.body["text"])]
    if answer.body["truncated"]:
        contents.append(t.TextResourceContents(uri=uri, mime_type=PLAIN, text=_cut(place, answer.body)))
    return contents


def _mime_type(path: str) -> str:
    """What a document is, by its name."""
    return _MIME_TYPES.get(file_type_of(path) or "", PLAIN)


def _refusal(body: dict[str, Any]) -> MCPError:
    """The tool's error; for a scope, which nobody gave who asks by a URI, in words of URIs."""
    if message := _OF_SCOPES.get(body["code"]) if body["details"].get("parameter") == "scope" else None:
        body = {"code": body["code"], "message": f"uri: {message}", "details": {"parameter": "uri"}}
    return MCPError(t.INVALID_PARAMS, body["message"], body)


def _as_resources(documents: list[tuple[str, str, int]]) -> list[tuple[Key, t.Resource]]:
    return [((manual_id, path), _as_resource((manual_id, path), size)) for manual_id, path, size in documents]


def _as_resource(key: Key, size_bytes: int) -> t.Resource:
    return t.Resource(uri=uri_of(key), name=display_name(key), mime_type=_mime_type(key[1]), size=size_bytes)


def _reading(workspace: Workspace, place: DocumentPlace) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments. The whole of it is asked for; the server's own settings still decide."""
    if not place.manual_id:
        return "vault_read", {"path": place.path, "full": True}
    config = workspace.config
    ref: dict[str, Any] = {"target": "manual", "manual_id": place.manual_id, "path": place.path}
    limits = {"max_chars": config.hard_max_chars, "max_sections": config.hard_max_sections, "allow_file": True}
    if place.line is None:
        return "manual_read", {"ref": ref, "scope": "file", "limits": limits}
    return "manual_read", {"ref": ref | {"start_line": place.line}, "scope": "section", "limits": limits}


def _cut(place: DocumentPlace, body: dict[str, Any]) -> str:
    if place.manual_id:
        return _CUT.format(line=body["source"]["end_line"], tool="manual_read")
    return _CUT.format(line=body["applied_range"]["end_line"], tool="vault_scan")
