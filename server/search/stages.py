"""The stages of a search, one function a stage (seed 004 §3).

Stage 0 and 1 ask the index for every passage that may hold a term, take the most promising first,
and match their texts, as normalised and loosely. What the candidate cap or the clock left over is
returned as passages not examined; nothing is dropped.
"""

import sqlite3
from collections.abc import Container
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Literal, NamedTuple

from .deadline import Deadline, is_interruption
from .lex import Corpus, Scorer, extract_features
from .matching import LineMatch, TermMatcher
from .postings import Index, StoredPassage
from .query import Query, Term

POSTING_BUDGET = 2_000
_SCORED_AT_LEAST, _SCORED_AT_MOST, _SCORED_FEATURES = 60, 120, 2_400
_BATCH = 64
_EXAMINED_PER_CANDIDATE = 2
_NEAR_SHARE, _NEAR_READ = 0.3, 40

CutBy = Literal["time_budget", "candidate_cap"]


class PassageHit(NamedTuple):
    """A passage that holds a term, with its score; positions of terms refer to `Findings.terms`."""

    passage: StoredPassage
    match: LineMatch
    score: float


@dataclass(slots=True)
class Findings:
    """What stages 0 and 1 know. `left` are passage ids that may hold a term and were not examined."""

    terms: tuple[Term, ...]
    hits: list[PassageHit] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    cut_by: CutBy | None = None
    nothing_known: bool = False


class PassageSearch:
    """Stages 0 and 1 of one question over one state of the index."""

    def __init__(self, index: Index, query: Query, max_candidates: int, deadline: Deadline) -> None:
        self._index = index
        self._query = query
        self._max_candidates = max_candidates
        self._deadline = deadline
        self._max_examined = _EXAMINED_PER_CANDIDATE * max_candidates
        self._features = extract_features(query.text)
        affordable = _SCORED_FEATURES // max(len(self._features), 1)
        self._scored_most = min(max(_SCORED_AT_LEAST, affordable), _SCORED_AT_MOST)

    def run(self, terms: tuple[Term, ...], within: frozenset[int] | None = None) -> Findings:
        """Find the passages that hold one of the terms; `within` narrows to passages left before."""
        try:
            with self._deadline.interrupting(self._index.connection):
                corpus = self._index.corpus(self._features, terms)
                matches = self._index.find_passages(terms, corpus)
                if within is not None:
                    matches = [passage for passage in matches if passage in within]
                weights = self._weigh(matches, terms, corpus)
                ordered = self._most_promising_first(matches, weights, terms, corpus)
        except sqlite3.OperationalError as error:
            if not is_interruption(error):
                raise
            return Findings(terms, cut_by="time_budget", nothing_known=True)
        scorer = Scorer(self._query.text, self._features, corpus)
        near = self._near_misses(weights, ordered.keys(), scorer) if within is None and len(terms) > 1 else []
        room = self._max_candidates - len({hit.passage.section_id for hit in near})
        findings = self._examine(ordered, terms, scorer, max(room, 1))
        findings.hits += near[: self._max_candidates - 1]
        return findings

    def _weigh(self, matches: list[int], terms: tuple[Term, ...], corpus: Corpus) -> dict[int, float]:
        """First weights, where they decide something: many matches, or several terms."""
        if len(terms) == 1 and 0 < len(matches) <= _SCORED_AT_LEAST:
            return {}
        return self._index.weigh(self._features, corpus, POSTING_BUDGET)

    def _most_promising_first(
        self, matches: list[int], weights: dict[int, float], terms: tuple[Term, ...], corpus: Corpus
    ) -> dict[int, float]:
        """Each matching passage with its first weight, the heaviest first; equal ones spread over the corpus."""
        if len(matches) <= _SCORED_AT_LEAST:
            return dict.fromkeys(matches, 0.0)
        shares = dict.fromkeys(_spread(matches, self._max_examined), 0.0)
        heaviest = max(weights.values(), default=0.0) or 1.0
        first = {passage: weights[passage] / heaviest for passage in shares.keys() & weights.keys()}
        titled = self._index.find_titles(terms, corpus, self._max_candidates)
        for passage in shares.keys() & self._index.first_passages(titled):
            first[passage] = first.get(passage, 0.0) + 1.0
        shares |= first
        promising = sorted((p for p in shares if p in first), key=first.__getitem__, reverse=True)
        return dict.fromkeys(promising, 0.0) | shares

    def _examine(self, weights: dict[int, float], terms: tuple[Term, ...], scorer: Scorer, room: int) -> Findings:
        """Stages 0 and 1 on the texts, until there are candidates enough or time is over."""
        findings = Findings(terms)
        ordered = list(weights)
        matcher = TermMatcher(terms)
        sections: set[int] = set()
        position = 0
        while position < len(ordered) and findings.cut_by is None:
            for passage in self._index.read(ordered[position : position + _BATCH]):
                if passage.section_id not in sections and len(sections) >= room:
                    findings.left.append(passage.id)
                elif match := matcher.match(passage.text):
                    findings.hits.append(PassageHit(passage, match, 0.0))
                    sections.add(passage.section_id)
            position += _BATCH
            if findings.left or (position >= self._max_examined and position < len(ordered)):
                findings.cut_by = "candidate_cap"
            elif self._deadline.is_over and position < len(ordered):
                findings.cut_by = "time_budget"
        findings.left += ordered[position:]
        findings.hits = _score(findings.hits, weights, scorer, self._scored_most)
        return findings

    def _near_misses(self, weights: dict[int, float], matched: Container[int], scorer: Scorer) -> list[PassageHit]:
        """Stage 1, looser still: passages that hold no whole term but most of the question's characters.

        They are candidates, and are never counted as matched lines.
        """
        heaviest = max(weights.values(), default=0.0)
        near = [
            (weight, passage)
            for passage, weight in weights.items()
            if weight > _NEAR_SHARE * heaviest and passage not in matched
        ]
        promising = [passage for _, passage in nlargest(_NEAR_READ, near)]
        return [
            PassageHit(passage, LineMatch.near(scorer.best_line(passage.text)), scorer.score(passage.text))
            for passage in self._index.read(promising)
            if scorer.coverage(passage.text) >= _NEAR_SHARE
        ]


def _spread(passages: list[int], wanted: int) -> list[int]:
    """The same passages, so ordered that any `wanted` first ones come from everywhere in the list."""
    step = max(1, len(passages) // wanted)
    return [passage for start in range(step) for passage in passages[start::step]]


def _score(hits: list[PassageHit], weights: dict[int, float], scorer: Scorer, most: int) -> list[PassageHit]:
    """Score the most promising hits in full; the others come below them, by their first weight."""
    place = {passage: position for position, passage in enumerate(weights)}
    hits.sort(key=lambda hit: place[hit.passage.id])
    scored = [PassageHit(hit.passage, hit.match, scorer.score(hit.passage.text)) for hit in hits[:most]]
    floor = min((hit.score for hit in scored), default=0.0)
    rest = [PassageHit(h.passage, h.match, floor * min(weights[h.passage.id], 1.0)) for h in hits[most:]]
    return scored + rest
