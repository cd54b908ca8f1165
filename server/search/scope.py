"""What a search is about: the documents of one manual or of all, or some notes; what of them cannot be searched."""

import json
import sqlite3
import threading
from dataclasses import dataclass
from typing import Literal, NamedTuple

from morenashi.indexer.script import Script

from .note_scope import NoteScope

# Of one state of the index; beyond so many folders and globs the cache is emptied.
_SCOPES_KEPT = 100

State = tuple[str, int]
"""Build and generation: which state of an index."""

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
    """Places that were not examined, all for one reason.

    `documents` is a JSON array of [manual_id, path, [[first, last], ...]] (lines, 1-based, inclusive),
    as SQLite makes it and a trace stores it: a search may leave ten thousand places over, and
    nobody takes them apart before they are asked for. `unknown_lines` are those among `lines` that
    stand for files whose lines the index does not know.
    """

    reason: UnscannedReason
    documents: str
    places: int
    lines: int
    unknown_lines: int = 0

    def holds(self, manual_id: str, path: str, line: int) -> bool:
        """Whether a line (1-based) lies in one of the places."""
        return any(
            first <= line <= last
            for listed_id, listed_path, spans in json.loads(self.documents)
            if (listed_id, listed_path) == (manual_id, path)
            for first, last in spans
        )

    def page(self, offset: int, limit: int) -> list[tuple[str, str, int]]:
        """(manual_id, path, first line) of the places [offset, offset + limit)."""
        found: list[tuple[str, str, int]] = []
        for manual_id, path, spans in json.loads(self.documents):
            wanted = spans[offset : offset + limit - len(found)]
            found += [(manual_id, path, first) for first, _ in wanted]
            offset = max(offset - len(spans), 0)
            if len(found) >= limit:
                break
        return found


class Lead(NamedTuple):
    """A section that was left over and is known by a reference alone: the line that is referred to, and from where.

    Lines are 1-based; `source_section_line` is where the section that refers begins. `depth` as in `evidence.Link`.
    """

    manual_id: str
    path: str
    line: int
    source_manual_id: str
    source_path: str
    source_section_line: int
    source_line: int
    kind: str
    depth: int


