"""A server in this process, with a real MCP client, for tests that read as questions and answers."""

import contextlib
import functools
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio
import jsonschema
import pytest
from anyio.abc import TaskStatus
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.server import Server
from mcp.types import CallToolResult

from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.sync import Synchroniser
from morenashi.indexer.writer_lock import hold_writer_lock
from morenashi.server import clients
from morenashi.server.edge.protocol import build_server
from morenashi.server.edge.registry import find_tool
from morenashi.server.edge.tool import Tool
from morenashi.server.workspace import Workspace

from ..databases import open_or_put_empty, put_empty
from ..workspaces import WorkspaceFolder, age, eventually

Mode = Literal["auto", "legacy"]


@dataclass(repr=False)
class Serving:
    """A client of a running server. Every answer passes through the protocol."""

    folder: WorkspaceFolder
    workspace: Workspace
    portal: BlockingPortal
    client: Client

    def answer(self, tool: str, /, **arguments: Any) -> CallToolResult:
        """The result as the client has it, success or error, held to the models and to the schema that is listed."""
        result = self.portal.call(lambda: self.client.call_tool(tool, arguments))
        model = find(tool).failure if result.is_error else find(tool).output
        model.model_validate(result.structured_content, strict=True)
        if result.is_error:
            # Of an error, this client checks nothing; others throw away what the schema does not admit.
            listed_output(tool).validate(result.structured_content)
        return result

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The body of an answer that has to be a success."""
        result = self.answer(tool, **arguments)
        assert not result.is_error, result.structured_content
        body: dict[str, Any] = result.structured_content
        return body

    def refuse(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The body of an answer that has to be an error."""
        result = self.answer(tool, **arguments)
        assert result.is_error, result.structured_content
        body: dict[str, Any] = result.structured_content
        return body

    def find(self, query: str, **arguments: Any) -> "Found":
        """Search, and see the answer together with its lists."""
        return Found(self, self.call("manual_find", query=query, **arguments))

    def read(self, ref: dict[str, Any], **arguments: Any) -> dict[str, Any]:
        return self.call("manual_read", ref=ref, **arguments)

    def ref(self, manual_id: str, path: str, start_line: int | None = None) -> dict[str, Any]:
        ref = {"target": "manual", "manual_id": manual_id, "path": path}
        return ref | ({"start_line": start_line} if start_line else {})


