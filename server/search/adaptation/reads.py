"""What is read after a search (the contract's recall proxy): places, no text."""

import sqlite3
from dataclasses import dataclass

_SECTIONS_KEPT = 200


@dataclass(frozen=True, slots=True)
class Read:
    """A ref that was read or copied: the file as it is spelled on disk, and the ref's line, 1-based."""

    manual_id: str
    path: str
    line: int


def store_read(connection: sqlite3.Connection, trace_id: str, read: Read) -> None:
    """Note that a ref's section was read after a search, inside the caller's transaction.

    It is of a candidate if that lies in the same section: manual, path, section start. A section counts
    once, and no more than 200 of them a search. Nothing is noted for a trace that is gone: what it
    offered cannot be told any more.
    """
    values = {"manual_id": read.manual_id, "path": read.path, "line": read.line}
    section_line = connection.execute(_SECTION_LINE, values).fetchone()[0]
    values |= {"trace_id": trace_id, "section_line": section_line, "kept": _SECTIONS_KEPT}
    connection.execute(_INSERT, values)


# As the index divides the file. Blank lines before the first section belong to it.
_SECTION_LINE = """
SELECT coalesce(max(sections.start_line) FILTER (WHERE sections.start_line <= :line), min(sections.start_line), :line)
FROM documents
JOIN sections ON sections.document_id = documents.id
WHERE documents.manual_id = :manual_id AND documents.path = :path
"""

# Widening reaches other manuals than the one that was asked for; without one it cannot be told
# what it offered.
_INSERT = """
INSERT INTO adaptive_reads (statistics_id, manual_id, path, section_line, is_candidate, is_widened)
SELECT
  adaptive_statistics.id,
  :manual_id,
  :path,
  :section_line,
  EXISTS (
    SELECT 1
    FROM trace_candidates AS candidate
    WHERE candidate.trace_id = :trace_id
      AND candidate.manual_id = :manual_id
      AND candidate.path = :path
      AND candidate.section_line = :section_line
  ),
  CASE
    WHEN adaptive_statistics.scope_expanded AND traces.manual_id IS NOT NULL THEN traces.manual_id <> :manual_id
  END
FROM adaptive_statistics
JOIN traces ON traces.id = adaptive_statistics.trace_id
WHERE adaptive_statistics.trace_id = :trace_id
  AND :kept > (SELECT count(*) FROM adaptive_reads WHERE statistics_id = adaptive_statistics.id)
ON CONFLICT DO NOTHING
"""
