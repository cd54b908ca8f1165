"""Files written whole or not at all: into a temporary file of the same folder, synchronised, then renamed.

Whoever calls holds the vault's lock. So there is one temporary file at most in a folder, it has one name, and one
that is found there was left by a process that was killed.
"""

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from morenashi.indexer.vault_names import TEMPORARY_NAME

from .attributes import keep_attributes

_OLD_FLAGS = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
OWNER_ALONE = 0o600
"""For what is to replace a file: that may be its owner's alone, and its mode can be set only once it has its owner."""
_WITHOUT_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file by its descriptor, with its status as it was opened."""

    descriptor: int
    status: os.stat_result


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """A folder of the vault by its descriptor, and the name of a file in it."""

    descriptor: int
    name: str

    @contextlib.contextmanager
    def open_file(self) -> Iterator[OpenFile]:
        """The file as it is; opened for writing, so that one that is write-protected is refused. Raises `OSError`."""
        descriptor = os.open(self.name, _OLD_FLAGS, dir_fd=self.descriptor)
        try:
            yield OpenFile(descriptor, os.fstat(descriptor))
        finally:
            os.close(descriptor)

    def find(self) -> os.stat_result | None:
        """What has this name, be it a link that leads nowhere; `None` if nothing has."""
        try:
            return os.stat(self.name, dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None


class NewContent:
    """A temporary file with what is to stand in a file. Either `become` that file, or `replace` it, or leave nothing
    behind. `mode` is who may use it until then.
    """

    def __init__(self, target: OpenFolder, mode: int = 0o666) -> None:
        self._target = target
        with contextlib.suppress(FileNotFoundError):
            os.unlink(TEMPORARY_NAME, dir_fd=target.descriptor)
        self.descriptor = os.open(TEMPORARY_NAME, _NEW_FLAGS, mode, dir_fd=target.descriptor)

    def __enter__(self) -> "NewContent":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)
        # After `become` there is none of this name.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(TEMPORARY_NAME, dir_fd=self._target.descriptor)

    def write(self, pieces: Iterable[bytes]) -> int:
        """Write the pieces after what is there. Returns how many bytes they are."""
        written = 0
        for piece in pieces:
            view = memoryview(piece)
            while view:
                count = os.write(self.descriptor, view)
                written += count
                view = view[count:]
        return written

    def replace(self, old: OpenFile) -> None:
        """Take the place of a file, with its mode, owner and attributes. `BlockingIOError` if it changed since."""
        # Who shares a vault may not give a file to another, but may to a group of their own.
        for owner, group in ((-1, old.status.st_gid), (old.status.st_uid, -1)):
            with contextlib.suppress(PermissionError):
                os.fchown(self.descriptor, owner, group)
        os.fchmod(self.descriptor, old.status.st_mode & 0o7777)
        keep_attributes(old.descriptor, self.descriptor)
        os.fsync(self.descriptor)
        folder, name = self._target.descriptor, self._target.name
        now = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if _version(now) != _version(old.status):
            raise BlockingIOError(errno.EAGAIN, "changed by another program")
        self._rename()

    def become(self) -> None:
        """Become a file that does not exist yet. Raises `FileExistsError`."""
        os.fsync(self.descriptor)
        folder, name = self._target.descriptor, self._target.name
        try:
            # Unlike a rename, a link never takes the place of a file that somebody else has just made.
            os.link(TEMPORARY_NAME, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _WITHOUT_LINKS:
                raise
            if self._target.find():
                raise FileExistsError(errno.EEXIST, "exists") from None
            self._rename()
            return
        os.unlink(TEMPORARY_NAME, dir_fd=folder)
        os.fsync(folder)

    def _rename(self) -> None:
        folder = self._target.descriptor
        os.rename(TEMPORARY_NAME, self._target.name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)


def _version(status: os.stat_result) -> tuple[int, ...]:
    """What differs once a file was changed. A program may set back the time stamp of the content, not the other one."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
