"""Secrets in tables: below a heading that says password, in rows of Markdown, of tabs and of commas."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import re2

from .assignments import is_strong_password
from .scanning import Span

_WORD = r"(?i:(?:初期|仮|ログイン)?パスワード|(?:login |initial )?password|passwd|pwd|pw)"
_HEADING = re.compile(_WORD)
_AROUND = " \t\r\n\"'`*"
_ANY_HEADING = re2.compile(rf"(?m)[|\t,][ \"'`*]*{_WORD}[ \r\"'`*]*(?:[|\t,]|$)|^[ \"'`*]*{_WORD}[ \"'`*]*[|\t,]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_DELIMITERS = "|\t,"


class _Table(NamedTuple):
    """How its rows are divided, into how many cells, and which of these are passwords."""

    delimiter: str
    cells: int
    columns: tuple[int, ...]


def find_in_columns(text: str) -> Iterator[Span]:
    """Values in a column that is called so, as far as nobody would take them for a word."""
    if _ANY_HEADING.search(text) is None:
        return
    table: _Table | None = None
    for line in _LINE.finditer(text):
        if table is not None and line[0].count(table.delimiter) == table.cells - 1:
            yield from _passwords(line[0], line.start(), table)
        else:
            table = _table_below(line[0])


def _table_below(heading: str) -> _Table | None:
    """The table that a line is the head of, if it is one with such a column."""
    for delimiter in _DELIMITERS:
        cells = heading.split(delimiter)
        columns = tuple(place for place, cell in enumerate(cells) if _HEADING.fullmatch(cell.strip(_AROUND)))
        if columns and len(cells) > 1:
            return _Table(delimiter, len(cells), columns)
    return None


def _passwords(row: str, start: int, table: _Table) -> Iterator[Span]:
    for place, cell in enumerate(row.split(table.delimiter)):
        value = cell.strip(_AROUND)
        if place in table.columns and is_strong_password(value) and not re.search(r"\s", value):
            begin = start + cell.index(value)
            yield begin, begin + len(value)
        start += len(cell) + 1
