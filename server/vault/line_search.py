"""The lines of one file that a pattern matches, in bytes of UTF-8. No folder is listed here, no index is asked."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from morenashi.indexer.encodings import FileEncoding, decode_blocks, find_encoding
from morenashi.server.search.deadline import Deadline
from morenashi.server.search.linear import LinearPattern, Match

# The longest that cannot be interrupted: RE2 takes up to a second for so much, with patterns made to be slow.
BLOCK_BYTES = 64 * 1024
_SNIPPET_BEFORE, _SNIPPET_CHARACTERS = 60, 240
_BYTES_A_CHARACTER = 4


class TimeIsOverError(Exception):
    """The deadline passed before the end of the files."""


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line that matches, 1-based, and its text around the match."""

    line: int
    text: str


def matching_lines(blocks: Iterator[bytes], pattern: LinearPattern, most: int, deadline: Deadline) -> list[FoundLine]:
    """The first `most` lines that the pattern matches, in blocks that end where lines end. Raises `TimeIsOverError`."""
    found: list[FoundLine] = []
    before = 0
    for block in blocks:
        if deadline.is_over:
            raise TimeIsOverError
        position = counted = 0
        line = before + 1
        while len(found) < most and (match := pattern.search(block, position)):
            if match.start() == len(block) and (not block or block.endswith(b"\n")):
                break
            line += block.count(b"\n", counted, match.start())
            counted = match.start()
            end = _end_of_line(block, match.start())
            found.append(FoundLine(line, _snippet(block, match, end)))
            position = end + 1
            if position > len(block):
                break
        if len(found) >= most:
            break
        before += block.count(b"\n")
    return found


def read_blocks(descriptor: int, encoding: str | None, deadline: Deadline) -> Iterator[bytes]:
    """A file's text as UTF-8 with `\\n` at the ends of its lines, in blocks of whole lines.

    `encoding` is what the index says of this content; `None` if it does not know it. Raises `OSError`,
    `UndecodableError` and `TimeIsOverError`.
    """
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError("not a regular file")
    if encoding is None:
        known = find_encoding(lambda: _raw_blocks(descriptor, deadline))
    else:
        known = FileEncoding("utf-8" if encoding.startswith("utf-8") else encoding)
    blocks = _raw_blocks(descriptor, deadline)
    if known.codec != "utf-8":
        blocks = (text.encode() for text in decode_blocks(blocks, known))
    return _whole_lines(blocks)


def _raw_blocks(descriptor: int, deadline: Deadline) -> Iterator[bytes]:
    os.lseek(descriptor, 0, os.SEEK_SET)
    while block := os.read(descriptor, BLOCK_BYTES):
        if deadline.is_over:
            raise TimeIsOverError
        yield block


def _whole_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The same cut where lines end, with one kind of line break, without a byte order mark."""
    begun: list[bytes] = []
    is_first = True
    for block in filter(None, blocks):
        if is_first:
            block, is_first = block.removeprefix(b"\xef\xbb\xbf"), False
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
