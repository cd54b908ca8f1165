"""Indexes over temporary workspaces, and what they hold without its row numbers."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from morenashi.indexer import term_counts
from morenashi.indexer.database import open_reader, open_writer, transaction
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.sync import Summary, Synchroniser
from morenashi.indexer.writer_lock import hold_writer_lock

from ..databases import put_empty
from ..workspaces import WorkspaceFolder

FULL_TEXT_TABLES = ("pairs", "words", "title_pairs")


@dataclass(frozen=True)
class OpenIndex:
    """A workspace's index, open for writing."""

    connection: sqlite3.Connection
    synchroniser: Synchroniser
    notices: list[str]

    def synchronise(self, **options: Any) -> Summary:
        return self.synchroniser.synchronise(**options)

    def rows(self, query: str, *values: object) -> list[Any]:
        return self.connection.execute(query, values).fetchall()

    def value(self, query: str, *values: object) -> Any:
        return self.connection.execute(query, values).fetchone()[0]


@contextlib.contextmanager
def open_index(workspace: WorkspaceFolder) -> Iterator[OpenIndex]:
    """Open the index as its one writer; nothing is indexed yet."""
    config = workspace.config()
    put_empty(config.database)
    with hold_writer_lock(config.database):
        connection, notices = open_writer(config.database)
        with contextlib.closing(connection):
            synchroniser = Synchroniser(config, connection, load_dictionaries(config.dictionaries))
            yield OpenIndex(connection, synchroniser, notices)


@contextlib.contextmanager
def reading(workspace: WorkspaceFolder) -> Iterator[sqlite3.Connection]:
    """A read-only connection for a `with` block."""
    with contextlib.closing(open_reader(workspace.database)) as connection:
        yield connection


def index(workspace: WorkspaceFolder, **options: Any) -> Summary:
    """Bring the index up to date and close it."""
    with open_index(workspace) as opened:
        return opened.synchronise(**options)


def content(opened: OpenIndex) -> dict[str, list[Any]]:
    """All that the index says, without row numbers, time stamps and generation; counts made anew."""
    with transaction(opened.connection):
        term_counts.recount(opened.connection)
    found = {name: sorted(opened.rows(query)) for name, query in _CONTENT.items()}
    for table in FULL_TEXT_TABLES:
        found[table] = sorted(_postings(opened, table))
    return found


def rebuilt(workspace: WorkspaceFolder) -> dict[str, list[Any]]:
    """The content of a fresh index over the same files."""
    with tempfile.TemporaryDirectory() as other:
        fresh = WorkspaceFolder(Path(other).resolve())
        fresh.manuals.symlink_to(workspace.manuals)
        with open_index(fresh) as opened:
            opened.synchronise()
            return content(opened)


def assert_full_text_is_sound(opened: OpenIndex) -> None:
    """FTS5's own integrity-check, which raises where an index contradicts itself."""
    for table in FULL_TEXT_TABLES:
        opened.connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")  # noqa: S608 - our own


def _postings(opened: OpenIndex, table: str) -> list[Any]:
    """Each term with the place of each row that it is in."""
    opened.connection.execute(
        f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{table}_instances USING fts5vocab('main', '{table}', 'instance')"
    )
    places = _TITLE_PLACES if table == "title_pairs" else _PASSAGE_PLACES
    return opened.rows(
        f"SELECT instances.term, places.path, places.line FROM temp.{table}_instances AS instances "  # noqa: S608 - our own tables
        f"LEFT JOIN ({places}) AS places ON places.id = instances.doc"
    )


_PASSAGE_PLACES = """
SELECT passages.id, documents.manual_id || '/' || documents.path AS path, passages.first_line AS line
FROM passages
JOIN documents ON documents.id = passages.document_id
"""

_TITLE_PLACES = """
SELECT sections.id, documents.manual_id || '/' || documents.path AS path, sections.start_line AS line
FROM sections
JOIN documents ON documents.id = sections.document_id
"""

_CONTENT = {
    "documents": """
SELECT manual_id, path, path_nfc, file_type, status, problem, encoding, size_bytes, hex(sha256), lines
FROM documents
""",
    "sections": """
SELECT documents.manual_id, documents.path, sections.start_line, sections.level, sections.title,
  coalesce(sections.anchor, ''), sections.own_end_line, sections.end_line, coalesce(parents.start_line, 0)
FROM sections
JOIN documents ON documents.id = sections.document_id
LEFT JOIN sections AS parents ON parents.id = sections.parent_id
""",
    "passages": """
SELECT documents.manual_id, documents.path, passages.first_line, passages.last_line,
  sections.start_line, passage_texts.text
FROM passages
JOIN documents ON documents.id = passages.document_id
JOIN sections ON sections.id = passages.section_id
JOIN passage_texts ON passage_texts.id = passages.id
""",
    "texts": "SELECT count(*) FROM passage_texts",
    "exceptions": """
SELECT documents.manual_id, documents.path, exception_terms.line, exception_terms.column_number,
  exception_terms.term, exception_terms.kind, exception_terms.first_line, exception_terms.last_line
FROM exception_terms
JOIN documents ON documents.id = exception_terms.document_id
""",
    "titles": """
SELECT documents.manual_id, documents.path, document_names.name
FROM document_names
JOIN documents ON documents.id = document_names.document_id
""",
    "names": """
SELECT documents.manual_id, documents.path, section_names.name, sections.start_line, section_names.line_offset,
  coalesce(section_names.article, -1)
FROM section_names
JOIN sections ON sections.id = section_names.section_id
JOIN documents ON documents.id = sections.document_id AND documents.id = section_names.document_id
""",
    "called": """
SELECT called_documents.manual_id, called_documents.folder, called_documents.called, coalesce(documents.path, '')
FROM called_documents
LEFT JOIN documents ON documents.id = called_documents.document_id
""",
    "references": """
SELECT manual_id, path, line, kind, coalesce(relation, ''), text, coalesce(called, ''), name,
  coalesce(target_path, ''), coalesce(target_line, 0)
FROM references_overview
""",
    "counts": "SELECT kind, term, passages FROM term_counts WHERE passages <> 0",
    "totals": "SELECT key, CAST(value AS INTEGER) FROM index_state WHERE key IN ('passages', 'characters')",
}
