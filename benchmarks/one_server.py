"""The daemon with many clients, and light connections to it, or to a client's process.

They write and read lines without a client library, which would take longer than what is measured: they share the
machine with it.
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
from typing import Any, BinaryIO

from morenashi.server.edge.daemon import hello
from morenashi.server.edge.daemon.control import ask_state
from morenashi.server.edge.daemon.place import DaemonPlace, find_place

_PATIENCE_SECONDS = 120.0


@dataclass(slots=True)
class Connection:
    """A client of MCP, line by line. One call at a time."""

    send: Callable[[bytes], Any]
    answers: BinaryIO
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def initialise(self) -> None:
        """Shake hands; without this nothing is answered."""
        client = {"name": "benchmark", "version": "1"}
        self._ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        self._say({"method": "notifications/initialized"})

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool: the result with `structuredContent` and `isError`."""
        return self._ask("tools/call", name=tool, arguments=arguments)

    def answer(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The same where an error breaks the measurement off: what the tool answers."""
        result = self.call(tool, **arguments)
        answer: dict[str, Any] = result["structuredContent"]
        if result.get("isError"):
            raise RuntimeError(f"{tool} failed: {answer}")
        return answer

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._say({"id": next(self._ids), "method": method, "params": params})
        while (line := self.answers.readline()) == hello.BEAT:
            pass
        if not line:
            raise EOFError("the server has closed the connection")
        reply = json.loads(line)
        if "result" not in reply:
            raise RuntimeError(f"{method} failed: {reply}")
        result: dict[str, Any] = reply["result"]
        return result

    def _say(self, message: dict[str, Any]) -> None:
        self.send(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")


@contextlib.contextmanager
def connected(place: DaemonPlace) -> Iterator[Connection]:
    """A connection straight on a daemon's socket, past the clients' processes."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(place.socket)
        line.sendall(hello.hello(place.root, os.urandom(16).hex(), None, False))
        with line.makefile("rb") as answers:
            answers.readline()
            connection = Connection(line.sendall, answers)
            connection.initialise()
            yield connection


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

        yield OneServer(process.pid, lambda: stack.enter_context(connected(place)))
