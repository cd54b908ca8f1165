"""Texts that were copied from a manual, with the note that says from where, and that nobody has changed since: what
stands in them rests on the lines that the note names. Pure.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import product, zip_longest
from operator import attrgetter
from typing import NamedTuple

from .model import Element, SourceLines, Structure

# As JSON has it: it is parsed, and anybody may write such a note.
_STRING = r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
_NEXT = r"(?:; |\n)"
# How the bridge says it, in a front matter or in a comment.
_FROM = rf"source_manual_ids: \[({_STRING})\]{_NEXT}source_path: ({_STRING}){_NEXT}"
_COPIED_FROM = re.compile(_FROM)
_NOTE = re.compile(
    rf"{_FROM}source_lines: (\d{{1,9}})-(\d{{1,9}}){_NEXT}source_sha256: ([0-9a-f]{{64}})(?: -->|\n---)\n\n"
)


class Copy(NamedTuple):
    """The lines of a file that were copied, with their text, and those of the source."""

    first_line: int
    last_line: int
    source: SourceLines
    lines: Sequence[str]


def said_source(text: str) -> str | None:
    """The file that the note of a copy names, as `<id>/<path>`; `None` if there is no such note in a text."""
    named = _COPIED_FROM.search(text)
    return _file_of(named) if named else None


def _file_of(note: re.Match[str]) -> str:
    return "/".join(json.loads(part) for part in note.groups()[:2])


def find_copies(text: str) -> Iterator[Copy]:
    """The copies in a text that still are what the hash of their note is of, in order."""
    notes = list(_NOTE.finditer(text))
    first_line, counted = 1, 0
    for note, following in zip_longest(notes, notes[1:]):
        *_, first, last, digest = note.groups()
        lines = int(last) - int(first) + 1
        # None reaches into the next one: so each line is looked at once.
        copied = text[note.end() : following.start() if following else len(text)].split("\n")[: max(lines, 0)]
        first_line, counted = first_line + text.count("\n", counted, note.end()), note.end()
        if len(copied) == lines and _is_of(digest, copied):
            yield Copy(first_line, first_line + lines - 1, SourceLines(int(first), int(last), _file_of(note)), copied)


def _is_of(digest: str, lines: Sequence[str]) -> bool:
    """Whether a hash is of these lines, however they ended where they were copied, the last one perhaps by nothing."""
    texts = (end.join(lines) + (end if is_ended else "") for end, is_ended in product(("\n", "\r\n"), (True, False)))
    return any(sha256(text.encode(errors="surrogatepass")).hexdigest() == digest for text in texts)


def rest_on_copies(structures: Sequence[Structure], copies: Sequence[Copy]) -> list[Structure]:
    """The same, where elements that name no lines themselves rest on those of the copy in which they stand."""
    return [
        replace(structure, elements=tuple(_rest_on(element, copies) for element in structure.elements))
        for structure in structures
    ]


def _rest_on(element: Element, copies: Sequence[Copy]) -> Element:
    position = bisect_right(copies, element.line, key=attrgetter("first_line")) - 1
    if element.sources or position < 0 or element.line > copies[position].last_line:
        return element
    return replace(element, sources=(copies[position].source,))
