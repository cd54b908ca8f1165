"""Files under a root, opened component by component and never through a symbolic link.

A check of a path before opening it can be overtaken; `O_NOFOLLOW` at every step cannot.
"""

import contextlib
import errno
import hashlib
import os
import stat
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from .vault_names import is_system

Key = tuple[str, str]
"""(manual_id, path) of a document. In the vault, `manual_id` is empty, which no folder's name is."""

FileType = Literal["md", "json", "text"]

MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
"""Larger files are listed as `too_large` instead of being read."""

UNKNOWN_STAMP = -1
"""A time stamp that equals none: the file is looked at again."""

MOST_LEVELS = 64
"""How deep folders may lie in each other. Each open one is a descriptor and a call on the stack."""

MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdx")
MARKDOWN_NAMED = ", ".join(MARKDOWN_SUFFIXES)
"""As messages name them."""
_SUFFIXES: dict[str, FileType] = {**dict.fromkeys(MARKDOWN_SUFFIXES, "md"), ".json": "json"}
# Notes are whatever is written as text. What these names promise is none, and is not looked into.
_NO_TEXT = frozenset(
    """
    .png .jpg .jpeg .gif .webp .bmp .ico .icns .tif .tiff .heic .avif .psd .ai .eps .mp3 .m4a .wav .flac .ogg .aac .mp4
    .mov .avi .mkv .webm .pdf .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .epub .zip .gz .tgz .bz2 .xz .zst .7z .rar
    .tar .jar .woff .woff2 .ttf .otf .eot .exe .dll .so .dylib .bin .o .a .class .pyc .wasm .db .sqlite .sqlite3
    .db-wal .db-shm .iso .dmg .parquet .npy .npz .pkl
    """.split()
)
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""To read a file: not through a link, and without waiting for a pipe's other end."""

_READ_ATTEMPTS = 3
_TICK_NS = 20_000_000
# Of FAT; HFS+ and older network file systems count whole seconds.
_COARSE_TICK_NS = 2_000_000_000


class DiskFile(NamedTuple):
    """A file as a folder listing sees it. `path` is relative to the manual, with slashes.

    In the vault, which is no manual, `manual_id` is empty. `stamp_ns` is its `stamp_of`.
    """

    manual_id: str
    path: str
    file_type: FileType
    size_bytes: int
    stamp_ns: int

    @property
    def key(self) -> Key:
        return self.manual_id, self.path

    @property
    def parts(self) -> tuple[str, ...]:
        """The components of its path below the root."""
        return parts_below_root(self.manual_id, self.path)


def to_nfc(path: str) -> str:
    """The key under which a path is found in any Unicode form."""
    return unicodedata.normalize("NFC", path)


def is_storable(text: str) -> bool:
    """Whether a path, or any text, can be kept and told: UTF-8 has no bytes for half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def stamp_of(status: os.stat_result) -> int:
    """When a file may have got its content, in ns: the later of its two time stamps.

    That of the content can be set to anything, and is kept by whatever copies, unpacks or renames a file: another file
    of the same size may come with the same one. That of the rest is the system's own.
    """
    return max(status.st_mtime_ns, status.st_ctime_ns)


def is_settled(stamp_ns: int) -> bool:
    """Whether a file with this time stamp would get another one if it were saved now: the clock's tick is over.

    A stamp of a whole second is taken for one of a file system that has no others.
    """
    tick_ns = _TICK_NS if stamp_ns % 1_000_000_000 else _COARSE_TICK_NS
    return time.time_ns() - stamp_ns >= tick_ns


def settled_stamp(stamp_ns: int) -> int:
    """A time stamp to remember, or a value that equals none if another save may still get the same one."""
    return stamp_ns if is_settled(stamp_ns) else UNKNOWN_STAMP


def file_type_of(name: str) -> FileType | None:
    """`md` or `json` by the name's ending, `None` for a file that is no document."""
    return _SUFFIXES.get(_suffix(name))


