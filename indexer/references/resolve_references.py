"""Where references lead: by the names of all documents of a manual, and of the places in them.

First which documents are meant by what others call them (`called_documents`), then, as a join, which places
(`reference_targets`).
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from morenashi.indexer.index_state import keep_fact, read_fact

from .kept_names import read_names
from .named_documents import NamedDocuments

_Called = tuple[int, str, str, int | None]
"""Its id, the folder of who calls, what is called, the id of the document that is meant."""


def mark_stale(connection: sqlite3.Connection) -> None:
    """Say that all references have to be resolved anew, also after an interruption."""
    keep_fact(connection, "references", "stale")


def is_stale(connection: sqlite3.Connection) -> bool:
    """Whether a bulk run ended before it had resolved them."""
    return read_fact(connection, "references") == "stale"


def resolve_all(connection: sqlite3.Connection) -> None:
    """Resolve every reference, inside the caller's transaction."""
    drop_uncalled(connection, (row[0] for row in connection.execute("SELECT id FROM called_documents").fetchall()))
    for (manual_id,) in connection.execute("SELECT DISTINCT manual_id FROM called_documents").fetchall():
        store_meant(connection, read_names(connection, manual_id), list_called(connection, manual_id))
    connection.execute("DELETE FROM reference_targets")
    for query in _TARGETS:
        connection.execute(_INSERT_TARGETS + query.format(among=""))
    keep_fact(connection, "references", "resolved")


def find_faults(connection: sqlite3.Connection) -> list[str]:
    """How the stored targets differ from what a fresh resolution finds; reads only."""
    manuals = connection.execute("SELECT DISTINCT manual_id FROM called_documents").fetchall()
    called = sum(
        len(_misnamed(read_names(connection, manual_id), list_called(connection, manual_id)))
        for (manual_id,) in manuals
    )
    targets = connection.execute(_DIFFERENT_TARGETS).fetchone()[0]
    faults = [f"called_documents: {called} lead elsewhere"] if called else []
    return faults + ([f"reference_targets: {targets} differ"] if targets else [])


def list_called(connection: sqlite3.Connection, manual_id: str) -> list[_Called]:
    """All that documents of a manual call others."""
    return connection.execute(_CALLED, (manual_id,)).fetchall()


def list_newly_called(connection: sqlite3.Connection, called_ids: Sequence[int]) -> list[_Called]:
    """Those with these ids."""
    return connection.execute(_NEWLY_CALLED, (json.dumps(called_ids),)).fetchall()


def store_meant(connection: sqlite3.Connection, documents: NamedDocuments, called: Iterable[_Called]) -> list[int]:
    """Store which documents of a manual are meant. The ids of what now means another."""
    moved = _misnamed(documents, called)
    connection.executemany("UPDATE called_documents SET document_id = ? WHERE id = ?", moved)
    return [called_id for _, called_id in moved]


def drop_uncalled(connection: sqlite3.Connection, called_ids: Iterable[int]) -> None:
    """Forget what no reference calls any more, of these."""
    connection.executemany(_DELETE_UNCALLED, [(called_id,) for called_id in called_ids])


def list_calling(connection: sqlite3.Connection, called_ids: Sequence[int]) -> Iterator[int]:
    """The references that call documents by these."""
    for (row_id,) in connection.execute(_CALLING, (json.dumps(called_ids),)):
        yield row_id


def resolve(connection: sqlite3.Connection, reference_ids: Iterable[int]) -> None:
    """Resolve these references, inside the caller's transaction. What they call has to be stored before."""
    ids = json.dumps(sorted(reference_ids))
    if ids == "[]":
        return
    connection.execute(_DELETE_TARGETS, (ids,))
    for query in _TARGETS:
        connection.execute(_INSERT_TARGETS + query.format(among=_AMONG), (ids,))


def _misnamed(documents: NamedDocuments, called: Iterable[_Called]) -> list[tuple[int | None, int]]:
    """Of what is called so in a manual, what means another document than is stored: that one, and the row."""
    found = [(documents.find(name, folder), row_id, before) for row_id, folder, name, before in called]
    return [(document_id, row_id) for document_id, row_id, before in found if document_id != before]