def whole_documents(reason: UnscannedReason, documents: list[tuple[str, str, int]]) -> Unscanned:
    """All of these documents, as (manual_id, path, lines); one whose lines are not known counts as one line."""
    sized = [(manual_id, path, max(lines, 1)) for manual_id, path, lines in documents]
    spans = [[manual_id, path, [[1, lines]]] for manual_id, path, lines in sized]
    unknown = sum(1 for row in documents if row[2] < 1)
    listed = sum(row[2] for row in sized)
    return Unscanned(reason, json.dumps(spans, ensure_ascii=False), len(sized), listed, unknown)


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents of a search in one generation of the index.

    `lines` counts the lines of all documents on disk, so far as they are known. `unsearchable` are
    those without text in the index, as (manual_id, path, lines) by reason. `warnings` counts documents with
    any problem. `by_script` counts documents by what they are written in. `ids_follow_files`: the ids of passages lie
    in the order of the files, as in an index that no edit has grown.
    """

    files: int
    sections: int
    lines: int
    warnings: int
    unsearchable: dict[UnscannedReason, list[tuple[str, str, int]]]
    by_script: dict[Script, int]
    ids_follow_files: bool

    @property
    def searchable_files(self) -> int:
        """How many documents have text in the index."""
        return self.files - sum(map(len, self.unsearchable.values()))

    def files_not_in(self, script: Script | None) -> int:
        """How many documents are written in another script than a question."""
        return sum(files for written, files in self.by_script.items() if script and written != script)

    def share_without(self, files: int) -> float:
        """The share (0..1) of the documents that are left without so many; all of a scope without any."""
        return round(1 - files / self.files, 3) if self.files else 1.0


class ScopeCache:
    """Scopes of the state asked for last: counting documents for every question would cost."""

    def __init__(self) -> None:
        self._state: State = ("", -1)
        self._scopes: dict[str | None, Scope] = {}
        self._notes: dict[NoteScope, tuple[str | None, Scope]] = {}
        self._lock = threading.Lock()

    def read(self, connection: sqlite3.Connection, state: State, manual_id: str | None) -> Scope:
        """The scope in this state, which is the one the connection sees."""
        scopes, _ = self._of_state(state)
        if manual_id not in scopes:
            scopes[manual_id] = read_scope(connection, manual_id)
        return scopes[manual_id]

    def read_notes(self, connection: sqlite3.Connection, state: State, asked: NoteScope) -> tuple[str | None, Scope]:
        """The same of notes, and the ids of their documents as a JSON array; `None` for all of them."""
        _, notes = self._of_state(state)
        if asked not in notes:
            documents = None if asked.is_everything else _list_notes(connection, asked)
            notes[asked] = (documents, read_scope(connection, None, documents))
        return notes[asked]

    def _of_state(self, state: State) -> tuple[dict[str | None, Scope], dict[NoteScope, tuple[str | None, Scope]]]:
        with self._lock:
            if state != self._state or len(self._notes) > _SCOPES_KEPT:
                self._state, self._scopes, self._notes = state, {}, {}
            return self._scopes, self._notes


def read_scope(connection: sqlite3.Connection, manual_id: str | None, documents: str | None = None) -> Scope:
    """Read the scope of one manual, of these documents (ids, a JSON array), or of all if both are `None`."""
    values = {"manual_id": manual_id, "documents": documents}
    within = _within(manual_id, documents)
    files, lines, warnings, japanese, latin = connection.execute(_TOTALS.format(within=within), values).fetchone()
    counted = _SECTIONS.format(within=within) if within else _ALL_SECTIONS
    sections = connection.execute(counted, values).fetchone()[0]
    unsearchable: dict[UnscannedReason, list[tuple[str, str, int]]] = {}
    for manual, path, reason, count in connection.execute(_UNSEARCHABLE.format(within=within), values):
        unsearchable.setdefault(reason, []).append((manual, path, count))
    by_script: dict[Script, int] = {"japanese": int(japanese), "latin": int(latin)}
    out_of_order = connection.execute(_OUT_OF_ORDER.format(within=within), values).fetchone()
    return Scope(files, sections, int(lines), int(warnings), unsearchable, by_script, out_of_order is None)


def _within(manual_id: str | None, documents: str | None) -> str:
    """What narrows a statement to a scope: another statement for each, so that SQLite can use its indexes."""
    if documents is not None:
        return "AND documents.id IN (SELECT value FROM json_each(:documents))"
    return "" if manual_id is None else "AND documents.manual_id = :manual_id"


def _list_notes(connection: sqlite3.Connection, asked: NoteScope) -> str:
    """The ids of the documents that a scope of notes holds, as a JSON array."""
    rows = connection.execute("SELECT id, path FROM documents ORDER BY id")
    return json.dumps([document_id for document_id, path in rows if asked.holds(path)])


def has_manual(connection: sqlite3.Connection, manual_id: str) -> bool:
    """Whether the index has a document of this manual."""
    query = "SELECT 1 FROM documents WHERE manual_id = ? LIMIT 1"
    return connection.execute(query, (manual_id,)).fetchone() is not None


def list_manual_ids(connection: sqlite3.Connection) -> list[str]:
    """The manuals that the index has documents of, in order."""
    return [row[0] for row in connection.execute(_MANUALS)]


def has_document(connection: sqlite3.Connection, manual_id: str, path: str) -> bool:
    """Whether the index has this document, by exactly this name."""
    query = "SELECT 1 FROM documents WHERE manual_id = ? AND path = ?"
    return connection.execute(query, (manual_id, path)).fetchone() is not None


_TOTALS = """
SELECT count(*), total(lines), total(problem IS NOT NULL), total(script = 'japanese'), total(script = 'latin')
FROM documents
WHERE TRUE {within}
"""

_ALL_SECTIONS = "SELECT count(*) FROM sections"

_SECTIONS = """
SELECT count(*)
FROM documents
JOIN sections ON sections.document_id = documents.id
WHERE TRUE {within}
"""

# By `passages_by_document`, one seek a document: passages of one are stored together, in the order of its lines.
_OUT_OF_ORDER = """
SELECT 1
FROM (
  SELECT first_id, lag(first_id) OVER (ORDER BY manual_id, path) AS before
  FROM (
    SELECT manual_id, path,
      (SELECT id FROM passages WHERE document_id = documents.id ORDER BY first_line LIMIT 1) AS first_id
    FROM documents
    WHERE TRUE {within}
  )
  WHERE first_id IS NOT NULL
)
WHERE first_id < before
LIMIT 1
"""

_UNSEARCHABLE = """
SELECT manual_id, path, status, lines
FROM documents
WHERE status <> 'indexed' {within}
"""

# SELECT DISTINCT would walk through all documents; this asks the index for the next manual, and the next.
_MANUALS = """
WITH RECURSIVE manuals (manual_id) AS (
  SELECT min(manual_id) FROM documents
  UNION ALL
  SELECT (SELECT min(documents.manual_id) FROM documents WHERE documents.manual_id > manuals.manual_id)
  FROM manuals
  WHERE manuals.manual_id IS NOT NULL
)
SELECT manual_id
FROM manuals
WHERE manual_id IS NOT NULL
ORDER BY manual_id
"""
