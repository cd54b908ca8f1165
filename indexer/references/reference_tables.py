"""The tables of references: what documents say of each other, and where that is.

`put` stores what a document says. Where it leads (resolve_references.py) is found at the end of a batch: for what is
new, and for what leads, or may now lead, to a place whose name has changed.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from morenashi.indexer.markdown import section_at
from morenashi.indexer.row_pool import RowPool, next_id

from .kept_names import KeptNames
from .resolve_references import drop_uncalled, list_called, list_calling, list_newly_called, resolve, store_meant

if TYPE_CHECKING:
    from morenashi.indexer.documents import ParsedDocument

_Row = tuple[Any, ...]


class ReferenceTables:
    """Collects what changes in a batch; `flush` resolves it. In bulk nothing is resolved before the end."""

    def __init__(self) -> None:
        self.in_bulk = False
        self._kept_names = KeptNames()
        self._fresh: list[int] = []
        self._renamed: defaultdict[str, set[int]] = defaultdict(set)
        self._newly_called: defaultdict[str, list[int]] = defaultdict(list)
        self._names: defaultdict[int, set[str]] = defaultdict(set)
        self._uncalled: set[int] = set()
        self._called: dict[tuple[str, str, str], int] = {}

    def put(
        self, connection: sqlite3.Connection, document_id: int, document: "ParsedDocument", section_ids: Sequence[int]
    ) -> None:
        """Store a document's names and references instead of those that it had; unchanged rows are kept."""
        manual_id, path = connection.execute(_PLACE, (document_id,)).fetchone()
        self._put_titles(connection, manual_id, document_id, document.titles)
        self._put_names(connection, document_id, document, section_ids)
        rows = self._rows(connection, manual_id, path, document, section_ids)
        self._put_rows(connection, document_id, rows)

    def remove(self, connection: sqlite3.Connection, manual_id: str, document_id: int) -> None:
        """A document is about to go, and its rows with it: what called it may now mean another one."""
        self._renamed[manual_id].add(document_id)
        self._uncalled.update(row[0] for row in connection.execute(_CALLED_BY, (document_id,)))

    def flush(self, connection: sqlite3.Connection) -> None:
        """Resolve what changed, inside the caller's transaction."""
        if not self.in_bulk:
            drop_uncalled(connection, self._uncalled)
            self._kept_names.follow(connection, self._renamed)
            moved = [
                called_id
                for manual_id in {*self._renamed, *self._newly_called}
                for called_id in self._find_called(connection, manual_id)
            ]
            affected = {*self._fresh, *list_calling(connection, moved), *self._moved_places(connection)}
            resolve(connection, affected)
            self._kept_names.keep(connection)
        self._clear()

    def discard(self) -> None:
        """Forget what was collected: its transaction was rolled back."""
        self._clear()
        self._kept_names.forget()

    def _clear(self) -> None:
        self._fresh.clear()
        self._renamed.clear()
        self._newly_called.clear()
        self._names.clear()
        self._uncalled.clear()
        self._called.clear()

    def _put_titles(
        self, connection: sqlite3.Connection, manual_id: str, document_id: int, titles: Sequence[str]
    ) -> None:
        stored = {row[0] for row in connection.execute(_TITLES, (document_id,))}
        if stored == set(titles):
            return
        self._renamed[manual_id].add(document_id)
        connection.execute("DELETE FROM document_names WHERE document_id = ?", (document_id,))
        connection.executemany(_INSERT_TITLE, [(document_id, title) for title in titles])

    def _put_names(
        self, connection: sqlite3.Connection, document_id: int, document: "ParsedDocument", section_ids: Sequence[int]
    ) -> None:
        stored = {row[0]: tuple(row) for row in connection.execute(_NAMES, (document_id,))}
        starts = [section.start_line for section in document.sections]
        rows = {
            place.name: (place.name, section_ids[place.section], place.line - starts[place.section], place.article)
            for place in document.names
        }
        if rows == stored:
            return
        gone = [name for name, row in stored.items() if rows.get(name) != row]
        new = [row for name, row in rows.items() if stored.get(name) != row]
        connection.executemany(_DELETE_NAME, [(document_id, name) for name in gone])
        connection.executemany(_INSERT_NAME, [(document_id, *row) for row in new])
        if stored:
            self._names[document_id].update(gone, (row[0] for row in new))

    def _rows(
        self,
        connection: sqlite3.Connection,
        manual_id: str,
        path: str,
        document: "ParsedDocument",
        section_ids: Sequence[int],
    ) -> Iterator[_Row]:
        starts = [section.start_line for section in document.sections]
        folder = path.rpartition("/")[0]
        for reference in document.references:
            position = section_at(starts, reference.line)
            called_id = None
            if reference.called is not None:
                where = "" if reference.called.startswith("/") else folder
                called_id = self._called_id(connection, manual_id, where, reference.called)
            yield (
                section_ids[position],
                reference.line - starts[position],
                reference.column,
                reference.kind,
                reference.relation,
                reference.text,
                called_id,
                *reference[6:],
            )

    def _called_id(self, connection: sqlite3.Connection, manual_id: str, folder: str, called: str) -> int:
        key = (manual_id, folder, called)
        if key not in self._called:
            row = connection.execute(_CALLED_ID, key).fetchone()
            if row is None:
                row = (int(connection.execute(_INSERT_CALLED, key).lastrowid or 0),)
                self._newly_called[manual_id].append(row[0])
            self._called[key] = int(row[0])
        return self._called[key]

    def _put_rows(self, connection: sqlite3.Connection, document_id: int, rows: Iterable[_Row]) -> None:
        stored = {row_id: tuple(row) for row_id, *row in connection.execute(_REFERENCES, (document_id,))}
        pool = RowPool((row, row_id) for row_id, row in stored.items())
        fresh = [row for row in rows if pool.take(row) is None]
        gone = pool.left()
        connection.executemany("DELETE FROM cross_references WHERE id = ?", [(row_id,) for row_id in gone])
        self._uncalled.update(called_id for row_id in gone if (called_id := stored[row_id][6]) is not None)
        first = next_id(connection, "cross_references")
        connection.executemany(_INSERT_REFERENCE, [(row_id, *row) for row_id, row in enumerate(fresh, first)])
        if not self.in_bulk:
            self._fresh += range(first, first + len(fresh))

    def _find_called(self, connection: sqlite3.Connection, manual_id: str) -> list[int]:
        """Find which documents of a manual are called what: all anew if names changed, else what was not called before.

        The ids of those called that now mean another.
        """
        if manual_id in self._renamed:
            called = list_called(connection, manual_id)
        else:
            called = list_newly_called(connection, self._newly_called[manual_id])
        return store_meant(connection, self._kept_names.of_manual(connection, manual_id), called) if called else []

    def _moved_places(self, connection: sqlite3.Connection) -> Iterator[int]:
        """The references to places whose names have changed; all ranges there, as they hold what lies between, and all
        if what the document itself is called has: a link may have nothing else.
        """
        for document_id, names in self._names.items():
            for row_id, name, detail, last_name, heading in connection.execute(_LEADING_TO, {"document": document_id}):
                if last_name or not names.isdisjoint((name, f"{name}{detail}", heading, "")):
                    yield row_id