_CALLED = "SELECT id, folder, called, document_id FROM called_documents WHERE manual_id = ?"

_NEWLY_CALLED = """
SELECT called_documents.id, called_documents.folder, called_documents.called, called_documents.document_id
FROM json_each(?) AS new
CROSS JOIN called_documents ON called_documents.id = new.value
"""

_DELETE_UNCALLED = """
DELETE FROM called_documents
WHERE id = ? AND NOT EXISTS (SELECT 1 FROM cross_references WHERE called_id = called_documents.id)
"""

_CALLING = """
SELECT cross_references.id
FROM json_each(?) AS called
CROSS JOIN cross_references ON cross_references.called_id = called.value
"""

_DELETE_TARGETS = "DELETE FROM reference_targets WHERE reference_id IN (SELECT value FROM json_each(?))"

_INSERT_TARGETS = "INSERT OR IGNORE INTO reference_targets (reference_id, section_id, line_offset)"

# References with all places of the document that each is about; what goes on with AND says which of these.
_CITED = """cross_references
CROSS JOIN sections ON sections.id = cross_references.section_id
LEFT JOIN called_documents ON called_documents.id = cross_references.called_id
CROSS JOIN section_names AS place
  ON place.document_id = iif(cross_references.called_id IS NULL, sections.document_id, called_documents.document_id)"""

_PLACES = """
SELECT cross_references.id, place.section_id, coalesce(part.line_offset, place.line_offset)
FROM {cited}
  AND place.name = cross_references.name
LEFT JOIN section_names AS part
  ON part.document_id = place.document_id
  AND part.name = cross_references.name || cross_references.detail
WHERE cross_references.last_name IS NULL {among}
"""

# A range whose end is not there is at least its beginning; one of thousands of articles is not all of them. Where
# several stand in one section, as lines of it, it leads to the first.
_RANGES = """
SELECT cross_references.id, inside.section_id, min(inside.line_offset)
FROM {cited}
  AND place.name = cross_references.name
LEFT JOIN section_names AS last
  ON last.document_id = place.document_id
  AND last.name = cross_references.last_name
CROSS JOIN section_names AS inside
  ON inside.document_id = place.document_id
  AND inside.article BETWEEN place.article AND min(coalesce(last.article, place.article), place.article + 199)
WHERE cross_references.last_name IS NOT NULL {among}
GROUP BY cross_references.id, inside.section_id
"""

# Where a converter took the anchors away, links to them still say the headings.
_HEADINGS = """
SELECT cross_references.id, place.section_id, place.line_offset
FROM {cited}
  AND place.name = cross_references.heading
WHERE cross_references.heading IS NOT NULL {among}
  AND NOT EXISTS (
    SELECT 1 FROM section_names WHERE document_id = place.document_id AND name = cross_references.name
  )
"""

# Of a link to another document that says no heading there, what is left is the document.
_DOCUMENTS = """
SELECT cross_references.id, beginning.section_id, beginning.line_offset
FROM cross_references
CROSS JOIN called_documents ON called_documents.id = cross_references.called_id
CROSS JOIN section_names AS beginning
  ON beginning.document_id = called_documents.document_id
  AND beginning.name = ''
WHERE cross_references.kind IN ('link', 'wiki') {among}
  AND NOT EXISTS (
    SELECT 1
    FROM section_names
    WHERE document_id = beginning.document_id AND name IN (cross_references.name, cross_references.heading)
  )
"""

_TARGETS = [query.replace("{cited}", _CITED) for query in (_PLACES, _RANGES, _HEADINGS, _DOCUMENTS)]

_AMONG = "AND cross_references.id IN (SELECT value FROM json_each(?))"

_DIFFERENT_TARGETS = f"""
WITH fresh AS ({" UNION ".join(query.format(among="") for query in _TARGETS)}),
  stored AS (SELECT reference_id, section_id, line_offset FROM reference_targets)
SELECT
  (SELECT count(*) FROM (SELECT * FROM fresh EXCEPT SELECT * FROM stored))
  + (SELECT count(*) FROM (SELECT * FROM stored EXCEPT SELECT * FROM fresh))
"""  # noqa: S608 - our own statements
