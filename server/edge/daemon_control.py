"""What `morenashi status` and `morenashi stop` ask the daemons of a workspace, over their sockets."""

import fcntl
import socket
import time
from pathlib import Path
from typing import Any

from . import daemon_hello
from .daemon_place import NoPlaceError, find_place

_PATIENCE_SECONDS = 15.0
_LOOK_SECONDS = 0.02


class SilentDaemonError(Exception):
    """A daemon holds its socket and does not answer."""


def find_sockets(root: str) -> list[Path]:
    """The sockets of all daemons of a workspace, whatever their version and settings."""
    return _find(root, "sock")


def find_logs(root: str) -> list[Path]:
    """The logs of all its daemons, also of those that have ended."""
    return _find(root, "log")


def ask_state(path: Path, root: str) -> dict[str, Any] | None:
    """How a daemon is, as daemon_clients.py says it; `None` if it has ended. Raises `SilentDaemonError`."""
    return _ask(path, root, "status")


def stop(path: Path, root: str, seconds: float) -> bool | None:
    """End a daemon; whether it has ended within the time, `None` if none ran. Raises `SilentDaemonError`."""
    if _ask(path, root, "stop") is None:
        return None
    deadline = time.monotonic() + seconds
    while _is_locked(path.with_suffix(".lock")):
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


def _ask(path: Path, root: str, command: str) -> dict[str, Any] | None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_PATIENCE_SECONDS)
        try:
            connection.connect(str(path))
            connection.sendall(daemon_hello.control(root, command))
            line = connection.makefile("rb").readline()
        except (FileNotFoundError, ConnectionError):
            return None
        except OSError as error:
            raise SilentDaemonError(f"{path.name}: {error}") from None
    said = daemon_hello.read_line(line)
    return said["state"] if said is not None and "state" in said else None


def _is_locked(path: Path) -> bool:
    """Whether a daemon lives: it has its lock until its process has ended."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _find(root: str, suffix: str) -> list[Path]:
    try:
        place = find_place(root)
    except NoPlaceError:
        return []
    return sorted(Path(place.folder).glob(f"{place.prefix}*.{suffix}"))
