"""Stages 0 and 1 of a search: the passages that hold its terms (seed 004 §3).

The index is asked for every passage that may hold a term; the most promising are read first, and their texts matched,
as normalised and loosely. What the candidate cap or the clock leaves over is returned as passages not examined;
nothing is dropped.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Literal, NamedTuple

from morenashi.indexer.tokens import stem
from morenashi.server.deadline import Deadline, is_interruption

from .cited_places import CitedPlace, find_cited_places
from .compounds import find_parted
from .index.passages import StoredPassage, first_passages, read_passages
from .index.postings import Index
from .matching import LineMatch, TermMatcher
from .question.asked import without_request
from .question.query import Query, Term
from .ranking.captions import weigh_caption
from .ranking.lex import Corpus, Feature, Scorer, extract_features, noun_features, part_of_words, phrase_features
from .ranking.respelling import RespellingScorer, spelling_features, with_found_spellings
from .ranking.words import Analyser, WordScorer, as_terms
from .slips import find_inflected, find_similar, stands_in

POSTING_BUDGET = 2_000
_SCORED = 60
_BATCH = 64
_EXAMINED_PER_CANDIDATE = 2
# The index names some passages that hold no term. To read on is cheaper than another call, if that comes to the end.
_READ_TO_THE_END = 10
_NEAR_SHARE, _NEAR_READ = 0.3, 40
# What a title with all terms counts beside the text, as in the ranking.
_TITLE = 0.5
# More than any passage has by its words and its title.
_SHARE_OF_CITED = 3.0
_COVERING = 5

CutBy = Literal["time_budget", "candidate_cap", "hard_limit"]


class PassageHit(NamedTuple):
    """A passage that holds a term, with its score; positions of terms refer to `Findings.terms`."""

    passage: StoredPassage
    match: LineMatch
    score: float


@dataclass(slots=True)
class Findings:
    """What stages 0 and 1 know.

    `left` are the ids of passages that were not examined: the first `matches_left` may hold a term, the
    others are near misses. `coverage` is the share (0..1) of the question that the best passages cover,
    `share_in_terms` that which its terms are: the rest are verbs, and what stands nowhere. `slips` has the
    positions of terms that stand nowhere, with those of the similar ones that were looked for instead; `inflected`
    has those of words that stand in other forms alone, with those of these forms or of what they share. `cited` are the
    sections that the question cites.
    """

    terms: tuple[Term, ...]
    hits: list[PassageHit] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    matches_left: int = 0
    cut_by: CutBy | None = None
    nothing_known: bool = False
    coverage: float = 0.0
    share_in_terms: float = 1.0
    slips: dict[int, int] = field(default_factory=dict)
    inflected: dict[int, int] = field(default_factory=dict)
    cited: dict[int, CitedPlace] = field(default_factory=dict)

    def terms_without_hit(self) -> list[int]:
        """The positions of terms that no hit holds."""
        held = {position for hit in self.hits for position in hit.match.held}
        return [position for position in range(len(self.terms)) if position not in held]

    def matches(self) -> int:
        """How many passages hold a term. Those left over count: how rare a term is must not depend on the budget."""
        return sum(bool(hit.match.matched_lines) for hit in self.hits) + self.matches_left

    def are_not_left(self, passages: Container[int]) -> None:
        """These were examined after all. If no others were left over, nothing was cut."""
        self.matches_left -= sum(passage in passages for passage in self.left[: self.matches_left])
        self.left = [passage for passage in self.left if passage not in passages]
        self.cut_by = self.cut_by if self.left else None

    def take_near_misses(self, near: list[PassageHit], most: int) -> None:
        """Take as many as a candidate cap allows beside a match; the others are left over, too."""
        taken = most - min(len(self.hits), 1)
        self.hits += near[:taken]
        if len(near) > taken:
            self.left += [hit.passage.id for hit in near[taken:]]
            self.cut_by = self.cut_by or "candidate_cap"


class PassageSearch:
    """Stages 0 and 1 of one question over one state of the index."""

    def __init__(
        self,
        index: Index,
        home: Index,
        query: Query,
        max_candidates: int,
        deadline: Deadline,
        analyser: Analyser | None = None,
        found_before: Container[int] = (),
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
        self._max_examined = _EXAMINED_PER_CANDIDATE * max_candidates
        self._max_read_to_the_end = _READ_TO_THE_END * max_candidates
        # A request (について全部教えて) is in no text that answers, and would make any set look incomplete.
        self._text = without_request(query.text) or query.text
        self._features = extract_features(self._text)
        self._analyser = analyser
        self._words = analyser.words(query.text) if analyser else []

    def run(
        self, terms: tuple[Term, ...], within: frozenset[int] | None = None, forms: Mapping[str, Term] | None = None
    ) -> Findings:
        """Find the passages that hold one of the terms; `within` narrows to passages left before.

        These are looked for without a limit of time: a rest must get smaller each time, however short the time.
        `forms` are further terms by the stem of the words that are meant by them.
        """
        forms = forms or {}
        limit = self._deadline.interrupting if within is None else self._deadline.letting_go
        features = self._features + noun_features(self._query.nouns) + phrase_features(term.text for term in terms)
        try:
            with limit(self._index.connection):
                corpus = self._index.corpus(features, (*terms, *as_terms(self._words)))
                if parts := self._parts_of_words(features, terms, corpus):
                    features = [feature for feature in features if feature.token not in parts] + list(parts.values())
                    corpus = self._index.corpus(features, (*terms, *as_terms(self._words)))
                found = self._index.find_passages(terms, corpus)
                found = sorted({*found, *self._index.find_words(forms)}) if forms else found
                terms += tuple(forms.values())
                matches = found if within is None else [passage for passage in found if passage in within]
                weights = self._weigh(matches, terms, features, corpus)
                shares = self._share_of_heaviest(matches, weights, terms, corpus)
                places = find_cited_places(self._index, self._home, self._query.text)
                cited = {place.passage_id: place for place in places}
                shares.update(dict.fromkeys(cited.keys() & matches, _SHARE_OF_CITED) if cited else {})
        except sqlite3.OperationalError as error:
            if not is_interruption(error):
                raise
            return Findings(terms, cut_by="time_budget", nothing_known=True)
        scorer = self._scorer(features, corpus)
        asked = [term for term in terms if term.exact]
        near = self._near_misses(weights, {*found, *cited}, scorer, within) if len(asked) > 1 else []
        room = self._max_candidates - len({hit.passage.section_id for hit in near}) - len(cited)
        ordered = sorted(shares, key=shares.__getitem__, reverse=True)
        ordered += [passage for passage in _spread(matches, self._max_examined) if passage not in shares]
        if self._found_before:
            ordered.sort(key=self._found_before.__contains__)
        matcher = TermMatcher(terms, len(self._query.terms))
        findings = self._examine(ordered, matcher, max(room, 1))
        found_corpus = with_found_spellings(corpus, features, terms, (hit.match.held for hit in findings.hits))
        respelling = RespellingScorer(scorer if found_corpus is corpus else self._scorer(features, found_corpus), terms)
        findings.hits = _score(findings.hits, shares, scorer, respelling)
        findings.take_near_misses(near, self._max_candidates)
        best = nlargest(_COVERING, findings.hits, key=lambda hit: hit.score)
        findings.share_in_terms = self._share_in_terms(terms, scorer)
        findings.coverage = max((scorer.coverage(hit.passage.text) for hit in best), default=0.0)
        if cited:
            self._take_cited(findings, cited, matcher, scorer, within)
        return findings

    def run_with_similar(self, findings: Findings, within: frozenset[int] | None) -> Findings:
        """Stage 1 for words that stand nowhere: the same again, for their other forms (with a の inside, too) or for
        similar words too, if there are any.
        """
        is_all = within is None and findings.cut_by is None
        inflected: dict[int, Term] = {}
        parted: dict[int, Term] = {}
        similar: dict[int, Term] = {}
        try:
            with self._deadline.interrupting(self._index.connection):
                for position in findings.terms_without_hit():
                    term = findings.terms[position]
                    if other := find_inflected(self._index, term, is_nowhere=is_all):
                        inflected[position] = other
                    elif other := find_parted(self._index, term, is_nowhere=is_all):
                        parted[position] = other
                    elif other := find_similar(self._index, term, is_nowhere=is_all and self._index.is_whole):
                        similar[position] = other
        except sqlite3.OperationalError as error:
            if not is_interruption(error):
                raise
            return Findings(findings.terms, cut_by="time_budget", nothing_known=True)
        if not (inflected or parted or similar):
            return findings
        # What is looked for instead ranks as if it had been asked for: of the slip itself no passage has anything.
        self._text = " ".join([self._text, *(word for term in similar.values() for word in term.loose)])
        self._features = extract_features(self._text)
        forms = {stem(findings.terms[position].text): term for position, term in inflected.items()}
        again = self.run((*findings.terms, *parted.values(), *similar.values()), within, forms)
        again.slips = {position: again.terms.index(term) for position, term in similar.items()}
        again.inflected = {
            position: again.terms.index(forms[stem(findings.terms[position].text)]) for position in inflected
        } | {position: again.terms.index(term) for position, term in parted.items()}
        return again

    def _parts_of_words(
        self, features: Sequence[Feature], terms: tuple[Term, ...], corpus: Corpus
    ) -> dict[str, Feature]:
        """By the features of Latin words that no text has as such, those of what longer words have: deprecat."""
        parts = ((term, part_of_words(term.text, features, corpus)) for term in terms)
        return {stem(term.text): part for term, part in parts if part and stands_in(self._index, term, loosely=False)}

    def _scorer(self, features: list[Feature], corpus: Corpus) -> Scorer:
        lex = self._text, features, corpus
        return WordScorer(*lex, self._words, self._analyser.forms) if self._analyser else Scorer(*lex)

    def _share_in_terms(self, terms: tuple[Term, ...], scorer: Scorer) -> float:
        """The share (0..1) of the question that its terms are; all of it, if that is nothing that can be covered."""
        said = " ".join(spelling for term in terms for spelling in (term.text, *term.loose))
        return scorer.coverage(said) if scorer.coverage(self._text) else 1.0

    def _weigh(
        self, matches: list[int], terms: tuple[Term, ...], features: list[Feature], corpus: Corpus
    ) -> dict[int, float]:
        """First weights, where they decide something: many matches, or several terms."""
        if len(terms) == 1 and 0 < len(matches) <= _SCORED:
            return {}
        weights = self._index.weigh(features, corpus, POSTING_BUDGET)
        if len(matches) > _SCORED:
            # What says a term in other words has to come among those that are scored in full.
            others, counted = spelling_features(corpus, terms)
            for passage, weight in self._index.weigh(others, counted, POSTING_BUDGET).items():
                weights[passage] = weights.get(passage, 0.0) + weight
        return weights

    def _share_of_heaviest(
        self, matches: list[int], weights: dict[int, float], terms: tuple[Term, ...], corpus: Corpus
    ) -> dict[int, float]:
        """The first weights (0..1) of matching passages, up to a half more for those whose title holds terms."""
        matching = set(matches)
        heaviest = max(weights.values(), default=0.0) or 1.0
        shares = {passage: weight / heaviest for passage, weight in weights.items() if passage in matching}
        if len(matches) > _SCORED:
            for passage, share in self._shares_of_titled(terms, corpus).items():
                if passage in matching:
                    shares[passage] = shares.get(passage, 0.0) + share
        return shares

    def _shares_of_titled(self, terms: tuple[Term, ...], corpus: Corpus) -> dict[int, float]:
        """The first passages of sections whose title holds terms, with the weight of these as a share of that of all:
        a word of every other title puts nothing before what holds a rare one, nor a title before what says it all.
        """
        weights = {term: corpus.phrase_idf(term.text) for term in terms}
        whole = sum(weights.values()) or 1.0
        shares: defaultdict[int, float] = defaultdict(float)
        for term, weight in weights.items():
            for passage in first_passages(self._index, self._index.find_titles([term], corpus, self._max_candidates)):
                shares[passage] += _TITLE * weight / whole
        return shares

    def _examine(self, ordered: list[int], matcher: TermMatcher, room: int) -> Findings:
        """Stages 0 and 1 on the texts, until there are candidates enough or time is over."""
        findings = Findings(matcher.terms)
        sections: set[int] = set()
        position = 0
        is_short = len(ordered) <= self._max_read_to_the_end
        while position < len(ordered) and findings.cut_by is None:
            for passage in read_passages(self._index, ordered[position : position + _BATCH]):
                if passage.section_id not in sections and len(sections) >= room:
                    findings.left.append(passage.id)
                elif match := matcher.match(passage.text):
                    findings.hits.append(PassageHit(passage, match, 0.0))
                    sections.add(passage.section_id)
            position += _BATCH
            self._deadline.tell(min(position, len(ordered)), len(ordered))
            if findings.left:
                findings.cut_by = "candidate_cap"
            elif position >= len(ordered):
                break
            elif (len(findings.hits) if is_short else position) >= self._max_examined:
                findings.cut_by = "hard_limit"
            elif self._deadline.is_over:
                findings.cut_by = "time_budget"
        findings.left += ordered[position:]
        findings.matches_left = len(findings.left)
        return findings

    def _take_cited(
        self,
        findings: Findings,
        cited: Mapping[int, CitedPlace],
        matcher: TermMatcher,
        scorer: Scorer,
        within: Container[int] | None,
    ) -> None:
        """Take what the question cites, on the line that is cited: before all else if it is meant for sure, and
        as if it said the words that cite it if not. A passage without a term is a candidate like a near miss; one that
        had been left over is not left over any more.
        """
        best = max((hit.score for hit in findings.hits), default=0.0) or 1.0
        found = {hit.passage.id: hit for hit in findings.hits if hit.passage.id in cited}
        asked = [passage for passage in cited if passage not in found and (within is None or passage in within)]
        read = read_passages(self._index, asked)
        for passage in read:
            found[passage.id] = PassageHit(passage, matcher.match(passage.text) or LineMatch.near(0), 0.0)
        if findings.left:
            findings.are_not_left(found)
        taken = []
        for passage, match, _ in found.values():
            place = cited[passage.id]
            # Which law it is of, and which article, it need not say.
            text = f"{place.words}\n{passage.text}"
            match = match._replace(line=place.line - passage.first_line, column=0)
            taken.append(PassageHit(passage, match, best if place.is_certain else scorer.score(text)))
            findings.coverage = max(findings.coverage, scorer.coverage(text))
            findings.cited[passage.section_id] = place
        findings.hits = taken + [hit for hit in findings.hits if hit.passage.id not in cited]

    def _near_misses(
        self, weights: dict[int, float], matched: Container[int], scorer: Scorer, within: Container[int] | None
    ) -> list[PassageHit]:
        """Stage 1, looser still: passages that hold no whole term but most of the question's characters.

        They are candidates, and are never counted as matched lines. Chosen from everywhere, so that a search
        that resumes another one meets the same.
        """
        heaviest = max(weights.values(), default=0.0)
        near = [
            (weight, passage)
            for passage, weight in weights.items()
            if weight > _NEAR_SHARE * heaviest and passage not in matched
        ]
        promising = [passage for _, passage in nlargest(_NEAR_READ, near) if within is None or passage in within]
        return [
            PassageHit(
                passage, LineMatch.near(scorer.best_line(passage.text)), scorer.score(weigh_caption(passage.text))
            )
            for passage in read_passages(self._index, promising)
            if scorer.coverage(passage.text) >= _NEAR_SHARE
        ]


def _spread(passages: list[int], wanted: int) -> list[int]:
    """The same passages, so ordered that any `wanted` first ones come from everywhere in the list."""
    step = max(1, len(passages) // wanted)
    return [passage for start in range(step) for passage in passages[start::step]]


def _score(
    hits: list[PassageHit], shares: dict[int, float], scorer: Scorer, respelling: RespellingScorer
) -> list[PassageHit]:
    """Score the most promising hits in full; the others come below them, by their first weight beside the least of
    these: what is alike comes to the same.
    """
    scored = [
        PassageHit(
            hit.passage,
            _on_best_line(hit, scorer),
            respelling.score(weigh_caption(hit.passage.text), hit.match.held),
        )
        for hit in hits[:_SCORED]
    ]
    floor = min((hit.score for hit in scored), default=0.0)
    least = min((shares.get(hit.passage.id, 0.0) for hit in scored), default=0.0) or 1.0
    rest = [
        PassageHit(hit.passage, hit.match, floor * min(shares.get(hit.passage.id, 0.0) / least, 1.0))
        for hit in hits[_SCORED:]
    ]
    return scored + rest


def _on_best_line(hit: PassageHit, scorer: Scorer) -> LineMatch:
    """The match on that of the lines with most terms which says most of the question: a text without headings is one
    long section, whose first line names its subject and answers nothing.
    """
    lines = hit.match.lines_with_most()
    return hit.match.on(scorer.best_line(hit.passage.text, lines)) if len(lines) > 1 else hit.match
