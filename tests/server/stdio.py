"""A server as clients start it: a process that speaks MCP on stdin and stdout."""

import contextlib
import json
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from ..workspaces import WorkspaceFolder, clean_environment

_PATIENCE_SECONDS = 60.0
# Of a server that the tests of a file share, on a machine that is busy with others as well.
_LONGEST_SECONDS = 600.0

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
"""What every request of the new protocol says of its client."""


@dataclass
class RawServer:
    """The process and its pipes, without a client library between."""

    process: "subprocess.Popen[str]"
    stderr: Path

    @property
    def folder(self) -> WorkspaceFolder:
        """The workspace that it serves."""
        return WorkspaceFolder(self.stderr.parent)

    def send(self, method: str, request_id: int | None = None, **params: Any) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message | ({} if request_id is None else {"id": request_id})) + "\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """The next message; fails on a line that is none."""
        assert self.process.stdout
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def initialise(self) -> None:
        client = {"name": "test", "version": "1"}
        self.send("initialize", 0, protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        assert self.receive()["id"] == 0
        self.send("notifications/initialized")

    def discover(self) -> None:
        """Ask what the new protocol's clients ask first, and some of the old one's."""
        self.send("server/discover", 100, _meta=META)
        assert "2026-07-28" in self.receive()["result"]["supportedVersions"]

    def call(self, request_id: int, tool: str, **arguments: Any) -> dict[str, Any]:
        self.send("tools/call", request_id, name=tool, arguments=arguments)
        answer = self.receive()
        assert answer["id"] == request_id
        return answer

    def close_stdin(self) -> tuple[str, int]:
        """End the input; the rest of stdout and the exit code."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        rest = self.process.stdout.read()
        return rest, self.process.wait(_PATIENCE_SECONDS)

    def log_lines(self) -> list[dict[str, Any]]:
        """What was written to stderr; every line has to be a JSON object."""
        return [json.loads(line) for line in self.stderr.read_text("utf-8").split("\n") if line]


@contextlib.contextmanager
def piped(
    command: Sequence[str], stderr: Path, patience_seconds: float, mode: Literal["wb", "ab"], settings: dict[str, str]
) -> Iterator["subprocess.Popen[str]"]:
    """Start a process with pipes to it, and its stderr in a file; it is killed when time or the block is over."""
    with (
        stderr.open(mode) as log,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            encoding="utf-8",
            env=clean_environment() | settings,
        ) as process,
    ):
        guard = threading.Timer(patience_seconds, process.kill)
        guard.start()
        try:
            yield process
        finally:
            guard.cancel()
            process.kill()


@contextlib.contextmanager
def raw_server(folder: WorkspaceFolder, **settings: str) -> Iterator[RawServer]:
    """Start a server process; it is killed if it does not end by itself."""
    stderr = folder.root / "stderr.log"
    with piped(folder.command("serve"), stderr, _LONGEST_SECONDS, "wb", settings) as process:
        yield RawServer(process, stderr)


@contextlib.asynccontextmanager
async def stdio_session(folder: WorkspaceFolder, **settings: str) -> AsyncIterator[Client]:
    """A real client of a server process."""
    command, *arguments = folder.command("serve")
    parameters = StdioServerParameters(command=command, args=arguments, env=clean_environment() | settings)
    with (folder.root / "stderr.log").open("w") as log:
        async with Client(stdio_client(parameters, errlog=log)) as client:
            yield client
