"""A workspace with daemons of its own, in a folder for sockets of its own; none of them outlives the test."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from morenashi.server.edge.daemon.control import ask_state
from morenashi.server.edge.daemon.place import find_place

from ..server.stdio import RawServer
from ..workspaces import WorkspaceFolder, clean_environment, eventually

END_SECONDS = 60.0


@dataclass(frozen=True)
class Daemons:
    """A workspace, and where the sockets of its daemons are."""

    folder: WorkspaceFolder
    runtime: Path

    def in_haste(self, module: str, constant: str, value: float) -> "Daemons":
        """The same, whose clients' processes have less patience."""
        return Daemons(self.folder.in_haste(module, constant, value), self.runtime)

    def environment(self, **settings: str) -> dict[str, str]:
        return clean_environment() | {"XDG_RUNTIME_DIR": str(self.runtime)} | settings

    def run(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run `morenashi VERB --workspace THIS ...` to its end."""
        return subprocess.run(
            self.folder.shared_command(*arguments),
            env=self.environment(**settings),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    @contextlib.contextmanager
    def process(self, *arguments: str, **settings: str) -> Iterator["subprocess.Popen[str]"]:
        """A client's process, or `daemon`, with pipes; stderr goes to a file in the workspace. Killed in the end."""
        with (
            (self.folder.root / "stderr.log").open("ab") as log,
            subprocess.Popen(
                self.folder.shared_command(*arguments),
                env=self.environment(**settings),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                encoding="utf-8",
            ) as process,
        ):
            try:
                yield process
            finally:
                process.kill()

    @contextlib.contextmanager
    def raw(self, *arguments: str, **settings: str) -> Iterator[RawServer]:
        """A client's process without a client library."""
        with self.process("serve", *arguments, **settings) as process:
            yield RawServer(process, self.folder.root / "stderr.log")

    @contextlib.asynccontextmanager
    async def client(self, *arguments: str, **settings: str) -> AsyncIterator[Client]:
        """A real client, connected through `morenashi serve`."""
        command, *rest = self.folder.shared_command("serve", *arguments)
        parameters = StdioServerParameters(command=command, args=rest, env=self.environment(**settings))
        with (self.folder.root / "stderr.log").open("a") as log:
            async with Client(stdio_client(parameters, errlog=log)) as client:
                yield client

    def state(self) -> dict[str, Any]:
        """What the one daemon says of itself."""
        [path] = self.sockets
        state = ask_state(path, str(self.folder.root))
        assert state is not None
        return state

    @property
    def sockets(self) -> list[Path]:
        return sorted((self.runtime / "morenashi").glob("*.sock"))

    @property
    def log(self) -> str:
        """What all daemons of this workspace have logged."""
        return "".join(path.read_text("utf-8") for path in sorted((self.runtime / "morenashi").glob("*.log")))

    @property
    def started(self) -> int:
        """How often a daemon came to listen."""
        return self.log.count('"notice": "listening"')

    def processes(self) -> list[int]:
        """The daemons of this workspace that run, by the command line they were started with."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                words = path.read_bytes().decode("utf-8", "replace").split("\0")
                if "daemon" in words and str(self.folder.root) in words and not is_zombie(int(path.parent.name)):
                    found.append(int(path.parent.name))
        return found

    def end(self, asked: set[int]) -> list[int]:
        """SIGTERM for those that run and were not asked yet: one that was just started shows a moment later. All that
        run.
        """
        running = self.processes()
        for process in set(running) - asked:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
        asked.update(running)
        return running

    def kill(self) -> None:
        """SIGKILL for every daemon of this workspace."""
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def is_zombie(process: int) -> bool:
    return state_of(process) in ("Z", None)


def state_of(process: int) -> str | None:
    """The letter that the kernel gives it: R runs, S waits, Z is a zombie; `None` if there is no such process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
    return None


@contextlib.contextmanager
def make_daemons(folder: WorkspaceFolder) -> Iterator[Daemons]:
    """Sockets in a folder with a short name. At the end there is no daemon left: stopped, or killed and reported."""
    with tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp", ignore_cleanup_errors=True) as runtime:
        daemons = Daemons(folder, Path(runtime))
        try:
            yield daemons
        finally:
            asked: set[int] = set()
            has_ended = eventually(lambda: not daemons.end(asked), END_SECONDS)
            daemons.kill()
        assert has_ended, daemons.log


@contextlib.contextmanager
def stuck_daemon(daemons: Daemons) -> Iterator[None]:
    """Something that holds the socket and never answers."""
    place = find_place(str(daemons.folder.root), {"XDG_RUNTIME_DIR": str(daemons.runtime)})
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place.socket)
        listener.listen(1)
        yield


Serve = Callable[[socket.socket, BinaryIO], None]
"""What is done with a connection: with the socket, and with the lines that come on it."""


@contextlib.contextmanager
def feigned_daemon(daemons: Daemons, connections: Iterable[Serve]) -> Iterator[None]:
    """Something that listens in a daemon's place: each of these has the next connection, once its hello was read."""
    place = find_place(str(daemons.folder.root), {"XDG_RUNTIME_DIR": str(daemons.runtime)})

    def accept() -> None:
        for serve in connections:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                lines.readline()
                serve(connection, lines)

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place.socket)
        listener.listen()
        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield
        finally:
            # Whoever waits for the next connection is told that there is none.
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            Path(place.socket).unlink()


def python(code: str, *flags: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, *flags, "-c", code], env=clean_environment(), capture_output=True, text=True, check=True
    )
    return done.stdout
