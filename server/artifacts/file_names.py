"""Names of files beside the lines of them that a text names: `guide.md:12`, `guide.md § 2 (L12)`. Pure, on NFKC."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from morenashi.indexer.files import MARKDOWN_SUFFIXES

_LONGEST = 400
_ENDS_NAMES = ' \t\n,;:#()[]<>`"「『【〈《“'
NAME = rf"[^{re.escape(_ENDS_NAMES)}]{{1,{_LONGEST}}}\.[A-Za-z]\w{{0,9}}"
"""A pattern of a name with an ending, as it stands in running text."""

BEHIND_NAME = f"(?:{'|'.join(f'(?<={re.escape(suffix)})' for suffix in (*MARKDOWN_SUFFIXES, '.txt', '.json'))})"
"""A pattern of the place behind a name with a well-known ending, whatever follows."""

_IS_NAME = re.compile(r".+\.[A-Za-z]\w*")
# A name may have a 、, though none that stands behind lines: guide.md:12-14、b.md:3.
_LINES_BEFORE = r"[L\d行目〜~–−-]{1,30}、"
_BEHIND_LINES = re.compile(rf"(?:{_LINES_BEFORE})+", re.I)
# A page of the web may have a port, and a name without an ending: Makefile, README.md?plain=1.
_PAGE = r"(?<=:)(?a://[\w.-]++(?::\d{1,5}(?=/))?[\w!$%&'*+./=?@~-]*+)"
_IS_PAGE = re.compile(_PAGE)
_BEFORE = re.compile(
    rf"(?:(?<![^\s,;:#])(?!{_LINES_BEFORE})(?:https?:)?({_PAGE}|[^\s,;:#]+\.[A-Za-z](?a:\w*))"
    r"|(?<=[\d行目]、)([^\s,;:#、]+\.[A-Za-z](?a:\w*)))"
    r"(?:\s*(?:の\s*)?[:#,、]|\s*の|\s|(?=\())\s*",
    re.I,
)
# guide.md § 2 (L12), guide.md 第2条第1項（L12）
_ARTICLES = re.compile(
    r"(?<=\w)[`,、]?(?:\s{0,3}(?:第?\d{1,4}[条項号章節款](?:の\d{1,3})?"
    r"|(?:§|[Aa]rt(?:icle|\.)|[Ss]ection|[Cc]hapter)\s?\d[\d.]{0,9})){1,4}\s{0,3}\Z"
)


class NamedFile(NamedTuple):
    """A file's name, in [start, end) of a text with what parts it from the lines behind it."""

    name: str
    start: int
    end: int


def find_names(text: str) -> Iterator[NamedFile]:
    """The files that are named with something behind them."""
    return map(_named, _BEFORE.finditer(text))


def match_name(text: str, start: int) -> NamedFile | None:
    """The file that is named from a position on."""
    found = _BEFORE.match(text, start)
    return _named(found) if found else None


def name_before(text: str, end: int) -> str | None:
    """The file whose name ends directly before a position, but for an article of it."""
    before = _ARTICLES.sub("", text[max(end - _LONGEST, 0) : end]).rstrip(" \t:#,、`")
    if page := _IS_PAGE.fullmatch(before, max(before.rfind("://") + 1, 0)):
        return page[0]
    name = before[max(map(before.rfind, _ENDS_NAMES)) + 1 :]
    if lines := _BEHIND_LINES.match(name):
        name = name[lines.end() :]
    return name if _IS_NAME.fullmatch(name) else None


def _named(found: re.Match[str]) -> NamedFile:
    return NamedFile(found[1] or found[2], *found.span())
