"""Where a manual, a file or a section says "except": one item a line, with the text around the expression."""

import re
import sqlite3
import sys
from collections.abc import Collection
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from morenashi.indexer.encodings import UndecodableError
from morenashi.indexer.files import parts_below_root, to_nfc
from morenashi.indexer.json_text import raw_column, unescape
from morenashi.indexer.text import normalise, original_column
from morenashi.server.errors import ToolError
from morenashi.server.paths import parse_relative_path
from morenashi.server.reading import FileText
from morenashi.server.search.scope import has_document
from morenashi.server.whole_files import read_text
from morenashi.server.workspace import Workspace

from .catalogue import nearest_paths

SNIPPET_CHARACTERS = 200
_BEFORE = 80
_HEADING_NODE = re.compile(r"(.+)#L([0-9]{1,9})", re.S)
_SUGGESTIONS = 3


@dataclass(frozen=True, slots=True)
class Node:
    """A section with its subsections, a file or, without a document, all of a manual. Lines are 1-based, inclusive."""

    document_id: int | None = None
    first_line: int = 1
    last_line: int = sys.maxsize


@dataclass(frozen=True, slots=True)
class ExceptedLine:
    """A line that holds expressions: the 0-based column of the first, and the line, as normalised."""

    path: str
    file_type: str
    line: int
    column: int
    text: str


def find_node(connection: sqlite3.Connection, manual_id: str, node_id: str, waiting: Collection[str]) -> Node:
    """The node that an id of manual_toc names.

    Raises `not_found`, with ids that resemble it; or `conflict` if its file is one of those `waiting` to be indexed.
    """
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


def list_lines(
    connection: sqlite3.Connection, manual_id: str, node: Node, offset: int, limit: int
) -> tuple[list[ExceptedLine], int]:
    """One page of a node's lines by path and line, and how many there are."""
    values = {"manual_id": manual_id, "offset": offset, "limit": limit, **asdict(node)}
    # A statement for each, so that SQLite can use its indexes.
    within = "documents.manual_id = :manual_id" if node.document_id is None else "documents.id = :document_id"
    lines = [
        ExceptedLine(path, file_type, line, column, passage.split("\n")[position])
        for path, file_type, line, column, passage, position in connection.execute(_LINES.format(within=within), values)
    ]
    return lines, int(connection.execute(_COUNT.format(within=within), values).fetchone()[0])


def with_snippets(workspace: Workspace, manual_id: str, lines: list[ExceptedLine]) -> list[dict[str, Any]]:
    """The items of an answer: the text as it is on disk now or, where the expression is there no more, as indexed."""
    items = []
    for path, group in groupby(lines, key=lambda line: line.path):
        file = None
        for line in group:
            file = file or _read(workspace, manual_id, line)
            items.append({"path": path, "start_line": line.line, "snippet": _snippet(file, line)})
    return items


def _read(workspace: Workspace, manual_id: str, line: ExceptedLine) -> FileText:
    """The line's file; an empty one if it cannot be read any more."""
    try:
        text = read_text(workspace.config.manuals, parts_below_root(manual_id, line.path), "node_id")
    except (ToolError, UndecodableError, OSError):
        text = ""
    return FileText(text, line.file_type)


def _snippet(file: FileText, line: ExceptedLine) -> str:
    text, column = line.text, line.column
    if line.line <= file.lines:
        written = file.line_text(line.line).rstrip("\r\n")
        readable = unescape(written) if line.file_type == "json" else written
        if normalise(readable) == line.text:
            column = original_column(readable, line.column)
            column = raw_column(written, column) if line.file_type == "json" else column
            text = written
    start = max(min(column - _BEFORE, len(text) - SNIPPET_CHARACTERS), 0)
    return text[start : start + SNIPPET_CHARACTERS].strip()


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

_LINES = """
WITH page AS (
  SELECT documents.id, documents.path, documents.file_type, exception_terms.line,
    min(exception_terms.column_number) AS column_number
  FROM documents
  JOIN exception_terms ON exception_terms.document_id = documents.id
  WHERE {within}
    AND exception_terms.line BETWEEN :first_line AND :last_line
  GROUP BY documents.path, documents.id, exception_terms.line
  ORDER BY documents.path, exception_terms.line
  LIMIT :limit OFFSET :offset
)
SELECT page.path, page.file_type, page.line, page.column_number, passage_texts.text, page.line - passages.first_line
FROM page
JOIN passages ON passages.id = (
  SELECT id
  FROM passages
  WHERE document_id = page.id AND first_line <= page.line
  ORDER BY first_line DESC
  LIMIT 1
)
JOIN passage_texts ON passage_texts.id = passages.id
ORDER BY page.path, page.line
"""

_COUNT = """
SELECT count(*)
FROM (
  SELECT DISTINCT exception_terms.document_id, exception_terms.line
  FROM documents
  JOIN exception_terms ON exception_terms.document_id = documents.id
  WHERE {within}
    AND exception_terms.line BETWEEN :first_line AND :last_line
)
"""
