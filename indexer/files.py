"""Files under a root, opened component by component and never through a symbolic link.

A check of a path before opening it can be overtaken; `O_NOFOLLOW` at every step cannot.
"""

import contextlib
import errno
import hashlib
import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from .documents import MAX_DOCUMENT_BYTES, FileType

_SUFFIXES: dict[str, FileType] = {".md": "md", ".markdown": "md", ".json": "json"}
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_READ_ATTEMPTS = 3


class RootMissingError(Exception):
    """The folder of the manuals does not exist or cannot be listed. Nothing is dropped from the index."""


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A manual's file as a folder listing sees it. `path` is relative to the manual, with slashes."""

    manual_id: str
    path: str
    file_type: FileType
    size_bytes: int
    mtime_ns: int

    @property
    def key(self) -> tuple[str, str]:
        return self.manual_id, self.path


@dataclass(slots=True)
class Listing:
    """Everything found under the manuals' root, and what was passed over, as (path, reason)."""

    files: list[DiskFile] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)

    def is_unlisted(self, manual_id: str, path: str) -> bool:
        """Whether a file lies in a folder that could not be listed, so that its absence says nothing."""
        full = f"{manual_id}/{path}"
        return any(reason == "unreadable_folder" and full.startswith(f"{folder}/") for folder, reason in self.skipped)


def to_nfc(path: str) -> str:
    """The key under which a path is found in any Unicode form."""
    return unicodedata.normalize("NFC", path)


def file_type_of(name: str) -> FileType | None:
    """`md` or `json` by the name's ending, `None` for a file that is no document."""
    return _SUFFIXES.get(PurePosixPath(name).suffix.casefold())


def list_manuals(root: Path, manual_id: str | None = None) -> Listing:
    """All documents of all manuals, or of one. Hidden names and symbolic links are passed over."""
    try:
        descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise RootMissingError(f"{root} cannot be opened: {os.strerror(error.errno or 0)}") from None
    listing = Listing()
    try:
        _list_folder(descriptor, (), listing, manual_id)
    finally:
        os.close(descriptor)
    listing.files.sort(key=lambda file: file.key)
    return listing


def is_document(parts: tuple[str, ...]) -> bool:
    """Whether a path below the manuals' root names a document: the right ending, nothing hidden."""
    return file_type_of(parts[-1]) is not None and not any(part.startswith(".") for part in parts)


def list_one(root: Path, manual_id: str, path: str) -> DiskFile | None:
    """The same for a single path: `None` if no document stands there.

    Raises `OSError` if that cannot be told: a folder that may not be entered, a root that is gone.
    """
    parts = (manual_id, *path.split("/"))
    kind = file_type_of(path)
    if kind is None or not is_document(parts):
        return None
    try:
        with open_beneath(root, parts[:-1]) as folder:
            status = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP) and root.is_dir():
            return None
        raise
    return _disk_file(manual_id, path, kind, status) if stat.S_ISREG(status.st_mode) else None


@contextlib.contextmanager
def open_beneath(root: Path, parts: tuple[str, ...]) -> Iterator[int]:
    """A read-only descriptor of the file or folder at `parts` below `root`.

    Raises `OSError`: `ELOOP` or `ENOTDIR` if a component is a symbolic link, as the system says.
    """
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            deeper = os.open(part, _FOLDER_FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = deeper
        if parts:
            last = os.open(parts[-1], _FILE_FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = last
        yield descriptor
    finally:
        os.close(descriptor)


def read_whole(descriptor: int) -> tuple[bytes, os.stat_result]:
    """A regular file's bytes with the status they belong to; read again if it changes meanwhile."""
    for _ in range(_READ_ATTEMPTS):
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if before.st_size > MAX_DOCUMENT_BYTES:
            raise OSError(errno.EFBIG, "larger than a document may be")
        os.lseek(descriptor, 0, os.SEEK_SET)
        with open(os.dup(descriptor), "rb") as file:
            data = file.read()
        after = os.fstat(descriptor)
        if (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, len(data)):
            break
    return data, after


def content_hash(root: Path, file: DiskFile) -> bytes | None:
    """The SHA-256 of a file's bytes as they are now; `None` if they cannot be read."""
    try:
        with open_beneath(root, (file.manual_id, *file.path.split("/"))) as descriptor:
            return hashlib.sha256(read_whole(descriptor)[0]).digest()
    except OSError:
        return None


def _list_folder(descriptor: int, parts: tuple[str, ...], listing: Listing, only: str | None = None) -> None:
    try:
        with os.scandir(descriptor) as entries:
            found = sorted((e for e in entries if only in (None, e.name)), key=lambda entry: entry.name)
    except OSError:
        listing.skipped.append(("/".join(parts), "unreadable_folder"))
        return
    for entry in found:
        if not entry.name.startswith("."):
            _list_entry(descriptor, parts, entry, listing)


def _list_entry(descriptor: int, parts: tuple[str, ...], entry: "os.DirEntry[str]", listing: Listing) -> None:
    here = (*parts, entry.name)
    if entry.is_symlink():
        listing.skipped.append(("/".join(here), "symlink"))
    elif entry.is_dir(follow_symlinks=False):
        try:
            deeper = os.open(entry.name, _FOLDER_FLAGS, dir_fd=descriptor)
        except OSError:
            listing.skipped.append(("/".join(here), "unreadable_folder"))
            return
        try:
            _list_folder(deeper, here, listing)
        finally:
            os.close(deeper)
    elif (kind := file_type_of(entry.name)) and entry.is_file(follow_symlinks=False):
        if not parts:
            listing.skipped.append((entry.name, "outside_a_manual"))
        elif not _is_storable("/".join(here)):
            listing.skipped.append(("/".join(here).encode(errors="backslashreplace").decode(), "name_not_utf8"))
        else:
            status = entry.stat(follow_symlinks=False)
            listing.files.append(_disk_file(here[0], "/".join(here[1:]), kind, status))


def _is_storable(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _disk_file(manual_id: str, path: str, kind: FileType, status: os.stat_result) -> DiskFile:
    return DiskFile(manual_id, path, kind, status.st_size, status.st_mtime_ns)
