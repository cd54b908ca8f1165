"""What a search is about: the documents of one manual or of all, and what of them cannot be searched."""

import json
import sqlite3
from dataclasses import dataclass
from typing import Literal

UnscannedReason = Literal[
    "time_budget",
    "candidate_cap",
    "stage_cap",
    "hard_limit",
    "unreadable",
    "encoding",
    "too_large",
    "changed_since_index",
]


@dataclass(frozen=True, slots=True)
class Unscanned:
    """Places of a document that were not examined, and why.

    `spans` is a JSON array of [first, last] lines (1-based, inclusive), as SQLite makes it and as a
    trace stores it: a search that leaves ten thousand places over does not take them apart.
    """

    manual_id: str
    path: str
    reason: UnscannedReason
    spans: str
    places: int
    lines: int

    @property
    def ranges(self) -> list[tuple[int, int]]:
        return [(first, last) for first, last in json.loads(self.spans)]


def whole_document(manual_id: str, path: str, reason: UnscannedReason, lines: int) -> Unscanned:
    """All of a document; one whose lines are not known counts as one line."""
    lines = max(lines, 1)
    return Unscanned(manual_id, path, reason, f"[[1,{lines}]]", 1, lines)


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents of a search in one generation of the index.

    `lines` counts the lines of all documents on disk, so far as they are known. `unsearchable` are
    those without text in the index. `warnings` counts documents with any problem.
    """

    files: int
    sections: int
    lines: int
    warnings: int
    unsearchable: tuple[Unscanned, ...]


class ScopeCache:
    """Scopes of the newest generation seen: counting documents for every question would cost."""

    def __init__(self) -> None:
        self._generation = -1
        self._scopes: dict[str | None, Scope] = {}

    def read(self, connection: sqlite3.Connection, generation: int, manual_id: str | None) -> Scope:
        """The scope in this generation, which is the one the connection sees."""
        if generation < self._generation:
            return read_scope(connection, manual_id)
        if generation > self._generation:
            self._generation, self._scopes = generation, {}
        scopes = self._scopes
        if manual_id not in scopes:
            scopes[manual_id] = read_scope(connection, manual_id)
        return scopes[manual_id]


def read_scope(connection: sqlite3.Connection, manual_id: str | None) -> Scope:
    """Read the scope of one manual, or of all manuals if `manual_id` is `None`."""
    values = {"manual_id": manual_id}
    files, lines, warnings = connection.execute(_TOTALS, values).fetchone()
    sections = connection.execute(_SECTIONS if manual_id else _ALL_SECTIONS, values).fetchone()[0]
    unsearchable = tuple(
        whole_document(*row) for row in connection.execute(_UNSEARCHABLE, values)
    )
    return Scope(files, sections, int(lines), int(warnings), unsearchable)


def has_manual(connection: sqlite3.Connection, manual_id: str) -> bool:
    """Whether the index has a document of this manual."""
    query = "SELECT 1 FROM documents WHERE manual_id = ? LIMIT 1"
    return connection.execute(query, (manual_id,)).fetchone() is not None


_TOTALS = """
SELECT count(*), total(lines), total(problem IS NOT NULL)
FROM documents
WHERE :manual_id IS NULL OR manual_id = :manual_id
"""

_ALL_SECTIONS = "SELECT count(*) FROM sections"

_SECTIONS = """
SELECT count(*)
FROM documents
JOIN sections ON sections.document_id = documents.id
WHERE documents.manual_id = :manual_id
"""

_UNSEARCHABLE = """
SELECT manual_id, path, status, lines
FROM documents
WHERE status <> 'indexed' AND (:manual_id IS NULL OR manual_id = :manual_id)
"""
