"""What is given of a line: all of it, or of one that is too long the parts around all that matches. Pure.

A JSON file without line breaks is one line, and so is many a paragraph: one place of it would not be all that it says.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from morenashi.indexer import json_text
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
    records = _Records(file, line, size)
    groups = list(_groups(matches_in(file, line.start, line.end, terms), size // 2, records))
    given = line.start, line.start
    if best is not None or not groups:
        at = best or line.start
        given = records.around(at, at) or _around(line, at, at, size)
        yield given
    for group in sorted(groups, key=lambda group: -len({match.term for match in group})):
        begin, end = group[0].begin, max(match.end for match in group)
        record = records.around(begin, end)
        first, last = record or (begin, end)
        if not given[0] <= first <= last <= given[1]:
            yield record or _around(line, begin, end, size)


class _Records:
    """The objects and arrays on a line of JSON, each as large as is given whole: what stands beside it was not asked
    for. One that is longer than `size` is better given whole than cut, up to twice that.
    """

    def __init__(self, file: FileText, line: Span, size: int) -> None:
        self._records: list[tuple[int, int]] = []
        self._longer: list[tuple[int, int]] = []
        blocks = json_text.blocks_in(file.text, line.start, line.end) if file.file_type == "json" else ()
        for start, end in blocks:
            if end - start <= size:
                while self._records and self._records[-1][0] > start:
                    self._records.pop()
                self._records.append((start, end))
            elif end - start <= 2 * size and not (self._longer and self._longer[-1][0] > start):
                self._longer.append((start, end))

    def around(self, begin: int, end: int) -> tuple[int, int] | None:
        """The one that holds these characters, if there is one."""
        for records in (self._records, self._longer):
            at = bisect_right(records, begin, key=itemgetter(0)) - 1
            if at >= 0 and max(begin + 1, end) <= records[at][1]:
                return records[at]
        return None


def _groups(matches: Sequence[Match], furthest: int, records: _Records) -> Iterator[list[Match]]:
    """Matches that stand near the first of them, in the same record if that is in one."""
    group: list[Match] = []
    record = None
    for match in matches:
        own = records.around(match.begin, match.end)
        if group and (match.begin - group[0].begin > furthest or own != record):
            yield group
            group = []
        group.append(match)
        record = own
    if group:
        yield group


def _around(line: Span, begin: int, end: int, size: int) -> tuple[int, int]:
    """So much of a line, with what stands between these offsets in its middle, or the beginning of that."""
    start = max(min((begin + end - size) // 2, begin, line.end - size), line.start)
    return start, start + size
