"""Whether something is there, in every version of Python alike: from 3.14 on, `Path.exists` and its kin say that what
they cannot look at is not.
"""

import errno
import stat
from pathlib import Path

NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
"""What the system says where nothing has a name."""

Identity = tuple[int, int]
"""Device and inode number: which file or folder has a name now."""


def is_there(path: Path) -> bool:
    """Whether something has this name, or what a link of this name leads to is there.

    Raises `OSError` if that cannot be told: a folder on the way may not be entered, or its disk fails.
    """
    return _mode(path) is not None


def is_folder(path: Path) -> bool:
    """The same of a folder."""
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def is_file(path: Path) -> bool:
    """The same of a regular file."""
    mode = _mode(path)
    return mode is not None and stat.S_ISREG(mode)


def identity_of(path: Path, *, follow_symlinks: bool = True) -> Identity | None:
    """Which file or folder has this name; `None` if none has, or it cannot be told."""
    try:
        status = path.stat(follow_symlinks=follow_symlinks)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def has_long_name(path: Path) -> bool:
    """Whether a name in the path, or all of it, is longer than the system takes."""
    try:
        path.lstat()
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG
    return False


def current_folder() -> Path | None:
    """The folder that this process was started in; `None` if it was deleted since."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno in NOT_THERE:
            return None
        raise
    except ValueError:
        # A name with a NUL: no file has it.
        return None
