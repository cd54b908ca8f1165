"""Which sections stay under the candidate cap: as many as it lets, of each kind its share, in their order."""

from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.search.ranking.candidates import Candidate, Ranked
from morenashi.server.search.ranking.cap import cap


def ranked(referred: dict[int, float], count: int) -> list[Ranked]:
    """Sections by their numbers, the best first."""
    return [
        Ranked(n, Candidate("m", f"{n}.md", "md", 1, 1, 0, (), 1 - n / 100, {}), referred.get(n, 0.0), {})
        for n in range(count)
    ]


def kept(referred: dict[int, float], count: int, hits: set[int], most: int, first: set[int]) -> list[int]:
    return [section.section_id for section in cap(ranked(referred, count), hits, most, first).kept]


def test_what_is_to_come_first_leaves_a_tenth_to_all_others() -> None:
    assert kept({}, 40, set(range(40)), 20, set(range(20, 40))) == [0, 1, *range(20, 38)]


def test_a_quarter_is_what_the_best_refer_to_and_a_hit_comes_before_what_has_none() -> None:
    referred = {n: n / 100 for n in range(30, 40)}
    assert kept(referred, 40, set(range(10, 40)), 20, set()) == [*range(10, 25), *range(35, 40)]
    assert kept({}, 40, set(range(10, 25)), 20, set()) == [*range(5), *range(10, 25)]


@given(
    st.dictionaries(st.integers(0, 39), st.floats(0, 1)),
    st.sets(st.integers(0, 39)),
    st.integers(1, 50),
    st.sets(st.integers(0, 39)),
)
def test_as_many_stay_as_may_and_each_section_stays_or_is_dropped(
    referred: dict[int, float], hits: set[int], most: int, first: set[int]
) -> None:
    sections = ranked(referred, 40)
    capped = cap(sections, hits, most, first)
    assert len(capped.kept) == min(most, 40)
    assert sorted(capped.kept + capped.dropped, key=sections.index) == sections
    assert [s for s in sections if s in capped.kept] == capped.kept
