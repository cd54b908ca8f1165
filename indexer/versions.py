"""Which content each document had in which generation of the index, so that an old search can be compared.

A row of `document_versions` says that from its generation on a document had this content, up to the
generation of the document's next row. Rows are added by the writer alone, in the batch whose end
raises the generation. The generations are those of the manuals' index: traces of the vault name its own.
"""

import sqlite3
from typing import NamedTuple

from .index_state import keep_fact, read_fact

_UNREADABLE = b""
"""Stands for the content of a document that is there and could not be read."""


class FileChanges(NamedTuple):
    """Documents as `manual_id/path`, sorted."""

    added: list[str]
    changed: list[str]
    removed: list[str]


def note_version(connection: sqlite3.Connection, manual_id: str, path: str, sha256: bytes | None) -> None:
    """The document has this content from the next generation on; `None` if it could not be read."""
    _note(connection, manual_id, path, _UNREADABLE if sha256 is None else sha256)


def note_removal(connection: sqlite3.Connection, manual_id: str, path: str) -> None:
    """The document is gone from the next generation on."""
    _note(connection, manual_id, path, None)


def has_every_version(connection: sqlite3.Connection) -> bool:
    """Whether the newest versions are those of the present documents: not so after a rebuild, until they are noted."""
    return read_fact(connection, "versions") is not None


def note_every_version(connection: sqlite3.Connection) -> None:
    """Compare the newest versions with all present documents, and note what differs in this generation already."""
    connection.execute(_NOTE_UNKNOWN)
    connection.execute(_NOTE_VANISHED)
    # A rebuild drops it with the derived tables.
    keep_fact(connection, "versions", "whole")


def prune_versions(connection: sqlite3.Connection) -> None:
    """Drop what no stored trace and no later comparison can ask for."""
    connection.execute(_DROP_SUPERSEDED)
    connection.execute(_DROP_LONE_REMOVALS)


def what_versions_depend_on(connection: sqlite3.Connection) -> tuple[int, int | None]:
    """The generation and the oldest trace: as long as both are the same, there is nothing more to prune."""
    generation, oldest_trace = connection.execute(_DEPENDED_ON).fetchone()
    return generation, oldest_trace


def changes_between(connection: sqlite3.Connection, earlier: int, later: int) -> FileChanges:
    """What differs between two generations of the index, the earlier one that of a stored trace.

    A document that was edited and edited back does not differ.
    """
    changes = FileChanges([], [], [])
    for manual_id, path, before, after in connection.execute(_CHANGES, {"earlier": earlier, "later": later}):
        kind = changes.added if before is None else changes.removed if after is None else changes.changed
        kind.append(f"{manual_id}/{path}")
    return changes


def _note(connection: sqlite3.Connection, manual_id: str, path: str, content: bytes | None) -> None:
    document = {"manual_id": manual_id, "path": path, "content": content}
    newest, known, next_generation = connection.execute(_NEWEST, document).fetchone()
    if known == content:
        return
    # Twice in one batch: what stood there in between, no reader has seen.
    statement = _REPLACE if newest == next_generation else _INSERT
    connection.execute(statement, {**document, "generation": next_generation})


# Always one row. Search: PRIMARY KEY, the newest row of one document.
_NEWEST = """
SELECT newest.first_generation, newest.sha256, CAST(index_state.value AS INTEGER) + 1
FROM index_state
LEFT JOIN (
  SELECT first_generation, sha256
  FROM document_versions
  WHERE manual_id = :manual_id AND path = :path
  ORDER BY first_generation DESC
  LIMIT 1
) AS newest
WHERE index_state.key = 'generation'
"""

_INSERT = """
INSERT INTO document_versions (manual_id, path, first_generation, sha256)
VALUES (:manual_id, :path, :generation, :content)
"""

_REPLACE = """
UPDATE document_versions SET sha256 = :content
WHERE manual_id = :manual_id AND path = :path AND first_generation = :generation
"""

# Documents of a database that is older than this table.
_NOTE_UNKNOWN = """
INSERT INTO document_versions (manual_id, path, first_generation, sha256)
SELECT documents.manual_id, documents.path, CAST(index_state.value AS INTEGER), coalesce(documents.sha256, x'')
FROM index_state
CROSS JOIN documents
WHERE index_state.key = 'generation'
  AND NOT EXISTS (
    SELECT 1
    FROM document_versions
    WHERE document_versions.manual_id = documents.manual_id AND document_versions.path = documents.path
  )
"""

# Documents that a rebuild did not meet again. SQLite takes sha256 from the row with the maximum.
_NOTE_VANISHED = """
INSERT OR REPLACE INTO document_versions (manual_id, path, first_generation, sha256)
SELECT newest.manual_id, newest.path, CAST(index_state.value AS INTEGER), NULL
FROM index_state
CROSS JOIN (
  SELECT manual_id, path, max(first_generation), sha256
  FROM document_versions
  GROUP BY manual_id, path
) AS newest
WHERE index_state.key = 'generation'
  AND newest.sha256 IS NOT NULL
  AND NOT EXISTS (
    SELECT 1
    FROM documents
    WHERE documents.manual_id = newest.manual_id AND documents.path = newest.path
  )
"""

# A trace that expires is the oldest; its number is that of its row.
_DEPENDED_ON = """
SELECT CAST(value AS INTEGER), (SELECT min(rowid) FROM traces)
FROM index_state
WHERE key = 'generation'
"""

_DROP_SUPERSEDED = """
DELETE FROM document_versions
WHERE (manual_id, path, first_generation) IN (
  SELECT manual_id, path, first_generation
  FROM (
    SELECT
      manual_id,
      path,
      first_generation,
      lead(first_generation) OVER (PARTITION BY manual_id, path ORDER BY first_generation) AS next_generation
    FROM document_versions
  )
  WHERE next_generation IS NOT NULL
    AND NOT EXISTS (
      SELECT 1
      FROM traces
      WHERE tool = 'manual_find' AND index_generation >= first_generation AND index_generation < next_generation
    )
)
"""

# A removal before which nothing is known says what no row says as well.
_DROP_LONE_REMOVALS = """
DELETE FROM document_versions
WHERE sha256 IS NULL
  AND NOT EXISTS (
    SELECT 1
    FROM document_versions AS older
    WHERE older.manual_id = document_versions.manual_id
      AND older.path = document_versions.path
      AND older.first_generation < document_versions.first_generation
  )
"""

_CHANGES = """
WITH
  touched AS (
    SELECT DISTINCT manual_id, path
    FROM document_versions
    WHERE first_generation > :earlier AND first_generation <= :later
  ),
  states AS (
    SELECT
      manual_id,
      path,
      (
        SELECT sha256
        FROM document_versions
        WHERE manual_id = touched.manual_id AND path = touched.path AND first_generation <= :earlier
        ORDER BY first_generation DESC
        LIMIT 1
      ) AS before,
      (
        SELECT sha256
        FROM document_versions
        WHERE manual_id = touched.manual_id AND path = touched.path AND first_generation <= :later
        ORDER BY first_generation DESC
        LIMIT 1
      ) AS after
    FROM touched
  )
SELECT manual_id, path, before, after
FROM states
WHERE before IS NOT after
ORDER BY manual_id, path
"""
