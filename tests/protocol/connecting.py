"""A server and a client that exchange messages, in one era of the protocol or the other."""

import contextlib
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio.abc import TaskStatus
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client._memory import InMemoryTransport
from mcp.types import CallToolResult, ResourceListChangedNotification, ResourceUpdatedNotification

from morenashi.server.clients import LOCAL
from morenashi.server.clients import Client as Caller
from morenashi.server.edge.protocol import build_server
from morenashi.server.workspace import Workspace

from ..server.serving import Mode
from ..workspaces import WorkspaceFolder, eventually

ERAS: list[Mode] = ["legacy", "auto"]
VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}


@dataclass(repr=False)
class Connection:
    """A client of a served folder. `notifications` are all that came, oldest first."""

    folder: WorkspaceFolder
    workspace: Workspace
    portal: BlockingPortal
    client: Client
    notifications: list[Any] = field(default_factory=list)

    def ask(self, method: str, *values: Any, **named: Any) -> Any:
        """Call a method of the client."""
        return self.portal.call(lambda: getattr(self.client, method)(*values, **named))

    def begin(self, tool: str, **arguments: Any) -> "Future[CallToolResult]":
        """Call a tool and do not wait; cancelling the future cancels the call."""
        return self.portal.start_task_soon(lambda: self.client.call_tool(tool, arguments))

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = self.ask("call_tool", tool, arguments)
        assert not result.is_error, result.structured_content
        return dict(result.structured_content)

    def changed(self) -> set[str]:
        """The resources that are said to have changed, and "list"."""
        return _changed(self.notifications)

    def take_changed(self) -> set[str]:
        """The same, of notifications that are forgotten then."""
        came = list(self.notifications)
        del self.notifications[: len(came)]
        return _changed(came)


def _changed(notifications: list[Any]) -> set[str]:
    found = {str(one.params.uri) for one in notifications if isinstance(one, ResourceUpdatedNotification)}
    listed = any(isinstance(one, ResourceListChangedNotification) for one in notifications)
    return found | ({"list"} if listed else set())


@contextlib.contextmanager
def connected(folder: WorkspaceFolder, era: Mode, caller: Caller = LOCAL, **settings: str) -> Iterator[Connection]:
    """Serve a folder to a caller, and wait until its manuals and notes are indexed."""
    workspace = Workspace(folder.config(**settings))
    try:
        workspace.wait_until_ready()
        assert eventually(lambda: not workspace.pending)
        if workspace.config.vault.is_dir():
            workspace.vault.wait_until_ready()
            assert eventually(lambda: not workspace.vault.keeper.pending)
        with start_blocking_portal() as portal, _client(portal, workspace, era, caller) as (client, notifications):
            yield Connection(folder, workspace, portal, client, notifications)
    finally:
        workspace.close()


@contextlib.contextmanager
def _client(
    portal: BlockingPortal, workspace: Workspace, era: Mode, caller: Caller
) -> Iterator[tuple[Client, list[Any]]]:
    closing = portal.call(anyio.Event)
    notifications: list[Any] = []

    async def take(message: Any) -> None:
        notifications.append(message)

    async def hold(*, task_status: TaskStatus[Client]) -> None:
        transport = InMemoryTransport(build_server(workspace, caller))
        async with Client(transport, mode=era, message_handler=take) as client:
            task_status.started(client)
            await closing.wait()

    held, client = portal.start_task(hold)
    try:
        yield client, notifications
    finally:
        portal.call(closing.set)
        held.result()


def is_running(function: str) -> bool:
    """Whether some thread is inside a function of this name."""
    frames = list(sys._current_frames().values())
    return any(_is_inside(frame, function) for frame in frames)


def _is_inside(frame: Any, function: str) -> bool:
    while frame is not None:
        if frame.f_code.co_name == function:
            return True
        frame = frame.f_back
    return False


def ends(function: str) -> bool:
    """Whether no thread is inside the function any more, soon."""
    return eventually(lambda: not is_running(function))
