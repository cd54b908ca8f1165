"""Where a manual, a file or a section says "except": one item a line, with the text around the expression; of a line of
JSON, which may be a whole file, one a cell.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from morenashi.indexer.encodings import UndecodableError
from morenashi.indexer.exceptions import JSON_CELL
from morenashi.indexer.files import parts_below_root
from morenashi.indexer.json_escapes import raw_columns, unescape
from morenashi.indexer.text import normalise, original_columns
from morenashi.server.errors import ToolError
from morenashi.server.reading import FileText
from morenashi.server.whole_files import read_text
from morenashi.server.workspace import Workspace

from .nodes import Node

SNIPPET_CHARACTERS = 200
_BEFORE = 80


@dataclass(frozen=True, slots=True)
class ExceptedLine:
    """A line that holds expressions, as normalised, and the 0-based column of the first; of JSON one a cell."""

    path: str
    file_type: str
    line: int
    text: str
    columns: list[int]


def list_lines(
    connection: sqlite3.Connection, manual_id: str, node: Node, offset: int, limit: int
) -> tuple[list[ExceptedLine], int]:
    """One page of a node's items, by path, line and column, gathered by their lines; and how many items there are."""
    values = node.values(manual_id) | {"offset": offset, "limit": limit, "cell": JSON_CELL}
    page = connection.execute(_PAGE.format(within=node.within), values).fetchall()
    lines = []
    for (document_id, path, file_type, line), items in groupby(page, key=itemgetter(0, 1, 2, 3)):
        text, position = connection.execute(_TEXT, {"document_id": document_id, "line": line}).fetchone()
        columns = [column for *_, column in items]
        lines.append(ExceptedLine(path, file_type, line, text.split("\n")[position], columns))
    return lines, int(connection.execute(_COUNT.format(within=node.within), values).fetchone()[0])


def with_snippets(workspace: Workspace, manual_id: str, lines: list[ExceptedLine]) -> list[dict[str, Any]]:
    """The items of an answer: the text as it is on disk now or, where the expression is there no more, as indexed."""
    items = []
    for path, group in groupby(lines, key=lambda line: line.path):
        file = None
        for line in group:
            file = file or _read(workspace, manual_id, line)
            items += [{"path": path, "start_line": line.line, "snippet": snippet} for snippet in _snippets(file, line)]
    return items


def _read(workspace: Workspace, manual_id: str, line: ExceptedLine) -> FileText:
    """The line's file; an empty one if it cannot be read any more."""
    try:
        text = read_text(workspace.config.manuals, parts_below_root(manual_id, line.path), "node_id")
    except (ToolError, UndecodableError, OSError):
        text = ""
    return FileText(text, line.file_type)


def _snippets(file: FileText, line: ExceptedLine) -> Iterator[str]:
    text, columns = line.text, line.columns
    if line.line <= file.lines:
        written = file.line_text(line.line).rstrip("\r\n")
        readable = unescape(written) if line.file_type == "json" else written
        if normalise(readable) == line.text:
            columns = original_columns(readable, line.columns)
            columns = raw_columns(written, columns) if line.file_type == "json" else columns
            text = written
    for column in columns:
        start = max(min(column - _BEFORE, len(text) - SNIPPET_CHARACTERS), 0)
        yield text[start : start + SNIPPET_CHARACTERS].strip()


# Search: PRIMARY KEY (document_id, line, ...) of exception_terms. Of JSON one a cell of a line, which may be the file.
_PAGE = """
SELECT documents.id, documents.path, documents.file_type, exception_terms.line,
  min(exception_terms.column_number)
FROM documents
JOIN exception_terms ON exception_terms.document_id = documents.id
WHERE {within}
  AND exception_terms.line BETWEEN :first_line AND :last_line
GROUP BY documents.path, documents.id, exception_terms.line,
  iif(documents.file_type = 'json', exception_terms.column_number / :cell, 0)
ORDER BY documents.path, exception_terms.line, min(exception_terms.column_number)
LIMIT :limit OFFSET :offset
"""

_COUNT = """
SELECT count(*)
FROM (
  SELECT DISTINCT exception_terms.document_id, exception_terms.line,
    iif(documents.file_type = 'json', exception_terms.column_number / :cell, 0)
  FROM documents
  JOIN exception_terms ON exception_terms.document_id = documents.id
  WHERE {within}
    AND exception_terms.line BETWEEN :first_line AND :last_line
)
"""

# The passage with a line, and the line's place in it.
_TEXT = """
SELECT passage_texts.text, :line - passages.first_line
FROM passages
JOIN passage_texts ON passage_texts.id = passages.id
WHERE passages.document_id = :document_id AND passages.first_line <= :line
ORDER BY passages.first_line DESC
LIMIT 1
"""
