"""Part of a file as text: which characters a scope covers. Pure."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Literal

from morenashi.indexer import json_text, markdown
from morenashi.indexer.text import LINE_BREAK, unify_line_breaks

Scope = Literal["snippet", "section", "sections", "file"]

_SNIPPET_CHARACTERS = 1_200


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a text, and whether sections beyond a limit were left out."""

    start: int
    end: int
    sections_cut: bool = False


class FileText:
    """A decoded file with its lines. Offsets count code points, lines start at 1."""

    def __init__(self, text: str, file_type: str) -> None:
        self.text = text
        self.file_type = file_type
        self._starts = _line_starts(text)

    @cached_property
    def version(self) -> str:
        """Names the text."""
        return blake2b(self.text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    @property
    def lines(self) -> int:
        """How many lines an editor shows."""
        return len(self._starts)

    def part(self, start: int, end: int) -> str:
        """The characters [start, end)."""
        return self.text[start:end]

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
        return json_text.offset_of(self.text, json_path) if self.file_type == "json" else None

    def file(self, max_sections: int, resumed_at: int = 0) -> Span:
        """The whole file, or as many of its sections as allowed, counted from where it is read."""
        return Span(0, len(self.text)) if self.file_type == "json" else self._cut(0, max_sections, resumed_at)

    def section(self, line: int) -> Span:
        """The section that a line lies in, its descendants included."""
        section = self._section_at(line)
        return Span(self.start_of(section.start_line), self.start_of(section.end_line + 1))

    def sections(self, line: int, max_sections: int, resumed_at: int = 0) -> Span:
        """The section that a line lies in and the ones that follow it in the file, up to a number."""
        return self._cut(self.start_of(self._section_at(line).start_line), max_sections, resumed_at)

    def _cut(self, start: int, max_sections: int, resumed_at: int) -> Span:
        """From `start` to the end of so many sections, the first of which is read from `resumed_at` on."""
        first = self._section_at(self.line_of(max(start, resumed_at)))
        following = [section for section in self._sections if section.start_line >= first.start_line]
        if len(following) <= max_sections:
            return Span(start, len(self.text))
        return Span(start, self.start_of(following[max_sections].start_line), sections_cut=True)

    def snippet(self, line: int, json_path: str | None, before: int, after: int) -> Span:
        """The paragraph around a line, of a heading with the paragraph below it, or a JSON value with what follows it
        in the same object or array, if it is neither itself; wider by `before` and `after`.
        """
        if json_path is not None and (start := self.offset_of(json_path)) is not None:
            end = json_text.end_of(self.text, start)
            return self._widen(Span(start, min(end, start + _SNIPPET_CHARACTERS)), before, after)
        first = last = line
        while first > 1 and not self._is_blank(first - 1) and self._length(first - 1, last) <= _SNIPPET_CHARACTERS:
            first -= 1
        last = self._paragraph_to(first, last)
        if first == last and self._is_heading(line):
            below = next((n for n in range(line + 1, self.lines + 1) if not self._is_blank(n)), line)
            if not self._is_heading(below) and self._length(first, below) <= _SNIPPET_CHARACTERS:
                last = self._paragraph_to(first, below)
        return self._widen(Span(self.start_of(first), self.start_of(last + 1)), before, after)

    def _paragraph_to(self, first: int, last: int) -> int:
        """The last line of the paragraph that `last` lies in, or that which a snippet from `first` on may reach."""
        while (
            last < self.lines and not self._is_blank(last + 1) and self._length(first, last + 1) <= _SNIPPET_CHARACTERS
        ):
            last += 1
        return last

    def _is_blank(self, line: int) -> bool:
        return not self.line_text(line).strip()

    def _is_heading(self, line: int) -> bool:
        """Whether it looks like one: to know it, the whole file would have to be parsed."""
        return self.file_type == "md" and self.line_text(line).startswith("#")

    def _length(self, first: int, last: int) -> int:
        return self.start_of(last + 1) - self.start_of(first)

    def _widen(self, span: Span, before: int, after: int) -> Span:
        return Span(max(span.start - before, 0), min(span.end + after, len(self.text)))

    def _section_at(self, line: int) -> markdown.Section:
        sections = self._sections
        position = bisect_right([section.start_line for section in sections], line)
        return sections[max(position - 1, 0)]

    @cached_property
    def _sections(self) -> list[markdown.Section]:
        return markdown.split_sections(unify_line_breaks(self.text))


def _line_starts(text: str) -> list[int]:
    starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]
    return starts[:-1] if len(starts) > 1 and starts[-1] == len(text) else starts
