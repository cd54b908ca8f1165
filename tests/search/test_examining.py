"""Passages are read until there are candidates enough or time is over: each is examined, or left over, once."""

from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.deadline import Deadline
from morenashi.server.search import examining
from morenashi.server.search.examining import examine, in_reading_order
from morenashi.server.search.findings import Findings
from morenashi.server.search.index.passages import StoredPassage
from morenashi.server.search.index.postings import Index
from morenashi.server.search.matching import TermMatcher
from morenashi.server.search.question.terms import make_term

MATCHER = TermMatcher((make_term("鍵言葉", {}, {}),), 1)


def examined(held: Sequence[bool], max_candidates: int, room: int, deadline: Deadline | None = None) -> Findings:
    """What is found in passages that hold the term or not, two of each section."""

    def read(_: Any, ids: Sequence[int]) -> list[StoredPassage]:
        return [StoredPassage(n, 1, n // 2, n, n, "鍵言葉" if held[n] else "別の言葉") for n in ids]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(examining, "read_passages", read)
        ordered = range(len(held))
        return examine(cast(Index, None), ordered, MATCHER, max_candidates, room, deadline or Deadline(60_000))


@given(st.lists(st.booleans(), max_size=300), st.integers(1, 200), st.data())
def test_every_passage_is_examined_or_left_over(held: list[bool], most: int, data: st.DataObject) -> None:
    room = data.draw(st.integers(1, most))
    findings = examined(held, most, room)
    hits = [hit.passage.id for hit in findings.hits]
    read = set(range(len(held))) - set(findings.left)
    assert hits == [number for number, is_held in enumerate(held) if is_held and number in read]
    assert len(findings.left) == len(set(findings.left)) == findings.matches_left
    assert len({number // 2 for number in hits}) <= room
    assert bool(findings.left) == (findings.cut_by is not None)
    if findings.left:
        assert findings.cut_by == "candidate_cap" or len(held) > 2 * most


def test_without_time_the_first_passages_are_examined_and_the_others_left_over() -> None:
    deadline = Deadline(60_000)
    deadline.cancel()
    findings = examined([True] * 200, 200, 200, deadline)
    assert (findings.cut_by, findings.left) == ("time_budget", list(range(64, 200)))
    assert examined([True] * 64, 200, 200, deadline).cut_by is None


def test_of_very_many_passages_twice_as_many_as_candidates_are_read() -> None:
    assert examined([False] * 9_601, 192, 192).left == list(range(384, 9_601))
    assert examined([False] * 9_600, 192, 192).left == []
    assert examined([True, False] * 2_410, 96, 96).cut_by == "hard_limit"


@given(st.sets(st.integers(0, 400)), st.data(), st.integers(1, 50))
def test_what_weighs_most_is_read_first_and_the_rest_from_everywhere(
    matches: set[int], data: st.DataObject, most: int
) -> None:
    weighed = data.draw(st.sets(st.sampled_from(sorted(matches)))) if matches else set()
    shares = {passage: float(passage % 7) for passage in weighed}
    ordered = in_reading_order(sorted(matches), shares, most)
    assert sorted(ordered) == sorted(matches)
    first = [shares[passage] for passage in ordered[: len(shares)]]
    assert first == sorted(shares.values(), reverse=True)
    if not shares and len(matches) > 4 * most:
        assert max(ordered[: 2 * most]) >= sorted(matches)[len(matches) // 2]
