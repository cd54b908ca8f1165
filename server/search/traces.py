"""Traces: what a search answered, kept so that its lists can be paged, also after a restart."""

import json
import secrets
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from .judge import Candidate
from .scope import Unscanned


@dataclass(frozen=True, slots=True)
class Trace:
    """A search and its answer. `summary` and `next_actions` are as answered; no text of a document."""

    id: str
    created_at: str
    question: str
    manual_id: str | None
    intent: str | None
    index_generation: int
    elapsed_ms: float
    summary: dict[str, Any]
    next_actions: list[dict[str, Any]]
    candidates: tuple[Candidate, ...]
    unscanned: tuple[Unscanned, ...]
    gaps: tuple[str, ...]


def new_trace_id() -> str:
    """A fresh id: 80 random bits."""
    return f"tr_{secrets.token_hex(10)}"


def now_utc() -> str:
    """The present moment in ISO 8601, which sorts as text."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def is_expired(created_at: str, ttl_seconds: int) -> bool:
    """Whether a trace of this age is no longer to be found."""
    return created_at < (datetime.now(UTC) - timedelta(seconds=ttl_seconds)).isoformat(timespec="microseconds")


def store_trace(connection: sqlite3.Connection, trace: Trace) -> None:
    """Write a trace, inside the caller's transaction."""
    values = {
        "id": trace.id,
        "created_at": trace.created_at,
        "query": trace.question,
        "manual_id": trace.manual_id,
        "intent": trace.intent,
        "index_generation": trace.index_generation,
        "elapsed_ms": trace.elapsed_ms,
        "summary": json.dumps(trace.summary),
        "next_actions": json.dumps(trace.next_actions, ensure_ascii=False),
    }
    connection.execute(_INSERT_TRACE, values)
    candidates = [(*c[:6], json.dumps(c.signals), c.score) for c in trace.candidates]
    connection.execute(_INSERT_CANDIDATES, (trace.id, json.dumps(candidates, ensure_ascii=False)))
    connection.executemany(
        _INSERT_UNSCANNED,
        [(trace.id, u.reason, u.documents, u.places, u.lines) for u in trace.unscanned],
    )
    connection.executemany(
        "INSERT INTO trace_gaps (trace_id, position, hint) VALUES (?, ?, ?)",
        [(trace.id, position, hint) for position, hint in enumerate(trace.gaps)],
    )


def load_trace(connection: sqlite3.Connection, trace_id: str, ttl_seconds: int) -> Trace | None:
    """Read a trace back, or `None` if there is none of this id or it has expired."""
    row = connection.execute(_SELECT_TRACE, (trace_id,)).fetchone()
    if row is None or is_expired(row[1], ttl_seconds):
        return None
    candidates = tuple(
        Candidate(manual_id, path, file_type, section_line, line, column, tuple(json.loads(signals)), score)
        for manual_id, path, file_type, section_line, line, column, signals, score in connection.execute(
            _SELECT_CANDIDATES, (trace_id,)
        )
    )
    unscanned = tuple(Unscanned(*fields) for fields in connection.execute(_SELECT_UNSCANNED, (trace_id,)))
    gaps = tuple(hint for (hint,) in connection.execute(_SELECT_GAPS, (trace_id,)))
    _, created_at, question, manual_id, intent, generation, elapsed_ms, summary, next_actions = row
    return Trace(
        id=trace_id,
        created_at=created_at,
        question=question,
        manual_id=manual_id,
        intent=intent,
        index_generation=generation,
        elapsed_ms=elapsed_ms,
        summary=json.loads(summary),
        next_actions=json.loads(next_actions),
        candidates=candidates,
        unscanned=unscanned,
        gaps=gaps,
    )


def expire_traces(connection: sqlite3.Connection, *, keep: int, ttl_seconds: int) -> None:
    """Drop traces beyond the newest `keep` and those older than `ttl_seconds`."""
    oldest = (datetime.now(UTC) - timedelta(seconds=ttl_seconds)).isoformat(timespec="microseconds")
    connection.execute(_EXPIRE, {"oldest": oldest, "keep": keep})


_INSERT_TRACE = """
INSERT INTO traces
  (id, created_at, tool, query, manual_id, intent, index_generation, elapsed_ms, summary, next_actions)
VALUES
  (:id, :created_at, 'manual_find', :query, :manual_id, :intent, :index_generation, :elapsed_ms, :summary,
   :next_actions)
"""

# One statement for all, during which other threads run: two hundred would be two hundred switches.
_INSERT_CANDIDATES = """
INSERT INTO trace_candidates
  (trace_id, position, manual_id, path, file_type, section_line, start_line, column_number, signals, score)
SELECT ?1, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
FROM json_each(?2)
"""

_SELECT_TRACE = """
SELECT id, created_at, query, manual_id, intent, index_generation, elapsed_ms, summary, next_actions
FROM traces
WHERE id = ?
"""

_SELECT_CANDIDATES = """
SELECT manual_id, path, file_type, section_line, start_line, column_number, signals, score
FROM trace_candidates
WHERE trace_id = ?
ORDER BY position
"""

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

_SELECT_GAPS = "SELECT hint FROM trace_gaps WHERE trace_id = ? ORDER BY position"

# Search: traces_by_age for both conditions.
_EXPIRE = """
DELETE FROM traces
WHERE created_at < :oldest
   OR created_at < (SELECT created_at FROM traces ORDER BY created_at DESC LIMIT 1 OFFSET :keep - 1)
"""
