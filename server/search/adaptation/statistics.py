"""The adaptive statistics of a search (seed 001 §8.2): numbers and a hash, no text."""

import hashlib
import math
import sqlite3
from dataclasses import dataclass
from typing import Any

from morenashi.server.search.traces import Trace

Record = dict[str, Any]
"""A row of `adaptive_statistics` by its columns, its id apart: the seed's fields, and the trace's id."""

_RECORDS_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Characters that came in and went out with a call."""

    chars_in: int
    chars_out: int


def estimate_tokens(characters: int) -> int:
    """`ceil(characters / 4)`, the seed's estimate."""
    return math.ceil(characters / 4)


def describe_search(trace: Trace, usage: Usage) -> Record:
    """The record of a search."""
    summary = trace.summary
    added_tokens = estimate_tokens(usage.chars_out)
    evidence = summary["completeness"]["lines"]["matched"]
    return {
        "ts": trace.created_at,
        "trace_id": trace.id,
        "query_hash": hashlib.sha256(trace.question.encode()).hexdigest()[:16],
        "scanned_files": summary["scanned_files"],
        "candidates": summary["candidates"],
        "warnings": summary["warnings"],
        "max_stage_applied": summary["max_stage_applied"],
        "scope_expanded": summary["scope_expanded"],
        "cutoff_reason": summary.get("cutoff_reason"),
        "unscanned_sections_count": summary["unscanned_sections_count"],
        "est_tokens": estimate_tokens(usage.chars_in + usage.chars_out),
        "est_tokens_in": estimate_tokens(usage.chars_in),
        "est_tokens_out": added_tokens,
        "added_evidence_count": evidence,
        "added_est_tokens": added_tokens,
        "marginal_gain": round(evidence / added_tokens, 4) if added_tokens else None,
    }


def store_statistics(connection: sqlite3.Connection, record: Record) -> None:
    """Write a record, inside the caller's transaction; the newest 10,000 stay, with what was read after them."""
    connection.execute(_INSERT, record)
    connection.execute(_PRUNE, (_RECORDS_KEPT,))


_INSERT = """
INSERT INTO adaptive_statistics
  (ts, trace_id, query_hash, scanned_files, candidates, warnings, max_stage_applied, scope_expanded, cutoff_reason,
   unscanned_sections_count, est_tokens, est_tokens_in, est_tokens_out, added_evidence_count, added_est_tokens,
   marginal_gain)
VALUES
  (:ts, :trace_id, :query_hash, :scanned_files, :candidates, :warnings, :max_stage_applied, :scope_expanded,
   :cutoff_reason, :unscanned_sections_count, :est_tokens, :est_tokens_in, :est_tokens_out, :added_evidence_count,
   :added_est_tokens, :marginal_gain)
"""

_PRUNE = "DELETE FROM adaptive_statistics WHERE id <= (SELECT max(id) FROM adaptive_statistics) - ?"
