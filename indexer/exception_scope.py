"""Which lines an expression governs: its sentence, the clause before it, the list below it. Pure.

Lines are 0-based here. Depth orders what hangs below what: paragraphs 0, 一 and the like 1, イ 2,
(1) 3; items of Markdown lists by their indentation; a line that goes on with the one before it is
deeper than anything. What follows a line and is deeper belongs to it. Depth has a bound, so that a
line is looked at a bounded number of times, whatever the text.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter

from .exception_entries import ExceptionKind
from .markdown import Section

_DEEPEST = 12
_MOST_WRAPPED = 20
"""A sentence is followed over this many lines to either side."""
_MOST_BLOCK = 200
"""Within this many lines the end of a block is looked for that a line opens."""

_MARKED = re.compile(
    r"(?P<indent>[ \t>]*)(?P<marker>(?:[-*+・•]|[0-9]{1,9}[.)])[ \t\u3000]+)?"
    r"(?:(?P<kanji>[一二三四五六七八九十百]+(?:の[一二三四五六七八九十]+)*[ \u3000])"
    r"|(?P<kana>[イロハニホヘトチリヌルヲワカヨタレソツネナラムウ][ \u3000])"
    r"|(?P<bracket>[(（][0-9０-９一二三四五六七八九十a-zａ-ｚ]{1,4}[)）]))?"
)
# A block with an end of its own, as documentation sites have them: :::warning … :::, <Warning> … </Warning>.
_OPENS_BLOCK = re.compile(r"[ \t]*(?:(?P<marks>:{3,9}|/{3,9})[ \t]*[a-zA-Z]|<(?P<name>[a-zA-Z]{1,40})[ >])")
_LABEL_DEPTHS = {"kanji": 1, "kana": 2, "bracket": 3}
# A paragraph of its own although no blank line goes before: ２　…, ②…, 第三条…, an indented first line, a table row.
_PARAGRAPH = re.compile(r"[0-9０-９]+[ \u3000]|[①-⑳]|\u3000|第[0-9０-９一二三四五六七八九十百千]+条|\|")
# A clause that catches, in a program that is only indented: except KeyError:, except (a.NotFound, b.Gone) as error:.
# A name in it is a class's, unlike that of a label (Except Sundays:).
_CATCHES = re.compile(
    r"[ \t>]{0,100}except[ \t]{1,9}\(?(?=[\w., \t]{0,200}(?:[a-z][A-Z0-9]|\w\.\w)|Exception\b)"
    r"[\w., \t]{1,300}\)?(?:[ \t]{1,9}as[ \t]{1,9}\w{1,99})?[ \t]{0,9}:[ \t]*(?:#|$)"
)
_SENTENCE_ENDS = re.compile(r"[。．.!?！？:：|][)）」』\"'*_]*\s*$")


class Layout:
    """The lines of a Markdown text, as the file has them, with line breaks unified."""

    def __init__(self, text: str, sections: Sequence[Section], fences: Sequence[tuple[int, int]]) -> None:
        """`fences` are first and last lines (1-based) of fenced code, in order (`markdown.Blocks`)."""
        self._text = text
        self._fences = fences
        self._continuations: dict[int, bool] = {}
        self._ends_of_items: dict[tuple[int, int], int] = {}
        self._section_ends = {section.start_line - 1: section.end_line - 1 for section in sections if section.level}

    def is_code(self, line: int) -> bool:
        """Whether a line lies inside a code fence, or can only be code without one."""
        at = bisect_right(self._fences, line + 1, key=itemgetter(0)) - 1
        return (at >= 0 and line < self._fences[at][1]) or _CATCHES.match(self._lines[line]) is not None

    def governed_lines(self, line: int, kind: ExceptionKind, *, starts_line: bool) -> tuple[int, int]:
        """The first and last line that an expression on `line` governs.

        A heading governs its section, what opens a block the block. Elsewhere it is the sentence, for a
        proviso the paragraph up to it; a proviso that begins a paragraph or item belongs to the one
        before. Items that hang below the paragraph are governed too, unless another sentence stands in between.
        """
        if line in self._section_ends:
            return line, self._section_ends[line]
        if starts_line and (closing := self._closing(line)) is not None:
            return line, closing
        start, end = self._block(line)
        first, last = self._sentence(line, start, end)
        if kind == "proviso":
            first = start
            if starts_line and line == start:
                first = self._before(start)
        if last == end or kind == "proviso":
            last = self._end_of_items(end, self._depth(start))
        return first, last

    def _closing(self, line: int) -> int | None:
        """The line that closes the block that a line opens."""
        opening = _OPENS_BLOCK.match(self._lines[line])
        if opening is None:
            return None
        closing = opening["marks"] or f"</{opening['name']}>"
        for number, text in enumerate(self._lines[line : line + _MOST_BLOCK], line):
            if text.strip().endswith(closing) and (opening["name"] or text.strip() == closing):
                return number
        return None

    @cached_property
    def _lines(self) -> list[str]:
        return self._text.split("\n")

    def _block(self, line: int) -> tuple[int, int]:
        """The paragraph or item that a line belongs to, without what hangs below it."""
        start = end = line
        while line - start < _MOST_WRAPPED and self._goes_on(start):
            start -= 1
        while end - line < _MOST_WRAPPED and end + 1 < len(self._lines) and self._goes_on(end + 1):
            end += 1
        return start, end

    def _sentence(self, line: int, start: int, end: int) -> tuple[int, int]:
        first = last = line
        while first > start and not _SENTENCE_ENDS.search(self._lines[first - 1][-8:]):
            first -= 1
        while last < end and not _SENTENCE_ENDS.search(self._lines[last][-8:]):
            last += 1
        return first, last

    def _before(self, start: int) -> int:
        """Where the paragraph or item begins that stands before this one, on its level or above."""
        depth = self._depth(start)
        line = start - 1
        while line >= 0 and line not in self._section_ends:
            if not _is_blank(self._lines[line]) and self._depth(line) <= depth:
                return line
            line -= 1
        return start

    def _end_of_items(self, end: int, depth: int) -> int:
        """The last line of what hangs below a line, by their depths; each expression of a paragraph asks for it."""
        known = self._ends_of_items.get((end, depth))
        if known is None:
            known = self._ends_of_items[end, depth] = self._find_end_of_items(end, depth)
        return known

    def _find_end_of_items(self, end: int, depth: int) -> int:
        last, line = end, end + 1
        while line < len(self._lines) and line not in self._section_ends:
            if not _is_blank(self._lines[line]):
                if self._depth(line) <= depth:
                    break
                last = line
            line += 1
        return last

    def _goes_on(self, line: int) -> bool:
        """Whether a line goes on with what the line before it says."""
        known = self._continuations.get(line)
        if known is None:
            known = self._continuations[line] = self._continues(line)
        return known

    def _continues(self, line: int) -> bool:
        text = self._lines[line]
        if line == 0 or line in self._section_ends or line - 1 in self._section_ends:
            return False
        before = self._lines[line - 1]
        if _is_blank(text) or _is_blank(before) or before.lstrip().startswith("|"):
            return False
        return not _own_depth(text) and not _PARAGRAPH.match(text)

    def _depth(self, line: int) -> int:
        if self._goes_on(line):
            return _DEEPEST + 1
        text = self._lines[line]
        depth = _own_depth(text)
        # Indented after a blank line: a further paragraph of an item.
        return _DEEPEST if not depth and text.startswith(("  ", "\t")) else depth


def _is_blank(line: str) -> bool:
    """Whether a line is blank, also inside a quotation."""
    return not line.strip().strip("> \t")


def _own_depth(text: str) -> int:
    marked = _MARKED.match(text)
    if marked is None:
        return 0
    label = _LABEL_DEPTHS.get(marked.lastgroup or "", 0)
    if not marked["marker"]:
        return label
    indent = len(marked["indent"].replace("\t", "    ").replace(">", ""))
    return min(max(label, 1 + indent // 2), _DEEPEST - 1)
