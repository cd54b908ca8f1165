"""Ranges of lines, against sets of lines."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.ranges import Range, count_lines, merge, subtract

from ..limited_work import RunWithin

SPANS = st.tuples(st.integers(1, 30), st.integers(0, 6)).map(lambda span: (span[0], span[0] + span[1]))
RANGES = st.lists(SPANS, max_size=8)


def as_set(ranges: list[Range]) -> set[int]:
    return {line for first, last in ranges for line in range(first, last + 1)}


@given(RANGES)
def test_merged_ranges_hold_the_same_lines_and_never_touch(ranges: list[Range]) -> None:
    merged = merge(ranges)
    assert as_set(merged) == as_set(ranges)
    assert all(before[1] + 1 < after[0] for before, after in itertools.pairwise(merged))
    assert count_lines(merged) == len(as_set(ranges))


@given(RANGES, RANGES)
def test_ranges_are_sets_of_lines(ranges: list[Range], others: list[Range]) -> None:
    assert as_set(subtract(ranges, others)) == as_set(ranges) - as_set(others)


def test_very_many_ranges_are_taken_away_in_linear_work(run_within: RunWithin) -> None:
    run_within(
        10,
        "from morenashi.server.ranges import subtract\n"
        "lines = range(1, 600_000, 3)\n"
        "assert len(subtract([(n, n) for n in lines], [(n + 1, n + 1) for n in lines])) == len(lines)",
    )
