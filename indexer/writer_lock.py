"""The lock that makes the writer of an index the only one: a file beside the database, locked while it is written."""

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from .presence import is_folder

_LONGEST_ID = 20


class WorkspaceBusyError(Exception):
    """Another process writes this workspace's index."""


class WorkspaceUnwritableError(Exception):
    """The index cannot be written: no permission, a full disk, no descriptors left."""


def writer_lock_of(database: Path) -> Path:
    """The file whose lock the writer of a database holds."""
    return database.with_suffix(".lock")


@contextlib.contextmanager
def hold_writer_lock(database: Path) -> Iterator[int | None]:
    """Hold the workspace's writer lock, or raise `WorkspaceBusyError` or `WorkspaceUnwritableError` at once.

    The kernel releases it when the process ends, however it ends. Gives the id of the process that held it before,
    if that ended without letting go of it: it was killed, or the machine was.
    """
    lock = writer_lock_of(database)
    descriptor = _open_lock(database, lock)
    try:
        _take_lock(descriptor, database, lock)
        killed = os.pread(descriptor, _LONGEST_ID, 0)
        _note_holder(descriptor, str(os.getpid()).encode())
        try:
            yield int(killed) if killed.isdigit() else None
        finally:
            _note_holder(descriptor, b"")
    finally:
        os.close(descriptor)


def _open_lock(database: Path, lock: Path) -> int:
    """The lock file, made if need be, in a folder that can be written. Raises `WorkspaceUnwritableError`."""
    try:
        # Not the workspace's own folder: it may have been moved away under a server, or be a slip of the pen.
        with contextlib.suppress(FileExistsError):
            database.parent.mkdir()
        # On a read-only disk this says so itself.
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        # SQLite would say that it is unable to open the file.
        if not may_write(database.parent):
            os.close(descriptor)
            raise PermissionError(errno.EACCES, "read-only")
    except FileNotFoundError:
        if database.parent.is_symlink():
            raise WorkspaceUnwritableError(f"what {database.parent.name}/ is a link to is not there") from None
        raise WorkspaceUnwritableError("the workspace's folder is not there; `morenashi init` makes one") from None
    except OSError as error:
        is_its_own = isinstance(error, PermissionError) and may_write(database.parent)
        what = lock.name if is_its_own else f"the folder of {database.name}"
        raise WorkspaceUnwritableError(f"{what} cannot be written: {os.strerror(error.errno or 0)}") from None
    return descriptor


def _take_lock(descriptor: int, database: Path, lock: Path) -> None:
    """Lock an open file at once. Raises `WorkspaceBusyError`, or `WorkspaceUnwritableError` where nothing can be."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise WorkspaceBusyError(f"another process keeps {database.name} up to date") from None
    except OSError as error:
        # A disk of another machine may keep no locks.
        raise WorkspaceUnwritableError(f"{lock.name} cannot be locked: {os.strerror(error.errno or 0)}") from None


def may_write(path: Path) -> bool:
    """Whether this process may write to a file, or make files in a folder. Not if it is not there."""
    needed = os.W_OK | (os.X_OK if is_folder(path) else os.R_OK)
    return os.access(path, needed, effective_ids=os.access in os.supports_effective_ids)


def _note_holder(descriptor: int, holder: bytes) -> None:
    """Put into the lock file who holds it. On a full disk nobody stands there."""
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, holder, 0)
