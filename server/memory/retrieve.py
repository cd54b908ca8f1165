"""r of the seed: the claims of a view that fit a question, ranked (seed 002 §2.1, §2.2)."""

import sqlite3
from collections.abc import Callable
from datetime import datetime

from .candidates import POSTINGS, Found, Show, as_shown, find_by_words
from .policy import Policy
from .question import Synonyms
from .ranking import Fit, Ranked, from_cosine, normalise_scores, rank
from .visible import View, read_visible

NearestVectors = Callable[[sqlite3.Connection, View, int], dict[int, float]]
"""The cosines of the visible claims nearest to the question, at most so many, by number."""


def retrieve(
    connection: sqlite3.Connection,
    view: View,
    question: str,
    synonyms: Synonyms,
    policy: Policy,
    now: datetime,
    nearest: NearestVectors | None,
    show: Show,
) -> tuple[list[Ranked], bool]:
    """All candidates as they are shown, the best first; and whether there may be some that are stale, and left out by
    the view. Without a model `nearest` is `None`, and `S` is `S_text`.
    """
    hybrid = policy.retrieval.hybrid
    found = find_by_words(connection, view, question, synonyms, hybrid.k_txt, show=show)
    if len(found.scores) < hybrid.k_final / 2:
        found = find_by_words(connection, view, question, synonyms, 2 * hybrid.k_txt, 2 * POSTINGS, show)
    cosines = _cosines(connection, view, nearest, hybrid.k_vec, hybrid.k_final) if nearest else {}
    # By meaning, none is found that the view leaves out.
    may_have_stale = found.has_stale or nearest is not None
    return rank(_join(connection, view, found, cosines, show), policy.retrieval, now), may_have_stale


def _cosines(
    connection: sqlite3.Connection, view: View, nearest: NearestVectors, count: int, wanted: int
) -> dict[int, float]:
    cosines = nearest(connection, view, count)
    return nearest(connection, view, 2 * count) if len(cosines) < wanted / 2 else cosines


def _join(connection: sqlite3.Connection, view: View, found: Found, cosines: dict[int, float], show: Show) -> list[Fit]:
    """Text and vector candidates by number; what only one side found has nothing on the other."""
    texts = normalise_scores(found.scores, found.lowest, found.highest)
    near = read_visible(connection, view, cosines.keys() - found.scores.keys()).values()
    claims = {number: found.claims[number] for number in found.scores}
    claims |= {claim.number: claim for one in near if (claim := as_shown(one, show)) is not None}
    vectors = {number: from_cosine(cosine) for number, cosine in cosines.items()}
    return [
        Fit(
            claims[number],
            texts.get(number),
            vectors.get(number),
            is_by_words=number in texts and number in found.by_words,
            is_by_neighbours=number in texts and number in found.by_neighbours,
        )
        for number in dict.fromkeys([*texts, *vectors])
        if number in claims
    ]
