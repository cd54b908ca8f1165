"""How good an order of answers is. Pure."""

from collections.abc import Iterable, Sequence

DEPTH = 10
"""Answers that are looked at."""

Rank = int | None
"""1 is the best; `None`: not among the first ten."""


def rank_of(relevant: Iterable[bool]) -> Rank:
    """The rank of the first relevant answer."""
    for rank, is_relevant in enumerate(relevant, 1):
        if rank > DEPTH:
            return None
        if is_relevant:
            return rank
    return None


def mean_reciprocal_rank(ranks: Sequence[Rank]) -> float:
    """MRR@10, 0..1."""
    return sum(1 / rank for rank in ranks if rank) / max(len(ranks), 1)


def recall(ranks: Sequence[Rank]) -> float:
    """recall@10, 0..1: the share of questions with a relevant answer among the first ten."""
    return sum(rank is not None for rank in ranks) / max(len(ranks), 1)
