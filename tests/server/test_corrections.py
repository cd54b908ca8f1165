"""Citations that were corrected as it was told, told from those that are as they were."""

from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.delivery.corrections import find_corrected
from morenashi.server.ranges import Range

DOWN_BY_ONE = {(n, n): (n + 1, n + 1) for n in range(1, 5)}


def corrected(*lines: int) -> list[int]:
    """Which of these lines, cited one by one, are corrections, where 1 to 4 moved down by one."""
    return sorted(line for line, _ in find_corrected(DOWN_BY_ONE, {(n, n): (n, n) for n in lines}))


def test_all_that_are_corrected_are_known_for_it() -> None:
    assert corrected(2, 3, 4, 5) == [2, 3, 4]


def test_nothing_is_corrected_where_nothing_changed() -> None:
    assert corrected(1, 2, 3, 4) == []


def test_the_first_alone_may_be_as_the_second_was() -> None:
    assert corrected(2, 3, 4) == []


def test_what_hangs_together_up_to_a_new_place_is_corrected() -> None:
    assert corrected(1, 2, 3, 5) == []
    assert corrected(1, 2, 4, 5) == [4]


def test_two_that_changed_places_look_as_before() -> None:
    swapped: dict[Range, Range] = {(1, 2): (3, 4), (3, 4): (1, 2)}
    assert find_corrected(swapped, {span: span for span in swapped}) == set()


def test_an_old_place_that_is_cited_still_has_not_passed_its_lines_on() -> None:
    told: dict[Range, Range] = {(1, 1): (3, 3), (2, 2): (3, 3), (3, 3): (5, 5)}
    cited: list[Range] = [(2, 2), (3, 3), (5, 5)]
    assert find_corrected(told, {span: span for span in cited}) == set()


def test_a_way_that_leads_round_comes_to_an_end() -> None:
    told: dict[Range, Range] = {(9, 9): (1, 1), (1, 1): (2, 2), (2, 2): (1, 1)}
    assert find_corrected(told, {(1, 1): (1, 1), (2, 2): (2, 2)}) == set()


def test_blank_lines_at_the_edges_of_a_corrected_range_make_no_difference() -> None:
    told: dict[Range, Range] = {(1, 3): (4, 5), (4, 6): (7, 8)}
    assert find_corrected(told, {(4, 5): (4, 6), (7, 8): (7, 9)}) == {(4, 6)}


@given(st.sets(st.integers(1, 20), min_size=1), st.integers(1, 5))
def test_who_corrects_all_is_not_told_again(lines: set[int], by: int) -> None:
    told: dict[Range, Range] = {(n, n): (n + by, n + by) for n in lines}
    now = {span: span for span in told.values()}
    assert find_corrected(told, now) == told.keys() & now.keys()
