"""The JSONL mirror of the adaptive statistics (seed 001 §8.2): a line for each record, once it is committed."""

import contextlib
import errno
import json
import os
import stat
from collections.abc import Iterator

from morenashi.indexer.config import Config
from morenashi.indexer.files import open_beneath
from morenashi.indexer.presence import is_folder

from .log import log_event
from .search.adaptation.statistics import Record

MAX_BYTES = 4 * 1024 * 1024
"""At this size the file becomes `NAME.1`, in place of an older one: some 10,000 records in each."""

# Not blocking: a pipe of this name must not hold the writer up.
_FILE_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class StatisticsMirror:
    """Appends to `ADAPTIVE_STATS_PATH`. What fails is logged, once until it works again, and loses its line only.

    In the default place, below the vault, the folder is made if need be, but never the vault itself: where
    there is none, there is no mirror. The folder of a configured path has to be there.
    """

    def __init__(self, config: Config) -> None:
        self._path = config.adaptive_stats
        self._vault = config.vault if config.adaptive_stats_path is None else None
        self._failure: str | None = None

    def append(self, record: Record) -> None:
        """Append a record as one line, whole or not at all."""
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            if self._vault is None or is_folder(self._vault):
                with self._folder() as folder:
                    _append(folder, self._path.name, line.encode())
            self._failure = None
        except OSError as error:
            failure = errno.errorcode.get(error.errno or 0, type(error).__name__)
            if failure != self._failure:
                log_event("error", "mirror", ok=False, error=failure)
            self._failure = failure

    @contextlib.contextmanager
    def _folder(self) -> Iterator[int]:
        """The mirror's folder, opened; inside the vault not through a link."""
        parts: tuple[str, ...] = ()
        if self._vault is not None:
            parts = (self._path.parent.name,)
            self._path.parent.mkdir(exist_ok=True)
        with open_beneath(self._vault or self._path.parent, parts) as folder:
            yield folder


def _append(folder: int, name: str, line: bytes) -> None:
    _rotate(folder, name, len(line))
    descriptor = os.open(name, _FILE_FLAGS, 0o600, dir_fd=folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if status.st_size and os.pread(descriptor, 1, status.st_size - 1) != b"\n":
            # What a disk lost the end of is no beginning of this line.
            line = b"\n" + line
        written = os.write(descriptor, line)
        if written < len(line):
            os.ftruncate(descriptor, os.fstat(descriptor).st_size - written)
            raise OSError(errno.ENOSPC, "the line was not written whole")
    finally:
        os.close(descriptor)


def _rotate(folder: int, name: str, more_bytes: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISREG(status.st_mode) and status.st_size + more_bytes > MAX_BYTES:
            os.rename(name, f"{name}.1", src_dir_fd=folder, dst_dir_fd=folder)
