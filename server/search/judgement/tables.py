"""Tables of a text and what their cells are of: the name of the row and the head of the column. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from morenashi.indexer.numerals import DIGIT, KANJI_NUMERALS
from morenashi.server.search.question.clock_times import CLOCK_SPAN, span_of

from .bounds import bound_of, take_from_name
from .headings import is_attribute
from .measures import QUANTITY, Measure, measure, spell_out
from .subjects import name_subject

_RULE = re.compile(r" ?\|?(?: ?:?-+:? ?\|)+(?: ?:?-+:? ?)?$")
_EDGES = " *'_"
# Heads that say nothing of what stands below them: it is said by the row.
_SAYS_NOTHING = re.compile(
    "内容|値|説明|詳細|備考|数値|規定|条件|設定|回答|value|description|details?|notes?|setting|content|answer"
)
# And heads of what may be anything.
_SAYS_NO_KIND = re.compile("項目名?|区分|種別|種類|名称|名前|(?:item|name|type|kind|field|option)s?|propert(?:y|ies)")
# Of each table its own.
_IS_NO_ROW = re.compile(
    "(?:合|小|総|累)?計|平均|その他|全体|同上|(?:sub)?total|sum|average|mean|median|other|all|any|none|yes|no"
    f"|[0-9{KANJI_NUMERALS}./年月日時分:~-]*(?:[0-9年月日時分:~-])(?:[(].[)])?|.*{DIGIT}+[回年月日位番号級].{{0,3}}"
)
_UNIT_IN_HEAD = re.compile(r"^(?P<name>.*[^ (])[ (]+(?:単位[: ]?)?(?P<unit>[^() 0-9]{1,12})\)$")
_NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")
_NOTE = re.compile(r"(?: ?[(]?(?:※|注|\*)[0-9]*[)]?)+$")
_JOINS = frozenset("a an the of for to in on by at per and".split())
_WORD = re.compile(r"[a-z0-9_.-]+")

_LONGEST = 40

Words = tuple[str, ...]
"""What something is called, whatever the order of the words: 見積書の保存期間, the retention period of estimates."""


class Cell(NamedTuple):
    """A cell, where it stands, and what its table calls its row and column: normalised, without emphasis.

    `offset` is that of its line. `rows` is what the head of the first column says: of what each row is.
    """

    offset: int
    row: str
    rows: str
    column: str
    text: str

    @property
    def thing(self) -> str:
        """Of what its value is: the row, or the column where rows are what many things have (保存期間)."""
        names = self.row, self.column, f"{self.row}{self._rows_after}"
        return next((name for name in names if not (is_attribute(name) or _SAYS_NOTHING.fullmatch(name))), self.row)

    @property
    def attribute(self) -> str:
        """The row, if it is what many things have and its value stands under a head that says no more; else empty."""
        return self.row if _SAYS_NOTHING.fullmatch(self.column) and is_attribute(self.row) else ""

    @property
    def names(self) -> Iterator[Words]:
        """What its value is called elsewhere, with and without the word for what each row is: Pro, the Pro plan."""
        column = "" if _SAYS_NOTHING.fullmatch(self.column) else self.column
        alone = self.row.removesuffix(self.rows) or self.row
        for row in dict.fromkeys((self.row, alone, f"{self.row}{self._rows_after}")):
            yield words_of(f"{row}の{column}" if column else row)

    @property
    def _rows_after(self) -> str:
        if _SAYS_NO_KIND.fullmatch(self.rows):
            return ""
        return f" {self.rows}" if self.rows.isascii() else self.rows

    @property
    def measured(self) -> Measure | None:
        """Its value, if it has nothing but that."""
        if len(self.text) > _LONGEST:
            return None
        text = spell_out(_NOTE.sub("", self.text))
        if span := CLOCK_SPAN.fullmatch(text):
            minutes = span_of(span)
            return None if minutes is None else Measure("time of day", minutes, minutes)
        quantity = QUANTITY.fullmatch(text)
        measured = measure(quantity) if quantity else None
        if quantity is None or measured is None:
            return None
        bound = bound_of(quantity["limit"] or "")
        if quantity["limit"] and not bound:
            return None
        named = take_from_name(self.row)[1] or take_from_name(self.column)[1]
        return measured._replace(bound=bound or named)


class Table(NamedTuple):
    """A table by the offsets of its lines: the one with the heads, the last one; and its cells, a row after another."""

    heads: int
    last: int
    cells: list[Cell]


def read_tables(lines: Sequence[str]) -> Iterator[Table]:
    """The tables with heads among normalised lines, without rows that have no name or share it."""
    last = -1
    for offset in range(1, len(lines)):
        # A rule among the rows of a table begins no other one (GitHub Flavored Markdown, 4.10).
        if offset > last and "-" in lines[offset] and "|" in lines[offset] and _RULE.match(lines[offset]):
            heads = _cut(lines[offset - 1])
            if heads and len(heads) == len(_cut(lines[offset]) or ()):
                table = _read_table(lines, offset, heads)
                last = table.last
                yield table


def words_of(subject: str) -> Words:
    """The words of a phrase, sorted; those that only join it left out."""
    words: set[str] = set()
    for part in subject.split("の"):
        if part.isascii():
            words.update(word.removesuffix("s") for word in _WORD.findall(part) if word not in _JOINS)
        else:
            words.add(part.strip())
    return tuple(sorted(filter(None, words)))


def _read_table(lines: Sequence[str], rule: int, heads: Sequence[str]) -> Table:
    rows = dict(takewhile(lambda row: row[1] is not None, enumerate(map(_cut, lines[rule + 1 :]), rule + 1)))
    whole = {offset: cells for offset, cells in rows.items() if cells and len(cells) == len(heads)}
    named = Counter(cells[0] for cells in whole.values())
    columns = [_column(head) for head in heads[1:]]
    cells = [
        Cell(offset, name, heads[0], column, f"{text}{unit}" if _NUMBER.fullmatch(text) else text)
        for offset, (name, *texts) in whole.items()
        if named[name] == 1 and _is_name(name)
        for (column, unit), text in zip(columns, texts, strict=True)
        if text and column
    ]
    return Table(rule - 1, max(rows, default=rule), cells)


def _column(head: str) -> tuple[str, str]:
    """What a column is called, and the unit that its head names for all its numbers; both may be empty."""
    if len(head) > _LONGEST or _NUMBER.fullmatch(head):
        return "", ""
    named = _UNIT_IN_HEAD.match(head)
    return (named["name"], named["unit"]) if named else (head, "")


def _cut(line: str) -> list[str] | None:
    """The cells of a line of a table; `None` if it is none."""
    if "|" not in line:
        return None
    return [cell.strip(_EDGES) for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _is_name(text: str) -> bool:
    return len(text) <= _LONGEST and not _IS_NO_ROW.fullmatch(text) and name_subject(text, 0, len(text)) is not None
