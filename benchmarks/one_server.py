"""The daemon with many clients, and light connections to it.

They are made past the clients' processes, straight on the daemon's socket, and write and read lines without a library
between: they share the machine with what they measure.
"""

import contextlib
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from morenashi.server.edge.daemon import hello
from morenashi.server.edge.daemon.control import ask_state
from morenashi.server.edge.daemon.place import find_place

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
        while (line := self._receive()) == hello.BEAT.rstrip(b"\n"):
            pass
        result: dict[str, Any] = json.loads(line)["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool: the result with `structuredContent` and `isError`."""
        return self.ask("tools/call", name=tool, arguments=arguments)

    def enter(self, root: str) -> None:
        """Say whose client this is, and shake hands; without this the daemon answers nothing."""
        self.line.sendall(hello.hello(root, os.urandom(16).hex(), None, False))
        self._receive()
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
    """Start a daemon over a workspace and wait until it can be connected to; it is ended afterwards."""
    with contextlib.ExitStack() as stack:
        # Below /tmp: the path of a socket may have a hundred characters.
        runtime = stack.enter_context(tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp"))
        environment = os.environ | {"XDG_RUNTIME_DIR": runtime}
        place = find_place(str(root), environment)
        stderr = stack.enter_context(log.open("a", encoding="utf-8"))
        command = [sys.executable, "-m", "morenashi", "daemon", "--workspace", str(root)]
        process = stack.enter_context(subprocess.Popen(command, env=environment, stderr=stderr))
        stack.callback(process.terminate)
        patience = time.monotonic() + _PATIENCE_SECONDS
        while ask_state(Path(place.socket), place.root) is None:
            if process.poll() is not None or time.monotonic() > patience:
                raise RuntimeError(f"the server does not begin; see {log}")
            time.sleep(0.05)

        def connect() -> Connection:
            line = stack.enter_context(socket.socket(socket.AF_UNIX))
            line.connect(place.socket)
            connection = Connection(line)
            connection.enter(place.root)
            return connection

        yield OneServer(process.pid, connect)
