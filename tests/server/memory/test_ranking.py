"""How claims that were found are ranked: what is pure of it."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.memory.claims import Claim
from morenashi.server.memory.ids import to_stored
from morenashi.server.memory.policy import Rerank, Retrieval
from morenashi.server.memory.ranking import Fit, Ranked, diversify, from_cosine, normalise_scores, rank

NOW = datetime(2026, 1, 2, tzinfo=UTC)
AT = to_stored(NOW)
CLAIM = Claim(
    number=0,
    id="clm_0",
    content_hash="",
    text="",
    kind="fact",
    scope="project",
    boundary_class="internal",
    source=None,
    said_at=AT,
    created_at=AT,
    updated_at=AT,
    utility=0.0,
    utility_at=AT,
    confidence=1.0,
    quality=1.0,
    quality_at=AT,
    stale_since=None,
    merged_into=None,
    replaced_by=None,
    replaced_at=None,
)


def ranked(*scores: float) -> list[Ranked]:
    return [Ranked(replace(CLAIM, number=number), score, {}, "") for number, score in enumerate(scores)]


def test_of_claims_that_all_differ_the_best_are_taken() -> None:
    found = ranked(0.9, 0.8, 0.3, 0.2)
    assert diversify(found, 2, lambda one, other: 0.0) == found[:2]
    assert diversify(found, 4, lambda one, other: 1.0) == found


def test_of_two_claims_that_say_the_same_the_better_one_is_taken() -> None:
    found = ranked(0.9, 0.85, 0.8, 0.2)
    both = {0, 1}
    chosen = diversify(found, 2, lambda one, other: float({one.number, other.number} == both))
    assert chosen == [found[0], found[2]]


def fitting(claim: Claim, text: float = 1.0) -> Fit:
    return Fit(claim, text, None, is_by_words=True, is_by_neighbours=False)


def test_the_score_is_the_seed_s_formula() -> None:
    useful, useless = replace(CLAIM, number=1, utility=1.0), replace(CLAIM, number=2, utility=0.0, confidence=0.5)
    one, other = rank([fitting(useless, 0.5), fitting(useful)], Retrieval(), NOW)
    assert (one.claim, other.claim) == (useful, useless)
    assert one.score == pytest.approx(0.6 + 0.4 / (1 + math.exp(-1)), abs=1e-4)
    assert other.score == pytest.approx(0.5 * (0.6 + 0.4 / (1 + math.exp(1))) * 0.75, abs=1e-4)


def test_where_quality_counts_half_of_the_score_is_its() -> None:
    retrieval = Retrieval(rerank=Rerank(use_quality=True))
    one, other = rank([fitting(replace(CLAIM, number=n, quality=n / 2)) for n in (1, 2)], retrieval, NOW)
    assert (one.claim.number, other.claim.number) == (2, 1)
    assert other.score / one.score == pytest.approx(0.75, abs=1e-3)


@pytest.mark.parametrize(("cosine", "score"), [(-1, 0), (0, 0.5), (0.5, 0.75), (1, 1), (1.000001, 1), (-1.000001, 0)])
def test_a_cosine_is_a_score_from_0_to_1(cosine: float, score: float) -> None:
    assert from_cosine(cosine) == score


@given(st.dictionaries(st.integers(0, 9), st.floats(0, 9), min_size=1))
def test_scores_are_stretched_from_the_least_to_the_most(scores: dict[int, float]) -> None:
    lowest, highest = min(scores.values()), max(scores.values())
    shares = normalise_scores(scores, lowest, highest)
    assert all(0 <= share <= 1 for share in shares.values())
    assert max(shares.values()) == 1.0
    assert all(share == 1.0 for number, share in shares.items() if scores[number] == highest)
    assert normalise_scores({0: 3.0}, 3.0, 3.0) == {0: 1.0}


def test_what_was_replaced_stands_behind_its_successor_also_where_neither_has_a_score() -> None:
    """As where all that fits better is listed; what holds again may be the older of the two."""
    new = replace(CLAIM, number=1, created_at=to_stored(NOW - timedelta(days=9)))
    old = replace(CLAIM, number=2, replaced_by=1, replaced_at=AT)
    for fits in ([fitting(old, 0.0), fitting(new, 0.0)], [fitting(old, 1.0), fitting(new, 0.0)]):
        assert [one.claim.number for one in rank(fits, Retrieval(), NOW)] == [1, 2]
