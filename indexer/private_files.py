"""Files that hold what others are not to read: texts of documents and claims, as they were said."""

import contextlib
import os
import stat
from pathlib import Path

PRIVATE = 0o600


def create_private(path: Path) -> None:
    """Make an empty file that only its owner may read, if nothing has the name.

    To SQLite it is a new database, and what SQLite keeps beside it gets its mode. Where it cannot be made, whoever
    opens it is told why.
    """
    with contextlib.suppress(OSError):
        # Never of one that is there: to close it would end the locks that this process has on it.
        os.close(os.open(os.path.realpath(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE))


def keep_mode(of: Path, at: Path) -> None:
    """Let those read a file who may read the one that it will replace, if it is there and the disk has modes."""
    with contextlib.suppress(OSError):
        at.chmod(stat.S_IMODE(of.stat().st_mode))
