"""What a search left over: listed for its trace, and found again by a search that takes it up."""

import json
import sqlite3
from collections.abc import Sequence

from .scope import Unscanned, whole_documents
from .stages import Findings


def passages_within(connection: sqlite3.Connection, resumed: Sequence[Unscanned] | None) -> frozenset[int] | None:
    """The passages that an earlier search listed as unscanned, as they lie now."""
    if resumed is None:
        return None
    return frozenset(row[0] for item in resumed for row in connection.execute(_OVERLAPPING, (item.documents,)))


def list_beyond(connection: sqlite3.Connection, manual_id: str | None) -> Unscanned:
    """The documents of all other manuals."""
    return whole_documents("stage_cap", connection.execute(_OTHER_DOCUMENTS, (manual_id,)).fetchall())


def list_left_places(connection: sqlite3.Connection, findings: Findings) -> list[Unscanned]:
    """The passages that a cap or the clock left over."""
    if not findings.left:
        return []
    documents, places, lines = connection.execute(_PLACES, (json.dumps(findings.left),)).fetchone()
    return [Unscanned(findings.cut_by or "candidate_cap", documents, int(places), int(lines))]


_OVERLAPPING = """
SELECT passages.id
FROM json_each(?) AS asked
CROSS JOIN json_each(asked.value ->> 2) AS span
CROSS JOIN documents ON documents.manual_id = asked.value ->> 0 AND documents.path = asked.value ->> 1
CROSS JOIN passages ON passages.document_id = documents.id
WHERE passages.first_line <= span.value ->> 1 AND passages.last_line >= span.value ->> 0
"""

# One row, made without a Python object a place, and while other threads run.
_PLACES = """
SELECT json_group_array(json_array(manual_id, path, json(spans))), total(places), total(lines)
FROM (
  SELECT
    documents.manual_id,
    documents.path,
    json_group_array(json_array(passages.first_line, passages.last_line)) AS spans,
    count(*) AS places,
    total(passages.last_line - passages.first_line + 1) AS lines
  FROM json_each(?) AS asked
  CROSS JOIN passages ON passages.id = asked.value
  CROSS JOIN documents ON documents.id = passages.document_id
  GROUP BY passages.document_id
  ORDER BY documents.manual_id, documents.path
)
"""

_OTHER_DOCUMENTS = """
SELECT manual_id, path, lines
FROM documents
WHERE status = 'indexed' AND manual_id <> ?
ORDER BY manual_id, path
"""
