"""The lines of one file that a pattern matches, in bytes of UTF-8. No folder is listed here, no index is asked."""

import codecs
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from morenashi.indexer.encodings import FileEncoding, decode_blocks, find_encoding
from morenashi.server.deadline import Deadline
from morenashi.server.linear import LinearPattern, Match

_READ_BYTES = 4 * 1024 * 1024
# The longest that cannot be interrupted: RE2 takes up to a second for so much, with patterns made to be slow.
_SPAN_BYTES = 64 * 1024
_SNIPPET_BEFORE, _SNIPPET_CHARACTERS = 60, 240
_BYTES_A_CHARACTER = 4
_UTF_8 = FileEncoding("utf-8")


class TimeIsOverError(Exception):
    """The deadline passed before the end of the files."""


@dataclass(frozen=True, slots=True)
class LinePattern:
    """An expression, and ASCII characters that the line of every match holds: to look for one is quicker than to match.

    A pattern that is not within lines may begin in one and end in another; nothing is said of what it holds.
    """

    expression: LinearPattern
    held: bytes = b""
    is_within_lines: bool = True


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line that matches, 1-based, and its text around the match."""

    line: int
    text: str


def matching_lines(blocks: Iterable[bytes], pattern: LinePattern, most: int, deadline: Deadline) -> list[FoundLine]:
    """The first `most` lines that the pattern matches, in blocks that end where lines end. Raises `TimeIsOverError`."""
    found: list[FoundLine] = []
    before, passed = 0, b""
    for block in blocks if pattern.is_within_lines else [b"".join(blocks)]:
        # Not before it is known that the file goes on: most have one block, and to count is as slow as to match.
        before += passed.count(b"\n")
        passed = block
        for line in _lines_of_block(block, pattern, deadline):
            found.append(FoundLine(before + line.line, line.text))
            if len(found) >= most:
                return found
    return found


def _lines_of_block(block: bytes, pattern: LinePattern, deadline: Deadline) -> Iterator[FoundLine]:
    line, counted = 1, 0
    start, last = _narrowed(block, 0, len(block), pattern.held)
    while start < last:
        if deadline.is_over:
            raise TimeIsOverError
        end_of_span = _end_of_span(block, start, last) if pattern.is_within_lines else last
        position, end = _narrowed(block, start, end_of_span, pattern.held)
        while position < end and (match := pattern.expression.search(block, position, end)):
            if match.start() == end and block.endswith(b"\n", start, end):
                break
            line += block.count(b"\n", counted, match.start())
            counted = match.start()
            end_of_line = _end_of_line(block, counted)
            yield FoundLine(line, _snippet(block, match, end_of_line))
            position = end_of_line + 1
        start = end_of_span


def _end_of_span(block: bytes, start: int, last: int) -> int:
    """Where the lines end that are searched at once, from a line's start and at most up to `last`."""
    most = start + _SPAN_BYTES
    if last <= most:
        return last
    return block.rfind(b"\n", start, most) + 1 or block.find(b"\n", most, last) + 1 or last


def _narrowed(block: bytes, start: int, end: int, held: bytes) -> tuple[int, int]:
    """The lines of a span from the first to the last that may hold all of these characters; none if one is missing."""
    for character in held:
        first = block.find(character, start, end)
        if first < 0:
            return end, end
        last = block.rfind(character, first, end)
        start = block.rfind(b"\n", start, first) + 1 or start
        end = block.find(b"\n", last, end) + 1 or end
    return start, end


def read_blocks(
    descriptor: int, size_bytes: int, encoding: str | None, held: bytes, deadline: Deadline
) -> Iterable[bytes]:
    """A file's text as UTF-8 with `\\n` at the ends of its lines, in blocks of whole lines.

    `size_bytes` is what its folder says, `encoding` what the index says of this content; `None` if it does not know it.
    Of a file that lacks one of the characters that are to be `held`, nothing may be returned. Raises `OSError`,
    `UndecodableError` and `TimeIsOverError`.
    """
    if encoding is not None and encoding.startswith("utf-8") and size_bytes <= _READ_BYTES:
        # One byte more than there should be tells whether it has grown, without another call of the system.
        whole = os.pread(descriptor, size_bytes + 1, 0)
        if len(whole) == size_bytes:
            return _whole_block(whole, held)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a regular file")
    if encoding is None or status.st_size != size_bytes:
        known = find_encoding(lambda: _raw_blocks(descriptor, status.st_size, deadline))
    else:
        known = _UTF_8 if encoding.startswith("utf-8") else FileEncoding(encoding)
    blocks = _raw_blocks(descriptor, status.st_size, deadline)
    if known.codec != "utf-8":
        return _whole_lines(text.encode() for text in decode_blocks(blocks, known))
    return _whole_lines(blocks)


def _whole_block(whole: bytes, held: bytes) -> list[bytes]:
    for character in held:
        if character not in whole:
            return []
    whole = _unified(whole.removeprefix(codecs.BOM_UTF8))
    return [whole] if whole else []


def _raw_blocks(descriptor: int, size_bytes: int, deadline: Deadline) -> Iterator[bytes]:
    position = 0
    while position < size_bytes:
        block = os.pread(descriptor, min(size_bytes - position, _READ_BYTES), position)
        if not block:
            break
        if deadline.is_over:
            raise TimeIsOverError
        yield block
        position += len(block)


def _whole_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The same cut where lines end, with one kind of line break, without a byte order mark."""
    begun: list[bytes] = []
    is_first = True
    for block in filter(None, blocks):
        if is_first:
            block, is_first = block.removeprefix(codecs.BOM_UTF8), False
        # A carriage return at the very end may be half of a line break.
        cut = block.rfind(b"\n") + 1 or block.rfind(b"\r", 0, -1) + 1
        if cut or (begun and begun[-1].endswith(b"\r")):
            yield _unified(b"".join([*begun, block[:cut]]))
            begun = []
        if cut < len(block):
            begun.append(block[cut:])
    if begun:
        yield _unified(b"".join(begun))


def _unified(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text


def _end_of_line(block: bytes, start: int) -> int:
    end = block.find(b"\n", start)
    return len(block) if end < 0 else end


def _snippet(block: bytes, match: Match, end: int) -> str:
    """The line's text, cut around the match where it is long. Only what is shown is decoded."""
    start = block.rfind(b"\n", 0, match.start()) + 1
    first = max(start, match.start() - _BYTES_A_CHARACTER * _SNIPPET_BEFORE)
    before = block[first : match.start()].decode("utf-8", "ignore")
    after = block[match.start() : min(end, match.start() + _BYTES_A_CHARACTER * _SNIPPET_CHARACTERS)]
    return cut_around(before, after.decode("utf-8", "ignore"), is_begun=first == start)


def cut_around(before: str, after: str, *, is_begun: bool = True) -> str:
    """What stands before a match and from it on, cut to the length of a snippet."""
    shown = before[-_SNIPPET_BEFORE:]
    room = _SNIPPET_CHARACTERS - len(shown)
    head = "" if is_begun and len(shown) == len(before) else "…"
    return head + shown + after[:room] + ("…" if len(after) > room else "")
