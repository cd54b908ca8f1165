"""A server process on a free port, real MCP clients of it, and requests of one's own making."""

import contextlib
import functools
import json
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from ..workspaces import WorkspaceFolder, clean_environment, eventually

Era = Literal["auto", "legacy"]
MODERN, LEGACY = "2026-07-28", "2025-11-25"
_META = "io.modelcontextprotocol"


@dataclass(repr=False)
class HttpServer:
    """A running server. Without a token a request is sent without one."""

    folder: WorkspaceFolder
    process: "subprocess.Popen[bytes]"
    stderr: Path
    runtime: Path
    """Where its socket is."""

    def run(self, verb: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command that looks for servers of the workspace."""
        environment = clean_environment() | {"XDG_RUNTIME_DIR": str(self.runtime)}
        command = self.folder.shared_command(verb, *arguments)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    def log_lines(self) -> list[dict[str, Any]]:
        """What it wrote to stderr; every line has to be a JSON object."""
        return [json.loads(line) for line in self.stderr.read_text("utf-8").split("\n")[:-1]]

    @functools.cached_property
    def http(self) -> httpx2.Client:
        """One client for all requests: making one takes longer than an answer."""
        return httpx2.Client(timeout=30, verify=False)

    @functools.cached_property
    def url(self) -> str:
        assert eventually(lambda: self._urls() or self.process.poll() is not None)
        return self._urls()[0]

    def _urls(self) -> list[str]:
        # The keeper's thread may have said something before the server says where it listens.
        return [line["url"] for line in self.log_lines() if "url" in line]

    @property
    def base(self) -> str:
        return self.url.removesuffix("/mcp")

    @property
    def port(self) -> int:
        return int(self.base.rpartition(":")[2])

    def get(self, path: str, token: str | None = None, **headers: str) -> httpx2.Response:
        return self.http.get(self.base + path, headers=_headers(token, headers))

    def post(self, method: str, token: str | None = None, era: Era = "auto", **more: Any) -> httpx2.Response:
        """Send one request: `params`, and further `headers`, with underscores for hyphens."""
        params, headers = more.pop("params", {}), more
        sent = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        if era == "auto":
            params["_meta"] = {f"{_META}/protocolVersion": MODERN, f"{_META}/clientCapabilities": {}}
            sent |= {"mcp-protocol-version": MODERN, "mcp-method": method}
            if name := params.get("name") or params.get("uri"):
                sent["mcp-name"] = name
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.http.post(self.url, headers=sent | _headers(token, headers), json=body)

    def call(self, tool: str, token: str | None = None, /, **arguments: Any) -> dict[str, Any]:
        """The body of a tool's answer, success or error, in the present protocol."""
        answer = self.post("tools/call", token, params={"name": tool, "arguments": arguments})
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()["result"]["structuredContent"]
        return body

    def initialise(self, token: str | None = None) -> str:
        """Begin a session as clients did before 2026-07-28; its id."""
        client = {"name": "test", "version": "1"}
        params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": client}
        answer = self.post("initialize", token, "legacy", params=params)
        assert answer.status_code == 200, answer.text
        return str(answer.headers["mcp-session-id"])

    @contextlib.asynccontextmanager
    async def connect(self, token: str | None = None, era: Era = "auto") -> AsyncIterator[Client]:
        """The official client."""
        async with (
            httpx2.AsyncClient(headers=_headers(token, {}), timeout=30, verify=False) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=era) as client,
        ):
            yield client


def _headers(token: str | None, more: dict[str, str]) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in more.items()}
    return named | ({"authorization": f"Bearer {token}"} if token else {})


@contextlib.contextmanager
def http_server(folder: WorkspaceFolder, *arguments: str, **settings: str) -> Iterator[HttpServer]:
    """Serve a folder over HTTP; the process is killed if it does not end by itself."""
    stderr = folder.root / "stderr.log"
    command = folder.command("serve", "--http", "0", *arguments)
    with (
        tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp") as runtime,
        stderr.open("wb") as log,
        subprocess.Popen(
            command, stderr=log, env=clean_environment() | {"XDG_RUNTIME_DIR": runtime} | settings
        ) as process,
    ):
        server = HttpServer(folder, process, stderr, Path(runtime))
        try:
            yield server
        finally:
            server.http.close()
            process.kill()
