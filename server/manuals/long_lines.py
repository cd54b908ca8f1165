"""What is given of a line: all of it, or of one that is too long the parts around all that matches. Pure.

A JSON file without line breaks is one line, and so is many a paragraph: one place of it would not be all that it says.
"""

from collections.abc import Iterable, Iterator, Sequence

from morenashi.server.reading import FileText, Span

from .matches import Match, matches_in

_MOST_AROUND = 1_250


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
    groups = list(_groups(matches_in(file, line.start, line.end, terms), size // 2))
    given = line.start, line.start
    if best is not None or not groups:
        given = _around(line, best or line.start, best or line.start, size)
        yield given
    for group in sorted(groups, key=lambda group: -len({match.term for match in group})):
        begin, end = group[0].begin, max(match.end for match in group)
        if not given[0] <= begin <= end <= given[1]:
            yield _around(line, begin, end, size)


def _groups(matches: Sequence[Match], furthest: int) -> Iterator[list[Match]]:
    """Matches that stand near the first of them."""
    group: list[Match] = []
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
