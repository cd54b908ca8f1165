"""Sets of lines as ranges: (first, last), 1-based and inclusive. Pure."""

from collections.abc import Iterable

Range = tuple[int, int]


def merge(ranges: Iterable[Range]) -> list[Range]:
    """The same lines as few ranges, in order: those that overlap or touch become one."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged


def subtract(ranges: Iterable[Range], others: Iterable[Range]) -> list[Range]:
    """The lines of `ranges` that are in none of `others`."""
    left: list[Range] = []
    away = merge(others)
    position = 0
    for first, last in merge(ranges):
        while position < len(away) and away[position][1] < first:
            position += 1
        # The last of those that begin here may reach into the next range: it is looked at again.
        at = position
        while at < len(away) and away[at][0] <= last:
            other_first, other_last = away[at]
            if other_first > first:
                left.append((first, other_first - 1))
            first = other_last + 1
            at += 1
        if first <= last:
            left.append((first, last))
    return left


def count_lines(ranges: Iterable[Range]) -> int:
    """How many lines merged ranges hold."""
    return sum(last - first + 1 for first, last in ranges)
