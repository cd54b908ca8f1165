"""What the documents of each manual are called, kept from one batch of changes to the next.

To read the names of a whole manual costs more than most changes do. So they are read when the first of its changes
asks for them, and followed from then on. What is kept is what the last batch left: in any other state of the index
(a rebuild, another writer) it is read anew.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping

from .named_documents import NamedDocument, NamedDocuments


class KeptNames:
    """The documents of the manuals that were asked for, by their names."""

    def __init__(self) -> None:
        self._manuals: dict[str, NamedDocuments] = {}
        self._state: tuple[str, ...] = ()

    def follow(self, connection: sqlite3.Connection, changed: Mapping[str, Iterable[int]]) -> None:
        """The names of these documents, by manual, may be new or gone: take them as they stand now."""
        if self._state != _read_state(connection):
            self._manuals.clear()
        for manual_id in changed.keys() & self._manuals.keys():
            documents = self._manuals[manual_id]
            for document_id in changed[manual_id]:
                documents.remove(document_id)
                # Of this manual: the id of a document that is gone may be another's by now.
                for document in _read(connection, _OF_DOCUMENT, manual_id, document_id):
                    documents.put(document)

    def of_manual(self, connection: sqlite3.Connection, manual_id: str) -> NamedDocuments:
        """The documents of a manual as `follow` was told of them."""
        if manual_id not in self._manuals:
            self._manuals[manual_id] = read_names(connection, manual_id)
        return self._manuals[manual_id]

    def keep(self, connection: sqlite3.Connection) -> None:
        """This batch ends: what is kept holds for the generation that it makes."""
        build, generation = _read_state(connection)
        self._state = (build, str(int(generation) + 1))

    def forget(self) -> None:
        """The batch was rolled back."""
        self._manuals.clear()


def read_names(connection: sqlite3.Connection, manual_id: str) -> NamedDocuments:
    """The documents of a manual, from the tables."""
    return NamedDocuments(_read(connection, _OF_MANUAL, manual_id))


def _read(connection: sqlite3.Connection, query: str, *values: str | int) -> Iterable[NamedDocument]:
    names: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    for document_id, path, name in connection.execute(query, values):
        names[document_id, path].append(name)
    return [NamedDocument(*key, tuple(found)) for key, found in names.items()]


def _read_state(connection: sqlite3.Connection) -> tuple[str, ...]:
    return tuple(row[0] for row in connection.execute(_STATE))


_NAMES = """
SELECT documents.id, documents.path_nfc, document_names.name
FROM documents
JOIN document_names ON document_names.document_id = documents.id
"""

_OF_MANUAL = _NAMES + "WHERE documents.manual_id = ?"

_OF_DOCUMENT = _NAMES + "WHERE documents.manual_id = ? AND documents.id = ?"

_STATE = "SELECT value FROM index_state WHERE key IN ('build', 'generation') ORDER BY key"
