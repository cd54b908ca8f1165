"""Passages that say a term in other words, scored as if they had said it as the question does. Pure.

LEX counts characters of the question: of 旅券 it finds nothing for a question about a パスポート, nor of Wi-Fi for
wifi, though the search has matched them. Such a passage gets most of what it would have with the question's spelling:
all of it would put a synonym beside the word itself.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from morenashi.indexer.tokens import squeeze
from morenashi.server.search.question.terms import Term, blank_separators

from .features import Feature, FeatureKey, extract_features
from .lex import Corpus, Scorer

# Of what a passage gains by the question's spelling.
_SHARE = 0.7


class RespellingScorer:
    """Scores passages by a scorer of a question with some of these terms."""

    def __init__(self, scorer: Scorer, terms: Sequence[Term]) -> None:
        self._scorer = scorer
        self._terms = terms
        self._respell: dict[int, Callable[[str], str]] = {}

    def score(self, text: str, held: Collection[int]) -> float:
        """The score of a normalised passage that holds the terms of these positions, in whatever spelling."""
        score = self._scorer.score(text)
        respelt = text
        for position in held:
            # What stands in for a slip has no exact spelling, and its word is a part of the question already.
            if self._terms[position].exact and self._terms[position].text not in text:
                respelt = self._respelling(position)(respelt)
        return score if respelt is text else score + _SHARE * max(self._scorer.score(respelt) - score, 0.0)

    def _respelling(self, position: int) -> Callable[[str], str]:
        if position not in self._respell:
            self._respell[position] = _respelling(self._terms[position])
        return self._respell[position]


def with_found_spellings(
    corpus: Corpus, features: Sequence[Feature], terms: Sequence[Term], held: Iterable[Collection[int]]
) -> Corpus:
    """The same, but that what stands nowhere as it was asked is as rare as what was found for it; `held` has the
    positions of the terms that each match holds.
    """
    missing = {feature.key for feature in features if not corpus.counts.get(feature.key)}
    if not missing:
        return corpus
    found = Counter(position for positions in held for position in positions if terms[position].exact)
    counts = {
        feature.key: times
        for position, times in found.items()
        for feature in extract_features(terms[position].text)
        if feature.key in missing
    }
    return replace(corpus, counts={**corpus.counts, **counts}) if counts else corpus


def spelling_features(corpus: Corpus, terms: Iterable[Term]) -> tuple[list[Feature], Corpus]:
    """A feature for each other spelling of a term that is the usual one here, for first weights, with the counts of
    these: it weighs a share of what the term does. A rarer one would put what has both before what has the term.
    """
    counts: dict[FeatureKey, int] = {}
    features = []
    for term in (term for term in terms if term.exact and (term.loose or term.words)):
        weight = _SHARE * sum(own.weight for own in extract_features(term.text) if own.kind != "kanji")
        usual = corpus.most_with(term.text, unknown=0)
        for spelling in (*term.loose, *term.words):
            found = corpus.most_with(spelling, unknown=0)
            if len(squeeze(spelling)) > 1 and found > usual:
                feature = Feature("phrase", spelling, weight)
                counts[feature.key] = found
                features.append(feature)
    return features, replace(corpus, counts={**corpus.counts, **counts})


def _respelling(term: Term) -> Callable[[str], str]:
    pattern, word = term.pattern(), term.said_as or term.text
    if pattern is None:
        return str
    return lambda text: pattern.sub(lambda _: word, blank_separators(text))
