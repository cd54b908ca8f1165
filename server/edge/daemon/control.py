"""What `status`, `doctor` and `stop` ask the daemons of a workspace, and its servers over HTTP, on their sockets."""

import contextlib
import os
import signal
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from morenashi.server.health.holders import find_holders, is_held, is_stopped

from . import hello
from .peer import peer_of
from .place import NoPlaceError, find_place

_PATIENCE_SECONDS = 10.0
_LOOK_SECONDS = 0.02


class SilentServerError(Exception):
    """A server holds its socket and does not answer. `pid` is `None` where the system does not say."""

    def __init__(self, path: Path, pid: int | None, *, is_stopped: bool) -> None:
        self.pid = pid
        self.is_stopped = is_stopped
        process = f"process {pid}" if pid else path.name
        super().__init__(f"{process} does not answer" + (": it is stopped" if is_stopped else ""))


@dataclass(frozen=True, slots=True)
class Stopped:
    """What became of a daemon that was told to end. `clients`: the processes that it served, as far as is known."""

    has_ended: bool
    was_killed: bool
    clients: list[int]


def find_sockets(root: str) -> list[Path]:
    """The sockets of all daemons of a workspace, whatever their version and settings."""
    return _find(root, "sock")


def find_places(root: str) -> list[Path]:
    """The same, and where those will listen that are about to, or did that are about to end: they hold their locks."""
    return sorted({*find_sockets(root), *(lock.with_suffix(".sock") for lock in _find(root, "lock"))})


def find_logs(root: str) -> list[Path]:
    """The logs of all its daemons, also of those that have ended."""
    return _find(root, "log")


def find_http_sockets(root: str) -> list[Path]:
    """The sockets of all servers of a workspace over HTTP; those that were killed leave theirs behind."""
    return _find(root, "http")


def ask_state(path: Path, root: str) -> dict[str, Any] | None:
    """How a server is, in its own words (daemon/clients.py, http/serving.py); `None` if it has ended.

    Raises `SilentServerError`.
    """
    return _ask(path, root, "status")


def is_abandoned(path: Path) -> bool:
    """Whether a socket was left over by a process that was killed: nobody listens any more."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.setblocking(False)
        try:
            connection.connect(str(path))
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False


def stop(path: Path, root: str, seconds: float) -> Stopped | None:
    """End a daemon, and wait so long for its end, and as long for one that does not listen yet; `None` if none ran.

    One that does not answer is killed if it can be told which process it is: nothing that was acknowledged is lost by
    that. Otherwise raises `SilentServerError`.
    """
    lock, killed = path.with_suffix(".lock"), None
    deadline = time.monotonic() + seconds
    try:
        while (state := _ask(path, root, "stop")) is None and is_held(lock):
            if time.monotonic() > deadline:
                return Stopped(has_ended=False, was_killed=False, clients=[])
            time.sleep(_LOOK_SECONDS)
    except SilentServerError as error:
        killed = error.pid
        if killed is None or killed not in [holder.pid for holder in find_holders(lock)]:
            raise
        with contextlib.suppress(ProcessLookupError):
            os.kill(killed, signal.SIGKILL)
        state = {"pid": killed, "clients": []}
    if state is None:
        return None
    deadline = time.monotonic() + seconds
    while (is_kept := _is_kept(lock, state["pid"])) and time.monotonic() < deadline:
        time.sleep(_LOOK_SECONDS)
    clients = [client["pid"] for client in state["clients"] if client["pid"]]
    return Stopped(not is_kept, killed is not None, clients)


def _is_kept(lock: Path, daemon: int) -> bool:
    """Whether a daemon has its lock still. A client that asks for something just then has started the next one."""
    if not is_held(lock):
        return False
    holders = [holder.pid for holder in find_holders(lock)]
    return daemon in holders or not holders


def _ask(path: Path, root: str, command: str) -> dict[str, Any] | None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_PATIENCE_SECONDS)
        pid = None
        try:
            connection.connect(str(path))
            peer = peer_of(connection)
            pid = peer and peer[0]
            if _is_stopped(pid):
                raise SilentServerError(path, pid, is_stopped=True)
            connection.sendall(hello.control(root, command))
            line = connection.makefile("rb").readline()
        except (FileNotFoundError, ConnectionError):
            return None
        except OSError:
            raise SilentServerError(path, pid, is_stopped=_is_stopped(pid)) from None
    said = hello.read_line(line)
    return said["state"] if said is not None and "state" in said else None


def _is_stopped(pid: int | None) -> bool:
    """Whether it is known to be. Nobody need wait for its answer then."""
    with contextlib.suppress(OSError):
        return pid is not None and is_stopped(Path("/proc", str(pid)))
    return False


def _find(root: str, suffix: str) -> list[Path]:
    try:
        place = find_place(root)
    except NoPlaceError:
        return []
    return sorted(Path(place.folder).glob(f"{place.prefix}*.{suffix}"))
