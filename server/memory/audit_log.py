"""The audit log: every call of a memory tool, and every command that changes memory or its policy.

Append-only, each row chained to the one before by a hash.

It holds what was called, by whom, under which policy and with which outcome: ids, codes and digests, no text.
"""

import hashlib
import sqlite3
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .claims import Provenance, as_json, digest_of
from .ids import to_stored

FIRST_HASH = "0" * 64
"""What the first row is chained to."""

_COLUMNS = "at tool caller decision code policy_version request_id trace_id claims provenance".split()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A call. `claims` are the ids that were answered or changed."""

    at: datetime
    tool: str
    caller: str
    code: str | None
    policy_version: str
    request_id: str
    trace_id: str
    claims: tuple[str, ...] = ()
    provenance: Provenance | None = None

    def as_row(self) -> dict[str, Any]:
        """The columns that the hash covers. Of a provenance: when, which commit, and a digest of all of it."""
        return {
            "at": to_stored(self.at),
            "tool": self.tool,
            "caller": self.caller,
            "decision": "refused" if self.code else "allowed",
            "code": self.code,
            "policy_version": self.policy_version,
            "request_id": self.request_id,
            "trace_id": self.trace_id,
            "claims": as_json(self.claims),
            "provenance": None if self.provenance is None else as_json(_outline(self.provenance)),
        }


NO_END = "what tells where the log ends is lost, so that rows may be missing here"
"""The problem of a log whose rows all follow each other, and whose length nothing tells: it may be lost with damage."""


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """What is wrong with the log: a row's number and why, or nothing. `hash` is the last row's.

    `is_known`: the hash that was asked for is a row's, so that the log is the one of then with more rows at its end.
    """

    rows: int
    hash: str
    number: int | None = None
    problem: str | None = None
    is_known: bool = False


def by_command(what: str, policy_version: str, *claims: str) -> LogEntry:
    """What a person did with a command, as the log has it: `policy apply`, `memory forget`."""
    ids = (str(uuid.uuid4()), str(uuid.uuid4()))
    return LogEntry(datetime.now(UTC), what, "command", None, policy_version, *ids, claims)


def append(connection: sqlite3.Connection, entry: LogEntry) -> None:
    """Add a row, in the caller's write transaction. What is wrong with the log by then stays to be found."""
    number, previous = (connection.execute(_END).fetchone() or (0, FIRST_HASH))[:2]
    row = entry.as_row() | {"number": number + 1, "previous_hash": previous}
    row["hash"] = _hash(row)
    connection.execute(_INSERT, row)
    connection.execute(_SET_HEAD, row)


def verify(connection: sqlite3.Connection, known: str | None = None) -> LogVerdict:
    """Follow the chain from its beginning. The first row that was changed, removed, added or moved is named.

    `known` is a last hash of an earlier time.
    """
    # One state: a row that a server adds meanwhile would look as if its end was missing.
    connection.execute("BEGIN")
    text_factory = connection.text_factory
    connection.text_factory = _as_stored
    try:
        return _follow(connection, known)
    finally:
        connection.text_factory = text_factory
        connection.rollback()


def _follow(connection: sqlite3.Connection, known: str | None) -> LogVerdict:
    expected, previous, is_known = 1, FIRST_HASH, known == FIRST_HASH
    for row in _rows(connection):
        problem = _problem(row, expected, previous)
        if problem is not None:
            return LogVerdict(expected - 1, previous, row["number"], problem)
        expected, previous = row["number"] + 1, row["hash"]
        is_known = is_known or previous == known
    end, head = (expected - 1, previous), connection.execute(_HEAD).fetchone()
    if (head or (0, FIRST_HASH)) != end:
        return LogVerdict(*end, expected, "rows are missing at the end" if head else NO_END)
    return LogVerdict(expected - 1, previous, is_known=is_known)


def _problem(row: dict[str, Any], expected: int, previous: str) -> str | None:
    if row["number"] != expected:
        return f"row {expected} is missing"
    if row["previous_hash"] != previous:
        return "it does not follow the row before it"
    # No value that this program writes is of bytes.
    is_whole = not any(isinstance(value, bytes) for value in row.values()) and row["hash"] == _hash(row)
    return None if is_whole else "it was changed"


def _rows(connection: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    cursor = connection.execute(_ALL)
    names = [column[0] for column in cursor.description]
    return (dict(zip(names, row, strict=True)) for row in cursor)


def _hash(row: dict[str, Any]) -> str:
    covered = [row["number"], row["previous_hash"], *(row[name] for name in _COLUMNS)]
    return hashlib.sha256(as_json(covered).encode(errors="surrogateescape")).hexdigest()


def _as_stored(text: bytes) -> str:
    """What is no UTF-8, as whoever changes a row may leave it, is a text of another hash, and no reason to stop."""
    return text.decode(errors="surrogateescape")


def _outline(provenance: Provenance) -> dict[str, Any]:
    commit = (provenance.get("git") or {}).get("commit")
    outline = {"at": provenance["at"], "commit": commit, "sha256": digest_of(provenance)}
    return {name: value for name, value in outline.items() if value is not None}


_HEAD = "SELECT number, hash FROM audit_head"

# As it was noted, or the last row: where a damaged database was salvaged, either may be lost, or that of a backup.
_END = """
SELECT number, hash, 0 AS preference
FROM audit_head
UNION ALL
SELECT number, hash, 1
FROM (SELECT number, hash FROM audit_log ORDER BY number DESC LIMIT 1)
ORDER BY number DESC, preference
LIMIT 1
"""

_INSERT = """
INSERT INTO audit_log (number, at, tool, caller, decision, code, policy_version, request_id, trace_id, claims,
  provenance, previous_hash, hash)
VALUES (:number, :at, :tool, :caller, :decision, :code, :policy_version, :request_id, :trace_id, :claims,
  :provenance, :previous_hash, :hash)
"""

_SET_HEAD = """
INSERT INTO audit_head (name, number, hash) VALUES ('head', :number, :hash)
ON CONFLICT (name) DO UPDATE SET number = excluded.number, hash = excluded.hash
"""

_ALL = """
SELECT number, at, tool, caller, decision, code, policy_version, request_id, trace_id, claims, provenance,
  previous_hash, hash
FROM audit_log
ORDER BY number
"""