def note_type_of(name: str) -> FileType | None:
    """The same in the vault, where every other name is of a `text` unless it promises something else."""
    suffix = _suffix(name)
    return None if suffix in _NO_TEXT else _SUFFIXES.get(suffix, "text")


def parts_below_root(manual_id: str, path: str) -> tuple[str, ...]:
    """The components of a document's path below its root; `manual_id` is empty in the vault."""
    return (manual_id, *path.split("/")) if manual_id else tuple(path.split("/"))


def key_below_root(parts: tuple[str, ...]) -> Key:
    """The key of the document at a path below the manuals' root."""
    return parts[0], "/".join(parts[1:])


def is_document(parts: tuple[str, ...]) -> bool:
    """Whether a path below the manuals' root names a document: the right ending, nothing hidden."""
    return file_type_of(parts[-1]) is not None and not _is_hidden(parts)


def is_note(parts: tuple[str, ...]) -> bool:
    """Whether a path below the vault's root names a note: nothing hidden, reserved or known to be no text."""
    return note_type_of(parts[-1]) is not None and not _is_hidden(parts) and not is_system(parts)


def manual_key(parts: tuple[str, ...]) -> Key | None:
    """The same; `None` if there can be none."""
    return key_below_root(parts) if len(parts) > 1 and is_document(parts) else None


def note_key(parts: tuple[str, ...]) -> Key | None:
    """The key of the note at a path below the vault's root; `None` if there can be none."""
    return ("", "/".join(parts)) if parts and is_note(parts) else None


def open_root(root: Path) -> int:
    """A descriptor of a root. A link there is the user's own choice and is followed. Raises `OSError`."""
    return os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def enter_folder(folder: int, name: str) -> int:
    """A descriptor of a folder in an open one. Raises `OSError`, also for a symbolic link."""
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)


@contextlib.contextmanager
def open_beneath(root: Path, parts: tuple[str, ...]) -> Iterator[int]:
    """A read-only descriptor of the file or folder at `parts` below `root`.

    Raises `OSError`: `ELOOP` or `ENOTDIR` if a component is a symbolic link, as the system says.
    """
    descriptor = open_root(root)
    try:
        for part in parts[:-1]:
            deeper = enter_folder(descriptor, part)
            os.close(descriptor)
            descriptor = deeper
        if parts:
            last = os.open(parts[-1], FILE_FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = last
        yield descriptor
    finally:
        os.close(descriptor)


def read_whole(descriptor: int) -> tuple[bytes, int]:
    """A regular file's bytes with the time stamp (ns) to remember them by; read again if it changes meanwhile.

    It is `UNKNOWN_STAMP` for a file that another save may leave with the same one, and for one that never stops
    changing: what was read last may be of several contents.
    """
    for _ in range(_READ_ATTEMPTS):
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if before.st_size > MAX_DOCUMENT_BYTES:
            raise OSError(errno.EFBIG, "larger than a document may be")
        # Not later: a save while it is read, or parsed, may fall into the same tick.
        stamp_ns = settled_stamp(stamp_of(before))
        os.lseek(descriptor, 0, os.SEEK_SET)
        with open(os.dup(descriptor), "rb") as file:
            data = file.read()
        after = os.fstat(descriptor)
        if (stamp_of(after), after.st_size) == (stamp_of(before), len(data)):
            return data, stamp_ns
    return data, UNKNOWN_STAMP


def content_hash(root: Path, file: DiskFile) -> bytes | None:
    """The SHA-256 of a file's bytes as they are now; `None` if they cannot be read."""
    try:
        with open_beneath(root, file.parts) as descriptor:
            return hashlib.sha256(read_whole(descriptor)[0]).digest()
    except OSError:
        return None


def _suffix(name: str) -> str:
    """The ending with its dot, as `PurePath` has it; nothing where there is none."""
    # Asked of every name in a folder: a path object would take ten times as long.
    stem, _, ending = name.rpartition(".")
    return f".{ending.casefold()}" if stem else ""


def _is_hidden(parts: tuple[str, ...]) -> bool:
    return any(part.startswith(".") for part in parts)
