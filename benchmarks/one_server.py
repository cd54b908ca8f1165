"""One server process with many connections, and light connections to it.

The server is this module as a command; each connection has a protocol server of its own over the one workspace.
The client's side writes and reads lines without a library between: it shares the machine with what it measures.
"""

import contextlib
import itertools
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_PATIENCE_SECONDS = 120.0


@dataclass(slots=True)
class Connection:
    """A client that has shaken hands. One call at a time."""

    line: socket.socket
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _rest: bytes = b""

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        request = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        self._send(request)
        answer: dict[str, Any] = json.loads(self._receive())
        return answer["result"]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool: the result with `structuredContent` and `isError`."""
        return self.ask("tools/call", name=tool, arguments=arguments)

    def shake_hands(self) -> None:
        """Begin; without this the server answers nothing."""
        client = {"name": "benchmark", "version": "1"}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        self.line.sendall(json.dumps(message).encode() + b"\n")

    def _receive(self) -> bytes:
        pieces = [self._rest]
        while b"\n" not in pieces[-1]:
            if not (piece := self.line.recv(1 << 18)):
                raise EOFError("the server has closed the connection")
            pieces.append(piece)
        line, _, self._rest = b"".join(pieces).partition(b"\n")
        return line


@dataclass(frozen=True, slots=True)
class OneServer:
    """A running server: its process, and a way to connect to it."""

    pid: int
    connect: Callable[[], Connection]


@contextlib.contextmanager
def one_server(root: Path, log: Path) -> Iterator[OneServer]:
    """Start a server over a workspace and wait until it can be connected to; it is ended afterwards."""
    with contextlib.ExitStack() as stack:
        # Below /tmp: the path of a socket may have a hundred characters.
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", dir="/tmp"))) / "s"
        stderr = stack.enter_context(log.open("a", encoding="utf-8"))
        command = [sys.executable, "-m", __spec__.name, str(root), str(place)]
        process = stack.enter_context(subprocess.Popen(command, stderr=stderr, stdin=subprocess.PIPE))
        stack.callback(process.terminate)
        patience = time.monotonic() + _PATIENCE_SECONDS
        while not place.exists():
            if process.poll() is not None or time.monotonic() > patience:
                raise RuntimeError(f"the server does not begin; see {log}")
            time.sleep(0.05)

        def connect() -> Connection:
            line = stack.enter_context(socket.socket(socket.AF_UNIX))
            line.connect(str(place))
            connection = Connection(line)
            connection.shake_hands()
            return connection

        yield OneServer(process.pid, connect)


def _run(root: str, place: str) -> None:
    import anyio
    from anyio.abc import SocketStream
    from anyio.streams.buffered import BufferedByteReceiveStream
    from mcp.server import NotificationOptions
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    from morenashi.indexer.config import read_config
    from morenashi.server.clients import Client
    from morenashi.server.edge.protocol import build_server
    from morenashi.server.workspace import Workspace

    workspace = Workspace(read_config({"WORKSPACE_ROOT": root}))
    numbers = itertools.count()

    async def answer(stream: SocketStream) -> None:
        server = build_server(workspace, Client(f"bench-{next(numbers)}"))
        to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)

        async def read() -> None:
            lines = BufferedByteReceiveStream(stream)
            with contextlib.suppress(anyio.IncompleteRead, anyio.EndOfStream, anyio.ClosedResourceError):
                while True:
                    line = await lines.receive_until(b"\n", 1 << 24)
                    await to_server.send(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))
            to_server.close()

        async def write() -> None:
            async for message in from_server:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await stream.send(text.encode() + b"\n")

        async with stream, anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            tasks.start_soon(write)
            options = server.create_initialization_options(NotificationOptions())
            await server.run(incoming, outgoing, options)
            tasks.cancel_scope.cancel()

    async def serve() -> None:
        listener = await anyio.create_unix_listener(place)
        await listener.serve(answer)

    try:
        anyio.run(serve)
    finally:
        workspace.close()


if __name__ == "__main__":
    _run(*sys.argv[1:])
