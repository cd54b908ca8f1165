"""A write-ahead log, read without SQLite: whether it is broken in the middle, and what stands behind that.

SQLite takes a log up to the first frame that does not fit its check sum. To it that is how a power failure ends one;
what was committed afterwards is gone, and nothing is said. Each frame has the sum of all before it, so those behind a
broken one can be told to be whole all the same (SQLite's "Database File Format", 4).
"""

import struct
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .opened_files import read_opened
from .page_records import PAGE_BYTES

_HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24
_FRAME_BYTES = _FRAME_HEADER_BYTES + PAGE_BYTES
_MAGIC = {0x377F0682: "little", 0x377F0683: "big"}
# Of the index of the log, in the machine's own order of bytes: how many commits there were since SQLite made it from
# the log, how many of its frames count, and what these begin with.
_COMMITS_AT, _COUNTED_AT, _SALT_AT, _INDEX_HEADER_BYTES = 8, 16, 32, 40
_SALT = slice(16, 24)
_ROLLBACK = b"\1\1"
_VERSIONS = slice(18, 20)
_PAGES = slice(28, 32)


class _Frame(NamedTuple):
    """A page as a transaction left it. `size` is that of the database in pages, if this is the last of a commit."""

    page: int
    size: int
    salt: bytes
    sum: bytes


def is_cut(database: Path) -> bool:
    """Whether SQLite does not get to the end of the log: commits lie behind a place where it is broken.

    The caller has the database open, so that SQLite has read the log. Others may write it meanwhile.
    """
    try:
        log = Path(f"{database}-wal").read_bytes()
    except OSError:
        return False
    index = read_opened(Path(f"{database}-shm"), _INDEX_HEADER_BYTES) or b""
    if len(log) < _HEADER_BYTES or len(index) < _INDEX_HEADER_BYTES:
        return False
    (commits,), (counted,) = (struct.unpack_from("=I", index, at) for at in (_COMMITS_AT, _COUNTED_AT))
    if commits:
        # Others write it since it was read. What stands behind their commits never counted: a process was killed, or
        # the disk failed, when it was all in the log and SQLite had not said so yet.
        return False
    if not _has_whole_header(log):
        return counted == 0 and _has_commit(log)
    # Otherwise the log was begun anew meanwhile.
    return log[_SALT] == index[_SALT_AT:] and _has_commit_behind_break(log, counted)


def is_emptied(database: Path) -> bool:
    """Whether the file is empty, and commits are in its log: SQLite deletes that when it opens such a database."""
    try:
        if database.stat().st_size or not _has_commit(Path(f"{database}-wal").read_bytes()):
            return False
        # Somebody who was just making it has written to the file before anything came to its log.
        return database.stat().st_size == 0
    except OSError:
        return False


def is_unreadable(database: Path) -> bool:
    """Whether what lies beside the database as its log is none: SQLite passes over it."""
    try:
        with Path(f"{database}-wal").open("rb") as log:
            header = log.read(_HEADER_BYTES)
    except OSError:
        return False
    return len(header) == _HEADER_BYTES and not _has_whole_header(header)


def image_with_whole_log(database: Path) -> bytes | None:
    """The database with all pages of its log that are whole, for `Connection.deserialize`; `None` if there are none.

    Takes a few times as much memory as the file has bytes.
    """
    try:
        log, image = Path(f"{database}-wal").read_bytes(), bytearray(database.read_bytes())
    except OSError:
        return None
    if len(log) < _HEADER_BYTES + _FRAME_BYTES:
        return None
    committed: dict[int, int] = {}
    pending: dict[int, int] = {}
    size = 0
    for start, frame in _whole_frames(log):
        pending[frame.page] = start + _FRAME_HEADER_BYTES
        if frame.size:
            committed, pending, size = committed | pending, {}, frame.size
    if not committed:
        return None
    image.extend(bytes(max(size * PAGE_BYTES - len(image), 0)))
    for page, start in committed.items():
        if page <= size:
            image[(page - 1) * PAGE_BYTES : page * PAGE_BYTES] = log[start : start + PAGE_BYTES]
    image[_VERSIONS], image[_PAGES] = _ROLLBACK, size.to_bytes(4, "big")
    return bytes(image[: size * PAGE_BYTES])


def _has_commit(log: bytes) -> bool:
    """Whether a whole frame ends a transaction. One that is not is how a power failure ends a log."""
    if len(log) < _HEADER_BYTES + _FRAME_BYTES:
        return False
    return any(frame.size for _, frame in _whole_frames(log))


def _has_commit_behind_break(log: bytes, counted: int) -> bool:
    """Whether a transaction is whole behind so many frames, and what lies before its end is not: SQLite would count it
    otherwise, if it were to read the log now.
    """
    follows_at = _HEADER_BYTES + counted * _FRAME_BYTES
    for start, frame in _whole_frames(log, counted):
        would_count = start == follows_at and frame.salt == log[_SALT]
        if frame.size:
            return not would_count
        follows_at += _FRAME_BYTES if would_count else 0
    return False


def _whole_frames(log: bytes, skipped: int = 0) -> Iterator[tuple[int, _Frame]]:
    """The frames that fit the sum in front of them, and where each begins; behind so many, and of one writing."""
    order = _MAGIC.get(int.from_bytes(log[:4], "big"), "little")
    before = log[24:_HEADER_BYTES]
    # The first frame is never older than the header.
    salt = log[_SALT] if _has_whole_header(log) else _frame_at(log, _HEADER_BYTES).salt
    follows = True
    for number, start in enumerate(range(_HEADER_BYTES, len(log) - _FRAME_BYTES + 1, _FRAME_BYTES)):
        frame = _frame_at(log, start)
        # Of an earlier writing the first frame that is left fits no sum; those behind it fit theirs. The salt itself is
        # in no sum.
        may_count = follows or frame.salt == salt
        summed = log[start : start + 8] + log[start + _FRAME_HEADER_BYTES : start + _FRAME_BYTES]
        if number >= skipped and may_count and _sum(summed, before, order) == frame.sum:
            yield start, frame
        before, follows = frame.sum, frame.salt == salt


def _frame_at(log: bytes, start: int) -> _Frame:
    page, size, salt, check = struct.unpack_from(">II8s8s", log, start)
    return _Frame(page, size, salt, check)


def _has_whole_header(log: bytes) -> bool:
    order = _MAGIC.get(int.from_bytes(log[:4], "big"))
    return order is not None and _sum(log[:24], bytes(8), order) == log[24:_HEADER_BYTES]


def _sum(data: bytes, before: bytes, order: str) -> bytes:
    """The sum of data, of a multiple of eight bytes, behind what has the sum `before`."""
    words = array("I", data)
    if order != sys.byteorder:
        words.byteswap()
    one, two = struct.unpack(">II", before)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = (one + even + two) & 0xFFFFFFFF
        two = (two + odd + one) & 0xFFFFFFFF
    return struct.pack(">II", one, two)
