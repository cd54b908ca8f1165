"""The scope of a question to the index as SQL: all documents, those of one manual, or some by their ids. Pure."""

from typing import Any, NamedTuple


class ScopeSql(NamedTuple):
    """`documents` selects the ids of the documents, `None` for all; `passages` those of their passages.

    `values` are what both name.
    """

    documents: str | None
    passages: str
    values: dict[str, Any]

    def within(self, column: str) -> str:
        """A further condition, that a column with the id of a document lies in the scope; empty for all."""
        return f"AND {column} IN ({self.documents})" if self.documents else ""


def all_documents() -> ScopeSql:
    """The scope of everything."""
    return ScopeSql(None, _ALL_PASSAGES, {})


def of_manual(manual_id: str) -> ScopeSql:
    """The scope of one manual."""
    return ScopeSql(_MANUALS_DOCUMENTS, _MANUALS_PASSAGES, {"manual_id": manual_id})


def of_documents(ids: str) -> ScopeSql:
    """The scope of some documents, by a JSON array of their ids."""
    return ScopeSql(_LISTED_DOCUMENTS, _LISTED_PASSAGES, {"documents": ids})


_MANUALS_DOCUMENTS = "SELECT id FROM documents WHERE manual_id = :manual_id"

_LISTED_DOCUMENTS = "SELECT value FROM json_each(:documents)"

_ALL_PASSAGES = "SELECT id FROM passages"

_MANUALS_PASSAGES = """
SELECT passages.id
FROM documents
JOIN passages ON passages.document_id = documents.id
WHERE documents.manual_id = :manual_id
"""

_LISTED_PASSAGES = """
SELECT passages.id
FROM json_each(:documents) AS listed
CROSS JOIN passages ON passages.document_id = listed.value
"""