_PLACE = "SELECT manual_id, path_nfc FROM documents WHERE id = ?"

_TITLES = "SELECT name FROM document_names WHERE document_id = ?"

_INSERT_TITLE = "INSERT INTO document_names (document_id, name) VALUES (?, ?)"

_NAMES = "SELECT name, section_id, line_offset, article FROM section_names WHERE document_id = ?"

# As in writer.py: no "OR REPLACE" for rows by the thousand, at which FTS5 would write out what it has gathered.
_DELETE_NAME = "DELETE FROM section_names WHERE document_id = ? AND name = ?"

_INSERT_NAME = """
INSERT INTO section_names (document_id, name, section_id, line_offset, article)
VALUES (?, ?, ?, ?, ?)
"""

_CALLED_ID = "SELECT id FROM called_documents WHERE manual_id = ? AND folder = ? AND called = ?"

_INSERT_CALLED = "INSERT INTO called_documents (manual_id, folder, called) VALUES (?, ?, ?)"

_CALLED_BY = """
SELECT DISTINCT cross_references.called_id
FROM sections
JOIN cross_references ON cross_references.section_id = sections.id
WHERE sections.document_id = ? AND cross_references.called_id IS NOT NULL
"""

_REFERENCES = """
SELECT
  cross_references.id,
  cross_references.section_id,
  cross_references.line_offset,
  cross_references.column_number,
  cross_references.kind,
  cross_references.relation,
  cross_references.text,
  cross_references.called_id,
  cross_references.name,
  cross_references.detail,
  cross_references.last_name,
  cross_references.heading
FROM sections
JOIN cross_references ON cross_references.section_id = sections.id
WHERE sections.document_id = ?
"""

_INSERT_REFERENCE = """
INSERT INTO cross_references
  (id, section_id, line_offset, column_number, kind, relation, text, called_id, name, detail, last_name, heading)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_LEADING_TO = """
SELECT cross_references.id, cross_references.name, cross_references.detail, cross_references.last_name,
  cross_references.heading
FROM sections
JOIN cross_references ON cross_references.section_id = sections.id
WHERE sections.document_id = :document AND cross_references.called_id IS NULL
UNION ALL
SELECT cross_references.id, cross_references.name, cross_references.detail, cross_references.last_name,
  cross_references.heading
FROM called_documents
JOIN cross_references ON cross_references.called_id = called_documents.id
WHERE called_documents.document_id = :document
"""
