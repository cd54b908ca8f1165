"""What the servers that listen on a Unix socket have in common: who may speak there, and how such a process is."""

import errno
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketListener, SocketStream, TaskGroup

import morenashi
from morenashi.server.log import log_event
from morenashi.server.workspace import Workspace

from .daemon import hello
from .daemon.peer import peer_of
from .wire import Lines

Greet = Callable[[Lines, "hello.Said", int | None], Awaitable[None]]
"""What becomes of a connection: its lines, what was said first, and the other end's process, if that can be told."""

_HELLO_SECONDS = 5.0
_PAUSE_SECONDS = 1.0
# The process, or the machine, has no room for a further connection just now.
_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


async def accept_all(listener: SocketListener, root: str, greet: Greet, tasks: TaskGroup) -> None:
    """Greet each process of this user that means this workspace, among these tasks, until this is cancelled."""
    while True:
        try:
            stream = await listener.accept()
        except anyio.BrokenResourceError as error:
            # The kernel's own word is its cause.
            number = error.__cause__.errno if isinstance(error.__cause__, OSError) else None
            if number not in _NO_ROOM:
                raise
            log_event("error", "daemon", ok=False, error=errno.errorcode[number])
            await anyio.sleep(_PAUSE_SECONDS)
        else:
            tasks.start_soon(_answer, stream, root, greet)


async def _answer(stream: SocketStream, root: str, greet: Greet) -> None:
    """One connection, to its end. Whatever goes wrong with it stays its own."""
    try:
        async with stream:
            peer = peer_of(stream.extra(SocketAttribute.raw_socket))
            if peer is not None and peer[1] != os.geteuid():
                return
            lines = Lines(stream)
            said = await _read_hello(lines)
            if said is not None and said.get("root") == root:
                await greet(lines, said, peer and peer[0])
    except Exception as error:  # noqa: BLE001 - the server serves others
        log_event("error", "daemon", ok=False, error=type(error).__name__)


async def _read_hello(lines: Lines) -> "hello.Said | None":
    line = None
    with anyio.move_on_after(_HELLO_SECONDS):
        line = await lines.receive(hello.MOST_HELLO_BYTES)
    return hello.read_line(line or b"")


def process_state(workspace: Workspace, started: float) -> dict[str, Any]:
    """What only this process knows. `started` in seconds since 1970."""
    return {
        "pid": os.getpid(),
        "version": morenashi.__version__,
        "started": started,
        "rss_bytes": _resident_bytes(),
        "collections": workspace.states,
    }


def _resident_bytes() -> int | None:
    """This process's resident memory; `None` where there is no /proc."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
