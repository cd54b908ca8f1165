"""Stage 3.5: candidates, conflicts, gaps, and how sufficient they are. Pure, but for what it asks of surroundings.

Always runs, on whatever the stages before it could find (seed 004 §3).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from morenashi.server.search.evidence import Evidence
from morenashi.server.search.question.intent import Intent
from morenashi.server.search.question.query import Query
from morenashi.server.search.ranking.candidates import SIGNALS, Candidate, Ranked, Signal
from morenashi.server.search.resuming import Earlier
from morenashi.server.search.tally import Tally

from .conflicts import Conflict, find_conflicts
from .gaps import Gap, find_gaps
from .sufficiency import estimate_sufficiency
from .surroundings import Surroundings

Status = Literal["ready", "needs_followup", "blocked"]

READY_FROM = 0.9


@dataclass(frozen=True, slots=True)
class Judgement:
    """The integrated view of a search. Candidates are ranked; scores lie in 0..1.

    `is_found`: this search, or one whose rest it took up, found a line that holds a term.
    """

    candidates: tuple[Candidate, ...]
    conflicts: tuple[Conflict, ...]
    gaps: tuple[Gap, ...]
    signal_counts: dict[Signal, int]
    matched_lines: int
    is_found: bool
    file_bias_ratio: float
    sufficiency_score: float
    status: Status

    def kept_open(self) -> "Judgement":
        """The same of a search that was cut after all: never `ready`."""
        return replace(self, status="needs_followup") if self.status == "ready" else self


def judge(
    ranked: Sequence[Ranked],
    evidence: Evidence,
    query: Query,
    intent: Intent,
    *,
    surroundings: Surroundings,
    examined_share: float,
    is_cut: bool,
    earlier: Earlier,
    at_home: float = 0.0,
    are_notes: bool = False,
) -> Judgement:
    """Judge the ranked set.

    `surroundings` reads what stands around lines; it is asked of few, where texts seem to differ.
    `examined_share` is the share (0..1) of the passages that may hold a term which was examined, `is_cut`
    says that some were left over, by whatever limit, or lie in files that have changed, or that it is not known yet
    what sections refer to: such a set is not called ready. Nor is one for which a similar word was looked for instead
    of a term, nor one without a line that holds a term.
    `earlier` is what the searches had found whose rest this one took up: it makes no worse what they came to. Nor does
    a widened search what the one in the manual that was asked for came to, which is `at_home`. Notes may differ from
    one another, and nothing is expected of them by intent.
    """
    candidates = tuple(section.candidate for section in ranked)
    conflicts = () if are_notes else find_conflicts(ranked, evidence, surroundings)
    own_sufficiency = estimate_sufficiency(evidence, len(query.terms), examined_share) if candidates else 0.0
    sufficiency = max(own_sufficiency, earlier.sufficiency, at_home)
    signals = Counter(chain.from_iterable(candidate.signals for candidate in candidates))
    matched_lines = sum(hit.match.matched_lines for hit in evidence.all_hits())
    is_found = bool(matched_lines) or earlier.is_found
    return Judgement(
        candidates=candidates,
        conflicts=conflicts,
        gaps=find_gaps(ranked, evidence, query, intent, earlier, is_found=is_found, are_notes=are_notes),
        signal_counts={signal: signals[signal] for signal in SIGNALS},
        matched_lines=matched_lines,
        is_found=is_found,
        file_bias_ratio=Tally().with_more(candidates).file_bias,
        sufficiency_score=sufficiency,
        status=_status(
            sufficiency,
            is_blocked=not candidates and not earlier.has_candidates,
            is_open=bool(conflicts or evidence.findings.slips) or earlier.has_conflicts or is_cut or not is_found,
        ),
    )


def _status(sufficiency: float, *, is_blocked: bool, is_open: bool) -> Status:
    if is_blocked:
        return "blocked"
    return "ready" if sufficiency >= READY_FROM and not is_open else "needs_followup"
