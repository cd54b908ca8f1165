"""Are there inotify watches left? Who watches a tree is not told that a folder of it could not be watched."""

import ctypes
import errno
import os
from pathlib import Path

_IN_DELETE_SELF = 0x400
_USED_UP = (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


def has_watches_left(folder: Path) -> bool:
    """Whether this user may watch one folder more, found out by doing so. True where there is no inotify."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        instance = libc.inotify_init1(os.O_CLOEXEC)
    except AttributeError:
        return True
    if instance < 0:
        return ctypes.get_errno() not in _USED_UP
    try:
        watch = libc.inotify_add_watch(instance, os.fsencode(folder), _IN_DELETE_SELF)
        return watch >= 0 or ctypes.get_errno() not in _USED_UP
    finally:
        os.close(instance)
