"""`morenashi daemon`: one server for all clients of a workspace, over a Unix socket.

Whoever holds the lock beside the socket is the daemon. A client's process takes it and passes it on (shim/daemons.py);
in the foreground the daemon takes it itself. The kernel gives it back however the process ends.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from morenashi.indexer.config import Config
from morenashi.indexer.presence import is_there
from morenashi.indexer.terminal import BUSY, DIFFERENT, DONE, USAGE, fail
from morenashi.server.log import capture_library_logs, log_event, set_log_level
from morenashi.server.workspace import Workspace

from .clients import serve
from .place import DaemonPlace, NoPlaceError, find_place


def run(config: Config, lock: int | None, idle_seconds: float | None) -> int:
    """Serve a workspace until a signal, `morenashi stop`, or `idle_seconds` without clients.

    `lock` is the descriptor of the lock that whoever started this holds; `None` in the foreground. There, where nobody
    else starts the next one, it is a failure if the socket or the workspace has gone.
    """
    set_log_level(config.log_level)
    capture_library_logs()
    try:
        place = find_place(str(config.root))
        with _hold_lock(place, lock):
            has_finished = _serve(config, place, idle_seconds, logs_to_file=lock is not None)
    except NoPlaceError as error:
        return fail(f"no place for a daemon: {error}", USAGE)
    except BlockingIOError:
        return fail("a daemon of this workspace is running; `morenashi status` shows it", BUSY)
    return DONE if has_finished or lock is not None else DIFFERENT


def _serve(config: Config, place: DaemonPlace, idle_seconds: float | None, *, logs_to_file: bool) -> bool:
    log_event("info", "daemon", ok=True, workspace=str(config.root), pid=os.getpid())
    # A folder that a client happened to be in may be deleted, or unmounted.
    os.chdir(config.root)
    workspace = Workspace(config)
    try:
        return serve(workspace, place, idle_seconds, place.log if logs_to_file else None)
    finally:
        workspace.close()
        log_event("info", "daemon", ok=True, notice="ended", pid=os.getpid())


@contextlib.contextmanager
def _hold_lock(place: DaemonPlace, inherited: int | None) -> Iterator[None]:
    """Hold the place's lock, or the one that was inherited. Raises `BlockingIOError` if somebody else holds it.

    Raises `NoPlaceError` if what was inherited is another lock: whoever started this has run since before the program
    was replaced by this version, and waits for another socket.
    """
    if inherited is not None:
        os.set_inheritable(inherited, False)
        lock = Path(place.lock)
        if not is_there(lock) or not os.path.samestat(os.fstat(inherited), lock.stat()):
            raise NoPlaceError("this program is not the version that was asked for")
        yield
        return
    try:
        descriptor = os.open(place.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise NoPlaceError(str(error)) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
