"""TSV and CSV as a table: comment lines, blank lines and quoted cells of several lines. Pure."""

import csv
from collections.abc import Iterator

from .tables import Row, Table

_COMMENTS = ("#", "//", "%%", ";;", "--")
_MOST_LINES_OF_ROW = 200
"""A quote that is not closed within so many is closed nowhere: each row would be read to the end of the text."""


def read_delimited(lines: list[str], first_line: int) -> Table | None:
    """The table of lines (without line breaks), numbered from `first_line`; `None` if no row is below a heading."""
    reader = _Reader(lines, first_line)
    rows = reader.commented_heading() + list(reader.rows())
    return Table(rows[0], tuple(rows[1:]), tuple(reader.comments)) if len(rows) > 1 else None


class _Reader:
    """Rows of a delimited text. A comment is told by how a line begins, between rows only."""

    def __init__(self, lines: list[str], first_line: int) -> None:
        self._lines = lines
        self._first_line = first_line
        self._start = self._position = 0
        self.comments: list[str] = []

    def rows(self) -> Iterator[Row]:
        delimiter = self._delimiter()
        reader = self._reader(delimiter)
        while self._goes_on():
            try:
                cells = next(reader)
            except csv.Error:
                # A quote is closed nowhere, or in the middle of a cell: it would swallow the rows below.
                self._position = self._start + 1
                cells = _read_alone(self._lines[self._start], delimiter)
                reader = self._reader(delimiter)
            if any(cell.strip() for cell in cells):
                yield Row(self._first_line + self._start, tuple(cell.strip().strip('"') for cell in cells))

    def _reader(self, delimiter: str) -> Iterator[list[str]]:
        # In TSV a quote is a character like others, unless it closes in the same cell.
        if delimiter == "\t":
            return csv.reader(self._take(), delimiter=delimiter, quoting=csv.QUOTE_NONE)
        return csv.reader(self._take(), delimiter=delimiter, skipinitialspace=True, strict=True)

    def commented_heading(self) -> list[Row]:
        """A heading that is written as a comment, as `#id<TAB>next` directly above the first row."""
        number = next((n for n, line in enumerate(self._lines) if line.strip() and not self._is_comment(line)), 0)
        above = self._lines[number - 1].lstrip(" #") if number else ""
        if "\t" not in above or above.count("\t") != self._lines[number].count("\t"):
            return []
        return [Row(self._first_line + number - 1, tuple(cell.strip() for cell in above.split("\t")))]

    def _goes_on(self) -> bool:
        """Whether a row follows; past blank lines and comments, which are taken up."""
        while self._position < len(self._lines):
            line = self._lines[self._position]
            if line.strip() and not self._is_comment(line):
                self._start = self._position
                return True
            if line.strip():
                self.comments.append(line.strip())
            self._position += 1
        return False

    def _take(self) -> Iterator[str]:
        """The lines of the row, as many as it turns out to have."""
        while self._position < len(self._lines):
            if self._position - self._start == _MOST_LINES_OF_ROW:
                raise csv.Error
            self._position += 1
            yield self._lines[self._position - 1] + "\n"

    def _is_comment(self, line: str) -> bool:
        """`#` and `--` also begin ids and cells: a comment has text behind the sign, or no delimiter at all."""
        text = line.lstrip()
        if not text.startswith(_COMMENTS):
            return False
        sign = next(sign for sign in _COMMENTS if text.startswith(sign))
        rest = text[len(sign) :]
        return not any(rest.startswith(delimiter) for delimiter in "\t,;") and not (sign == "#" and rest[:1].isdigit())

    def _delimiter(self) -> str:
        header = next((line for line in self._lines if line.strip() and not self._is_comment(line)), "")
        return max("\t,;|", key=lambda delimiter: (header.count(delimiter), delimiter == "\t"))


def _read_alone(line: str, delimiter: str) -> list[str]:
    """The cells of a row that breaks the rules of CSV, or is longer than its reader takes."""
    if line.count('"') % 2 or len(line) > csv.field_size_limit():
        return line.split(delimiter)
    return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
