"""Stages 0 and 1 of a search: the passages that hold its terms (seed 004 §3).

The index is asked for every passage that may hold a term; the most promising are read first, and their texts matched,
as normalised and loosely. What the candidate cap or the clock leaves over is returned as passages not examined;
nothing is dropped.
"""

import sqlite3
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from heapq import nlargest
from typing import NamedTuple, TypeVar

from morenashi.indexer.tokens import stem
from morenashi.server.deadline import Deadline, is_interruption

from .called_files import find_called_files
from .cited_hits import take_cited
from .cited_places import CitedPlace, find_cited_places
from .examining import examine, in_reading_order, is_read_to_the_end
from .findings import Findings, PassageHit
from .first_weights import share_of_heaviest, weigh
from .full_scores import score_hits
from .index.passages import in_file_order
from .index.postings import Index
from .matching import TermMatcher
from .near_misses import find_near_misses
from .question.english_forms import root_of_verb
from .question.grammatical_number import other_number
from .question.query import Query
from .question.terms import Term, parts_of
from .ranking.features import Feature, extract_features, noun_features, part_of_words, phrase_features
from .ranking.lex import Corpus, Scorer
from .ranking.respelling import RespellingScorer, with_found_spellings
from .ranking.words import Analyser, WordScorer, as_terms
from .slips import stands_in
from .stand_ins import find_stand_ins

_T = TypeVar("_T")

# More than any passage has by its words and its title.
_SHARE_OF_CITED = 3.0
_COVERING = 5
# A word that stands in more passages is looked for in the form that was asked for alone.
_MOST_WITH_FORMS = 100


class _Wording(NamedTuple):
    """What is asked for, normalised, and its features."""

    text: str
    features: list[Feature]

    @classmethod
    def of(cls, text: str) -> "_Wording":
        return cls(text, extract_features(text))


class _LookedUp(NamedTuple):
    """What the index says of some terms of a wording. `found` may hold one of them, `matches` are those of it that are
    asked for; `weights` and `shares` as in `first_weights`; `cited` are the passages that the question cites.
    """

    wording: _Wording
    terms: tuple[Term, ...]
    features: list[Feature]
    corpus: Corpus
    found: list[int]
    matches: list[int]
    weights: dict[int, float]
    shares: dict[int, float]
    cited: dict[int, CitedPlace]