@dataclass(repr=False)
class Found:
    """The answer of a search; its lists are asked for when needed."""

    serving: Serving
    body: dict[str, Any]
    trace_id: str = field(init=False)
    summary: dict[str, Any] = field(init=False)
    next_actions: list[dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.trace_id, self.summary = self.body["trace_id"], self.body["summary"]
        self.next_actions = self.body["next_actions"]

    @property
    def lines(self) -> dict[str, int]:
        return self.summary["completeness"]["lines"]

    @property
    def status(self) -> str:
        return self.summary["completeness"]["status"]

    def hits(self, kind: str = "candidates", page: int = 500) -> list[dict[str, Any]]:
        """All items of a list, page after page."""
        items: list[dict[str, Any]] = []
        while True:
            body = self.serving.call("manual_hits", trace_id=self.trace_id, kind=kind, offset=len(items), limit=page)
            items += body["items"]
            if not body["items"] or len(items) >= body["total"]:
                return items

    def places(self) -> set[tuple[str, int]]:
        """(path, line) of the candidates."""
        return {(item["path"], item["start_line"]) for item in self.hits()}

    def paths(self) -> set[str]:
        return {item["path"] for item in self.hits()}

    def unscanned(self) -> list[tuple[str, str, str, int, int]]:
        """(reason, manual, path, first line, last line), as anybody reads them with SQLite."""
        query = """
            SELECT reason, manual_id, path, first_line, last_line
            FROM trace_unscanned_ranges
            WHERE trace_id = ?
            ORDER BY manual_id, path, first_line
        """
        assert eventually(lambda: ask_database(self.serving.folder, _HAS_TRACE, self.trace_id)[0][0])
        return ask_database(self.serving.folder, query, self.trace_id)


def find(tool: str) -> Tool:
    """A tool by the name that a client calls."""
    found = find_tool(tool)
    assert found is not None
    return found


@functools.cache
def listed_output(tool: str) -> jsonschema.Draft202012Validator:
    """What `tools/list` says of a tool's answers and errors."""
    schema = find(tool).wire().output_schema
    assert schema is not None
    return jsonschema.Draft202012Validator(schema)


_HAS_TRACE = "SELECT count(*) FROM traces WHERE id = ?"


def ask_database(folder: WorkspaceFolder, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """Rows of the workspace's database, through plain sqlite3."""
    with contextlib.closing(sqlite3.connect(f"{folder.database.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(query, values).fetchall()


def index_now(folder: WorkspaceFolder, **settings: str) -> None:
    """Index the folder, its files an hour old, so that a server that starts finds nothing to do in the manuals."""
    config = folder.config(**settings)
    if not folder.manuals.is_symlink():
        age(folder.manuals)
    put_empty(config.vault_database)
    with hold_writer_lock(config.database), contextlib.closing(open_or_put_empty(config.database)) as connection:
        Synchroniser(config, connection, load_dictionaries(config.dictionaries)).synchronise()


@contextlib.contextmanager
def serving(
    folder: WorkspaceFolder, mode: Mode = "auto", caller: clients.Client = clients.LOCAL, **settings: str
) -> Iterator[Serving]:
    """Serve a folder as it is to one client; its index is brought up to date meanwhile."""
    workspace = Workspace(folder.config(**settings))
    try:
        with start_blocking_portal() as portal, _connected(portal, build_server(workspace, caller), mode) as client:
            yield Serving(folder, workspace, portal, client)
    finally:
        workspace.close()


@contextlib.contextmanager
def _connected(portal: BlockingPortal, server: Server[Any], mode: Mode) -> Iterator[Client]:
    """A client in the portal's event loop. What fails in the test stays out of that loop's task groups."""
    closing = portal.call(anyio.Event)

    async def hold(*, task_status: TaskStatus[Client]) -> None:
        async with Client(server, mode=mode) as client:
            # It would list all tools and compile their schemas once a test, for as long as all else that the test does.
            client.session.validate_tool_result = _validate  # type: ignore[method-assign, assignment]
            task_status.started(client)
            await closing.wait()

    held, client = portal.start_task(hold)
    try:
        yield client
    finally:
        portal.call(closing.set)
        held.result()


async def _validate(tool: str, result: CallToolResult) -> None:
    """What the client does with a success, by schemas that are compiled once."""
    listed_output(tool).validate(result.structured_content)


@contextlib.contextmanager
def serving_indexed(
    folder: WorkspaceFolder, mode: Mode = "auto", caller: clients.Client = clients.LOCAL, **settings: str
) -> Iterator[Serving]:
    """Index a folder, then serve it without watching: what is asked for does not move."""
    index_now(folder, **settings)
    with serving(folder, mode, caller, **{"WATCH": "off", **settings}) as manuals:
        # From here on the server has looked at the disk: what the test changes now, it changes afterwards.
        manuals.workspace.wait_until_ready()
        yield manuals


@contextlib.contextmanager
def serving_what_was_indexed(folder: WorkspaceFolder) -> Iterator[Serving]:
    """Index a folder, then serve it beside somebody who keeps the index, and does not follow: it stays as it is."""
    index_now(folder)
    with hold_writer_lock(folder.database), serving(folder, WATCH="off") as manuals:
        yield manuals


Serve = Callable[..., Serving]
"""The fixture `serve`, called with settings."""


@pytest.fixture
def serve(workspace: WorkspaceFolder) -> Iterator[Serve]:
    """Index and serve the test's workspace, with settings if needed."""
    with contextlib.ExitStack() as stack:
        yield lambda **settings: stack.enter_context(serving_indexed(workspace, **settings))


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
