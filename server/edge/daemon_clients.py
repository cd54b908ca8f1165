"""The daemon's clients: accepted, welcomed, served each by a server of its own over the one workspace; and its end."""

import errno
import os
import signal
import socket
import struct
import time
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketListener, SocketStream

import morenashi
from morenashi.server.clients import Client, ToolsetError, parse_toolsets
from morenashi.server.log import log_event
from morenashi.server.workspace import Workspace

from . import daemon_hello
from .conversation import FINISH_SECONDS, Conversation
from .daemon_log import bound_log
from .daemon_place import Place
from .protocol import build_server
from .registry import TOOLS
from .wire import Lines, Messages

_HELLO_SECONDS = 5.0
_LOOK_SECONDS = 1.0
_BACKLOG = 128
_PEER = struct.Struct("3i")
# The process, or the machine, has no room for a further connection just now.
_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def serve(workspace: Workspace, place: Place, idle_seconds: float | None, log: str | None) -> None:
    """Serve until a signal, a client's `stop`, or `idle_seconds` without clients. `log` is the file to keep short."""
    anyio.run(_Daemon(workspace, place, idle_seconds, log).run)


class _Daemon:
    def __init__(self, workspace: Workspace, place: Place, idle_seconds: float | None, log: str | None) -> None:
        self._workspace = workspace
        self._place = place
        self._idle_seconds = idle_seconds
        self._log = log
        self._started = time.time()
        self._clients: dict[Conversation, dict[str, Any]] = {}
        self._alone_since = time.monotonic()
        self._stopping = anyio.Event()

    async def run(self) -> None:
        """Until there is a reason to end; then the calls that are under way are finished."""
        listener = await anyio.create_unix_listener(self._place.socket, mode=0o600, backlog=_BACKLOG)
        bound = _identity(self._place.socket)
        log_event("info", "daemon", ok=True, notice="listening", socket=self._place.socket)
        async with anyio.create_task_group() as tasks, listener:
            async with anyio.create_task_group() as duties:
                duties.start_soon(self._accept, listener, tasks)
                duties.start_soon(self._end_by_signal)
                duties.start_soon(self._look_around)
                await self._stopping.wait()
                duties.cancel_scope.cancel()
            if _identity(self._place.socket) == bound:
                Path(self._place.socket).unlink()
            for conversation in self._clients:
                conversation.finish()
            with anyio.move_on_after(FINISH_SECONDS):
                while self._clients:
                    await anyio.sleep(_LOOK_SECONDS / 100)
            tasks.cancel_scope.cancel()

    async def _accept(self, listener: SocketListener, tasks: anyio.abc.TaskGroup) -> None:
        while True:
            try:
                stream = await listener.accept()
            except OSError as error:
                if error.errno not in _NO_ROOM:
                    raise
                log_event("error", "daemon", ok=False, error=errno.errorcode[error.errno])
                await anyio.sleep(_LOOK_SECONDS)
            else:
                tasks.start_soon(self._answer, stream)

    async def _answer(self, stream: SocketStream) -> None:
        """One connection, to its end. Whatever goes wrong with it stays its own."""
        try:
            async with stream:
                peer = _peer(stream)
                if peer is None or peer[1] == os.geteuid():
                    await self._greet(Lines(stream), peer)
        except Exception as error:  # noqa: BLE001 - the daemon serves others
            log_event("error", "daemon", ok=False, error=type(error).__name__)

    async def _greet(self, lines: Lines, peer: tuple[int, int] | None) -> None:
        line = None
        with anyio.move_on_after(_HELLO_SECONDS):
            line = await lines.receive(daemon_hello.MOST_HELLO_BYTES)
        said = daemon_hello.read_line(line or b"")
        if said is None or said.get("root") != self._place.root:
            return
        if "control" in said:
            await lines.send(daemon_hello.answer(self._state()))
            if said["control"] == "stop":
                log_event("info", "daemon", ok=True, notice="stopped")
                self._stopping.set()
        elif not self._stopping.is_set():
            try:
                client = _client(said)
            except ToolsetError as error:
                await lines.send(daemon_hello.refusal(f"--{error}"))
            else:
                await self._serve_client(lines, client, peer)

    async def _serve_client(self, lines: Lines, client: Client, peer: tuple[int, int] | None) -> None:
        messages = Messages(lines)
        conversation = Conversation(build_server(self._workspace, client), messages.receive, messages.send)
        self._clients[conversation] = {"pid": peer and peer[0], "since": time.time(), "session_id": client.session_id}
        try:
            await lines.send(_WELCOME)
            await conversation.run()
        finally:
            del self._clients[conversation]
            self._alone_since = time.monotonic()

    async def _end_by_signal(self) -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for received in signals:
                log_event("info", "daemon", ok=True, notice=f"ended by {received.name}")
                self._stopping.set()

    async def _look_around(self) -> None:
        """Keep the log short; end when nobody has been there for long, counted from the start, or nothing is there."""
        while True:
            await anyio.sleep(_LOOK_SECONDS)
            if self._log is not None:
                bound_log(self._log)
            idle_seconds = time.monotonic() - self._alone_since
            if self._idle_seconds is not None and not self._clients and idle_seconds > self._idle_seconds:
                log_event("info", "daemon", ok=True, notice="idle")
                self._stopping.set()
            if not self._workspace.config.root.is_dir():
                log_event("error", "daemon", ok=False, error="the workspace's folder is gone")
                self._stopping.set()

    def _state(self) -> dict[str, Any]:
        """What only this process knows."""
        return {
            "pid": os.getpid(),
            "version": morenashi.__version__,
            "started": self._started,
            "rss_bytes": _resident_bytes(),
            "clients": list(self._clients.values()),
            "collections": self._workspace.states,
        }


def _client(said: "daemon_hello.Said") -> Client:
    """Who calls, from what the client's process said of itself. Raises `ToolsetError`."""
    toolsets = parse_toolsets(said.get("toolsets"))
    return Client(session_id=str(said.get("session")), toolsets=toolsets, read_only=said.get("read_only") is True)


_WELCOME = daemon_hello.welcome(
    reads=[tool.name for tool in TOOLS.values() if not tool.writes],
    repeatable=[tool.name for tool in TOOLS.values() if tool.repeatable],
)


def _peer(stream: SocketStream) -> tuple[int, int] | None:
    """Process id and user id of the other end; `None` where the system does not say."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    credentials = stream.extra(SocketAttribute.raw_socket).getsockopt(socket.SOL_SOCKET, option, _PEER.size)
    pid, uid, _ = _PEER.unpack(credentials)
    return pid, uid


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = Path(path).lstat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _resident_bytes() -> int | None:
    """This process's resident memory; `None` where there is no /proc."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
