"""Lines that a running text cites without a key: what stands around numbers tells whether they are lines. Pure.

What cannot be anything else, normalised to NFKC: `L12-L18`, `(L12, L20-L22)`, `(ll. 12-18)`, `【12-18行】`,
`guide.md:12-18`, `guide.md L12`, `lines 12-18 of guide.md`, lines beside an article in brackets, and `L12` alone on the
last line of a label or behind a dash at the end of a line.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile
from operator import attrgetter
from typing import NamedTuple

from .file_names import BEHIND_NAME, NAME, find_names, name_before
from .line_spans import LETTERS, NO_WORD, NO_WORD_BUT_PARTICLE, RANGES, Span, Style, find_spans, in_file
from .model import SourceLines

Run = Sequence[Span]
"""What follows each other: `lines 12-18 and 40`."""

_BETWEEN = re.compile(r"\s*[,;、]\s*(?:and\s{1,3})?|\s{1,3}(?:and|&)\s{1,3}")
_CLOSED = re.compile(r"\s*[)\]】〕]")
_ENDS_LINE = re.compile(r"[\s.。]{0,8}(?:\n|\Z)")
_ENDS_TEXT = re.compile(r"[^\w\n]{0,8}\Z")
_OF_FILE = re.compile(rf"\s{{1,3}}(?:of|in)\s{{1,3}}`?({NAME})`?")


class _Sign(NamedTuple):
    """What makes a run a citation: the style of its first span, and what stands directly `before` and `behind`."""

    styles: tuple[Style, ...]
    before: re.Pattern[str]
    behind: re.Pattern[str]


_SAID: tuple[Style, ...] = (*LETTERS, "word", "counted")
_ANY: tuple[Style, ...] = (*_SAID, "range", "number")
_FILE = f"{BEHIND_NAME}`?"
_SEE = r"\s*(?:(?:see|cf\.?)\s+)?"
_MARKED = re.compile(rf"(?:[(\[【〔※@#]|<!--){_SEE}\Z")
# guide.md:12:5 has a column.
_NO_COLUMN = re.compile(r"(?!:\d)")
_SIGNS = (
    _Sign(RANGES, _MARKED, NO_WORD_BUT_PARTICLE),
    _Sign(("letter",), _MARKED, NO_WORD),
    _Sign(("word", "counted"), re.compile(rf"[(\[【〔]{_SEE}\Z"), re.compile(r"\s*[)\]】〕,;、]")),
    # Behind what a link leads to, and behind a file's name.
    _Sign(LETTERS, re.compile(r"(?<=\w)#\Z"), _NO_COLUMN),
    _Sign((*LETTERS, "word"), re.compile(rf"{_FILE}\s{{0,3}}[:#,、]?\s{{0,3}}\Z"), _NO_COLUMN),
    _Sign(("counted",), re.compile(rf"{_FILE}\s{{0,3}}[の:,、]?\s{{0,3}}\Z"), _NO_COLUMN),
    _Sign(_ANY, re.compile(rf"{_FILE}:\Z"), _NO_COLUMN),
    _Sign(("range", "counted"), re.compile(rf"{_FILE}\s{{0,3}}:?\s{{0,3}}\Z"), _CLOSED),
    # What an item ends with, and the last line of a label.
    _Sign(_SAID, re.compile(r"(?:\s[-–—―]{1,2}\s|[—―])\s{0,3}\Z"), _ENDS_LINE),
    _Sign(LETTERS, re.compile(r"\n[^\w\n]{0,8}\Z"), _ENDS_TEXT),
    # Anywhere.
    _Sign(("letters",), re.compile(r"(?<!\w)\Z"), NO_WORD_BUT_PARTICLE),
)
_LONGEST_SIGN = 24
# 受付 L1-3, 受付 `L1-3`, 受付 📄L1-3
_BEFORE_END = re.compile(r"(?:(?<=[^\s,;、]\s)|(?<=[ぁ-んァ-ヶ一-龠。]))[^\w\s→⇒>-]{0,3}\Z")
_ENDS_LABEL = re.compile(r"[`*_}>\s.。]{0,8}(?:\n|\Z)")
# （第9条第1項、48〜49行）, (Article 7, line 39), (§ 4.2 L12)
_ARTICLE = re.compile(
    r"[\d一二三四五六七八九十百]\s?[条項号章節款]"
    r"|(?:§|[Aa]rt(?:icle|\.)|[Ss]ection|[Cc]hapter|[Cc]lause|[Pp]aragraph)\s?\d"
)
_PARTED = re.compile(r"[\s,;、]\Z")
_OPENING, _PARTING = "([【〔", "()[]【】〔〕\n"
_FROM_OPENING, _FROM_ARTICLE = 120, 40


def find_cited_lines(text: str) -> Iterator[SourceLines]:
    """The lines that a text cites, with the file that is named beside them."""
    for run in _runs(text):
        if of_file := _of_file(text, run):
            yield from in_file(run, of_file[1])
        elif cited := _cited(text, run) or _cited(text, list(dropwhile(_is_not_sure, run))):
            yield from cited


def put_files_first(text: str) -> str:
    """`guide.md lines 12-18` for `lines 12-18 of guide.md`."""
    parts: list[str] = []
    position = 0
    for run in _runs(text):
        if of_file := _of_file(text, run):
            parts += text[position : run[0].start], of_file[1], " ", text[run[0].start : run[-1].end]
            position = of_file.end()
    return "".join([*parts, text[position:]])


def find_trailing_runs(text: str) -> Iterator[Run]:
    """What the lines of a text end with, without any sign before it."""
    for run in _runs(text):
        before = text[max(run[0].start - _LONGEST_SIGN, 0) : run[0].start]
        if (
            all(span.style in LETTERS for span in run)
            and _BEFORE_END.search(before)
            and _ENDS_LABEL.match(text, run[-1].end)
        ):
            yield run


def _runs(text: str) -> Iterator[Run]:
    """Spans in a row. Of `Article 7, lines 12-18`, what says that it is lines begins one of its own."""
    run: list[Span] = []
    for span in find_spans(text):
        goes_on = run and _BETWEEN.fullmatch(text, run[-1].end, span.start)
        if run and (not goes_on or (span.is_marked and not run[0].is_marked)):
            yield run
            run = []
        run.append(span)
    if run:
        yield run


def _cited(text: str, run: Run) -> list[SourceLines]:
    """The lines of a run that begins with a citation."""
    if not run:
        return []
    run = _without_other_numbers(text, run)
    begin = _beside_sign(text, run)
    if begin is None:
        begin = _beside_article(text, run)
    return [] if begin is None else list(in_file(run, _file_of(text, begin, run[0].start)))


def _is_not_sure(span: Span) -> bool:
    return span.style != "letters"


def _of_file(text: str, run: Run) -> re.Match[str] | None:
    """The file behind lines, if they are said to be its."""
    return _OF_FILE.match(text, run[-1].end) if run[0].says_lines else None


def _without_other_numbers(text: str, run: Run) -> Run:
    """Numbers alone go on with lines where a bracket or the line ends behind them: (L12-18, 22); L12-18, 22 days."""
    if _CLOSED.match(text, run[-1].end) or _ENDS_LINE.match(text, run[-1].end):
        return run
    return [run[0], *takewhile(attrgetter("is_marked"), run[1:])]


def _beside_sign(text: str, run: Run) -> int | None:
    """Where a citation begins, with the sign before it; `None` if there is none."""
    first, end = run[0], run[-1].end
    offset = max(first.start - _LONGEST_SIGN, 0)
    before = text[offset : first.start]
    for sign in _SIGNS:
        if first.style in sign.styles and sign.behind.match(text, end) and (found := sign.before.search(before)):
            return offset + found.start()
    return None


def _beside_article(text: str, run: Run) -> int | None:
    """Where the bracket, or the last line, begins in which lines stand behind an article; `None` if they do not."""
    first, end = run[0], run[-1].end
    earliest = max(first.start - _FROM_OPENING, 0)
    begin = max(text.rfind(sign, earliest, first.start) for sign in _PARTING)
    if begin < 0:
        return None
    if text[begin] in _OPENING:
        is_alone = first.is_marked and _CLOSED.match(text, end)
    else:
        is_alone = text[begin] == "\n" and first.style in LETTERS and _ENDS_TEXT.match(text, end)
    inside = text[begin + 1 : first.start]
    ends = [article.end() for article in _ARTICLE.finditer(inside)]
    is_beside = ends and len(inside) - ends[-1] <= _FROM_ARTICLE and _PARTED.search(inside)
    return begin if is_alone and is_beside else None


def _file_of(text: str, begin: int, end: int) -> str | None:
    """The file that is named before lines, or beside the article that is: (guide.md § 2, L12)."""
    inside = [named.name for named in find_names(text[begin + 1 : end])]
    return inside[-1] if inside else name_before(text, begin)
