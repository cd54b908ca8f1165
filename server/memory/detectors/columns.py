"""Tables: below a heading that says password, key, telephone or the like, in rows of Markdown, of tabs, commas or
semicolons. A sentence says it of one value; a heading of all in its column, however far below.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .numbers import is_my_number
from .scanning import Span
from .strength import can_be_key, is_strong_password

_PHONE = re.compile(r"(?:\+|0)[0-9() .-]{8,18}[0-9]")
_POSTAL_CODE = re.compile("[0-9]{3}-?[0-9]{4}|[0-9]{5}(?:-[0-9]{4})?")
_PIN = re.compile("[0-9]{4,8}")
_FEWEST_DIGITS, _MOST_DIGITS = 10, 15


def _is_phone(value: str) -> bool:
    return _PHONE.fullmatch(value) is not None and _FEWEST_DIGITS <= sum(map(str.isdigit, value)) <= _MOST_DIGITS


class _Column(NamedTuple):
    """What a heading says of the values below it, and whether one can be that."""

    kind: str
    heading: str
    can_be: Callable[[str], object]


_COLUMNS = (
    _Column(
        "secret",
        "(?:初期|仮|ログイン)?パスワード|(?:login |initial )?passwords?|passwd|pwd|pw",
        lambda value: is_strong_password(value) and not re.search(r"\s", value),
    ),
    _Column(
        "secret",
        "(?:api|access|secret|private|license|account|storage)[-_ ]?keys?|(?:api|access|auth)?[-_ ]?tokens?"
        "|(?:api|client)[-_ ]?secret|(?:api ?|アクセス|ライセンス|プロダクト)キー|(?:アクセス)?トークン|秘密鍵",
        can_be_key,
    ),
    _Column("secret", "暗証番号|pin ?(?:code|コード)|(?:解錠|開錠)(?:コード|番号)", _PIN.fullmatch),
    _Column(
        "phone",
        "(?:自宅|会社|勤務先|代表|緊急|日中)?の?(?:連絡先|(?:携帯)?電話|携帯|tel|fax|ファックス)(?:番号)?"
        "|(?:home |work |cell |mobile )?(?:tele)?phone(?:[-_ ]?(?:number|no\\.?))?|mobile|cell",
        _is_phone,
    ),
    _Column("my_number", "マイナンバー|個人番号|my[-_ ]?number", is_my_number),
    _Column("postal_code", "郵便番号|〒|zip(?:[-_ ]?code)?|post(?:al)?[-_ ]?code", _POSTAL_CODE.fullmatch),
)
_HEADINGS = tuple(re.compile(f"(?i:{column.heading})") for column in _COLUMNS)
_AROUND = " \t\r\n\"'`*"
_ANY = f"(?i:{'|'.join(column.heading for column in _COLUMNS)})"
_ANY_HEADING = re.compile(rf"(?m)[|\t,;][ \"'`*]*{_ANY}[ \r\"'`*]*(?:[|\t,;]|$)|^[ \"'`*]*{_ANY}[ \"'`*]*[|\t,;]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# A cell of CSV may have the delimiter in quotes, one of Markdown behind a stroke.
_CELLS = {"|": re.compile(r"(?:\\[^\n]|[^|\\\n])*")} | {
    delimiter: re.compile(
        rf"(?:[ \t]{{0,9}}\"(?:[^\"\n]|\"\"){{0,200}}\"[ \t]{{0,9}}(?={delimiter}|\r?\n?\Z)|[^{delimiter}\n]*)"
    )
    for delimiter in ("\t", ",", ";")
}
_DELIMITERS = "|\t,;"


class _Table(NamedTuple):
    """How its rows are divided, into how many cells, and what it is known of which of them."""

    delimiter: str
    cells: int
    columns: tuple[tuple[int, _Column], ...]


def find_in_columns(text: str) -> Iterator[tuple[str, Span]]:
    """Values in a column that is called so, with their kind; passwords as far as nobody would take them for a word."""
    if _ANY_HEADING.search(text) is None:
        return
    table: _Table | None = None
    for line in _LINE.finditer(text):
        cells = _cells(line[0], table.delimiter) if table else []
        if table is not None and len(cells) == table.cells:
            yield from _values(line[0], cells, line.start(), table)
        else:
            table = _table_below(line[0])


def _table_below(heading: str) -> _Table | None:
    """The table that a line is the head of, if it is one with such a column."""
    for delimiter in _DELIMITERS:
        cells = [heading[start:end].strip(_AROUND) for start, end in _cells(heading, delimiter)]
        columns = tuple(
            (place, column)
            for place, cell in enumerate(cells)
            for column, words in zip(_COLUMNS, _HEADINGS, strict=True)
            if words.fullmatch(cell)
        )
        if columns and len(cells) > 1:
            return _Table(delimiter, len(cells), columns)
    return None


def _cells(line: str, delimiter: str) -> list[Span]:
    """Where the cells of a row are."""
    cells: list[Span] = []
    start = 0
    may_hold_delimiter = ("\\|" if delimiter == "|" else '"') in line
    if may_hold_delimiter:
        # A cell may be empty, and so there always is one.
        while match := _CELLS[delimiter].match(line, start):
            cells.append(match.span())
            if line[match.end() : match.end() + 1] != delimiter:
                break
            start = match.end() + 1
        return cells
    for cell in line.split(delimiter):
        cells.append((start, start + len(cell)))
        start += len(cell) + 1
    return cells


def _values(row: str, cells: list[Span], start: int, table: _Table) -> Iterator[tuple[str, Span]]:
    for place, column in table.columns:
        cell = row[slice(*cells[place])]
        value = cell.strip(_AROUND)
        if column.can_be(value):
            begin = start + cells[place][0] + cell.index(value)
            yield column.kind, (begin, begin + len(value))
