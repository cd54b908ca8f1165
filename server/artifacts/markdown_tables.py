"""The tables of a Markdown text, with the line of each row. Pure.

A heading, a line of dashes, rows (GitHub Flavored Markdown). Comments between rows do not end a table.
"""

import re
from collections.abc import Iterator

from .tables import Row, Table

_DASHES = re.compile(r"[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?")
_COMMENT = re.compile(r"[ \t>]*(?:<!--.*-->|%%.*|//.*|\[//\]:.*)[ \t]*")
_REMARK = re.compile(r"<!--(.*?)-->")
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)*")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
# Line breaks (<br>) set targets apart.
_TAG = re.compile(
    r"</?(?:a|b|i|u|s|em|strong|code|kbd|span|sub|sup|mark|small|del|ins|p|div)"
    r"(?:\s+[\w-]+=(?:\"[^\"]*\"|'[^']*'))*\s*/?>",
    re.I,
)
_CELL = re.compile(r"(?:\\.|[^|\\])*")


def find_tables(lines: list[str]) -> Iterator[Table]:
    """All tables of a text, given as lines without line breaks."""
    number = 0
    while number + 1 < len(lines):
        if "|" in lines[number] and "|" in lines[number + 1] and _DASHES.fullmatch(lines[number + 1]):
            end = _end_of_table(lines, number + 2)
            yield _read_table(lines, number, end)
            number = end
        else:
            number += 1


def _end_of_table(lines: list[str], number: int) -> int:
    while number < len(lines) and ("|" in lines[number] or _COMMENT.fullmatch(lines[number])):
        number += 1
    return number


def _read_table(lines: list[str], start: int, end: int) -> Table:
    inside = range(start + 2, end)
    comments = [lines[number] for number in inside if _is_comment(lines[number])]
    # A blank line may part them from the table, as formatters of Markdown have it.
    beside = filter(_is_comment, lines[max(start - 2, 0) : start] + lines[end : end + 2])
    rows = tuple(_read_row(lines[number], number + 1) for number in inside if not _is_comment(lines[number]))
    return Table(_read_row(lines[start], start + 1), rows, (*comments, *beside))


def _is_comment(line: str) -> bool:
    return _COMMENT.fullmatch(line) is not None


def _read_row(line: str, number: int) -> Row:
    """A row's cells, without tags around words. A comment in it is a remark and no cell."""
    # Behind the last end there is none, however many begin there.
    closed, end, rest = _QUOTE.sub("", line).rpartition("-->")
    remarks = " ".join(_REMARK.findall(closed + end))
    cells = list(_split((_REMARK.sub("", closed + end) + rest).strip().removeprefix("|")))
    if cells and not cells[-1].strip():
        cells.pop()
    return Row(number, tuple(_ESCAPE.sub(r"\1", _TAG.sub("", cell)).strip() for cell in cells), remarks)


def _split(line: str) -> Iterator[str]:
    position = 0
    while position <= len(line):
        match = _CELL.match(line, position)
        assert match is not None
        yield match[0]
        position = match.end() + 1
