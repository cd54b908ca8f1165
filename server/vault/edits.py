"""New bytes for a file that keeps its encoding, its byte order mark and its line ends. Pure."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from morenashi.indexer.encodings import FileEncoding
from morenashi.indexer.nec_characters import NEC_CHARACTERS
from morenashi.indexer.text import LINE_BREAK, normalise, unify_line_breaks

BACK_TO_ASCII = b"\x1b(B"
"""Before what is appended to a file that ends in another character set (ISO-2022-JP)."""

_PIECE_CHARACTERS = 65_536


class UnencodableError(Exception):
    """The text has a character that the file's encoding lacks. The message says which, and what to do."""


def with_line_end(text: str, line_end: str | None) -> str:
    """The text with the line breaks of a file that has one kind only; unchanged for another file."""
    return LINE_BREAK.sub(line_end, text) if line_end else text


def encode(text: str, encoding: FileEncoding) -> bytes:
    """The text's bytes, without a byte order mark. Raises `UnencodableError`."""
    try:
        data = text.encode(encoding.codec, NEC_CHARACTERS)
    except UnicodeEncodeError as error:
        raise _lacks(encoding, error.object[error.start]) from None
    # Some codecs write a character that they have not as one that looks like it: EUC-JP writes U+00A5 as a backslash.
    if (read_back := data.decode(encoding.codec, NEC_CHARACTERS)) != text:
        raise _lacks(encoding, next(a for a, b in zip(text, read_back, strict=False) if a != b))
    return data


def cut(text: str) -> Iterator[str]:
    """The text in pieces of some 64 Ki characters, none of which ends between `\\r` and `\\n`."""
    start = 0
    while start < len(text):
        stop = start + _PIECE_CHARACTERS
        stop += text[stop - 1 : stop + 1] == "\r\n"
        yield text[start:stop]
        start = stop


def _lacks(encoding: FileEncoding, character: str) -> UnencodableError:
    advice = "put it in other words, or into a file in UTF-8"
    return UnencodableError(f"{encoding.codec} has no U+{ord(character):04X}; {advice}")


def find_places(text: str, find: str, line_end: str | None) -> tuple[list[int], str]:
    """Where `find` stands, without overlaps, and how it is written in this file."""
    wanted, places, start = with_line_end(find, line_end), [], 0
    while (place := text.find(wanted, start)) >= 0:
        places.append(place)
        start = place + len(wanted)
    return places, wanted


def find_similar(text: str, find: str) -> int | None:
    """The first line, from 1, where `find` stands but for case, width, blanks and line breaks."""
    wanted = "".join(normalise(find).split())
    lines = ["".join(line.split()) for line in normalise(unify_line_breaks(text)).split("\n")]
    place = "".join(lines).find(wanted) if wanted else -1
    return bisect_right(list(accumulate(map(len, lines), initial=0)), place) if place >= 0 else None


def splice(data: bytes, text: str, encoding: FileEncoding, places: list[int], length: int, replacement: str) -> bytes:
    """The file's bytes with `length` characters at each place replaced; the bytes between stay as they are.

    Where the codec would write the file otherwise than it is written (ISO-2022-JP has a choice of escape sequences),
    all of it is encoded anew.
    """
    kept = [
        text[end:start] for start, end in zip([*places, len(text)], [0, *(p + length for p in places)], strict=True)
    ]
    new = encode(replacement, encoding)
    body = data[len(encoding.mark) :]
    encoded = [encode(part, encoding) for part in kept]
    old = encode(text[places[0] : places[0] + length], encoding)
    is_stateful = encoding.codec == "iso2022_jp"
    if is_stateful or sum(map(len, encoded)) + len(old) * len(places) != len(body):
        return encoding.mark + encode(replacement.join(kept), encoding)
    parts, position = [encoding.mark], 0
    for index, part in enumerate(encoded):
        parts.append(body[position : position + len(part)])
        position += len(part) + len(old)
        if index < len(places):
            parts.append(new)
    return b"".join(parts)
