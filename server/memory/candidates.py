"""Claims that share words with a question, scored by BM25 as the passages of manuals are (`search/ranking/lex.py`).

Only the rarest features of the question are asked of the full-text table, within a budget of postings; the claims
that they lead to are then scored in full. What stands around a claim in its source speaks for it too: its words count
as if a share of them stood in the claim, before they saturate (BM25F).

A claim that another came in the place of finds that one: who asks by the old name is answered with what holds now.

What is masked in a claim, or not shown at all, finds nothing and moves nothing: else one could ask, word by word, what
stands behind the mask. The table knows all words, as other callers may see them, and so the best are scored again by
what of them is shown, if that is not what is kept.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from morenashi.indexer.claim_tokens import length_of, searchable, token_kinds
from morenashi.server.search.ranking.features import Feature, FeatureKey
from morenashi.server.search.ranking.lex import Corpus, Scorer, close_up

from .claims import Claim
from .question import Synonyms, is_telling, parse_question, token_of
from .visible import View, read_neighbours, read_visible

POSTINGS = 2_000
"""About how many postings a question may read; its three rarest features may cost four times as much."""

_LEAST_FEATURES, _MOST_BUDGETS = 3, 4
_REACH = 2
# By distance; what answers a question leans on it most. Chosen on LoCoMo (benchmarks/locomo.py), and better than equal
# ones on either half of its conversations.
_NEIGHBOUR_WEIGHTS = {-2: 0.25, -1: 0.25, 1: 0.3, 2: 0.15}
_AFTER_A_QUESTION = 0.75
_WITH_NEIGHBOURS = 60
# A policy may hide thousands that were kept before it, and each is judged.
_MOST_JUDGED = 1_000

Show = Callable[[Claim], str | None]
"""The text of a claim as it may be shown to the caller; `None` if it may not."""


class Found(NamedTuple):
    """The text candidates with their BM25, the least that one of them can have, and the most that any claim has that
    the caller may see, be it stale.

    `by_words` hold something of the question themselves; `by_neighbours` are better for what stands around them. With
    `has_stale` something fits that the view leaves out, for its lines have changed.
    """

    scores: dict[int, float]
    claims: dict[int, Claim]
    by_words: frozenset[int]
    by_neighbours: frozenset[int]
    lowest: float
    highest: float
    has_stale: bool


def _as_kept(claim: Claim) -> str:
    """The text as it stands, where nobody is shown it."""
    return claim.text


def find_by_words(
    connection: sqlite3.Connection,
    view: View,
    question: str,
    synonyms: Synonyms,
    count: int,
    postings: int = POSTINGS,
    show: Show = _as_kept,
) -> Found:
    """The best claims of the view for a question, at most `count`, with the texts that are shown of them.

    Those that do not hold any more, and that the view leaves out, are scored all the same: beside the claim that
    answers, others that share a character with the question fit badly, and are no answer because that one is no
    longer shown.
    """
    text, features = parse_question(question, synonyms)
    corpus = _corpus(connection, view.layers, features)
    # Stop words order what others find; where nothing else is asked, they are what is asked.
    asked = [feature for feature in features if is_telling(feature)] or features
    chosen = _first_choice(connection, view, _weigh(connection, view.layers, asked, corpus, postings), 2 * count)
    shown: dict[int, Claim | None] = {}
    silent: set[int] = set()
    while True:
        # Each time of these alone: neighbours that are found once more would bring theirs.
        claims, own, scores, by_words, around = _score(connection, view, Scorer(text, features, corpus), chosen, shown)
        order = sorted((one for one in scores if scores[one] > 0), key=lambda one: (-scores[one], -one))
        best = [number for number in order if _is_shown(view, claims[number])]
        # Not the candidates alone: one that is none has a part in `highest`, and what stands around one in its score.
        leading = dict.fromkeys([*best[:count], *order[:count]])
        leading |= dict.fromkeys(beside for number in leading for beside in around.get(number, ()))
        judged = [(claims[number], as_shown(claims[number], show)) for number in leading if number not in shown]
        shown |= {claim.number: one for claim, one in judged}
        hidden = [(claim, one) for claim, one in judged if one != claim]
        if not hidden:
            break
        corpus = _without_hidden(corpus, hidden)
        if len(shown) < _MOST_JUDGED:
            # Others take the places of those that were chosen for words that nobody is shown.
            silent |= {claim.number for claim, one in hidden if one is None or not _says_any(one, asked)}
            weights = _weigh(connection, view.layers, asked, corpus, postings)
            fitting = {number: weight for number, weight in weights.items() if number not in silent}
            chosen = _first_choice(connection, view, fitting, 2 * count)
    # Where everything that fits is a candidate, the others have 0.
    lowest = scores[best[count - 1]] if len(best) >= count else 0.0
    by_neighbours = frozenset(number for number in best if scores[number] > own.get(number, 0.0))
    highest = max(scores.values(), default=0.0)
    has_stale = any(claims[number].stale_since for number in order if not _is_shown(view, claims[number]))
    candidates = {number: scores[number] for number in best[:count]}
    return Found(candidates, claims, by_words, by_neighbours, lowest, highest, has_stale)


def _corpus(connection: sqlite3.Connection, layers: str, features: Sequence[Feature]) -> Corpus:
    """How many claims of the layers there are, how long they are, and in how many each feature stands."""
    claims, length = connection.execute(_SIZE, {"layers": layers}).fetchone()
    keys = {token_of(feature): feature.key for feature in features}
    rows = connection.execute(_COUNTS, {"tokens": json.dumps(list(keys)), "layers": layers})
    counts: dict[FeatureKey, int] = {keys[token]: count for token, count in rows}
    return Corpus(claims, length / max(claims, 1), counts)


def _weigh(
    connection: sqlite3.Connection, layers: str, features: Sequence[Feature], corpus: Corpus, budget: int
) -> dict[int, float]:
    """Claims with the summed weight of the question's rarest features, within the budget."""
    asked = sorted((f for f in features if corpus.counts.get(f.key)), key=lambda f: (corpus.counts[f.key], f.key))
    weights: defaultdict[int, float] = defaultdict(float)
    spent = 0
    for position, feature in enumerate(asked):
        spent += corpus.counts[feature.key]
        if spent > (budget if position >= _LEAST_FEATURES else _MOST_BUDGETS * budget) and position:
            break
        weight = feature.weight * corpus.idf(feature)
        expression = " OR ".join(f'"{layer}{token_of(feature)}"' for layer in layers)
        row = connection.execute(_NUMBERS, {"expression": expression}).fetchone()
        for number in json.loads(row[0]):
            weights[number] += weight
    return weights


