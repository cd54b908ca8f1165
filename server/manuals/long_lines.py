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
    """Where in a file a term begins and ends."""

    begin: int
    end: int
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
        begin, end = group[0].begin, max(match.end for match in group)
        if not given[0] <= begin <= end <= given[1]:
            yield _around(line, begin, end, size)


def _matches(file: FileText, number: int, terms: Iterable[str]) -> list[_Match]:
    """Where the terms stand in a line, in order."""
    written = file.line_text(number).rstrip("\r\n")
    readable = unescape(written) if file.file_type == "json" else written
    normal = normalise(readable)
    found = sorted((column, column + len(term), term) for term in terms for column in begins_of(term, normal))
    wanted = sorted({column for begin, end, _ in found for column in (begin, end)})
    columns = original_columns(readable, wanted)
    if readable is not written:
        columns = raw_columns(written, columns)
    offset_of = {one: file.start_of(number) + other for one, other in zip(wanted, columns, strict=True)}
    return [_Match(offset_of[begin], offset_of[end], term) for begin, end, term in found]


def _groups(matches: Sequence[_Match], furthest: int) -> Iterator[list[_Match]]:
    """Matches that stand near the first of them."""
    group: list[_Match] = []
    for match in matches:
        if group and match.begin - group[0].begin > furthest:
            yield group
            group = []
        group.append(match)
    if group:
        yield group


def _around(line: Span, begin: int, end: int, size: int) -> tuple[int, int]:
    """So much of a line, with what stands between these offsets in its middle, or the beginning of that."""
    start = max(min((begin + end - size) // 2, begin, line.end - size), line.start)
    return start, start + size
