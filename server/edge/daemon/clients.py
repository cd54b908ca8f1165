"""The daemon's clients: accepted, welcomed, served each by a server of its own over the one workspace; and its end."""

import signal
import time
from pathlib import Path
from typing import Any

import anyio

from morenashi.indexer.presence import Identity, identity_of
from morenashi.server.clients import Client, ToolsetError, parse_toolsets
from morenashi.server.edge.conversation import FINISH_SECONDS, Conversation
from morenashi.server.edge.local_socket import accept_all, process_state
from morenashi.server.edge.protocol import build_server
from morenashi.server.edge.registry import TOOLS
from morenashi.server.edge.wire import Lines, Messages
from morenashi.server.log import log_event
from morenashi.server.workspace import Workspace

from . import hello
from .log import bound_log
from .place import DaemonPlace

_LOOK_SECONDS = 1.0
_BACKLOG = 128


def serve(workspace: Workspace, place: DaemonPlace, idle_seconds: float | None, log: str | None) -> bool:
    """Serve until a signal, a client's `stop`, or `idle_seconds` without clients. `log` is the file to keep short.

    Whether that was so; otherwise the socket or the workspace has gone, or a link of it leads elsewhere.
    """
    daemon = _Daemon(workspace, place, idle_seconds, log)
    anyio.run(daemon.run)
    return not daemon.is_lost


class _Daemon:
    """One workspace's daemon while it runs. `is_lost`: nobody can find it, or its workspace, any more."""

    def __init__(self, workspace: Workspace, place: DaemonPlace, idle_seconds: float | None, log: str | None) -> None:
        self._workspace = workspace
        self._place = place
        self._idle_seconds = idle_seconds
        self._log = log
        self._started = time.time()
        self._clients: dict[Conversation, dict[str, Any]] = {}
        self._alone_since = time.monotonic()
        self._stopping = anyio.Event()
        self.is_lost = False

    async def run(self) -> None:
        """Until there is a reason to end; then the calls that are under way are finished."""
        try:
            listener = await anyio.create_unix_listener(self._place.socket, mode=0o600, backlog=_BACKLOG)
        except FileNotFoundError:
            # It was removed between its making and the setting of its mode.
            self._get_lost("the socket is gone")
            return
        bound = _identity(self._place.socket)
        log_event("info", "daemon", ok=True, notice="listening", socket=self._place.socket)
        async with anyio.create_task_group() as tasks, listener:
            async with anyio.create_task_group() as duties:
                duties.start_soon(accept_all, listener, self._place.root, self._greet, tasks)
                duties.start_soon(self._end_by_signal)
                duties.start_soon(self._look_around, bound)
                await self._stopping.wait()
                duties.cancel_scope.cancel()
            if _identity(self._place.socket) == bound:
                # It may be gone since, or from the start.
                Path(self._place.socket).unlink(missing_ok=True)
            for conversation in self._clients:
                conversation.finish()
            with anyio.move_on_after(FINISH_SECONDS):
                while self._clients:
                    await anyio.sleep(_LOOK_SECONDS / 100)
            tasks.cancel_scope.cancel()

    async def _greet(self, lines: Lines, said: "hello.Said", pid: int | None) -> None:
        if "control" in said:
            await lines.send(hello.answer(self._state()))
            if said["control"] == "stop":
                log_event("info", "daemon", ok=True, notice="stopped")
                self._stopping.set()
        elif not self._stopping.is_set():
            try:
                client = _client(said)
            except ToolsetError as error:
                await lines.send(hello.refusal(f"--{error}"))
            else:
                await self._serve_client(lines, client, pid)

    async def _serve_client(self, lines: Lines, client: Client, pid: int | None) -> None:
        messages = Messages(lines)
        conversation = Conversation(build_server(self._workspace, client), messages.receive, messages.send)
        self._clients[conversation] = {"pid": pid, "since": time.time(), "session_id": client.session_id}
        try:
            await lines.send(_welcome(self._workspace.config.log_level))
            async with anyio.create_task_group() as beating:
                beating.start_soon(_beat, lines)
                await conversation.run()
                beating.cancel_scope.cancel()
        finally:
            del self._clients[conversation]
            self._alone_since = time.monotonic()

    async def _end_by_signal(self) -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for received in signals:
                log_event("info", "daemon", ok=True, notice=f"ended by {received.name}")
                self._stopping.set()

    async def _look_around(self, bound: Identity | None) -> None:
        """Keep the log short; end when nobody has been there for long, counted from the start, when nobody can find
        this daemon any more, or when the workspace, or a folder that it has a link to, is no longer there or another.
        """
        folder = _identity(self._place.root)
        while True:
            await anyio.sleep(_LOOK_SECONDS)
            if self._log is not None:
                bound_log(self._log)
            idle_seconds = time.monotonic() - self._alone_since
            if self._idle_seconds is not None and not self._clients and idle_seconds > self._idle_seconds:
                log_event("info", "daemon", ok=True, notice="idle")
                self._stopping.set()
            if bound is None or _identity(self._place.socket) != bound:
                # Somebody tidied the temporary folder, be it before this one had looked at its socket. As long as it
                # holds the lock, there is no other.
                self._get_lost("the socket is gone")
            if _identity(self._place.root) != folder:
                self._get_lost("the workspace's folder is gone")
            if self._workspace.config.leads_elsewhere:
                self._get_lost("the link to the manuals or the vault leads elsewhere")

    def _get_lost(self, why: str) -> None:
        log_event("error", "daemon", ok=False, error=why)
        self.is_lost = True
        self._stopping.set()

    def _state(self) -> dict[str, Any]:
        return process_state(self._workspace, self._started) | {"clients": list(self._clients.values())}


def _client(said: "hello.Said") -> Client:
    """Who calls, from what the client's process said of itself. Raises `ToolsetError`."""
    toolsets = parse_toolsets(said.get("toolsets"))
    return Client(session_id=str(said.get("session")), toolsets=toolsets, read_only=said.get("read_only") is True)


def _welcome(log_level: str) -> bytes:
    return hello.welcome(
        reads=[tool.name for tool in TOOLS.values() if not tool.writes],
        repeatable=[tool.name for tool in TOOLS.values() if tool.repeatable],
        log_level=log_level,
    )


async def _beat(lines: Lines) -> None:
    """Let a client's process know that calls which take long are not lost."""
    while True:
        await anyio.sleep(hello.BEAT_SECONDS)
        await lines.send(hello.BEAT)


def _identity(path: str) -> Identity | None:
    return identity_of(Path(path), follow_symlinks=False)
