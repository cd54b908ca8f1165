"""Rows of the side tables, as a search leaves them, for tests of what carries them over."""

import json
import sqlite3
from typing import Any

TRACE_TABLES = (
    "traces",
    "trace_candidate_lists",
    "trace_unscanned",
    "trace_leads",
    "trace_gaps",
    "trace_conflicts",
    "adaptive_statistics",
    "adaptive_reads",
    "adaptive_changes",
)

FIRST_TABLES = ("traces", "trace_candidates", "trace_unscanned", "trace_gaps", "adaptive_statistics")
_ADDED_LATER = {"intent", "intent_source", "parameters", "escalation_reasons", "kind"}

_SUMMARY = '{"candidates": 1, "completeness": {"status": "found", "lines": {"examined": 9, "unexamined": 3}}}'

_WHY = {
    "score": {"body": 0.5, "heading": 0.25},
    "terms": {"旅費": [2, 4]},
    "via": [["a", "y.md", 7, "article"]],
    "exceptions": [["a", "x.md", 3, "proviso"]],
}


def add_traces(connection: sqlite3.Connection, count: int, padding: int = 0) -> None:
    """Add traces with one row in each side table of theirs, `padding` characters longer than need be."""
    connection.execute("BEGIN")
    for number in range(count):
        rows = _rows(f"trace{number:05}", number, f"旅費 {number} " + "x" * padding)
        for table in TRACE_TABLES:
            _insert(connection, table, rows[table])
    connection.execute("COMMIT")


def add_first_traces(connection: sqlite3.Connection, count: int) -> None:
    """The same in the tables of the first version."""
    for number in range(count):
        rows = _rows(f"trace{number:05}", number, f"旅費 {number}")
        for table in FIRST_TABLES:
            row = {column: value for column, value in rows[table].items() if column not in _ADDED_LATER}
            _insert(connection, table, row)


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    places = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", tuple(row.values()))  # noqa: S608


def count_rows(connection: sqlite3.Connection) -> dict[str, int]:
    """How many rows each side table has."""
    return {
        table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - names from above
        for table in TRACE_TABLES
    }


def _rows(trace_id: str, number: int, query: str) -> dict[str, dict[str, Any]]:
    return {
        "traces": {
            "id": trace_id,
            "created_at": f"2026-01-01T00:00:{number % 60:02}Z",
            "tool": "manual_find",
            "query": query,
            "intent": "unknown",
            "intent_source": "inferred",
            "parameters": "{}",
            "index_generation": 1,
            "elapsed_ms": 1.5,
            "summary": _SUMMARY,
            "next_actions": "[]",
            "escalation_reasons": "[]",
        },
        "trace_candidates": {
            "trace_id": trace_id,
            "position": 0,
            "manual_id": "a",
            "path": "x.md",
            "file_type": "md",
            "section_line": 1,
            "start_line": 2,
            "column_number": 0,
            "signals": '["normalized"]',
            "score": 1.0,
        },
        "trace_candidate_lists": {
            "trace_id": trace_id,
            "candidates": json.dumps([["a", "x.md", "md", 1, 2, 0, ["normalized"], 1.0, _WHY]]),
        },
        "trace_unscanned": {
            "trace_id": trace_id,
            "reason": "budget",
            "documents": json.dumps([["a", "x.md", [[1, 2], [5, 5]]], ["b", query, []]]),
            "places": 2,
            "lines": 3,
        },
        "trace_leads": {
            "trace_id": trace_id,
            "position": 0,
            "manual_id": "a",
            "path": "x.md",
            "line": 5,
            "source_manual_id": "a",
            "source_path": "y.md",
            "source_section_line": 1,
            "source_line": 7,
            "kind": "article",
            "depth": 1,
        },
        "trace_gaps": {"trace_id": trace_id, "position": 0, "kind": "term", "hint": "宿泊料"},
        "trace_conflicts": {
            "trace_id": trace_id,
            "position": 0,
            "kind": "quantity",
            "manual_id": "a",
            "path": "x.md",
            "start_line": 2,
            "other_manual_id": "a",
            "other_path": "y.md",
            "other_line": 7,
        },
        "adaptive_statistics": {"id": number + 1}
        | dict.fromkeys(
            (
                "ts",
                "trace_id",
                "query_hash",
                "scanned_files",
                "candidates",
                "warnings",
                "max_stage_applied",
                "scope_expanded",
                "unscanned_sections_count",
                "est_tokens",
                "est_tokens_in",
                "est_tokens_out",
                "added_evidence_count",
                "added_est_tokens",
            ),
            number,
        ),
        "adaptive_reads": {
            "statistics_id": number + 1,
            "manual_id": "a",
            "path": "x.md",
            "section_line": 1,
            "is_candidate": 1,
        },
        "adaptive_changes": {
            "ts": "2026-01-01T00:00:00+00:00",
            "threshold": "candidate_low_threshold",
            "base": 3,
            "old_value": 3,
            "new_value": 4,
            "reason": "recall_low",
            "cutoff_share": 0.0,
            "statistics_id": number + 1,
        },
    }
