"""Where a manual, a file or a section says "except": one item a line, with the text around the expression."""

import sqlite3
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from morenashi.indexer.encodings import UndecodableError
from morenashi.indexer.files import parts_below_root
from morenashi.indexer.json_text import raw_column, unescape
from morenashi.indexer.text import normalise, original_column
from morenashi.server.errors import ToolError
from morenashi.server.reading import FileText
from morenashi.server.whole_files import read_text
from morenashi.server.workspace import Workspace

from .nodes import Node

SNIPPET_CHARACTERS = 200
_BEFORE = 80


@dataclass(frozen=True, slots=True)
class ExceptedLine:
    """A line that holds expressions: the 0-based column of the first, and the line, as normalised."""

    path: str
    file_type: str
    line: int
    column: int
    text: str


def list_lines(
    connection: sqlite3.Connection, manual_id: str, node: Node, offset: int, limit: int
) -> tuple[list[ExceptedLine], int]:
    """One page of a node's lines by path and line, and how many there are."""
    values = node.values(manual_id) | {"offset": offset, "limit": limit}
    lines = [
        ExceptedLine(path, file_type, line, column, passage.split("\n")[position])
        for path, file_type, line, column, passage, position in connection.execute(
            _LINES.format(within=node.within), values
        )
    ]
    return lines, int(connection.execute(_COUNT.format(within=node.within), values).fetchone()[0])


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
