"""JSON with its escapes as what they stand for, as it is searched, and the way back to its columns (RFC 8259). Pure."""

import json
import re
from collections.abc import Sequence
from functools import lru_cache

# Every escape is matched, so that the second backslash of \\ starts none; surrogates come in pairs.
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)")
_ESCAPES_KEPT = 8_192


def unescape(text: str) -> str:
    """The text with its escapes as the characters they stand for, so that they can be searched. Lines stay lines: an
    escaped line break is a blank. No JSON any more.
    """
    return _ESCAPE.sub(lambda match: _unescaped(match[0]), text) if "\\" in text else text


def raw_column(line: str, column: int) -> int:
    """The column of an unescaped line's character in the line as it stands."""
    return raw_columns(line, [column])[0]


def raw_columns(line: str, wanted: Sequence[int]) -> list[int]:
    """The columns of an unescaped line's characters, in ascending order, in the line as it stands."""
    found: list[int] = []
    shift = 0
    for match in _ESCAPE.finditer(line):
        while len(found) < len(wanted) and match.start() - shift >= wanted[len(found)]:
            found.append(wanted[len(found)] + shift)
        shift += len(match[0]) - len(_unescaped(match[0]))
    return found + [column + shift for column in wanted[len(found) :]]


@lru_cache(_ESCAPES_KEPT)
def _unescaped(escape: str) -> str:
    """What an escape stands for. A text that is escaped is full of a few of them."""
    try:
        character = str(json.loads(f'"{escape}"'))
        character.encode()
    except ValueError:
        return escape
    return " " if character in "\r\n" else character
