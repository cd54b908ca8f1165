"""Part of a file as text: which characters a scope covers. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Literal

from morenashi.indexer import json_text, markdown
from morenashi.indexer.text import LINE_BREAK, unify_line_breaks

from .delivery.citations import digest_lines
from .whole_files import split_lines, version_of

ReadScope = Literal["snippet", "section", "sections", "file"]
HitScope = Literal["snippet", "section", "sections"]

_SNIPPET_CHARACTERS = 1_200
_REST = re.compile(r"[ \t,\]}]*(?:\r\n?|\n|\Z)")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a text, and whether what was asked for goes on behind them, beyond a limit."""

    start: int
    end: int
    goes_on: bool = False


class FileText:
    """A decoded file with its lines. Offsets count code points, lines start at 1.

    The `sections` of Markdown are parsed where they are not given.
    """

    def __init__(self, text: str, file_type: str, sections: list[markdown.Section] | None = None) -> None:
        self.text = text
        self.file_type = file_type
        self._known = sections
        self._starts = _line_starts(text)
        # Of a value that is read on, a part a call, the same is asked each time.
        self._offset_of = lru_cache(1)(partial(json_text.offset_of, text))
        self._end_of = lru_cache(1)(partial(json_text.end_of, text))
        self._value_end_of = lru_cache(1)(partial(json_text.value_end_of, text))

    @cached_property
    def version(self) -> str:
        """Names the text."""
        return version_of(self.text)

    @cached_property
    def digests(self) -> list[bytes]:
        """Of each line, as what was delivered is known by."""
        return digest_lines(split_lines(self.text))

    @property
    def lines(self) -> int:
        """How many lines an editor shows."""
        return len(self._starts)

    def part(self, start: int, end: int) -> str:
        """The characters [start, end)."""
        return self.text[start:end]

    def with_margins(self, start: int, end: int) -> tuple[int, int]:
        """The same characters with what is left of their first and last line, if that is blanks and commas and brackets
        of JSON, which nobody would cite.
        """
        margin = self.start_of(self.line_of(start))
        behind = _REST.match(self.text, end)
        return start if self.text[margin:start].strip() else margin, behind.end() if behind else end

    def line_of(self, offset: int) -> int:
        """The line that holds a character."""
        return bisect_right(self._starts, offset)

    def start_of(self, line: int) -> int:
        """The first character of a line; the end of the text for the line after the last."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.text)

    def line_text(self, line: int) -> str:
        """A line with its line break."""
        return self.text[self.start_of(line) : self.start_of(line + 1)]

    def offset_of(self, json_path: str) -> int | None:
        """Where the value of a JSON Pointer starts; `None` if there is none, or the file is not JSON."""
        return self._offset_of(json_path) if self.file_type == "json" else None

    def file(self, max_sections: int, resumed_at: int = 0) -> Span:
        """The whole file, or as many of its sections as allowed, counted from where it is read."""
        return Span(0, len(self.text)) if self.file_type == "json" else self._cut(0, max_sections, resumed_at)

    def section(self, line: int) -> Span:
        """The section that a line lies in, its descendants included."""
        section = self._sections[self._section_at(line)]
        return Span(self.start_of(section.start_line), self.start_of(section.end_line + 1))

    def own_section(self, line: int) -> Span:
        """The section that a line lies in, without its descendants; a JSON file is one."""
        if self.file_type == "json":
            return Span(0, len(self.text))
        section = self._sections[self._section_at(line)]
        return Span(self.start_of(section.start_line), self.start_of(section.own_end_line + 1))

    def enclosing(self, line: int) -> Iterator[tuple[Span, int]]:
        """The section of a line with its descendants, then the ones around it, the smaller first, and the whole file:
        each with how many sections lie in it.
        """
        at: int | None = self._section_at(line)
        while at is not None:
            section = self._sections[at]
            behind = bisect_right(self._section_starts, section.end_line)
            yield Span(self.start_of(section.start_line), self.start_of(section.end_line + 1)), behind - at
            at = section.parent
        yield Span(0, len(self.text)), len(self._sections)

    def sections(self, line: int, max_sections: int, resumed_at: int = 0) -> Span:
        """The section that a line lies in and the ones that follow it in the file, up to a number."""
        first = self._sections[self._section_at(line)]
        return self._cut(self.start_of(first.start_line), max_sections, resumed_at)

    def _cut(self, start: int, max_sections: int, resumed_at: int) -> Span:
        """From `start` to the end of so many sections, the first of which is read from `resumed_at` on."""
        behind = self._section_at(self.line_of(max(start, resumed_at))) + max_sections
        if behind >= len(self._sections):
            return Span(start, len(self.text))
        return Span(start, self.start_of(self._sections[behind].start_line), goes_on=True)

    def snippet(self, line: int, json_path: str | None, before: int, after: int, resumed_at: int = 0) -> Span:
        """The paragraph around a line, of a heading with the paragraph below it, in JSON the object or array around it;
        or the value of a JSON Pointer with what follows it in the same object or array, if it is neither itself. Wider
        by `before` and `after`. Of a long one a part, counted from where it is read.
        """
        start = None if json_path is None else self.offset_of(json_path)
        whole, end = self._paragraph(line, resumed_at) if start is None else self._value(start, resumed_at)
        end = min(end + after, len(self.text))
        return Span(max(whole.start - before, 0), end, goes_on=end < whole.end)

    def _value(self, start: int, resumed_at: int) -> tuple[Span, int]:
        """A JSON value with what follows it, and where the part of it ends that is read at once, no sooner than the
        value.
        """
        whole = Span(start, self._end_of(start))
        end = max(self._value_end_of(start), max(start, resumed_at) + _SNIPPET_CHARACTERS)
        return whole, min(whole.end, end)

    def _paragraph(self, line: int, resumed_at: int) -> tuple[Span, int]:
        """A paragraph, as far as it matters, and where the part that is read at once ends: at the end of a line."""
        if self.file_type == "json" and (block := self._block(line)):
            return block, block.end
        first = self._paragraph_from(line)
        below = self._below_heading(line) if first == line else line
        reach = max(self.start_of(first), resumed_at) + _SNIPPET_CHARACTERS
        whole = Span(self.start_of(first), self.start_of(self._paragraph_to(below, reach) + 1))
        if whole.end <= reach:
            return whole, whole.end
        end = self.start_of(self.line_of(reach))
        if end > max(self.start_of(below), resumed_at):
            return whole, end
        # Of a paragraph that is one long line, all; a line of JSON may be the whole file.
        return whole, reach if self.file_type == "json" else self.start_of(self.line_of(reach) + 1)

    def _block(self, line: int) -> Span | None:
        """The lines of the largest object or array of JSON around a line that a snippet has room for."""
        start, end = self.start_of(line), self.start_of(line + 1)
        if end - start > _SNIPPET_CHARACTERS:
            return None
        first = self.line_of(end - _SNIPPET_CHARACTERS - 1) + 1 if end > _SNIPPET_CHARACTERS else 1
        largest = None
        for begin, behind in json_text.blocks_in(self.text, self.start_of(first), start + _SNIPPET_CHARACTERS):
            block = self._lines_of(begin, behind)
            holds_line = block.start <= start and end <= block.end <= block.start + _SNIPPET_CHARACTERS
            # A list of few words on a line says less than what stands around that line.
            is_own = block.end - block.start > end - start or not self.part(start, begin).strip()
            if holds_line and is_own:
                largest = block
        return largest

    def record_around(self, line: int, most: int) -> Span | None:
        """The lines of the smallest object of JSON that a line is part of, if they have no more characters."""
        start, end = self.start_of(line), self.start_of(line + 1)
        first = self.start_of(self.line_of(max(end - most, 0)))
        for begin, behind in json_text.blocks_in(self.text, first, min(start + most, len(self.text))):
            if self.text[begin] == "{" and behind > start and begin < end:
                block = self._lines_of(begin, behind)
                return block if block.end - block.start <= most else None
        return None

    def _lines_of(self, begin: int, behind: int) -> Span:
        """The lines on which the characters [begin, behind) stand."""
        return Span(self.start_of(self.line_of(begin)), self.start_of(self.line_of(behind - 1) + 1))

    def _paragraph_from(self, line: int) -> int:
        """The first line of the paragraph that a line lies in, or that from which a snippet still reaches the line.

        JSON has no paragraphs: as much stands behind the line as before it.
        """
        room = _SNIPPET_CHARACTERS // 2 if self.file_type == "json" else _SNIPPET_CHARACTERS
        first, start, end = line, self.start_of(line), self.start_of(line + 1)
        while (
            first > 1
            and not self._is_blank(first - 1)
            and start - self.start_of(first - 1) <= room
            and end - self.start_of(first - 1) <= _SNIPPET_CHARACTERS
        ):
            first -= 1
        return first

    def _paragraph_to(self, line: int, reach: int) -> int:
        """The last line of the paragraph that a line lies in, as far as it begins within `reach`, or the one beyond."""
        last = line
        while last < self.lines and not self._is_blank(last + 1) and self.start_of(last + 1) <= reach:
            last += 1
        return last

    def _below_heading(self, line: int) -> int:
        """The first line of the paragraph below a heading that stands alone; the line itself if it is none."""
        if not self._is_heading(line) or (line < self.lines and not self._is_blank(line + 1)):
            return line
        below = next((n for n in range(line + 1, self.lines + 1) if not self._is_blank(n)), line)
        is_near = self.start_of(below + 1) - self.start_of(line) <= _SNIPPET_CHARACTERS
        return below if is_near and not self._is_heading(below) else line

    def _is_blank(self, line: int) -> bool:
        return not self.line_text(line).strip()

    def _is_heading(self, line: int) -> bool:
        """Whether it looks like one: to know it, the whole file would have to be parsed."""
        return self.file_type == "md" and self.line_text(line).startswith("#")

    def _section_at(self, line: int) -> int:
        return markdown.section_at(self._section_starts, line)

    @cached_property
    def _section_starts(self) -> list[int]:
        return [section.start_line for section in self._sections]

    @cached_property
    def _sections(self) -> list[markdown.Section]:
        return self._known or markdown.split_sections(unify_line_breaks(self.text))


def _line_starts(text: str) -> list[int]:
    starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]
    return starts[:-1] if len(starts) > 1 and starts[-1] == len(text) else starts
