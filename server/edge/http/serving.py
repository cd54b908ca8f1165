"""`morenashi serve --http`: MCP over Streamable HTTP, in a process of its own, until a signal ends it."""

import contextlib
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import uvicorn

from morenashi.indexer.config import Config, ConfigError, check_outside_vault
from morenashi.server.clients import Client
from morenashi.server.edge.local_socket import process_state
from morenashi.server.log import capture_library_logs, log_event, set_log_level
from morenashi.server.workspace import Workspace

from .address import Address, allowed_hosts, parse_address
from .app import MCP_PATH, build_app
from .clients import RecentClients
from .connection import Connection
from .guard import Access
from .state import tell_state
from .tokens import load_tokens

_GRACE_SECONDS = 8
"""For calls under way when a signal comes; containers are killed after ten."""

_MOST_CONNECTIONS = 512


def run(config: Config, listen: str, token_file: Path | None, most: Client) -> int:
    """Serve a workspace over HTTP at `[HOST:]PORT`, to nobody more than `most` is granted. Raises `ConfigError` if that
    cannot be begun as it was asked for.
    """
    set_log_level(config.log_level)
    capture_library_logs()
    address = parse_address(listen)
    access = decide_access(config, address, token_file, most)
    with address.bind() as listening:
        workspace = Workspace(config)
        try:
            _announce(config, address, listening, access)
            anyio.run(_serve, workspace, access, listening, _url(address, listening))
        finally:
            workspace.close()
    return 0


def decide_access(config: Config, address: Address, token_file: Path | None, most: Client) -> Access:
    """Who may call at an address. Raises `ConfigError` where everybody could who reaches this machine."""
    anonymous = replace(most, session_id="http")
    secret = config.http_token.get_secret_value() if config.http_token else None
    check_outside_vault(config, "--tokens", token_file and token_file.absolute())
    tokens = load_tokens(token_file or config.http_token_file, secret, anonymous)
    if tokens is None and not address.is_loopback:
        raise ConfigError(f"--http: on {address.name} others can call: give --tokens FILE, HTTP_TOKENS or HTTP_TOKEN")
    return Access(anonymous, tokens, allowed_hosts(address, config.http_hosts))


async def _serve(workspace: Workspace, access: Access, listening: socket.socket, url: str) -> None:
    closing, clients, started = anyio.Event(), RecentClients(), time.time()
    app = build_app(workspace, access, clients, closing)

    def state() -> dict[str, Any]:
        return process_state(workspace, started) | {"url": url, "clients": clients.count(time.monotonic())}

    settings = uvicorn.Config(
        app,
        http=Connection,
        lifespan="on",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = _Server(settings, closing)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_by_signal, server)
        tasks.start_soon(tell_state, str(workspace.config.root), state)
        await server.serve(sockets=[listening])
        tasks.cancel_scope.cancel()


class _Server(uvicorn.Server):
    """Tells what only listens to end before it waits for what is under way. Signals are not its own: it would repeat
    them at the end, and die of them before the workspace is closed.
    """

    def __init__(self, settings: uvicorn.Config, closing: anyio.Event) -> None:
        super().__init__(settings)
        self._closing = closing

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._closing.set()
        await super().shutdown(sockets)


async def _end_by_signal(server: uvicorn.Server) -> None:
    """The first signal lets what is under way finish, for a while; a second one does not wait."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for received in signals:
            log_event("info", "serve", ok=True, notice=f"ended by {received.name}")
            server.force_exit = server.should_exit
            server.should_exit = True


def _announce(config: Config, address: Address, listening: socket.socket, access: Access) -> None:
    names = [client.name for client in access.callers]
    log_event("info", "serve", ok=True, workspace=str(config.root), url=_url(address, listening), clients=names)


def _url(address: Address, listening: socket.socket) -> str:
    return f"http://{address.name}:{listening.getsockname()[1]}{MCP_PATH}"
