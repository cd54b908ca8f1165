"""How well claims fit a question by their words, and by those of what stands around them in their source.

What stands around a claim speaks for it: a share of its words counts as if they stood in the claim, before they
saturate (BM25F). A claim that another came in the place of finds that one: who asks by the old name is answered with
what holds now.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from morenashi.indexer.claim_tokens import length_of, searchable
from morenashi.server.search.ranking.lex import Scorer, close_up

from .claims import Claim
from .visible import View, read_neighbours, read_visible

_REACH = 2
# By distance; what answers a question leans on it most. Chosen on LoCoMo (benchmarks/locomo.py), and better than equal
# ones on either half of its conversations.
_NEIGHBOUR_WEIGHTS = {-2: 0.25, -1: 0.25, 1: 0.3, 2: 0.15}
_AFTER_A_QUESTION = 0.75
_WITH_NEIGHBOURS = 60


class Scored(NamedTuple):
    """By number, claims, their scores for themselves, and with what stands around them; which have any words; and what
    stands around each, with its share.
    """

    claims: dict[int, Claim]
    own: dict[int, float]
    scores: dict[int, float]
    by_words: frozenset[int]
    around: Mapping[int, Mapping[int, float]]


def score_claims(
    connection: sqlite3.Connection,
    view: View,
    scorer: Scorer,
    chosen: Mapping[int, Claim],
    shown: Mapping[int, Claim | None],
) -> Scored:
    """The claims, each with what stands around it.

    The neighbours of the best become candidates, too, and what came in the place of one of them. What the view leaves
    out speaks for none. Those that were judged are taken as they are `shown`.
    """
    claims = {number: claim for number, one in chosen.items() if (claim := shown.get(number, one)) is not None}
    read = {number: _read(scorer, claim) for number, claim in claims.items()}
    own = {number: _fit(scorer, one.frequencies, one.length) for number, one in read.items()}
    around: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for number in sorted(own, key=lambda one: (-own[one], -one))[:_WITH_NEIGHBOURS]:
        # What has no word that is shown may have been chosen for one that is not.
        if not own[number] or claims[number].source is None or not view.shows(claims[number]):
            continue
        for distance, kept in read_neighbours(connection, view, claims[number], _REACH):
            neighbour = shown.get(kept.number, kept)
            if neighbour is None:
                continue
            if neighbour.number not in read:
                claims[neighbour.number] = neighbour
                read[neighbour.number] = _read(scorer, neighbour)
            around[number][neighbour.number] = _share_of(read[neighbour.number], distance)
            around[neighbour.number][number] = _share_of(read[number], -distance)
    for number, kept in read_visible(connection, view, successors_of(claims).keys() - claims.keys()).items():
        if (successor := shown.get(number, kept)) is not None:
            claims[number], read[number] = successor, _read(scorer, successor)
            own[number] = _fit(scorer, read[number].frequencies, read[number].length)
    scores = own | {number: _score_with(scorer, read[number], beside, read) for number, beside in around.items()}
    by_words = {number for number, one in read.items() if any(one.frequencies)}
    for number, replaced in successors_of(claims).items():
        if number in claims:
            # A neighbour has no score for itself.
            own[number] = max(own.get(one, 0.0) for one in (number, *replaced))
            scores[number] = max(scores[one] for one in (number, *replaced))
            by_words |= {number} if by_words.intersection(replaced) else set()
    return Scored(claims, own, scores, frozenset(by_words), around)


def successors_of(claims: Mapping[int, Claim]) -> dict[int, list[int]]:
    """The numbers of claims that came in the place of some of these, with those."""
    replaced: defaultdict[int, list[int]] = defaultdict(list)
    for number, claim in claims.items():
        if claim.replaced_by is not None:
            replaced[claim.replaced_by].append(number)
    return replaced


class _Read(NamedTuple):
    """How often the parts of a question stand in a claim, how long it is, and whether it asks something itself."""

    frequencies: list[int]
    length: int
    is_question: bool


def _read(scorer: Scorer, claim: Claim) -> _Read:
    text = close_up(searchable(claim.text))
    return _Read(scorer.frequencies(text), length_of(text), "?" in text)


def _share_of(neighbour: _Read, distance: int) -> float:
    """How much of a neighbour counts as if it stood in the claim, 0..1."""
    return _AFTER_A_QUESTION if distance == -1 and neighbour.is_question else _NEIGHBOUR_WEIGHTS[distance]


def _score_with(scorer: Scorer, one: _Read, around: Mapping[int, float], read: Mapping[int, _Read]) -> float:
    """The score of a claim with its neighbours, each of a weight. Its length is the mean of all of them."""
    frequencies: list[float] = [*one.frequencies]
    length = one.length
    for number, weight in around.items():
        length += read[number].length
        for place, frequency in enumerate(read[number].frequencies):
            if frequency:
                frequencies[place] += weight * frequency
    return _fit(scorer, frequencies, length / (1 + len(around)))


def _fit(scorer: Scorer, frequencies: Sequence[float], length: float) -> float:
    """BM25, up to twice as much for what has all of the question: one of its words, said often, is not an answer."""
    return scorer.combine(frequencies, length) * (1 + scorer.share(frequencies))
