"""What a search came to: its answer at once, its trace afterwards."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .evidence import Evidence
from .index.postings import Index
from .index.witness import contradicts_absence
from .judgement.judge import Judgement
from .leftovers import list_left
from .question.intent import Intent
from .question.query import Query
from .ranking.candidates import Ranked
from .ranking.reasons import explain
from .request import FindRequest
from .scope import Lead, Scope, Unscanned
from .traces import Trace, now_utc
from .widening import Escalation

Rescore = Callable[[sqlite3.Connection, str, Sequence[Ranked], Evidence], list[Ranked] | None]
"""Scores what was ranked for a normalised question again, or cannot yet."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the caller gets at once.

    `escalation_reasons` say why the search was widened or would have been, `failure` what ended stage
    2 or 3 if anything did; both are for the log.
    """

    trace_id: str
    summary: dict[str, Any]
    next_actions: list[dict[str, Any]]
    escalation_reasons: tuple[Escalation, ...] = ()
    failure: sqlite3.DatabaseError | None = None

    def as_result(self) -> dict[str, Any]:
        """What of it goes out."""
        return {"trace_id": self.trace_id, "summary": self.summary, "next_actions": self.next_actions}


@dataclass(frozen=True, slots=True)
class Found:
    """What the stages up to 3.5 know of one scope.

    `query` is the question as it was read in the end, `leads` name the references to what the cap dropped.
    """

    query: Query
    index: Index
    scope: Scope
    evidence: Evidence
    ranked: list[Ranked]
    leads: list[Lead]
    judgement: Judgement
    failure: sqlite3.DatabaseError | None

    @property
    def cutoff_terms(self) -> list[str]:
        """The terms that fill a search that stages 0 and 1 did not come to the end of."""
        findings = self.evidence.findings
        return findings.commonest(len(self.query.terms)) if findings.cut_by else []


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search knows, between its answer and its trace.

    The answer needs counts of what was left over; its list is for the trace. `complete` makes that
    list after the answer is out, in the same read transaction, which then ends.
    """

    request: FindRequest
    intent: Intent
    found: Found
    skipped: list[Unscanned]
    answer: Answer
    elapsed_ms: float

    def index_misses_something(self) -> bool:
        """Whether the full-text tables are wrong about a term that they do not find."""
        return contradicts_absence(self.found.index, self.found.query.terms)

    def complete(self, rescore: Rescore | None = None) -> Trace:
        """The whole trace. Call it once. `rescore` is that of the extra `vectors`, if it is used."""
        request, found, connection = self.request, self.found, self.found.index.connection
        rescored = None
        try:
            left = list_left(connection, found.evidence.findings)
            if rescore:
                rescored = rescore(connection, request.query.text, found.ranked, found.evidence)
        finally:
            connection.rollback()
        candidates = tuple(explain(section, found.evidence) for section in rescored or found.ranked)
        in_force = request.in_force() | ({} if rescored is None else {"rescored": True})
        in_force |= {"taken_apart": list(found.query.apart)} if found.query.apart else {}
        in_force |= {"looked_inside": True} if found.query.looks_inside else {}
        return Trace(
            id=self.answer.trace_id,
            created_at=now_utc(),
            question=request.question,
            manual_id=request.manual_id,
            intent=self.intent,
            intent_source="inferred" if request.intent is None else "given",
            parameters={"call": request.parameters or {}, "in_force": in_force},
            index_generation=found.index.generation,
            elapsed_ms=self.elapsed_ms,
            summary=self.answer.summary,
            next_actions=self.answer.next_actions,
            escalation_reasons=self.answer.escalation_reasons,
            candidates=candidates,
            unscanned=(*left, *self.skipped),
            leads=tuple(found.leads),
            gaps=found.judgement.gaps,
            conflicts=found.judgement.conflicts,
            tool=request.tool,
        )
