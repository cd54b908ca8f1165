"""Claims that share words with a question, scored by BM25 as the passages of manuals are (`search/ranking/lex.py`).

Only the rarest features of the question are asked of the full-text table, within a budget of postings; the claims
that they lead to are then scored in full (`scoring.py`).

What is masked in a claim, or not shown at all, finds nothing and moves nothing: else one could ask, word by word, what
stands behind the mask. The table knows all words, as other callers may see them, and so the best are scored again by
what of them is shown, if that is not what is kept.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from morenashi.indexer.claim_tokens import searchable, token_kinds
from morenashi.server.search.ranking.features import Feature, FeatureKey
from morenashi.server.search.ranking.lex import Corpus, Scorer

from .claims import Claim
from .question import Synonyms, is_telling, parse_question, token_of
from .scoring import score_claims, successors_of
from .visible import View, read_visible

POSTINGS = 2_000
"""About how many postings a question may read; its three rarest features may cost four times as much."""

_LEAST_FEATURES, _MOST_BUDGETS = 3, 4
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
        scorer = Scorer(text, features, corpus)
        claims, own, scores, by_words, around = score_claims(connection, view, scorer, chosen, shown)
        order = sorted((one for one in scores if scores[one] > 0), key=lambda one: (-scores[one], -one))
        best = [number for number in order if view.shows(claims[number])]
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
    has_stale = any(claims[number].stale_since for number in order if not view.shows(claims[number]))
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
            (shown if view.shows(claim) else past)[number] = claim
        if len(shown) >= count:
            break
    found = shown | past
    return read_visible(connection, view, successors_of(found).keys() - found.keys()) | found


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
