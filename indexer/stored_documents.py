"""Is what the index holds of a document what its file says? All derived rows of it but the full text."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from .documents import ParsedDocument
from .files import Key

_Rows = Iterable[tuple[Any, ...]]


def unlike_file(connection: sqlite3.Connection, key: Key, document: ParsedDocument) -> list[str]:
    """What is stored of a document otherwise than it was just parsed: `state`, `sections`, `passages` and so on."""
    return [
        what
        for what, (query, parsed) in _PARTS.items()
        if Counter(connection.execute(query, key)) != Counter(parsed(document))
    ]


def _state(document: ParsedDocument) -> _Rows:
    yield document.status, document.problem, document.encoding, document.lines, document.punctuation, document.script


def _sections(document: ParsedDocument) -> _Rows:
    for position, section in enumerate(document.sections):
        above = None if section.parent is None else document.sections[section.parent].start_line
        yield (*section[:3], above, *section[4:], position in document.general)


def _passages(document: ParsedDocument) -> _Rows:
    for section, *place_and_text in document.passages:
        yield document.sections[section].start_line, *place_and_text


def _titles(document: ParsedDocument) -> _Rows:
    return ((title,) for title in document.titles)


def _names(document: ParsedDocument) -> _Rows:
    for name, section, *line_and_article in document.names:
        yield name, document.sections[section].start_line, *line_and_article


_STATE = """
SELECT status, problem, encoding, lines, punctuation, script
FROM documents
WHERE manual_id = ? AND path = ?
"""

_SECTIONS = """
SELECT
  sections.level,
  sections.title,
  sections.anchor,
  above.start_line,
  sections.start_line,
  sections.own_end_line,
  sections.end_line,
  sections.is_general
FROM documents
JOIN sections ON sections.document_id = documents.id
LEFT JOIN sections AS above ON above.id = sections.parent_id
WHERE documents.manual_id = ? AND documents.path = ?
"""

_PASSAGES = """
SELECT sections.start_line, passages.first_line, passages.last_line, passage_texts.text
FROM documents
JOIN passages ON passages.document_id = documents.id
JOIN passage_texts ON passage_texts.id = passages.id
LEFT JOIN sections ON sections.id = passages.section_id
WHERE documents.manual_id = ? AND documents.path = ?
"""

_EXCEPTIONS = """
SELECT line, column_number, term, kind, first_line, last_line
FROM documents
JOIN exception_terms ON exception_terms.document_id = documents.id
WHERE manual_id = ? AND path = ?
"""

_TITLES = """
SELECT name
FROM documents
JOIN document_names ON document_names.document_id = documents.id
WHERE manual_id = ? AND path = ?
"""

_NAMES = """
SELECT section_names.name, sections.start_line, sections.start_line + section_names.line_offset, section_names.article
FROM documents
JOIN section_names ON section_names.document_id = documents.id
LEFT JOIN sections ON sections.id = section_names.section_id
WHERE documents.manual_id = ? AND documents.path = ?
"""

_REFERENCES = """
SELECT
  sections.start_line + cross_references.line_offset,
  cross_references.column_number,
  cross_references.kind,
  cross_references.relation,
  cross_references.text,
  called_documents.called,
  cross_references.name,
  cross_references.detail,
  cross_references.last_name,
  cross_references.heading
FROM documents
JOIN sections ON sections.document_id = documents.id
JOIN cross_references ON cross_references.section_id = sections.id
LEFT JOIN called_documents ON called_documents.id = cross_references.called_id
WHERE documents.manual_id = ? AND documents.path = ?
"""

_PARTS: dict[str, tuple[str, Callable[[ParsedDocument], _Rows]]] = {
    "state": (_STATE, _state),
    "sections": (_SECTIONS, _sections),
    "passages": (_PASSAGES, _passages),
    "exceptions": (_EXCEPTIONS, lambda document: document.exceptions),
    "titles": (_TITLES, _titles),
    "names": (_NAMES, _names),
    "references": (_REFERENCES, lambda document: document.references),
}
