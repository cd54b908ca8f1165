"""`morenashi serve --standalone`: MCP on stdin and stdout, until stdin, stdout or the parent process ends."""

import contextlib
import fcntl
import os
import select
import signal

import anyio
from anyio.to_thread import run_sync
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from morenashi.indexer.config import Config
from morenashi.server import parent
from morenashi.server.clients import LOCAL, Client
from morenashi.server.log import capture_library_logs, log_event, set_log_level
from morenashi.server.workspace import Workspace

from .conversation import Conversation, Received
from .lines import take_stdin
from .protocol import build_server

_LOOK_SECONDS = 1.0
_STDOUT, _FIRST_FREE = 1, 3


def run(config: Config, client: Client = LOCAL) -> int:
    """Serve a workspace to one client, until it leaves. Nothing but the protocol goes to stdout."""
    set_log_level(config.log_level)
    capture_library_logs()
    log_event("info", "serve", ok=True, workspace=str(config.root))
    workspace = Workspace(config)
    try:
        anyio.run(_serve, workspace, client)
    except* ConnectionError:
        # Nobody reads what the client asked for. A socket says otherwise than a pipe.
        log_event("info", "serve", ok=True, notice="the client has gone")
    finally:
        workspace.close()
    return 0


async def _serve(workspace: Workspace, client: Client) -> None:
    server = build_server(workspace, client)
    # The library puts something else in its place.
    stdout = fcntl.fcntl(_STDOUT, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    async with stdio_server(anyio.wrap_file(take_stdin())) as (incoming, outgoing), anyio.create_task_group() as tasks:
        tasks.start_soon(_end_with_client, workspace, stdout)
        tasks.start_soon(_end_by_signal, workspace)

        async def receive() -> Received:
            try:
                received: Received = await incoming.receive()
            except anyio.EndOfStream:
                return None
            return received

        async def send(message: SessionMessage) -> None:
            # That nobody takes it is said once, by whoever writes to stdout.
            with contextlib.suppress(anyio.BrokenResourceError):
                await outgoing.send(message)

        async with incoming, outgoing:
            await Conversation(server, receive, send).run()
        tasks.cancel_scope.cancel()


async def _end_with_client(workspace: Workspace, stdout: int) -> None:
    """A wrapper may hold stdin open after the client has gone, and a thread then waits on it for ever."""
    while not parent.has_ended():
        if _is_unread(stdout):
            await _leave(workspace, "nobody reads what is answered any more", 0)
        await anyio.sleep(_LOOK_SECONDS)
    await _leave(workspace, "the parent process has ended", 0)


def _is_unread(descriptor: int) -> bool:
    """Whether the other end of a pipe, socket or terminal has been closed."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return bool(poll.poll(0))


async def _end_by_signal(workspace: Workspace) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for received in signals:
            await _leave(workspace, f"ended by {received.name}", 128 + received)


async def _leave(workspace: Workspace, notice: str, code: int) -> None:
    """Commit and end. The thread that reads stdin cannot be stopped, so nothing waits for it."""
    log_event("info", "serve", ok=True, notice=notice)
    await run_sync(workspace.close)
    os._exit(code)
