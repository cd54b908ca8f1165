"""From how well claims fit a question to their order: r, S and g. Pure.

`S = alpha * S_vec + (1 - alpha) * S_text`, without a vector side `S_text`; `score = S * g`, where
`g = (0.6 + 0.4 * sigmoid(utility_z)) * (0.5 + 0.5 * confidence) * (0.3 + 0.7 * recency)`, times
`(0.5 + 0.5 * quality)` where the policy says so. All in 0..1. The order is by score, then the newer first.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import fmean, pstdev
from typing import TypeVar

from .claims import Claim
from .ids import from_stored
from .policy import Retrieval

THRESHOLD = 0.15
"""Below it, nothing becomes part of an active context."""

DIVERSITY_LAMBDA = 0.85
UTILITY_HALF_LIFE_DAYS, QUALITY_HALF_LIFE_DAYS = 30.0, 120.0

# A spread below one step of feedback is no difference: without it the crumbs of old votes would decide.
_LEAST_SPREAD = 0.1
_DAY_SECONDS = 86_400
_DIGITS = 4
_LEAST_STEP = 0.0001
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a claim fits the question; `text` and `vector` in 0..1, `None` where that side did not find it.

    What has its `text` from neighbours alone is not `is_by_words`.
    """

    claim: Claim
    text: float | None
    vector: float | None
    is_by_words: bool
    is_by_neighbours: bool


@dataclass(frozen=True, slots=True)
class Ranked:
    """A claim with its score and what that is made of, in the words of the seed (002, definitions.scoring)."""

    claim: Claim
    score: float
    parts: Mapping[str, float]
    reason: str


def normalise_scores(scores: Mapping[K, float], lowest: float, highest: float) -> dict[K, float]:
    """Min-max to 0..1; `lowest` is the least of the candidates, or 0 where everything that fits at all is one, and
    `highest` the most of what the caller may see.
    """
    spread = highest - lowest
    return {key: 1.0 if spread <= 0 else max(score - lowest, 0.0) / spread for key, score in scores.items()}


def from_cosine(cosine: float) -> float:
    """-1..1 to 0..1."""
    return min(max((cosine + 1) / 2, 0.0), 1.0)


def _decayed(value: float, since: str, now: datetime, half_life_days: float) -> float:
    """What is left of a value that halves in so many days."""
    return value * math.exp(-math.log(2) * _age_days(since, now) / half_life_days)


def rank(fits: Sequence[Fit], retrieval: Retrieval, now: datetime) -> list[Ranked]:
    """All that fit, the best first."""
    has_vectors = any(fit.vector is not None for fit in fits)
    utilities = [utility_now(fit.claim, now) for fit in fits]
    mean = fmean(utilities) if utilities else 0.0
    spread = max(pstdev(utilities) if utilities else 0.0, _LEAST_SPREAD)
    ranked = []
    for fit, utility in zip(fits, utilities, strict=True):
        parts = _parts(fit, retrieval, now, utility_z=(utility - mean) / spread, has_vectors=has_vectors)
        ranked.append(Ranked(fit.claim, round(parts["combined"] * parts["g"], _DIGITS), parts, _reason(fit)))
    scores = {one.claim.number: one.score for one in ranked}
    ranked = _replaced_behind(ranked, scores)
    ranked.sort(key=lambda one: one.claim.created_at, reverse=True)
    # Where neither has a score, that is all that tells them apart.
    ranked.sort(key=lambda one: one.claim.replaced_by in scores)
    ranked.sort(key=lambda one: one.score, reverse=True)
    return ranked


def _replaced_behind(ranked: Sequence[Ranked], scores: dict[int, float]) -> list[Ranked]:
    """The same, with no claim of a greater score than the one that came in its place."""
    return [
        replace(one, score=min(one.score, max(scores[one.claim.replaced_by] - _LEAST_STEP, 0.0)))
        if one.claim.replaced_by in scores
        else one
        for one in ranked
    ]


def utility_now(claim: Claim, now: datetime) -> float:
    """A claim's utility after its decay."""
    return _decayed(claim.utility, claim.utility_at, now, UTILITY_HALF_LIFE_DAYS)


def diversify(ranked: Sequence[Ranked], count: int, similarity: Callable[[Claim, Claim], float]) -> list[Ranked]:
    """So many of them by maximal marginal relevance (Carbonell and Goldstein, 1998), the best first again."""
    if len(ranked) <= count:
        return list(ranked)
    left, chosen = list(ranked), list[Ranked]()
    nearest: dict[int, float] = {}
    while left and len(chosen) < count:
        best = max(left, key=lambda one: _marginal(one, nearest.get(one.claim.number, 0.0)))
        left.remove(best)
        chosen.append(best)
        for one in left:
            near = similarity(one.claim, best.claim)
            nearest[one.claim.number] = max(near, nearest.get(one.claim.number, 0.0))
    positions = {one.claim.number: position for position, one in enumerate(ranked)}
    return sorted(chosen, key=lambda one: positions[one.claim.number])


def _marginal(one: Ranked, nearest: float) -> float:
    return DIVERSITY_LAMBDA * one.score - (1 - DIVERSITY_LAMBDA) * nearest


def _parts(fit: Fit, retrieval: Retrieval, now: datetime, *, utility_z: float, has_vectors: bool) -> dict[str, float]:
    alpha = retrieval.hybrid.alpha if has_vectors else 0.0
    claim, use_quality = fit.claim, retrieval.rerank.use_quality
    half_life = getattr(retrieval.rerank.recency.half_life_days_by_kind, claim.kind)
    parts = {
        "text": fit.text or 0.0,
        "combined": alpha * (fit.vector or 0.0) + (1 - alpha) * (fit.text or 0.0),
        "utility": 1 / (1 + math.exp(-utility_z)),
        "confidence": claim.confidence,
        "recency": _decayed(1.0, claim.updated_at, now, half_life),
    }
    if has_vectors:
        parts["vector"] = fit.vector or 0.0
    if use_quality:
        parts["quality"] = _decayed(claim.quality, claim.quality_at, now, QUALITY_HALF_LIFE_DAYS)
    parts = {name: min(max(part, 0.0), 1.0) for name, part in parts.items()}
    g = (0.6 + 0.4 * parts["utility"]) * (0.5 + 0.5 * parts["confidence"]) * (0.3 + 0.7 * parts["recency"])
    g *= 0.5 + 0.5 * parts["quality"] if use_quality else 1.0
    return {name: round(part, _DIGITS) for name, part in (parts | {"g": g}).items()}


def _reason(fit: Fit) -> str:
    ways = {"words": fit.is_by_words, "meaning": fit.vector is not None, "neighbours": fit.is_by_neighbours}
    return ", ".join(name for name, is_one in ways.items() if is_one)


def _age_days(since: str, now: datetime) -> float:
    return max((now - from_stored(since)).total_seconds(), 0.0) / _DAY_SECONDS
