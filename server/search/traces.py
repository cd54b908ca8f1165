"""Traces: what a search answered, kept so that its lists can be paged, also after a restart."""

import json
import secrets
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from pydantic_core import to_json

from .evidence import SectionPlace
from .judgement.conflicts import Conflict
from .judgement.gaps import Gap
from .question.intent import Intent
from .ranking.candidates import Candidate
from .resuming import Earlier, Rest
from .scope import Lead, Unscanned
from .tally import Tally

Tool = Literal["manual_find", "vault_find"]
"""The tools whose calls leave a trace. In one of the vault, every `manual_id` is empty."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A search and its answer. `summary` and `next_actions` are as answered; no text of a document."""

    id: str
    created_at: str
    question: str
    manual_id: str | None
    intent: Intent
    intent_source: Literal["given", "inferred"]
    parameters: dict[str, dict[str, Any]]
    index_generation: int
    elapsed_ms: float
    summary: dict[str, Any]
    next_actions: list[dict[str, Any]]
    escalation_reasons: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    unscanned: tuple[Unscanned, ...]
    leads: tuple[Lead, ...]
    gaps: tuple[Gap, ...]
    conflicts: tuple[Conflict, ...]
    tool: Tool = "manual_find"

    @property
    def call(self) -> dict[str, Any]:
        """What the call said."""
        return self.parameters.get("call", {})

    @property
    def in_force(self) -> dict[str, Any]:
        """What held besides, so that it can be repeated; empty if it was kept before traces told that."""
        return self.parameters.get("in_force", {})

    @property
    def is_stage_capped(self) -> bool:
        """Whether it lists documents beyond the scope that was asked for."""
        return any(item.reason == "stage_cap" for item in self.unscanned)

    @property
    def rest(self) -> Rest:
        """What it left over, for a search that takes it up."""
        earlier = Earlier(
            is_found=self.summary["completeness"]["status"] == "found",
            has_candidates=self.summary["integration_status"] != "blocked",
            has_conflicts=bool(self.conflicts) or self.in_force.get("after_conflicts", False),
            sufficiency=self.summary["sufficiency_score"],
            a_part_alone=self.in_force.get("a_part_alone", False),
            missing=frozenset(gap.hint for gap in self.gaps if gap.kind in ("term", "facet")),
            intent=self.intent,
            so_far=Tally.restore(self.in_force.get("found_before")).with_more(self.candidates),
            looked_inside=self.in_force.get("looked_inside", False),
        )
        apart = self.in_force.get("taken_apart", [])
        given = self.intent if self.intent_source == "given" else None
        began_in = self.in_force.get("began_in", self.index_generation)
        left = self.question, self.index_generation, self.unscanned, self.leads
        return Rest(*left, apart, given, earlier, began_in, self._referred())

    def _referred(self) -> frozenset[SectionPlace]:
        """The sections that this search and those that it takes up gave for a reference alone: not those that hold for
        what is found beside them, for each of that anew.
        """
        before = {(manual_id, path, line) for manual_id, path, line in self.in_force.get("referred_before", ())}
        alone = (one for one in self.candidates if one.is_only_referred_to and not one.is_general)
        return frozenset(before | {one.section for one in alone})


def new_trace_id() -> str:
    """A fresh id: 80 random bits."""
    return f"tr_{secrets.token_hex(10)}"


def now_utc() -> str:
    """The present moment in ISO 8601, which sorts as text."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def is_expired(created_at: str, ttl_seconds: int) -> bool:
    """Whether a trace of this age is no longer to be found."""
    return created_at < _oldest_to_keep(ttl_seconds)


def store_trace(connection: sqlite3.Connection, trace: Trace) -> None:
    """Write a trace, inside the caller's transaction."""
    values = {
        "id": trace.id,
        "tool": trace.tool,
        "created_at": trace.created_at,
        "query": trace.question,
        "manual_id": trace.manual_id,
        "intent": trace.intent,
        "intent_source": trace.intent_source,
        "parameters": json.dumps(trace.parameters),
        "index_generation": trace.index_generation,
        "elapsed_ms": trace.elapsed_ms,
        "summary": json.dumps(trace.summary),
        "next_actions": json.dumps(trace.next_actions, ensure_ascii=False),
        "escalation_reasons": json.dumps(trace.escalation_reasons),
    }
    connection.execute(_INSERT_TRACE, values)
    # `json` takes half as long again, and keeps every other thread waiting meanwhile.
    connection.execute(_INSERT_CANDIDATES, (trace.id, to_json(trace.candidates).decode()))
    connection.executemany(
        _INSERT_UNSCANNED,
        [(trace.id, u.reason, u.documents, u.places, u.lines) for u in trace.unscanned],
    )
    connection.executemany(_INSERT_LEAD, [(trace.id, position, *lead) for position, lead in enumerate(trace.leads)])
    # A search in notes has hundreds: one statement lets the searches that come next run meanwhile.
    connection.execute(_INSERT_GAPS, (trace.id, to_json(trace.gaps).decode()))
    connection.executemany(
        _INSERT_CONFLICT,
        [(trace.id, position, c.kind, *c.place, *c.other) for position, c in enumerate(trace.conflicts)],
    )


