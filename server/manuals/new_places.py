"""What of a file its reader has not had. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from operator import itemgetter

from morenashi.server.delivery.delivered import Delivered
from morenashi.server.ranges import Range, subtract
from morenashi.server.reading import FileText


def new_places(file: FileText, places: Iterable[tuple[int, int]], had: Delivered) -> list[tuple[int, int]]:
    """The characters [start, end) of these places that were in no answer, as far as they are not blank."""
    return [
        (first, last + 1)
        for start, end in places
        for first, last in subtract([(start, end - 1)], _had_among(file, start, end, had))
        if file.part(first, last + 1).strip()
    ]


def _had_among(file: FileText, start: int, end: int, had: Delivered) -> Iterator[Range]:
    """What was delivered of the lines in which a place lies, as characters of the file, the last one counted in."""
    first, last = file.line_of(start), file.line_of(max(end - 1, start))
    begin = bisect_left(had.lines, first, key=itemgetter(1))
    behind = bisect_right(had.lines, last, key=itemgetter(0))
    yield from ((file.start_of(a), file.start_of(b + 1) - 1) for a, b in had.lines[begin:behind])
    for line in range(first, last + 1) if had.same_parts else ():
        line_start, line_end = file.start_of(line), file.start_of(line + 1)
        yield from (
            (line_start + a, min(line_start + b, line_end - 1))
            for a, b in had.same_parts.get(line, ())
            if line_start + a < line_end
        )
