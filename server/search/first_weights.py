"""First weights of passages: which of those that may hold a term are read first. No text is read for them."""

from collections import defaultdict
from collections.abc import Sequence

from .index.passages import first_passages
from .index.postings import Index
from .question.terms import Term
from .ranking.features import Feature
from .ranking.lex import Corpus
from .ranking.respelling import spelling_features

SCORED_IN_FULL = 60
_POSTING_BUDGET = 2_000
# What a title with all terms counts beside the text, as in the ranking.
_TITLE = 0.5


def weigh(
    index: Index, matches: Sequence[int], terms: tuple[Term, ...], features: Sequence[Feature], corpus: Corpus
) -> dict[int, float]:
    """Passages with their first weights, those of `matches` among them; empty where they decide nothing: for the few
    matches of one term.
    """
    if len(terms) == 1 and 0 < len(matches) <= SCORED_IN_FULL:
        return {}
    weights = index.weigh(features, corpus, _POSTING_BUDGET)
    if len(matches) > SCORED_IN_FULL:
        # What says a term in other words has to come among those that are scored in full.
        others, counted = spelling_features(corpus, terms)
        for passage, weight in index.weigh(others, counted, _POSTING_BUDGET).items():
            weights[passage] = weights.get(passage, 0.0) + weight
    return weights


def share_of_heaviest(
    index: Index,
    matches: Sequence[int],
    weights: dict[int, float],
    terms: tuple[Term, ...],
    corpus: Corpus,
    most_titles: int,
) -> dict[int, float]:
    """The first weights (0..1) of matching passages, up to a half more for those whose title holds terms: of these
    `most_titles` a term.
    """
    matching = set(matches)
    heaviest = max(weights.values(), default=0.0) or 1.0
    shares = {passage: weight / heaviest for passage, weight in weights.items() if passage in matching}
    if len(matches) > SCORED_IN_FULL:
        for passage, share in _shares_of_titled(index, terms, corpus, most_titles).items():
            if passage in matching:
                shares[passage] = shares.get(passage, 0.0) + share
    return shares


def _shares_of_titled(index: Index, terms: tuple[Term, ...], corpus: Corpus, most: int) -> dict[int, float]:
    """The first passages of sections whose title holds terms, with the weight of these as a share of that of all:
    a word of every other title puts nothing before what holds a rare one, nor a title before what says it all.
    """
    weights = {term: corpus.phrase_idf(term.text) for term in terms}
    whole = sum(weights.values()) or 1.0
    shares: defaultdict[int, float] = defaultdict(float)
    for term, weight in weights.items():
        for passage in first_passages(index, index.find_titles([term], corpus, most)):
            shares[passage] += _TITLE * weight / whole
    return shares
