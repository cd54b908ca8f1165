"""Tables of contents: lists whose items are links and nothing else. Pure."""

import re
from collections.abc import Sequence

LEAST_ITEMS = 3
"""So many links make a table of contents."""


def _with_brackets(depth: int) -> str:
    """A character, or brackets with such in them, so many deep: options[, more[, others]]."""
    return rf"(?:[^\[\]]|\[{_with_brackets(depth - 1)}*\])" if depth else r"[^\[\]]"


def _links(place: str) -> str:
    """Links to such places, with nothing but separators between them."""
    link = rf"\[{_with_brackets(4)}+\]\({place}[^)]*\)"
    return rf"{link}(?:\s*[:,、・|]\s*{link})*"


_ITEM = re.compile(rf"\s*{_links('')}\s*")
_LINE = re.compile(rf"\s*(?:[-*+]|\d+[.)])\s+{_links('#')}\s*")


def is_contents(items: Sequence[str]) -> bool:
    """Whether the items of a list, without their marks, are those of a table of contents."""
    return len(items) >= LEAST_ITEMS and all(map(_ITEM.fullmatch, items))


def contents_lines(lines: Sequence[str]) -> set[int]:
    """The lines, 1-based, of the tables of contents of a Markdown text that lead to its own sections."""
    found: set[int] = set()
    run: list[int] = []
    for number, line in enumerate([*lines, "end"], 1):
        if _LINE.fullmatch(line):
            run.append(number)
        elif line.strip():
            found.update(run if len(run) >= LEAST_ITEMS else ())
            run = []
    return found
