"""Where the lines and characters of a file are, so that a part of a large one is read without the rest.

A map is made in one pass, a block at a time, and holds a mark every 64 KiB. It is kept while the file stays as it
is. Offsets count code points of the decoded text from 0, lines from 1 (contract §1).
"""

import errno
import hashlib
import os
import stat
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from morenashi.indexer.encodings import FileEncoding, find_encoding, new_decoder
from morenashi.indexer.files import is_settled, stamp_of
from morenashi.indexer.text import LINE_BREAK
from morenashi.server.newest import Newest
from morenashi.server.whole_files import new_version

_BLOCK_BYTES = 64 * 1024
_ATTEMPTS = 3
_KEPT = 64
_LINE_ENDS = ("\r\n", "\n", "\r")


@dataclass(frozen=True, slots=True)
class Mark:
    """A place between two characters, never inside `\\r\\n`: its byte, the characters and line breaks before it."""

    byte: int
    characters: int
    breaks: int
    decoder_state: int


@dataclass(frozen=True, slots=True)
class TextMap:
    """A file as it was at one moment. `line_end` is the only one that the file uses, `None` for several or none.

    `ends_shifted`: the bytes end in another character set than they began with (ISO-2022-JP). `version` names the text,
    however it is encoded.
    """

    encoding: FileEncoding
    marks: tuple[Mark, ...]
    size_bytes: int
    characters: int
    lines: int
    line_end: str | None
    ends_shifted: bool
    sha256: str
    version: str


class ChangedMeanwhileError(Exception):
    """A file that changes faster than it can be read."""


class TextFile:
    """An open file with its map. Raises `ChangedMeanwhileError` when the file is no longer what the map describes."""

    def __init__(self, descriptor: int, text_map: TextMap, content: tuple[int, ...]) -> None:
        self.map = text_map
        self._descriptor = descriptor
        self._content = content
        # The places that one answer is about lie close together.
        self._latest: tuple[int, str] | None = None

    def part(self, start: int, end: int) -> str:
        """The characters [start, end)."""
        return "".join(self.slices(start, end))

    def slices(self, start: int = 0, end: int | None = None) -> Iterator[str]:
        """The same, a piece at a time."""
        end = self.map.characters if end is None else end
        first = bisect_right(self.map.marks, start, key=lambda mark: mark.characters) - 1
        behind = bisect_left(self.map.marks, end, key=lambda mark: mark.characters)
        for position in range(first, behind):
            before = self.map.marks[position].characters
            yield self._between_marks(position)[max(start - before, 0) : end - before]

    def blocks(self) -> Iterator[bytes]:
        """The file's bytes."""
        read_bytes = 0
        for block in _blocks(self._descriptor):
            yield block
            read_bytes += len(block)
        if read_bytes != self.map.size_bytes or _content(os.fstat(self._descriptor)) != self._content:
            raise ChangedMeanwhileError

    def start_of(self, line: int) -> int:
        """The first character of a line; the end of the text for a line after the last."""
        if line == 1:
            return 0
        if line > self.map.lines:
            return self.map.characters
        position = bisect_left(self.map.marks, line - 1, key=lambda mark: mark.breaks) - 1
        mark = self.map.marks[position]
        return mark.characters + _after_breaks(self._between_marks(position), line - 1 - mark.breaks)

    def line_of(self, offset: int) -> int:
        """The line that holds a character; the last one for the end of the text."""
        position = bisect_right(self.map.marks, offset, key=lambda mark: mark.characters) - 1
        mark = self.map.marks[position]
        text, place = self._between_marks(position), offset - mark.characters
        breaks = _count_breaks(text[:place]) - (text[place - 1 : place + 1] == "\r\n" and place > 0)
        return min(1 + mark.breaks + breaks, self.map.lines)

    def _between_marks(self, position: int) -> str:
        if self._latest is None or self._latest[0] != position:
            self._latest = position, self._decode(position)
        return self._latest[1]

    def _decode(self, position: int) -> str:
        marks = self.map.marks
        last = position + 1 == len(marks)
        start, end = marks[position].byte, self.map.size_bytes if last else marks[position + 1].byte
        data = _read_exactly(self._descriptor, start, end)
        if data is None or _content(os.fstat(self._descriptor)) != self._content:
            raise ChangedMeanwhileError
        decoder = new_decoder(self.map.encoding)
        decoder.setstate((b"", marks[position].decoder_state))
        return decoder.decode(data, final=last)


def open_text(descriptor: int) -> TextFile:
    """The text of an open regular file.

    Raises `UndecodableError`, `ChangedMeanwhileError`, or `OSError` for what is no regular file.
    """
    for _ in range(_ATTEMPTS):
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        content = _content(status)
        identity = (*content, status.st_ctime_ns)
        # Before it is read: saved again in this tick of the clock, it may keep its time stamps.
        may_be_kept = is_settled(stamp_of(status))
        text_map = _kept_maps.get(identity) or _make_map(descriptor, status.st_size)
        if text_map is not None and _content(os.fstat(descriptor)) == content:
            if may_be_kept:
                _kept_maps.put(identity, text_map)
            return TextFile(descriptor, text_map, content)
    raise ChangedMeanwhileError


