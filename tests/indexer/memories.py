"""Rows of memory, as its tools leave them, for tests of what carries them over."""

import sqlite3
from datetime import UTC, datetime

from morenashi.server.memory import audit_log

MEMORY_TABLES = ("claims", "claim_evidence", "audit_log")

_NOW = datetime(2026, 1, 1, tzinfo=UTC)


def add_claim(connection: sqlite3.Connection, number: int, merged_into: int | None = None) -> None:
    """Add a claim, perhaps one that stands for another one."""
    connection.execute(_INSERT_CLAIM, {"number": number, "merged_into": merged_into})


def add_memories(connection: sqlite3.Connection, count: int) -> None:
    """Add claims with one row of evidence and one of the audit log each."""
    connection.execute("BEGIN")
    for number in range(1, count + 1):
        add_claim(connection, number)
        connection.execute("INSERT INTO claim_evidence VALUES (?, 'digest', '2026', '{}')", (number,))
        audit_log.append(connection, audit_log.LogEntry(_NOW, "upsert", "local", None, "1", f"r{number}", f"t{number}"))
    connection.execute("COMMIT")


def count_memories(connection: sqlite3.Connection) -> dict[str, int]:
    """How many rows each of these tables has."""
    return {
        table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - names from above
        for table in MEMORY_TABLES
    }


_INSERT_CLAIM = """
INSERT INTO claims (number, id, content_hash, text, kind, scope, boundary_class, said_at, created_at, updated_at,
  utility, utility_at, confidence, quality, quality_at, merged_into)
VALUES (:number, 'clm_' || :number, 'hash ' || :number, '決定' || :number, 'fact', 'project', 'internal', '2026',
  '2026', '2026', 0, '2026', 0.5, 1, '2026', :merged_into)
"""
