"""The rows of a document's sections, and their titles in the full-text table: written as a difference.

A section of the same level, title and anchor keeps its row, wherever it has moved to.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .row_pool import RowPool, next_id
from .text import normalise_lines
from .tokens import pair_tokens

if TYPE_CHECKING:
    from .documents import ParsedDocument
    from .markdown import Section

Titled = tuple[int, str]
"""The id and the title of a section."""


def put_sections(
    connection: sqlite3.Connection, document_id: int, document: "ParsedDocument"
) -> tuple[list[int], list[Titled]]:
    """Store its sections; return their ids in order, and the rows no longer needed, which `drop_sections` takes."""
    sections = document.sections
    stored = connection.execute(_SECTIONS, (document_id,)).fetchall()
    pool = RowPool((row[1:4], row[0]) for row in stored)
    unused = next_id(connection, "sections")
    ids, fresh = [], []
    for section in sections:
        section_id = pool.take((section.level, section.title, section.anchor))
        if section_id is None:
            section_id, unused = unused, unused + 1
            fresh.append((section_id, section.title))
        ids.append(section_id)
    rows = [
        _row(document_id, section, ids, position, position in document.general)
        for position, section in enumerate(sections)
    ]
    _store(connection, document_id, rows)
    connection.executemany("INSERT INTO title_pairs (rowid, tokens) VALUES (?, ?)", _title_tokens(fresh))
    titles = {row[0]: row[2] for row in stored}
    return ids, [(section_id, titles[section_id]) for section_id in pool.left()]


def drop_sections(connection: sqlite3.Connection, stale: Sequence[Titled]) -> None:
    """Delete these rows. Nothing may lie in these sections any more."""
    _unindex_titles(connection, stale)
    connection.executemany("DELETE FROM sections WHERE id = ?", [(section_id,) for section_id, _ in stale])


def unindex_sections(connection: sqlite3.Connection, document_id: int) -> None:
    """Take the titles of a document's sections out of the full-text table; their rows go with the document's."""
    sections = connection.execute(_SECTIONS, (document_id,)).fetchall()
    _unindex_titles(connection, [(section_id, title) for section_id, _, title, _ in sections])


def _row(
    document_id: int, section: "Section", ids: Sequence[int], position: int, is_general: bool
) -> tuple[int | str | None, ...]:
    return (
        ids[position],
        document_id,
        None if section.parent is None else ids[section.parent],
        section.level,
        section.title,
        section.anchor,
        section.start_line,
        section.own_end_line,
        section.end_line,
        is_general,
    )


def _store(connection: sqlite3.Connection, document_id: int, rows: Sequence[tuple[int | str | None, ...]]) -> None:
    known = {row[0]: tuple(row) for row in connection.execute(_SECTION_ROWS, (document_id,))}
    connection.executemany(_INSERT_SECTION, [row for row in rows if row[0] not in known])
    moved = [row for row in rows if row[0] in known and known[row[0]] != row]
    connection.executemany(_MOVE_SECTION, [(row[2], *row[6:9], row[0]) for row in moved])


def _unindex_titles(connection: sqlite3.Connection, sections: Sequence[Titled]) -> None:
    # A contentless row goes by repeating its tokens.
    connection.executemany(_DELETE_TITLE, _title_tokens(sections))


def _title_tokens(sections: Sequence[Titled]) -> Iterator[tuple[int, str]]:
    """The `title_pairs` rows of sections."""
    texts = normalise_lines(title for _, title in sections)
    return ((section_id, pair_tokens(text)) for (section_id, _), text in zip(sections, texts, strict=True))


_SECTIONS = "SELECT id, level, title, anchor FROM sections WHERE document_id = ? ORDER BY start_line"

_SECTION_ROWS = """
SELECT id, document_id, parent_id, level, title, anchor, start_line, own_end_line, end_line, is_general
FROM sections
WHERE document_id = ?
"""

_INSERT_SECTION = """
INSERT INTO sections
  (id, document_id, parent_id, level, title, anchor, start_line, own_end_line, end_line, is_general)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_MOVE_SECTION = """
UPDATE sections SET parent_id = ?, start_line = ?, own_end_line = ?, end_line = ?
WHERE id = ?
"""

_DELETE_TITLE = "INSERT INTO title_pairs (title_pairs, rowid, tokens) VALUES ('delete', ?, ?)"
