"""What of a file its reader has had, and what not."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from operator import itemgetter

from morenashi.server.delivery.delivered import Delivered, Deliveries, Root
from morenashi.server.ranges import Range, subtract
from morenashi.server.reading import FileText


def had_of(deliveries: Deliveries, root: Root, path: str, file: FileText) -> Delivered:
    """What the client has had of a file, by its path below the root, as it stands now."""
    had = deliveries.find(root, path)
    if not (had.lines or had.parts):
        return had
    return deliveries.find(root, path, file.digests, file.version if had.parts else None)


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