class PassageSearch:
    """Stages 0 and 1 of one question over one state of the index."""

    def __init__(
        self,
        index: Index,
        home: Index,
        query: Query,
        max_candidates: int,
        deadline: Deadline,
        analyser: Analyser | None,
        found_before: Container[int],
    ) -> None:
        """`home` is the part of the index that was asked about, if not all of it. `found_before` are passages
        that were found there: all others are examined before them.
        """
        self._index = index
        self._home = home
        self._found_before = found_before
        self._query = query
        self._max_candidates = max_candidates
        self._deadline = deadline
        self._wording = _Wording.of(query.wording)
        self._analyser = analyser
        self._words = analyser.words(query.text) if analyser else []
        # A noun in its other number or a verb in its other forms, by the stem, if it is all that is asked for. Beside
        # other words it says little of that: a file, of "when log files are deleted".
        self._other_forms = {
            stem(term.text): Term(f"~{term.text}", (), (other,))
            for term in query.terms
            if len(query.terms) == 1 and (other := other_number(term.text) or root_of_verb(term.text))
        }

    def run(self, terms: tuple[Term, ...], within: frozenset[int] | None = None) -> Findings:
        """Find the passages that hold one of the terms; `within` narrows to passages left before."""
        return self._run(self._wording, terms, within, {})

    def run_with_similar(self, findings: Findings, within: frozenset[int] | None) -> Findings:
        """Stage 1 for words that stand nowhere: the same again, for their other forms (with a の inside, too) or for
        similar words too, if there are any.
        """
        is_all = within is None and findings.cut_by is None
        others = _unless_over(self._limit(within), lambda: find_stand_ins(self._index, findings, is_all=is_all))
        if others is None:
            return _nothing_known(findings.terms)
        if not others:
            return findings
        # What is looked for instead ranks as if it had been asked for: of the slip itself no passage has anything.
        said = [self._wording.text, *(word for term in others.similar.values() for word in term.loose)]
        asked = [term for term in findings.terms if term not in self._other_forms.values()]
        terms = (*asked, *others.parted.values(), *others.similar.values())
        stems = {position: stem(findings.terms[position].text) for position in others.inflected}
        forms = {stems[position]: term for position, term in others.inflected.items()}
        again = self._run(_Wording.of(" ".join(said)), terms, within, forms)
        if again.nothing_known:
            return _nothing_known(findings.terms)
        place = again.terms.index
        again.slips = {position: place(term) for position, term in others.similar.items()}
        again.inflected = {position: place(forms[of_stem]) for position, of_stem in stems.items()}
        again.inflected |= {position: place(term) for position, term in others.parted.items()}
        return again

    def _run(
        self, wording: _Wording, terms: tuple[Term, ...], within: frozenset[int] | None, forms: Mapping[str, Term]
    ) -> Findings:
        """`forms` are further terms by the stem of the words that are meant by them."""
        known = _unless_over(self._limit(within), lambda: self._look_up(wording, terms, within, forms))
        if known is None:
            return _nothing_known(terms)
        scorer = self._scorer(known)
        near_anywhere = self._near_misses(known, scorer)
        near = [hit for hit in near_anywhere if within is None or hit.passage.id in within]
        matcher = TermMatcher(known.terms, len(self._query.terms))
        findings = self._examine(known, matcher, near)
        findings.hits = self._score(known, findings.hits, scorer)
        findings.take_near_misses(near, self._max_candidates)
        best = nlargest(_COVERING, findings.hits, key=lambda hit: hit.score)
        findings.rarities = tuple(_rarity(known.corpus, term) for term in known.terms)
        findings.share_in_terms = _share_in_terms(known, scorer)
        findings.coverage = max((scorer.coverage(hit.passage.text) for hit in best), default=0.0)
        called = find_called_files(self._index, terms[: len(self._query.terms)], findings.hits)
        if cited := {place.passage_id: place for place in called} | known.cited:
            take_cited(findings, cited, self._index, matcher, scorer, within)
        if within is not None:
            findings.delivered = {*(hit.passage.id for hit in near_anywhere), *cited} - within
        return findings

    def _limit(self, within: frozenset[int] | None) -> AbstractContextManager[None]:
        """What was left before is looked for without a limit of time: a rest must get smaller, however short it is."""
        limit = self._deadline.interrupting if within is None else self._deadline.letting_go
        return limit(self._index.connection)

    def _look_up(
        self, wording: _Wording, terms: tuple[Term, ...], within: frozenset[int] | None, forms: Mapping[str, Term]
    ) -> _LookedUp:
        nouns_and_phrases = noun_features(self._query.nouns) + phrase_features(part.text for part in parts_of(terms))
        features, corpus = self._count(wording.features + nouns_and_phrases, terms)
        found = self._index.find_passages(terms, corpus)
        found = sorted({*found, *self._index.find_words(forms)}) if forms else found
        terms += tuple(forms.values())
        for term, passages in self._in_other_forms(forms):
            found = sorted({*found, *passages})
            terms += (term,)
        matches = found if within is None else [passage for passage in found if passage in within]
        weights = weigh(self._index, matches, terms, features, corpus)
        shares = share_of_heaviest(self._index, matches, weights, terms, corpus, self._max_candidates)
        cited = {place.passage_id: place for place in find_cited_places(self._index, self._home, self._query.text)}
        shares.update(dict.fromkeys(cited.keys() & matches, _SHARE_OF_CITED) if cited else {})
        return _LookedUp(wording, terms, features, corpus, found, matches, weights, shares, cited)

    def _in_other_forms(self, forms: Container[str]) -> Iterator[tuple[Term, set[int]]]:
        """A word in the forms that were not asked for, unless these are looked for anyway, and the passages
        that may hold them.
        """
        for root, term in self._other_forms.items():
            if root in forms or self._index.is_degraded:
                continue
            passages = self._index.find_words([root])
            if 0 < len(passages) <= _MOST_WITH_FORMS:
                yield term, {*passages} & {*self._index.find_passages([term], self._index.corpus((), [term]))}

    def _count(self, features: list[Feature], terms: tuple[Term, ...]) -> tuple[list[Feature], Corpus]:
        """The features with their counts. A Latin word that no text has as such counts as what longer words have of
        it: deprecat.
        """
        counted = (*terms, *as_terms(self._words))
        corpus = self._index.corpus(features, counted)
        parts = {
            stem(term.text): part
            for term in terms
            if (part := part_of_words(term.text, features, corpus.counts))
            and stands_in(self._index, term, loosely=False)
        }
        if not parts:
            return features, corpus
        features = [feature for feature in features if feature.token not in parts] + list(parts.values())
        return features, self._index.corpus(features, counted)

    def _near_misses(self, known: _LookedUp, scorer: Scorer) -> list[PassageHit]:
        """Of a single term, what does not hold it says nothing."""
        if sum(bool(term.exact) for term in known.terms) < 2:
            return []
        return find_near_misses(self._index, known.weights, {*known.found, *known.cited}, scorer)

    def _examine(self, known: _LookedUp, matcher: TermMatcher, near: Sequence[PassageHit]) -> Findings:
        """What is cited, and what nearly matches, has its share of the candidates; one is left to the matches."""
        matches = known.matches
        if is_read_to_the_end(matches, self._max_candidates):
            # Many weigh the same: which of them come first must not depend on which file was indexed first.
            matches = in_file_order(self._index, matches)
        ordered = in_reading_order(matches, known.shares, self._max_candidates)
        if self._found_before:
            ordered.sort(key=self._found_before.__contains__)
        room = self._max_candidates - len({hit.passage.section_id for hit in near}) - len(known.cited)
        return examine(self._index, ordered, matcher, self._max_candidates, max(room, 1), self._deadline)

    def _score(self, known: _LookedUp, hits: Sequence[PassageHit], scorer: Scorer) -> list[PassageHit]:
        corpus = with_found_spellings(known.corpus, known.features, known.terms, (hit.match.held for hit in hits))
        knows_spellings = scorer if corpus is known.corpus else self._scorer(known._replace(corpus=corpus))
        return score_hits(hits, known.shares, scorer, RespellingScorer(knows_spellings, known.terms))

    def _scorer(self, known: _LookedUp) -> Scorer:
        lex = known.wording.text, known.features, known.corpus
        return WordScorer(*lex, self._words, self._analyser.forms) if self._analyser else Scorer(*lex)


def _rarity(corpus: Corpus, term: Term) -> float:
    """The idf of a term; of one that asks for others near each other, that of its rarest side."""
    if not term.sides:
        return corpus.rarity(term.text)
    return max(min(corpus.rarity(part.text) for part in side) for side in term.sides)


def _share_in_terms(known: _LookedUp, scorer: Scorer) -> float:
    """The share (0..1) of the question that its terms are; all of it, if that is nothing that can be covered."""
    said = " ".join(spelling for term in known.terms for spelling in (term.text, *term.loose))
    return scorer.coverage(said) if scorer.coverage(known.wording.text) else 1.0


def _unless_over(limit: AbstractContextManager[None], ask: Callable[[], _T]) -> _T | None:
    """What is asked of the index; `None` if the time was over before."""
    try:
        with limit:
            return ask()
    except sqlite3.OperationalError as error:
        if not is_interruption(error):
            raise
        return None


def _nothing_known(terms: tuple[Term, ...]) -> Findings:
    """The time was over before anything was known of these terms."""
    return Findings(terms, cut_by="time_budget", nothing_known=True)
