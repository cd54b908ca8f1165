"""The stages of a search, one function a stage (seed 004 §3).

Stage 0 and 1 ask the index for every passage that may hold a term, take the most promising first,
and match their texts, as normalised and loosely. What the candidate cap or the clock left over is
returned as passages not examined; nothing is dropped.
"""

import sqlite3
from dataclasses import dataclass, field
from typing import Literal

from .deadline import Deadline, is_interruption
from .lex import Corpus, Scorer, extract_features
from .matching import LineMatch, TermMatcher
from .postings import Index, StoredPassage
from .query import Query, Term

POSTING_BUDGET = 2_000
_SCORED_AT_LEAST, _SCORED_FEATURES = 60, 2_400
_BATCH = 50

CutBy = Literal["time_budget", "candidate_cap"]


@dataclass(frozen=True, slots=True)
class PassageHit:
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
        self._features = extract_features(query.text)

    def run(self, terms: tuple[Term, ...], within: frozenset[int] | None = None) -> Findings:
        """Find the passages that hold one of the terms; `within` narrows to passages left before."""
        try:
            with self._deadline.interrupting(self._index.connection):
                corpus = self._index.corpus(self._features, terms)
                matches = self._index.find_passages(terms, corpus)
                if within is not None:
                    matches = [passage for passage in matches if passage in within]
                weights = self._most_promising_first(matches, terms, corpus)
        except sqlite3.OperationalError as error:
            if not is_interruption(error):
                raise
            return Findings(terms, cut_by="time_budget", nothing_known=True)
        return self._examine(weights, terms, corpus)

    def _most_promising_first(self, matches: list[int], terms: tuple[Term, ...], corpus: Corpus) -> dict[int, float]:
        """Each matching passage with its first weight, the heaviest first."""
        if len(matches) <= _SCORED_AT_LEAST:
            return dict.fromkeys(matches, 0.0)
        matching = set(matches)
        weights = self._index.weigh(self._features, corpus, POSTING_BUDGET)
        heaviest = max(weights.values(), default=0.0) or 1.0
        shares = {passage: weight / heaviest for passage, weight in weights.items() if passage in matching}
        titled = self._index.find_titles(terms, corpus, self._max_candidates)
        for passage in matching.intersection(self._index.first_passages(titled)):
            shares[passage] = shares.get(passage, 0.0) + 1.0
        ordered = dict(sorted(shares.items(), key=lambda item: (-item[1], item[0])))
        return ordered | {passage: 0.0 for passage in matches if passage not in ordered}

    def _examine(self, weights: dict[int, float], terms: tuple[Term, ...], corpus: Corpus) -> Findings:
        findings = Findings(terms)
        ordered = list(weights)
        matcher = TermMatcher(terms)
        scorer = Scorer(self._query.text, self._features, corpus)
        scored_most = max(_SCORED_AT_LEAST, _SCORED_FEATURES // max(len(self._features), 1))
        sections: set[int] = set()
        position = 0
        while position < len(ordered) and len(sections) < self._max_candidates:
            if self._deadline.is_over:
                findings.cut_by = "time_budget"
                break
            wanted = min(_BATCH, self._max_candidates - len(sections))
            batch = ordered[position : position + wanted]
            position += len(batch)
            for passage in self._index.read(batch):
                if match := matcher.match(passage.text):
                    findings.hits.append(PassageHit(passage, match, 0.0))
                    sections.add(passage.section_id)
        findings.hits = _score(findings.hits, weights, scorer, scored_most)
        self._note_what_is_left(findings, ordered[position:], sections)
        return findings

    def _note_what_is_left(self, findings: Findings, left: list[int], sections: set[int]) -> None:
        """The rest of a candidate's section is reached by reading the candidate: it is not left over."""
        if not left:
            return
        inside = set(self._index.section_passages(sections))
        findings.left = [passage_id for passage_id in left if passage_id not in inside]
        if findings.left and findings.cut_by is None:
            findings.cut_by = "candidate_cap"


def _score(hits: list[PassageHit], weights: dict[int, float], scorer: Scorer, most: int) -> list[PassageHit]:
    """Score the most promising hits in full; the others come below them, by their first weight."""
    place = {passage: position for position, passage in enumerate(weights)}
    hits.sort(key=lambda hit: place[hit.passage.id])
    scored = [PassageHit(hit.passage, hit.match, scorer.score(hit.passage.text)) for hit in hits[:most]]
    floor = min((hit.score for hit in scored), default=0.0)
    rest = [PassageHit(h.passage, h.match, floor * min(weights[h.passage.id], 1.0)) for h in hits[most:]]
    return scored + rest
