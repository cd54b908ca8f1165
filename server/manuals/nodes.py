"""What an id of manual_toc names: a section with its subsections, or a file."""

import re
import sqlite3
import sys
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from morenashi.indexer.files import to_nfc
from morenashi.server.errors import ToolError
from morenashi.server.paths import parse_relative_path
from morenashi.server.search.scope import has_document

from .catalogue import nearest_paths

_HEADING_NODE = re.compile(r"(.+)#L([0-9]{1,9})", re.S)
_SUGGESTIONS = 3


@dataclass(frozen=True, slots=True)
class Node:
    """A section with its subsections, a file or, without a document, all of a manual. Lines are 1-based, inclusive."""

    document_id: int | None = None
    first_line: int = 1
    last_line: int = sys.maxsize

    @property
    def within(self) -> str:
        """The condition on documents: one for each, so that SQLite can use its indexes."""
        return "documents.manual_id = :manual_id" if self.document_id is None else "documents.id = :document_id"

    def values(self, manual_id: str) -> dict[str, Any]:
        """What this condition, and one on lines, are about."""
        return {"manual_id": manual_id, **asdict(self)}


def find_node(connection: sqlite3.Connection, manual_id: str, node_id: str | None, waiting: Collection[str]) -> Node:
    """The node that an id of manual_toc names; all of the manual without one.

    Raises `not_found`, with ids that resemble it; or `conflict` if its file is one of those `waiting` to be indexed.
    """
    if node_id is None:
        return Node()
    heading = _HEADING_NODE.fullmatch(node_id)
    named = heading[1] if heading else node_id
    path = "/".join(parse_relative_path(named, "node_id", lambda name: has_document(connection, manual_id, name)))
    names = {"manual_id": manual_id, "path": path, "path_nfc": to_nfc(path), "line": int(heading[2]) if heading else 0}
    row = connection.execute(_SECTION if heading else _FILE, names).fetchone()
    if row is None and to_nfc(path) in {to_nfc(name) for name in waiting}:
        message = "node_id: the index does not have this file as it is now; ask again in a moment"
        raise ToolError("conflict", message, parameter="node_id", pending_files=len(waiting))
    if row is None and heading and (near := _headings_above(connection, names)):
        message = "node_id: no heading stands on this line; the nearest is that of its section"
        raise ToolError("not_found", message, parameter="node_id", nearest=near)
    if row is None:
        message = "node_id: the manual has no such node; manual_toc lists them"
        raise ToolError("not_found", message, parameter="node_id", nearest=nearest_paths(connection, manual_id, path))
    return Node(*row)


def _headings_above(connection: sqlite3.Connection, names: dict[str, Any]) -> list[str]:
    """The heading of a line's section, then those above it, and if they are few, those below; none without the file."""
    near = connection.execute(_NEAR_SECTIONS, names | {"limit": _SUGGESTIONS})
    return [f"{path}#L{line}" for path, line in near]


_FILE = """
SELECT id
FROM documents
WHERE manual_id = :manual_id AND path_nfc = :path_nfc
ORDER BY path <> :path
LIMIT 1
"""

_SECTION = """
SELECT documents.id, sections.start_line, sections.end_line
FROM documents
JOIN sections ON sections.document_id = documents.id
WHERE documents.manual_id = :manual_id AND documents.path_nfc = :path_nfc AND documents.file_type = 'md'
  AND sections.start_line = :line
ORDER BY documents.path <> :path
LIMIT 1
"""

_NEAR_SECTIONS = """
SELECT documents.path, sections.start_line
FROM documents
JOIN sections ON sections.document_id = documents.id
WHERE documents.manual_id = :manual_id AND documents.path_nfc = :path_nfc AND documents.file_type = 'md'
ORDER BY sections.start_line > :line, abs(sections.start_line - :line)
LIMIT :limit
"""
