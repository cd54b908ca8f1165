"""Are there inotify watches left? Who watches a tree is not told that a folder of it could not be watched."""

import ctypes
import errno
import os
import threading
from pathlib import Path

_IN_DELETE_SELF = 0x400
_USED_UP = (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


# Once there were none, it stays so for this process: one that is free again, because somebody else gave up watching,
# says nothing about the folders that came when there was none.
_ran_out = threading.Event()


def has_watches_left(folder: Path) -> bool:
    """Whether this user may watch one folder more, found out by doing so. True where there is no inotify."""
    if not _ran_out.is_set() and _error_of_watching(folder) in _USED_UP:
        _ran_out.set()
    return not _ran_out.is_set()


def _error_of_watching(folder: Path) -> int:
    """The number of the error; 0 if there is none, or no inotify."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        instance = libc.inotify_init1(os.O_CLOEXEC)
    except AttributeError:
        return 0
    if instance < 0:
        return ctypes.get_errno()
    try:
        watch = libc.inotify_add_watch(instance, os.fsencode(folder), _IN_DELETE_SELF)
        return ctypes.get_errno() if watch < 0 else 0
    finally:
        os.close(instance)