def _first_choice(
    connection: sqlite3.Connection, view: View, weights: dict[int, float], count: int
) -> dict[int, Claim]:
    """So many visible claims of the greatest weight, and about as many that do not hold any more: what is hidden takes
    nobody's place. And those that came in the place of one of them.

    By number; fewer if there are not so many.
    """
    numbers = sorted(weights, key=lambda number: (-weights[number], -number))
    shown: dict[int, Claim] = {}
    past: dict[int, Claim] = {}
    for start in range(0, len(numbers), count):
        seen = replace(view, with_past=True) if len(past) < count else view
        for number, claim in read_visible(connection, seen, numbers[start : start + count]).items():
            (shown if _is_shown(view, claim) else past)[number] = claim
        if len(shown) >= count:
            break
    found = shown | past
    return read_visible(connection, view, _successors(found).keys() - found.keys()) | found


def _successors(claims: Mapping[int, Claim]) -> dict[int, list[int]]:
    """The numbers of claims that came in the place of some of these, with those."""
    replaced: defaultdict[int, list[int]] = defaultdict(list)
    for number, claim in claims.items():
        if claim.replaced_by is not None:
            replaced[claim.replaced_by].append(number)
    return replaced


def as_shown(claim: Claim, show: Show) -> Claim | None:
    """The claim with the text that is shown of it, itself if that is all of it."""
    text = show(claim)
    if text is None:
        return None
    return claim if text == claim.text else replace(claim, text=text)


def _without_hidden(corpus: Corpus, hidden: Sequence[tuple[Claim, Claim | None]]) -> Corpus:
    """The counts without what is kept of these claims and not shown: what stands there alone stands nowhere."""
    counts = dict(corpus.counts)
    for kept, shown in hidden:
        said = token_kinds(searchable(shown.text)) if shown else {}
        for key in token_kinds(searchable(kept.text)).keys() - said.keys():
            if counts.get(key):
                counts[key] -= 1
    return replace(corpus, counts=counts)


def _says_any(claim: Claim, asked: Sequence[Feature]) -> bool:
    said = token_kinds(searchable(claim.text))
    return any(feature.key in said for feature in asked)


def _is_shown(view: View, claim: Claim) -> bool:
    return view.with_past or claim.holds


class _Scored(NamedTuple):
    """By number, claims, their scores for themselves, and with what stands around them; which have any words; and what
    stands around each, with its share.
    """

    claims: dict[int, Claim]
    own: dict[int, float]
    scores: dict[int, float]
    by_words: frozenset[int]
    around: Mapping[int, Mapping[int, float]]


def _score(
    connection: sqlite3.Connection,
    view: View,
    scorer: Scorer,
    chosen: Mapping[int, Claim],
    shown: Mapping[int, Claim | None],
) -> _Scored:
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
        if not own[number] or claims[number].source is None or not _is_shown(view, claims[number]):
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
    for number, kept in read_visible(connection, view, _successors(claims).keys() - claims.keys()).items():
        if (successor := shown.get(number, kept)) is not None:
            claims[number], read[number] = successor, _read(scorer, successor)
            own[number] = _fit(scorer, read[number].frequencies, read[number].length)
    scores = own | {number: _score_with(scorer, read[number], beside, read) for number, beside in around.items()}
    by_words = {number for number, one in read.items() if any(one.frequencies)}
    for number, replaced in _successors(claims).items():
        if number in claims:
            # A neighbour has no score for itself.
            own[number] = max(own.get(one, 0.0) for one in (number, *replaced))
            scores[number] = max(scores[one] for one in (number, *replaced))
            by_words |= {number} if by_words.intersection(replaced) else set()
    return _Scored(claims, own, scores, frozenset(by_words), around)


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


_SIZE = """
SELECT coalesce(sum(claims), 0), coalesce(sum(length), 0)
FROM claim_layers
WHERE instr(:layers, layer)
"""

_COUNTS = """
SELECT token, sum(claims)
FROM claim_term_counts
WHERE token IN (SELECT value FROM json_each(:tokens)) AND instr(:layers, layer)
GROUP BY token
"""

_NUMBERS = "SELECT json_group_array(rowid) FROM claim_tokens WHERE claim_tokens MATCH :expression"
