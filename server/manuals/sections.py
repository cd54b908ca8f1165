"""The table of contents of a manual, a file or a section: its headings, and JSON files as one entry each."""

import sqlite3
from typing import Any

from .nodes import Node


def list_sections(
    connection: sqlite3.Connection, manual_id: str, node: Node, offset: int, limit: int
) -> tuple[list[dict[str, Any]], int]:
    """One page of a node's entries in order of path and line, and how many there are."""
    values = node.values(manual_id) | {"offset": offset, "limit": limit}
    items = [
        {
            "kind": "heading" if file_type == "md" else "json_file",
            "node_id": _node_id(path, start_line, file_type),
            "path": path,
            "title": title or path.rpartition("/")[2],
            "level": level,
            "parent_id": _node_id(path, parent_line, file_type) if parent_line else None,
            "line_start": start_line,
            "line_end": end_line,
        }
        for path, file_type, title, level, start_line, end_line, parent_line in connection.execute(
            _PAGE.format(within=node.within), values
        )
    ]
    return items, int(connection.execute(_COUNT.format(within=node.within), values).fetchone()[0])


def _node_id(path: str, line: int, file_type: str) -> str:
    return f"{path}#L{line}" if file_type == "md" else path


_PAGE = """
SELECT documents.path, documents.file_type, sections.title, sections.level, sections.start_line, sections.end_line,
  parents.start_line
FROM documents
JOIN sections ON sections.document_id = documents.id
LEFT JOIN sections AS parents ON parents.id = sections.parent_id
WHERE {within} AND sections.start_line BETWEEN :first_line AND :last_line
ORDER BY documents.path, sections.start_line
LIMIT :limit OFFSET :offset
"""

_COUNT = """
SELECT count(*)
FROM documents
JOIN sections ON sections.document_id = documents.id
WHERE {within} AND sections.start_line BETWEEN :first_line AND :last_line
"""
