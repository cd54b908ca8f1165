"""The record of what was delivered, against the characters that were."""

import itertools
import sqlite3
from collections.abc import Callable

from hypothesis import example, given
from hypothesis import strategies as st

from morenashi.server.clients import Client, acting_for
from morenashi.server.delivery.delivered import Deliveries, describe_delivery
from morenashi.server.manuals.new_places import new_places
from morenashi.server.ranges import Range
from morenashi.server.reading import FileText

TEXT = "一行目\n\n三行目は少し長い\r\n四\r五行目\n終わり"
Parts = list[tuple[int, int]]


def nowhere(_: Callable[[sqlite3.Connection], None]) -> None:
    """Nobody commits."""


def deliver(parts: Parts) -> Deliveries:
    file, deliveries = FileText(TEXT, "md"), Deliveries(nowhere)
    for start, end in parts:
        deliveries.record(describe_delivery("vault", "a.md", file, start, end, file.version))
    return deliveries


def whole_lines(characters: set[int]) -> set[int]:
    """The lines all of whose characters are among these."""
    file = FileText(TEXT, "md")
    return {
        line
        for line in range(1, file.lines + 1)
        if characters.issuperset(range(file.start_of(line), file.start_of(line + 1)))
    }


def as_set(ranges: list[Range]) -> set[int]:
    return {line for first, last in ranges for line in range(first, last + 1)}


OFFSETS = st.integers(0, len(TEXT))
PARTS = st.lists(st.tuples(OFFSETS, OFFSETS).map(lambda part: (min(part), max(part))), max_size=6)


@example([(7, 14), (5, 7)])
@example([(9, 14), (0, 6), (6, 9)])
@given(PARTS)
def test_those_lines_count_that_were_delivered_to_the_end_in_whatever_order(parts: Parts) -> None:
    characters = {offset for start, end in parts for offset in range(start, end)}
    found = deliver(parts).find("vault", "a.md")
    assert as_set(found.lines) == whole_lines(characters)
    assert deliver(parts).find("vault", "a.md", FileText(TEXT, "md").digests).lines == found.lines


@given(st.lists(OFFSETS, max_size=6), OFFSETS)
def test_chunks_that_follow_each_other_deliver_every_line_they_hold(cuts: list[int], start: int) -> None:
    places = sorted({start, *cuts, len(TEXT)})
    places = places[places.index(start) :]
    parts = list(itertools.pairwise(places))
    characters = set(range(start, len(TEXT)))
    assert as_set(deliver(parts).find("vault", "a.md").lines) == whole_lines(characters)


@example([(6, 8)], 0, len(TEXT))
@example([(6, 15)], 0, len(TEXT))
@example([(6, 20)], 0, len(TEXT))
@example([(6, 15), (5, 6)], 0, len(TEXT))
@given(PARTS, OFFSETS, OFFSETS)
def test_what_is_new_are_the_characters_that_were_not_delivered(parts: Parts, one: int, other: int) -> None:
    file, (start, end) = FileText(TEXT, "md"), sorted((one, other))
    had = deliver(parts).find("vault", "a.md", file.digests, file.version)
    delivered = {offset for first, behind in parts for offset in range(first, behind)}
    new = {offset for place in new_places(file, [(start, end)], had) for offset in range(*place)}
    missing = set(range(start, end)) - delivered
    assert new <= missing
    assert all(not TEXT[offset].strip() for offset in missing - new)


def test_of_a_file_that_has_changed_no_part_of_a_line_was_delivered() -> None:
    file, changed = FileText(TEXT, "md"), FileText(TEXT.replace("終わり", "別の文"), "md")
    deliveries = deliver([(0, 5), (7, 9), (len(TEXT) - 3, len(TEXT) - 1)])
    assert new_places(file, [(5, 9)], deliveries.find("vault", "a.md", file.digests, file.version)) == [(5, 7)]
    assert deliveries.find("vault", "a.md").begun(6) == 2
    for version in (changed.version, None):
        found = deliveries.find("vault", "a.md", changed.digests, version)
        assert new_places(changed, [(5, 9)], found) == [(5, 9)]
    deliveries.record(describe_delivery("vault", "a.md", changed, 5, 7, changed.version))
    found = deliveries.find("vault", "a.md", changed.digests, changed.version)
    assert new_places(changed, [(5, 9)], found) == [(7, 9)]


def test_what_begins_a_line_is_forgotten_once_a_line_that_was_delivered_says_something_else() -> None:
    deliveries, changed = deliver([(0, 5), (5, 7)]), FileText(TEXT.replace("一行目", "別の行"), "md")
    assert deliveries.find("vault", "a.md", FileText(TEXT, "md").digests).begun(3) == 2
    assert deliveries.find("vault", "a.md", changed.digests).begun(3) == 0


def test_the_latest_step_is_told_by_its_new_lines_and_its_tokens() -> None:
    found = deliver([(0, 5), (0, 14)]).find("vault", "a.md")
    assert (found.lines, found.latest_lines, found.latest_tokens) == ([(1, 2)], [], 4)
    found = deliver([(0, 5), (5, len(TEXT))]).find("vault", "a.md")
    assert (found.lines, found.latest_lines) == ([(1, 6)], [(3, 6)])


def test_sessions_and_files_are_apart() -> None:
    deliveries = deliver([(0, len(TEXT))])
    with acting_for(Client("another")):
        assert deliveries.find("vault", "a.md").lines == []
    assert deliveries.find("manual", "a.md").lines == []
    assert deliveries.find("vault", "a.md").lines == [(1, 6)]
