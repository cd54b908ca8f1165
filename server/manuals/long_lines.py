"""What is given of a line: all of it, or of one that is too long the parts around all that matches. Pure.

A JSON file without line breaks is one line, and so is many a paragraph: one place of it would not be all that it says.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from morenashi.indexer.json_text import raw_columns, unescape
from morenashi.indexer.text import normalise, original_columns
from morenashi.server.reading import FileText, Span
from morenashi.server.search.question.near import begins_of

_MOST_AROUND = 1_250


class _Match(NamedTuple):
    """Where in a file a term begins."""

    offset: int
    term: str


def parts_of_line(
    file: FileText, number: int, terms: Iterable[str], best: int | None, most: int
) -> Iterator[tuple[int, int]]:
    """The characters [start, end) of a line that are given, `most` at a time: those around its `best` match first, if
    that is known, then those with most of the terms. Around its beginning, if none is found as it is normalised.
    """
    line = Span(file.start_of(number), file.start_of(number + 1))
    if line.end - line.start <= most:
        yield line.start, line.end
        return
    size = min(most, _MOST_AROUND)
    groups = list(_groups(_matches(file, number, terms), size // 2))
    given = line.start, line.start
    if best is not None or not groups:
        given = _around(line, best or line.start, best or line.start, size)
        yield given
    for group in sorted(groups, key=lambda group: -len({match.term for match in group})):
        first, last = group[0].offset, group[-1].offset
        if not given[0] <= first <= last < given[1]:
            yield _around(line, first, last, size)


def _matches(file: FileText, number: int, terms: Iterable[str]) -> list[_Match]:
    """Where the terms begin in a line, in order."""
    written = file.line_text(number).rstrip("\r\n")
    readable = unescape(written) if file.file_type == "json" else written
    normal = normalise(readable)
    begins = sorted((column, term) for term in terms for column in begins_of(term, normal))
    columns = original_columns(readable, [column for column, _ in begins])
    if readable is not written:
        columns = raw_columns(written, columns)
    start = file.start_of(number)
    return [_Match(start + column, term) for column, (_, term) in zip(columns, begins, strict=True)]


def _groups(matches: Sequence[_Match], furthest: int) -> Iterator[list[_Match]]:
    """Matches that stand near the first of them."""
    group: list[_Match] = []
    for match in matches:
        if group and match.offset - group[0].offset > furthest:
            yield group
            group = []
        group.append(match)
    if group:
        yield group


def _around(line: Span, first: int, last: int, size: int) -> tuple[int, int]:
    """So much of a line, with these offsets in its middle."""
    start = max(min((first + last - size) // 2, line.end - size), line.start)
    return start, start + size