class _KeptMaps:
    """The maps of the files read last, by the identity of each."""

    def __init__(self) -> None:
        self._maps = Newest[tuple[int, ...], TextMap](_KEPT)
        self._lock = threading.Lock()

    def get(self, identity: tuple[int, ...]) -> TextMap | None:
        with self._lock:
            if identity in self._maps:
                self._maps.move_to_end(identity)
            return self._maps.get(identity)

    def put(self, identity: tuple[int, ...], text_map: TextMap) -> None:
        with self._lock:
            self._maps.put(identity, text_map)


_kept_maps = _KeptMaps()


def _content(status: os.stat_result) -> tuple[int, ...]:
    """What changes when the content does. The change time would also tell of a file that another one replaced."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _blocks(descriptor: int) -> Iterator[bytes]:
    position = 0
    while block := os.pread(descriptor, _BLOCK_BYTES, position):
        yield block
        position += len(block)


def _read_exactly(descriptor: int, start: int, end: int) -> bytes | None:
    data = bytearray()
    while len(data) < end - start and (block := os.pread(descriptor, end - start - len(data), start + len(data))):
        data += block
    return bytes(data) if len(data) == end - start else None


def _make_map(descriptor: int, size_bytes: int) -> TextMap | None:
    """The map of a file, or `None` if it changed while it was read."""
    encoding = find_encoding(lambda: _blocks(descriptor))
    try:
        return _MapMaker(encoding).read(descriptor, size_bytes)
    except UnicodeDecodeError:
        return None


class _MapMaker:
    """Walks through a file once. A `\\r` at the end of a block waits for the next one, lest `\\r\\n` be parted; where
    an escape sequence follows it there (ISO-2022-JP), the place before it is not marked.
    """

    def __init__(self, encoding: FileEncoding) -> None:
        self._encoding = encoding
        self._decoder = new_decoder(encoding)
        self._fresh_state = self._decoder.getstate()[1]
        self._digest = hashlib.sha256()
        self._version = new_version()
        self._characters = 0
        self._counts = dict.fromkeys(_LINE_ENDS, 0)
        self._waiting = ""
        self._last = ""

    def read(self, descriptor: int, size_bytes: int) -> TextMap | None:
        mark_bytes = len(self._encoding.mark)
        marks, read_bytes = [Mark(mark_bytes, 0, 0, self._fresh_state)], 0
        for block in _blocks(descriptor):
            self._digest.update(block)
            self._take(self._decoder.decode(block[max(mark_bytes - read_bytes, 0) :]), is_last=False)
            read_bytes += len(block)
            if read_bytes < mark_bytes:
                continue
            if not self._waiting or block.endswith(self._waiting.encode(self._encoding.codec)):
                marks.append(self._mark(read_bytes))
        self._take(self._decoder.decode(b"", final=True), is_last=True)
        if read_bytes != size_bytes:
            return None
        used = [line_end for line_end, count in self._counts.items() if count]
        return TextMap(
            encoding=self._encoding,
            marks=tuple(mark for mark in marks if mark.byte < size_bytes or mark is marks[0]),
            size_bytes=size_bytes,
            characters=self._characters,
            lines=max(self._breaks + (self._last not in ("\n", "\r")), 1) if self._characters else 1,
            line_end=used[0] if len(used) == 1 else None,
            ends_shifted=self._decoder.getstate()[1] != self._fresh_state,
            sha256=self._digest.hexdigest(),
            version=self._version.hexdigest(),
        )

    @property
    def _breaks(self) -> int:
        return sum(self._counts.values())

    def _take(self, text: str, *, is_last: bool) -> None:
        text = self._waiting + text
        self._waiting = "\r" if text.endswith("\r") and not is_last else ""
        text = text.removesuffix(self._waiting)
        both = text.count("\r\n")
        self._counts["\r\n"] += both
        self._counts["\n"] += text.count("\n") - both
        self._counts["\r"] += text.count("\r") - both
        self._characters += len(text)
        self._version.update(text.encode())
        self._last = text[-1:] or self._last

    def _mark(self, read_bytes: int) -> Mark:
        pending, state = self._decoder.getstate()
        waiting_bytes = len(self._waiting.encode(self._encoding.codec))
        return Mark(read_bytes - len(pending) - waiting_bytes, self._characters, self._breaks, state)


def _count_breaks(text: str) -> int:
    """How many line breaks a text has; `\\r\\n` is one."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _after_breaks(text: str, count: int) -> int:
    """The place after the line break of this number, at least 1, of those in a text."""
    if "\r" in text:
        return next(islice(LINE_BREAK.finditer(text), count - 1, None)).end()
    # Half a block is 500 lines: to go from one to the next in Python would take a millisecond.
    return len(text) - len(text.split("\n", count)[count])
