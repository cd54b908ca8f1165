"""Documents in, documents out: all that changes what the derived tables hold of documents goes through here.

A changed document is written as its difference (`section_rows.py`, `passage_rows.py`). A change of a document's names
costs more: whatever is called in its manual may then mean another document.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import term_counts
from .database import transaction
from .files import to_nfc
from .passage_rows import put_passages, unindex_passages
from .references import resolve_references
from .references.reference_tables import ReferenceTables
from .section_rows import drop_sections, put_sections, unindex_sections
from .term_counts import TermCounts
from .versions import note_removal, note_version

if TYPE_CHECKING:
    from .documents import ParsedDocument
    from .prepare import Prepared


class IndexWriter:
    """Writes on a connection that `database.open_writer` gave. One a workspace, one thread at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._counts = TermCounts()
        self._references = ReferenceTables()
        # In this batch.
        self._has_changed = False

    def put(self, prepared: "Prepared") -> bool:
        """Add a document or replace it by its present state. Says whether that is another one: a file that cannot be
        read is looked at again and again.
        """
        with transaction(self.connection):
            if prepared.sha256 is None and self._is_as_stored(prepared):
                return False
            document_id = self._put_document(prepared)
            section_ids, stale_sections = put_sections(self.connection, document_id, prepared.document)
            put_passages(self.connection, self._counts, document_id, prepared, section_ids)
            self._references.put(self.connection, document_id, prepared.document, section_ids)
            drop_sections(self.connection, stale_sections)
            self._put_exceptions(document_id, prepared.document)
            note_version(self.connection, prepared.file.manual_id, prepared.file.path, prepared.sha256)
            self._has_changed = True
            return True

    def touch(self, manual_id: str, path: str, stamp_ns: int) -> None:
        """The file has a new time stamp and the same content."""
        self.connection.execute(_TOUCH, {"manual_id": manual_id, "path": path, "stamp_ns": stamp_ns})

    def remove(self, manual_id: str, path: str) -> None:
        """Drop a document that is gone from the disk; nothing happens if it is not there."""
        with transaction(self.connection):
            row = self.connection.execute(_DOCUMENT_ID, {"manual_id": manual_id, "path": path}).fetchone()
            if row is None:
                return
            unindex_passages(self.connection, self._counts, row[0])
            unindex_sections(self.connection, row[0])
            self._references.remove(self.connection, manual_id, row[0])
            self.connection.execute("DELETE FROM documents WHERE id = ?", row)
            note_removal(self.connection, manual_id, path)
            self._has_changed = True

    @contextlib.contextmanager
    def batch(self) -> Iterator[None]:
        """Writes that become visible together, as a new generation of the index; none if nothing is another."""
        self._has_changed = False
        try:
            with transaction(self.connection):
                yield
                if not self._has_changed:
                    return
                self._counts.flush(self.connection)
                self._references.flush(self.connection)
                self.connection.execute(_NEXT_GENERATION)
        except BaseException:
            self._counts.discard()
            self._references.discard()
            raise

    @contextlib.contextmanager
    def bulk(self) -> Iterator[None]:
        """Many batches: term counts are made and references resolved at the end, FTS5 gathers more before it writes."""
        self._set_hash_size(_BULK_HASH_BYTES)
        (cached,) = self.connection.execute("PRAGMA cache_size").fetchone()
        self.connection.execute(f"PRAGMA cache_size = {_BULK_CACHE_KIB}")
        with transaction(self.connection):
            term_counts.mark_stale(self.connection)
            resolve_references.mark_stale(self.connection)
        self._counts.in_bulk = self._references.in_bulk = True
        try:
            yield
        finally:
            self._counts.in_bulk = self._references.in_bulk = False
            self.connection.execute(f"PRAGMA cache_size = {cached}")
            # It is kept in the file: later runs, which are small, would take tens of MB more and be no faster.
            self._set_hash_size(_HASH_BYTES)
        with transaction(self.connection):
            term_counts.recount(self.connection)
            resolve_references.resolve_all(self.connection)

    def merge(self) -> bool:
        """Merge a few pages of the full-text tables' segments, and say whether there was anything to merge.

        FTS5 does the same within commits, rarely and then for a quarter of a second: whoever has time does it before.
        """
        before = self.connection.total_changes
        with transaction(self.connection):
            for table in ("pairs", "words"):
                self.connection.execute(_MERGE.format(table=table), (_MERGED_PAGES,))
        # Each command counts as a change itself; one that merges makes more.
        return self.connection.total_changes - before > _COMMANDS_THAT_MERGE

    def _set_hash_size(self, size_bytes: int) -> None:
        for table in ("pairs", "words"):
            self.connection.execute(_SET_HASH_SIZE.format(table=table), (size_bytes,))

    def _is_as_stored(self, prepared: "Prepared") -> bool:
        return self.connection.execute(_SAME_DOCUMENT, _document_row(prepared)).fetchone() is not None

    def _put_document(self, prepared: "Prepared") -> int:
        values = _document_row(prepared)
        row = self.connection.execute(_DOCUMENT_ID, values).fetchone()
        if row is None:
            return int(self.connection.execute(_INSERT_DOCUMENT, values).lastrowid or 0)
        self.connection.execute(_UPDATE_DOCUMENT, values)
        return int(row[0])

    def _put_exceptions(self, document_id: int, document: "ParsedDocument") -> None:
        stored = set(self.connection.execute(_EXCEPTIONS, (document_id,)))
        rows = [(document_id, *found) for found in document.exceptions]
        gone = [(document_id, line, term, column) for _, line, column, term, *_ in stored.difference(rows)]
        self.connection.executemany(_DELETE_EXCEPTION, gone)
        self.connection.executemany(_INSERT_EXCEPTION, [row for row in rows if row not in stored])


