"""What `morenashi status` and `morenashi stop` ask the daemons of a workspace, over their sockets."""

import contextlib
import os
import socket
import time
from pathlib import Path
from typing import Any

from . import daemon_hello
from .daemon_place import NoPlaceError, find_place

_PATIENCE_SECONDS = 5.0
_LOOK_SECONDS = 0.02


class SilentDaemonError(Exception):
    """A daemon holds its socket and does not answer."""


def find_sockets(root: str) -> list[Path]:
    """The sockets of all daemons of a workspace, whatever their version and settings."""
    try:
        place = find_place(root)
    except NoPlaceError:
        return []
    return sorted(Path(place.folder).glob(f"{place.prefix}*.sock"))


def log_of(path: Path) -> str:
    """The log of the daemon with this socket."""
    return str(path.with_suffix(".log"))


def ask_state(path: Path, root: str) -> dict[str, Any] | None:
    """How a daemon is, as daemon_clients.py says it; `None` if it has ended. Raises `SilentDaemonError`."""
    return _ask(path, root, "status")


def stop(path: Path, root: str, seconds: float) -> bool:
    """End a daemon; whether it has ended within the time. Raises `SilentDaemonError`."""
    state = _ask(path, root, "stop")
    deadline = time.monotonic() + seconds
    while state is not None and _is_running(state["pid"]):
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


def _is_running(pid: int) -> bool:
    with contextlib.suppress(OSError):
        # One whose parent has not looked after it yet has ended all the same.
        return not Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] == "Z"
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return not Path("/proc/self").exists()
