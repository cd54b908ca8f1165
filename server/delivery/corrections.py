"""Citations that were corrected when their lines had moved. Pure.

A citation is known by its range. Where 1-4 moved to 5-8 and 5-8 to 9-12, who corrects both cites 5-8 again: for other
lines than those that moved from there.
"""

from collections.abc import Iterable, Mapping

from morenashi.server.ranges import Range

from .citations import CitedFile


def corrected_ranges(file: CitedFile, moved: Mapping[Range, Range], spans: Iterable[Range]) -> set[Range]:
    """Those of the cited ranges of a file that are cited for what has moved there."""
    if not moved:
        return set()
    return find_corrected(moved, {file.written_lines(span): span for span in spans if span[0] <= span[1] <= file.total})


def find_corrected(told: Mapping[Range, Range], cited: Mapping[Range, Range]) -> set[Range]:
    """The ranges that are cited now for what has moved there, though what they were cited for has moved away.

    An old place that is cited still is not corrected, nor is another one then whose lines moved to the same place.
    `told` says where the lines of each range have moved to, `cited` has the ranges of now by their lines without blank
    ones at the edges. A range counts if all are that hang together with it: from one that is cited no more, each moved
    to the next, to one that is no old place itself. Otherwise it may be as it was.
    """
    still = {told[span] for span in cited.values() if span in told}
    heads = (head for head in told.keys() - set(cited.values()) if told[head] not in still)
    return {span for head in heads for span in _passed_from(head, told, cited)}


def _passed_from(head: Range, told: Mapping[Range, Range], cited: Mapping[Range, Range]) -> list[Range]:
    """The old places on the way from one to a new place, each moved to the next; none if it leads to no new place."""
    passed: list[Range] = []
    place = cited.get(told[head])
    while place is not None and place in told and len(passed) < len(told):
        passed.append(place)
        place = cited.get(told[place])
    return [] if place is None or place in told else passed