def _document_row(prepared: "Prepared") -> dict[str, Any]:
    file, document = prepared.file, prepared.document
    return {
        "manual_id": file.manual_id,
        "path": file.path,
        "path_nfc": to_nfc(file.path),
        "file_type": file.file_type,
        "status": document.status,
        "problem": document.problem,
        "encoding": document.encoding,
        "size_bytes": file.size_bytes,
        "stamp_ns": file.stamp_ns,
        "sha256": prepared.sha256,
        "lines": document.lines,
        "punctuation": document.punctuation,
        "script": document.script,
    }


_DOCUMENT_ID = "SELECT id FROM documents WHERE manual_id = :manual_id AND path = :path"

# No "ON CONFLICT DO UPDATE" and no RETURNING in these: such a statement runs in a savepoint of its
# own, and at every savepoint FTS5 writes out what it has gathered (a third of the time of a rebuild).
_INSERT_DOCUMENT = """
INSERT INTO documents
  (manual_id, path, path_nfc, file_type, status, problem, encoding, size_bytes, stamp_ns, sha256, lines,
   punctuation, script)
VALUES
  (:manual_id, :path, :path_nfc, :file_type, :status, :problem, :encoding, :size_bytes, :stamp_ns, :sha256, :lines,
   :punctuation, :script)
"""

_UPDATE_DOCUMENT = """
UPDATE documents SET
  status = :status,
  problem = :problem,
  encoding = :encoding,
  size_bytes = :size_bytes,
  stamp_ns = :stamp_ns,
  sha256 = :sha256,
  lines = :lines,
  punctuation = :punctuation,
  script = :script
WHERE manual_id = :manual_id AND path = :path
"""

_SAME_DOCUMENT = """
SELECT 1
FROM documents
WHERE manual_id = :manual_id
  AND path = :path
  AND status = :status
  AND problem IS :problem
  AND size_bytes = :size_bytes
  AND stamp_ns = :stamp_ns
  AND sha256 IS :sha256
"""

# The same stamp again, of a file whose time lies ahead of the clock, is nothing to write.
_TOUCH = """
UPDATE documents SET stamp_ns = :stamp_ns
WHERE manual_id = :manual_id AND path = :path AND stamp_ns <> :stamp_ns
"""

_EXCEPTIONS = """
SELECT document_id, line, column_number, term, kind, first_line, last_line
FROM exception_terms
WHERE document_id = ?
"""

_DELETE_EXCEPTION = "DELETE FROM exception_terms WHERE document_id = ? AND line = ? AND term = ? AND column_number = ?"

_INSERT_EXCEPTION = """
INSERT INTO exception_terms (document_id, line, column_number, term, kind, first_line, last_line)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""

_NEXT_GENERATION = "UPDATE index_state SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'"

_SET_HASH_SIZE = "INSERT INTO {table} ({table}, rank) VALUES ('hashsize', ?)"

_MERGE = "INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)"
_MERGED_PAGES = 16
_COMMANDS_THAT_MERGE = 2

# FTS5's default.
_HASH_BYTES = 1024 * 1024

# Bulk loading is 1.4 times faster than with FTS5's default of 1 MiB (measured on 3.40.1).
_BULK_HASH_BYTES = 64 * 1024 * 1024

# With SQLite's 2 MB the pages of indexes are written and read again and again. Negative: in KiB.
_BULK_CACHE_KIB = -64 * 1024
