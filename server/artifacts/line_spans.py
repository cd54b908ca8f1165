"""Numbers of lines in a text, as `12`, `12-18`, `L12-L18`, `lines 12-18` or `12〜18行目` write them. Pure, on NFKC."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from .file_names import BEHIND_NAME
from .model import SourceLines

_DASH = r"(?:[-‐‑‒–—―−~〜ー]|\.\.+|から|to|through)"
_MARK = r"(?:l{1,2}\.?\s*|lines?\s*(?::\s*)?|行\s*)"
_UNIT = r"(?:\s*行目?)?"


def _span(last_mark: str, behind: str = "") -> str:
    return (
        rf"(?P<mark>{_MARK})?(?P<first>\d{{1,9}})(?P<unit>{_UNIT})"
        rf"(?:\s*{_DASH}\s*(?P<last_mark>{last_mark})(?P<last>\d{{1,9}})(?P<last_unit>{_UNIT})(?:\s*まで)?{behind})?"
    )


_SPAN = _span(f"{_MARK}?")
# In "up to 40 — L12" and "up to 40 — 12-18", the 40 is another number.
_SPAN_IN_PROSE = _span(f"(?(mark){_MARK}?|)", rf"(?!\s*{_DASH}\s*\d)")
_SEPARATOR = r"(?:\s*(?:[,;、，・&/]|及び|および|と|and)\s*|\s+(?=L?\d))"
# The number that a file's name begins with is no line: 12, 001_guide.md:3.
_NO_NAME = r"(?![^\s,;:#、()\[\]<>`\"「『【]{1,200}\.[a-z]\w{0,9}(?:\s{0,3}[:#]|\s{1,3}(?:[L行の第]|\d)))"
_UNNAMED = re.sub(r"\?P<\w+>", "?:", _SPAN)
_LIST = re.compile(rf"{_UNNAMED}(?:{_SEPARATOR}{_NO_NAME}{_UNNAMED})*", re.I)
_ONE = re.compile(_SPAN, re.I)
# Not the 2 of 1.2, MP3, tier-2, nor what goes on with letters; 行 5 is no end of 実行 5. But guide.md12行目 is written.
_BEGINS = rf"(?:(?:(?<![a-z0-9_.-])|{BEHIND_NAME})(?=(?-i:L)\.?\d|\d)|(?<![\w.-])(?=[l行]))"
_IN_PROSE = re.compile(rf"{_BEGINS}{_SPAN_IN_PROSE}(?![a-z0-9_])", re.I)
# 第1行〜第3行, 第1-3行; 第3条 is no line.
_ORDINAL = re.compile(rf"第\s*(?=\d{{1,9}}(?:\s*行目?)?(?:\s*{_DASH}\s*(?:第\s*)?\d{{1,9}})?\s*行)")
_ORDINAL_LINE = re.compile(r"第\s*(\d{1,9})\s*行(?!目)")


Style = Literal["letters", "lettered", "letter", "word", "counted", "range", "number"]
"""`L12-L18`; `L12-18`; `L12`; `lines 12` and `ll. 12`; `12〜18行` and `12行目`; `12-18`; and what may be anything:
`12`, `12行`, `l12`.
"""
RANGES: tuple[Style, ...] = ("letters", "lettered")
LETTERS: tuple[Style, ...] = (*RANGES, "letter")
NO_WORD, NO_WORD_BUT_PARTICLE = re.compile(r"(?!\w)"), re.compile(r"(?![^\Wぁ-ん])")
"""What has to stand behind lines: L12-L18を参照 are some, the L2 of L2の機器 may be a level."""


class Span(NamedTuple):
    """Lines from `first` to `last`, written in [start, end) of a text; `has_unit`: with 行 behind the last number."""

    first: int
    last: int
    start: int
    end: int
    style: Style
    has_unit: bool

    @property
    def is_marked(self) -> bool:
        """Whether it is no number alone."""
        return self.says_lines or self.has_unit

    @property
    def says_lines(self) -> bool:
        """Whether it is about lines, wherever it stands."""
        return self.style not in ("range", "number")


def in_file(spans: Iterable[Span], file: str | None = None) -> Iterator[SourceLines]:
    """The lines themselves, as those of the file that they are said to be of."""
    return (SourceLines(span.first, span.last, file) for span in spans)


def without_ordinals(text: str) -> str:
    """12行目 for 第12行, 12〜18行 for 第12行〜第18行."""
    return _ORDINAL.sub("", _ORDINAL_LINE.sub(r"\1行目", text))


def read_spans(text: str) -> Iterator[Span]:
    """All numbers of a text, as those of a field for lines."""
    return map(_span_of, _ONE.finditer(text))


def find_spans(text: str) -> Iterator[Span]:
    """What may name lines in running text: numbers that are no part of a word."""
    return map(_span_of, _IN_PROSE.finditer(text))


def match_span(text: str, start: int = 0) -> Span | None:
    """The lines that are named from a position on."""
    found = _ONE.match(text, start)
    return _span_of(found) if found else None


def match_list(text: str, start: int = 0) -> re.Match[str] | None:
    """The list of lines that begins at a position: `12-18, 40`."""
    return _LIST.match(text, start)


def is_list(text: str) -> bool:
    """Whether a text is nothing but such a list."""
    return _LIST.fullmatch(text) is not None


def _span_of(found: re.Match[str]) -> Span:
    first, last, unit = found["first"], found["last"], found["last_unit"] if found["last"] else found["unit"]
    return Span(int(first), int(last or first), *found.span(), _style_of(found, unit.strip()), bool(unit))


def _style_of(found: re.Match[str], unit: str) -> Style:
    mark, last = (found["mark"] or "").strip(), found["last"]
    if mark in ("L", "L."):
        return "letter" if not last else "letters" if found["last_mark"][:1] == "L" else "lettered"
    if mark not in ("", "l", "ll", "LL"):
        return "word"
    if unit == "行目" or (unit and last):
        return "counted"
    return "range" if last else "number"
