"""The way from a client's process to a server: to the workspace's daemon, which is started if there is none, or, where
that cannot be had, to a server of its own.

The lock that elects a daemon is taken here, before anything is bound, and inherited by the daemon: the kernel keeps it
exactly as long as the daemon lives. The standard library alone.
"""

import contextlib
import fcntl
import os
import socket
import sys
from collections.abc import Callable, Iterable, Sequence

from morenashi.server.edge.daemon.place import DaemonPlace

IDLE_SECONDS = 600
"""A daemon without clients ends after so long."""

_MOST_STARTS = 3


class NoDaemonError(Exception):
    """A daemon was started and ended at once, with what stands in the message. Another one would do the same."""


class Daemons:
    """Finds the daemon of one place, or starts it."""

    def __init__(self, place: DaemonPlace) -> None:
        self._place = place
        self._started: int | None = None
        self._starts = 0

    def look(self, *, may_start: bool) -> socket.socket | None:
        """A connection; `None` while there is none, and then it is worth looking again soon. Raises `NoDaemonError`."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.setblocking(False)
        try:
            connection.connect(self._place.socket)
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            if may_start:
                self._start_if_absent()
            return None
        except BlockingIOError:
            # More clients are waiting than the daemon has room for.
            connection.close()
            return None
        self._starts = 0
        return connection

    def _start_if_absent(self) -> None:
        self._look_after_started()
        lock = os.open(self._place.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # A daemon is on its way, or about to end.
            return
        else:
            if self._starts == _MOST_STARTS:
                raise NoDaemonError(f"it was started {_MOST_STARTS} times and did not stay")
            self._starts += 1
            self._started = _start_daemon(self._place, lock)
        finally:
            os.close(lock)

    def _look_after_started(self) -> None:
        """Let a daemon that this process started and that has ended go. Raises `NoDaemonError` if it refused to run."""
        if self._started is None:
            return
        try:
            ended, status = os.waitpid(self._started, os.WNOHANG)
        except ChildProcessError:
            ended, status = self._started, 0
        if ended:
            self._started = None
            if os.WIFEXITED(status) and os.WEXITSTATUS(status):
                raise NoDaemonError(f"it ended with {os.WEXITSTATUS(status)}")


def own_server(root: str, options: Sequence[str]) -> tuple[socket.socket, int]:
    """Start a server for this client alone; the connection to it, and its process id."""
    ours, theirs = socket.socketpair()
    command = [*_morenashi("serve", root), "--standalone", *options]

    def become_server() -> None:
        _become(command, (theirs.fileno(), theirs.fileno(), 2), None)

    process = _fork(become_server)
    theirs.close()
    ours.setblocking(False)
    return ours, process


def _start_daemon(place: DaemonPlace, lock: int) -> int:
    """Start a daemon that outlives this process and its terminal; returns its process id."""
    command = [*_morenashi("daemon", place.root), "--lock-fd", str(lock), "--idle-seconds", str(IDLE_SECONDS)]

    def become_daemon() -> None:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        # Not the client's stderr, which ends with the client.
        log = os.open(place.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        _become(command, (nothing, nothing, log), lock)

    return _fork(become_daemon)


def _fork(become: Callable[[], None]) -> int:
    """Let a child become something else; its process id. If it cannot, it ends: it must not go on as this process."""
    process = os.fork()
    if process == 0:
        try:
            become()
        finally:
            os._exit(127)
    return process


def _morenashi(verb: str, root: str) -> list[str]:
    # -P: the folder that the client happens to run in is no place to import from.
    return [sys.executable, "-P", "-m", "morenashi", verb, "--workspace", root]


def _become(command: list[str], standard: tuple[int, int, int], kept: int | None) -> None:
    """In a forked child: run a command with these descriptors as 0 to 2, and no other but `kept`."""
    for target, source in enumerate(standard):
        os.dup2(source, target)
    if kept is not None:
        os.set_inheritable(kept, True)
    for descriptor in _open_descriptors():
        if descriptor > 2 and descriptor != kept:
            # Pipes that the client has not closed for its children would otherwise stay open as long as the daemon.
            with contextlib.suppress(OSError):
                os.close(descriptor)
    os.execv(command[0], command)


def _open_descriptors() -> Iterable[int]:
    """Those of this process. Not all numbers that there may be: in a container these can be a thousand million."""
    try:
        return [int(name) for name in os.listdir("/dev/fd")]  # noqa: PTH208
    except OSError:
        return range(os.sysconf("SC_OPEN_MAX"))