def read_trace(connection: sqlite3.Connection, trace_id: str) -> Trace | None:
    """Read a trace that is still stored, whether it has expired or not; `None` if there is none of this id."""
    row = connection.execute(_SELECT_TRACE, (trace_id,)).fetchone()
    if row is None:
        return None
    _, tool, created_at, question, manual_id, intent, source, parameters, generation, elapsed_ms, *answered = row
    summary, next_actions, escalation_reasons = map(json.loads, answered)
    return Trace(
        id=trace_id,
        created_at=created_at,
        question=question,
        manual_id=manual_id,
        intent=intent,
        intent_source=source,
        parameters=json.loads(parameters),
        index_generation=generation,
        elapsed_ms=elapsed_ms,
        summary=summary,
        next_actions=next_actions,
        escalation_reasons=tuple(escalation_reasons),
        candidates=_read_candidates(connection, trace_id),
        unscanned=tuple(Unscanned(*fields) for fields in connection.execute(_SELECT_UNSCANNED, (trace_id,))),
        leads=tuple(map(Lead._make, connection.execute(_SELECT_LEADS, (trace_id,)))),
        gaps=tuple(map(Gap._make, connection.execute(_SELECT_GAPS, (trace_id,)))),
        conflicts=_read_conflicts(connection, trace_id),
        tool=tool,
    )


def _read_candidates(connection: sqlite3.Connection, trace_id: str) -> tuple[Candidate, ...]:
    return tuple(
        # Those of an older program lack what has come to the end since.
        Candidate(*fields)._replace(signals=tuple(fields[6]))
        for (candidates,) in connection.execute(_SELECT_CANDIDATES, (trace_id,))
        for fields in json.loads(candidates)
    )


def _read_conflicts(connection: sqlite3.Connection, trace_id: str) -> tuple[Conflict, ...]:
    return tuple(
        Conflict(kind, (manual_id, path, line), (other_manual_id, other_path, other_line))
        for kind, manual_id, path, line, other_manual_id, other_path, other_line in connection.execute(
            _SELECT_CONFLICTS, (trace_id,)
        )
    )


def expire_traces(connection: sqlite3.Connection, *, keep: int, ttl_seconds: int) -> None:
    """Drop traces beyond the newest `keep` and those older than `ttl_seconds`."""
    connection.execute(_EXPIRE, {"oldest": _oldest_to_keep(ttl_seconds), "keep": keep})


def _oldest_to_keep(ttl_seconds: int) -> str:
    """The time of a trace that expires now, as `now_utc` writes it."""
    return (datetime.now(UTC) - timedelta(seconds=ttl_seconds)).isoformat(timespec="microseconds")


_INSERT_TRACE = """
INSERT INTO traces
  (id, created_at, tool, query, manual_id, intent, intent_source, parameters, index_generation, elapsed_ms, summary,
   next_actions, escalation_reasons)
VALUES
  (:id, :created_at, :tool, :query, :manual_id, :intent, :intent_source, :parameters, :index_generation,
   :elapsed_ms, :summary, :next_actions, :escalation_reasons)
"""

_INSERT_CANDIDATES = "INSERT INTO trace_candidate_lists (trace_id, candidates) VALUES (?, ?)"

_SELECT_TRACE = """
SELECT id, tool, created_at, query, manual_id, intent, intent_source, parameters, index_generation, elapsed_ms,
  summary, next_actions, escalation_reasons
FROM traces
WHERE id = ?
"""

_SELECT_CANDIDATES = "SELECT candidates FROM trace_candidate_lists WHERE trace_id = ?"

_INSERT_UNSCANNED = """
INSERT INTO trace_unscanned (trace_id, reason, documents, places, lines)
VALUES (?, ?, ?, ?, ?)
"""

_SELECT_UNSCANNED = """
SELECT reason, documents, places, lines
FROM trace_unscanned
WHERE trace_id = ?
ORDER BY rowid
"""

_INSERT_LEAD = """
INSERT INTO trace_leads
  (trace_id, position, manual_id, path, line, source_manual_id, source_path, source_section_line, source_line, kind,
   depth)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_SELECT_LEADS = """
SELECT manual_id, path, line, source_manual_id, source_path, source_section_line, source_line, kind, depth
FROM trace_leads
WHERE trace_id = ?
ORDER BY position
"""

_INSERT_GAPS = """
INSERT INTO trace_gaps (trace_id, position, kind, hint, manual_id, path, start_line)
SELECT ?, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
FROM json_each(?)
"""

_SELECT_GAPS = """
SELECT kind, hint, manual_id, path, start_line
FROM trace_gaps
WHERE trace_id = ?
ORDER BY position
"""

_INSERT_CONFLICT = """
INSERT INTO trace_conflicts
  (trace_id, position, kind, manual_id, path, start_line, other_manual_id, other_path, other_line)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_SELECT_CONFLICTS = """
SELECT kind, manual_id, path, start_line, other_manual_id, other_path, other_line
FROM trace_conflicts
WHERE trace_id = ?
ORDER BY position
"""

# The newest are those that were stored last: after a clock has been put back, times would call new ones old.
_EXPIRE = """
DELETE FROM traces
WHERE created_at < :oldest
   OR rowid < (SELECT rowid FROM traces ORDER BY rowid DESC LIMIT 1 OFFSET :keep - 1)
"""
