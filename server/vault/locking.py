"""The lock of a vault: one write at a time, whichever thread or process it comes from."""

import contextlib
import errno
import fcntl
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from morenashi.server.errors import ToolError
from morenashi.server.paths import WHOM_TO_ASK, open_folder, refusal

_FOLDER, _NAME = (".system",), "write.lock"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MOST_SECONDS = 30.0
_LONGEST_PAUSE = 0.01
# Threads wait for each other here and do not have to ask the system again and again.
_threads = threading.Lock()


def write_lock_of(vault: Path) -> Path:
    """The file that is locked while somebody writes."""
    return vault.joinpath(*_FOLDER, _NAME)


@contextlib.contextmanager
def hold_write_lock(vault: Path) -> Iterator[None]:
    """Hold the lock of the vault at this path. The kernel releases it however the process ends.

    Raises `conflict` if others hold it for half a minute, `forbidden` if the vault may not be written.
    """
    deadline = time.monotonic() + _MOST_SECONDS
    if not _threads.acquire(timeout=_MOST_SECONDS):
        raise _busy()
    try:
        descriptor = _open_lock(vault)
        try:
            _wait(vault, descriptor, deadline)
            yield
        finally:
            os.close(descriptor)
    finally:
        _threads.release()


def _open_lock(vault: Path) -> int:
    """A descriptor of the lock, which the caller has not named: where it may not be opened, nothing may be written."""
    try:
        with open_folder(vault, _FOLDER, "path", create=True) as folder:
            return os.open(_NAME, _FLAGS, 0o666, dir_fd=folder)
    except OSError as error:
        refused = refusal(error, vault, (*_FOLDER, _NAME), "path")
    except ToolError as error:
        refused = error
    if refused.code == "forbidden" and refused.details.get("path"):
        message = f"path: the vault may not be written; {WHOM_TO_ASK}"
        refused = ToolError("forbidden", message, parameter="path")
    raise refused


def _wait(vault: Path, descriptor: int, deadline: float) -> None:
    pause = 0.0005
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                # A disk of another machine may keep no locks.
                raise refusal(error, vault, (*_FOLDER, _NAME), "path") from None
        if time.monotonic() > deadline:
            raise _busy()
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _busy() -> ToolError:
    return ToolError("conflict", "another write to the vault is not yet done; try again in a moment")
