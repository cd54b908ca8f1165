"""Stages 2 and 3: from the sections that were found to the exceptions and the sections that bear on them."""

import re
import sqlite3
from collections.abc import Collection, Container, Iterable, Iterator, Sequence

from .denied_parts import confirm_denials
from .evidence import GOVERNED_BY, Clause, Evidence, Link, OpenEnd, SectionInfo
from .index.id_lists import as_json

_FOLLOWED, _FOLLOWED_FURTHER = 50, 20
_PAIRED, _OPEN_ENDS_OF = 20, 3
_MOST_REACHED = 100
# What says nothing of when and to whom it applies: the clause that refers to it does.
_IS_APPENDED = re.compile(r"[\s　]*(?:別[表紙記図添]|[付附][表録]|様式|書式|(?i:appendix|annex|schedule|exhibit)\b)")


def read_sections(connection: sqlite3.Connection, section_ids: Iterable[int]) -> dict[int, SectionInfo]:
    """What is known of these sections, by id."""
    rows = connection.execute(_SECTIONS, (as_json(sorted(section_ids)),))
    return {row[0]: SectionInfo._make(row[1:]) for row in rows}


def find_exceptions(connection: sqlite3.Connection, evidence: Evidence) -> None:
    """Stage 2: the exceptions that stand in the sections that were found."""
    found = {*evidence.hits, *evidence.links}
    _add_clauses(evidence, connection.execute(_CLAUSES, (as_json(sorted(found)),)))


def follow_references(
    connection: sqlite3.Connection, evidence: Evidence, best: Sequence[int], *, across_manuals: bool = False
) -> None:
    """Stage 3: what the `best` sections refer to, and in turn what that refers to; and exceptions elsewhere.

    With `across_manuals` also what stands in the one document of another manual that is called so, if its own has none.
    Two steps and no more, so cycles end; what an earlier search had reached was followed by that one. Sections reached
    without a hit of their own are limited in number, those from the best sections first.
    """
    abroad = _links_abroad(connection, best[:_FOLLOWED]) if across_manuals else {}
    evidence.open_ends = _open_ends(connection, evidence, best[:_OPEN_ENDS_OF], abroad)
    known = {*evidence.hits, *evidence.links}
    reached: dict[int, None] = {}
    for depth in (1, 2):
        start = best[:_FOLLOWED] if depth == 1 else list(reached)[:_FOLLOWED_FURTHER]
        for link in [*_links_from(connection, start, depth), *(abroad.values() if depth == 1 else ())]:
            if link.target_id in evidence.hits or link.target_id in reached or len(reached) < _MOST_REACHED:
                evidence.add_link(link)
                if link.target_id not in evidence.hits:
                    reached[link.target_id] = None
    _pair_exceptions_elsewhere(connection, evidence, best[:_PAIRED])
    _pair_clauses_of_appended(connection, evidence, best[:_PAIRED])
    _pair_general_provisions(connection, evidence, best[:_PAIRED])
    evidence.sections |= read_sections(connection, evidence.links.keys() - evidence.sections.keys())
    new = [target for target in reached if target in evidence.sections and target not in known]
    _add_clauses(evidence, connection.execute(_CLAUSES, (as_json(new),)))


def _links_from(connection: sqlite3.Connection, section_ids: Sequence[int], depth: int) -> Iterator[Link]:
    """The references of these sections that lead to another one, in the order of the sections and then of the lines."""
    rows = connection.execute(_LINKS, (as_json(section_ids),)).fetchall()
    position = {section_id: place for place, section_id in enumerate(section_ids)}
    rows.sort(key=lambda row: (position[row[0]], row[1]))
    return (Link._make((*row, depth)) for row in rows)


def _links_abroad(connection: sqlite3.Connection, section_ids: Sequence[int]) -> dict[int, Link]:
    """The references of these sections into documents of other manuals, by their ids, in the same order."""
    rows = connection.execute(_LINKS_ABROAD, (as_json(section_ids),))
    return {reference_id: Link._make((*row, 1)) for reference_id, *row in rows}


def _open_ends(
    connection: sqlite3.Connection, evidence: Evidence, section_ids: Sequence[int], abroad: Container[int]
) -> list[OpenEnd]:
    """The references of these sections that lead nowhere, in the same order, without those found `abroad`."""
    rows = connection.execute(_UNRESOLVED, (as_json(section_ids),))
    ends = (
        (evidence.sections[section_id], said) for reference_id, section_id, *said in rows if reference_id not in abroad
    )
    return list(dict.fromkeys(OpenEnd(section.manual_id, section.path, *said) for section, said in ends))


def _pair_exceptions_elsewhere(
    connection: sqlite3.Connection, evidence: Evidence, section_ids: Collection[int]
) -> None:
    """Exceptions in other sections whose line refers to one of these; their sections become candidates."""
    rows = connection.execute(_CLAUSES_ELSEWHERE, (as_json(section_ids),)).fetchall()
    denied = []
    for section_id, source_id, *clause in rows:
        found = Clause(section_id, *clause)
        evidence.clauses.setdefault(section_id, []).append(found)
        if found.kind == "non_application" and section_id in evidence.hits and source_id in evidence.hits:
            denied.append((section_id, source_id, found))
        if source_id not in evidence.hits:
            link = Link(section_id, found.line, f"{found.kind}_of", "", source_id, found.line, 1)
            evidence.add_link(link)
    for denial in confirm_denials(connection, evidence.sections, denied):
        evidence.denials.setdefault(denial.section_id, []).append(denial)


def _pair_clauses_of_appended(connection: sqlite3.Connection, evidence: Evidence, section_ids: Collection[int]) -> None:
    """The first sections that refer to an appendix or a form among these; they become candidates."""
    appended = [section_id for section_id in section_ids if _IS_APPENDED.match(evidence.sections[section_id].title)]
    if not appended:
        return
    for section_id, source_id, line, kind in connection.execute(_REFERRING, (as_json(appended),)).fetchall():
        if source_id not in evidence.hits:
            evidence.add_link(Link(section_id, line, f"{kind}_of", "", source_id, line, 1))


def _pair_general_provisions(connection: sqlite3.Connection, evidence: Evidence, section_ids: Collection[int]) -> None:
    """The sections beside these, or beside what holds them, that hold for all there; they become candidates."""
    for section_id, general_id, line in connection.execute(_GENERAL, (as_json(section_ids),)).fetchall():
        if general_id not in evidence.hits:
            evidence.add_link(Link(section_id, line, GOVERNED_BY, "", general_id, line, 1))


def _add_clauses(evidence: Evidence, rows: Iterable[tuple[int, str, str, int, str, int, int]]) -> None:
    for row in rows:
        evidence.clauses.setdefault(row[0], []).append(Clause._make(row))


_SECTIONS = """
SELECT sections.id, sections.document_id, documents.manual_id, documents.path, documents.file_type,
  sections.start_line, sections.end_line, sections.title
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id = asked.value
JOIN documents ON documents.id = sections.document_id
"""

# What a document is called as a whole is its title, which has counted.
# Search: cross_references_by_section, PRIMARY KEY (reference_id, ...) of reference_targets.
_LINKS = """
SELECT
  cross_references.section_id,
  source.start_line + cross_references.line_offset,
  cross_references.kind,
  iif(cross_references.kind = 'document', '', cross_references.text),
  found.section_id,
  target.start_line + found.line_offset
FROM json_each(?) AS asked
CROSS JOIN cross_references ON cross_references.section_id = asked.value
CROSS JOIN reference_targets AS found ON found.reference_id = cross_references.id
CROSS JOIN sections AS target ON target.id = found.section_id
CROSS JOIN sections AS source ON source.id = cross_references.section_id
WHERE found.section_id <> cross_references.section_id
"""

# Of several documents that are called so none is meant. Search: cross_references_by_section, document_names_by_name,
# PRIMARY KEY (document_id, name) of section_names.
_LINKS_ABROAD = """
SELECT
  cross_references.id,
  cross_references.section_id,
  source.start_line + cross_references.line_offset,
  cross_references.kind,
  iif(cross_references.kind = 'document', '', cross_references.text),
  place.section_id,
  target.start_line + coalesce(part.line_offset, place.line_offset)
FROM json_each(?) AS asked
CROSS JOIN cross_references ON cross_references.section_id = asked.value
CROSS JOIN called_documents
  ON called_documents.id = cross_references.called_id AND called_documents.document_id IS NULL
CROSS JOIN document_names AS named ON named.name = called_documents.called
CROSS JOIN section_names AS place
  ON place.document_id = named.document_id AND place.name = cross_references.name
LEFT JOIN section_names AS part
  ON part.document_id = named.document_id AND part.name = cross_references.name || cross_references.detail
CROSS JOIN sections AS target ON target.id = place.section_id
CROSS JOIN sections AS source ON source.id = cross_references.section_id
WHERE NOT EXISTS (
  SELECT 1 FROM document_names WHERE name = named.name AND document_id <> named.document_id
)
ORDER BY asked.key, cross_references.line_offset, cross_references.column_number
"""

# What may be a document of its own (別紙2, chapter 3) is called as such; of another one is what stands inside that. Of
# documents that are cited as a whole many are none of the manual's; one that has a number in an office (b-03) is.
# The mark of a note in the document itself, [1](#note), misses nothing, though converters leave it without its anchor.
# Search: as in _LINKS.
_UNRESOLVED = """
SELECT
  cross_references.id,
  cross_references.section_id,
  sections.start_line + cross_references.line_offset,
  cross_references.kind,
  CASE
    WHEN cross_references.name = '' THEN coalesce(called_documents.called, '')
    ELSE cross_references.name || coalesce(cross_references.detail, '')
      || coalesce('-' || cross_references.last_name, '')
  END,
  cross_references.called_id IS NOT NULL AND (
    cross_references.name <> ''
    OR cross_references.kind NOT IN ('appendix', 'form', 'section', 'division', 'document')
  )
FROM json_each(?) AS asked
CROSS JOIN cross_references ON cross_references.section_id = asked.value
CROSS JOIN sections ON sections.id = cross_references.section_id
LEFT JOIN called_documents ON called_documents.id = cross_references.called_id
WHERE NOT EXISTS (SELECT 1 FROM reference_targets WHERE reference_id = cross_references.id)
  AND (cross_references.kind <> 'document' OR called_documents.called GLOB '[a-z]*-[0-9]*')
  AND NOT (cross_references.kind = 'link' AND cross_references.called_id IS NULL AND cross_references.heading IS NULL)
ORDER BY asked.key, cross_references.line_offset, cross_references.column_number
"""

# Search: PRIMARY KEY (document_id, line, ...) of exception_terms, a range of lines a section.
_CLAUSES = """
SELECT DISTINCT sections.id, documents.manual_id, documents.path, clause.line, clause.kind, clause.first_line,
  clause.last_line
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id = asked.value
CROSS JOIN exception_terms AS clause
  ON clause.document_id = sections.document_id
  AND clause.line BETWEEN sections.start_line AND sections.own_end_line
CROSS JOIN documents ON documents.id = sections.document_id
"""

# A line that refers to a section and says that something is excepted. Search: reference_targets_by_section, PRIMARY
# KEY (document_id, line, ...) of exception_terms.
_CLAUSES_ELSEWHERE = """
SELECT DISTINCT asked.value, sections.id, documents.manual_id, documents.path, clause.line, clause.kind,
  clause.first_line, clause.last_line
FROM json_each(?) AS asked
CROSS JOIN reference_targets AS target ON target.section_id = asked.value
CROSS JOIN cross_references AS refers ON refers.id = target.reference_id
CROSS JOIN sections ON sections.id = refers.section_id
CROSS JOIN exception_terms AS clause
  ON clause.document_id = sections.document_id AND clause.line = sections.start_line + refers.line_offset
CROSS JOIN documents ON documents.id = sections.document_id
WHERE sections.id <> asked.value AND clause.kind IN ('proviso', 'exclusion', 'non_application')
  AND refers.kind <> 'document'
ORDER BY asked.key, documents.manual_id, documents.path, clause.line, clause.kind, clause.first_line
LIMIT 200
"""

# Search: reference_targets_by_section.
_REFERRING = """
SELECT DISTINCT asked.value, sections.id, sections.start_line + refers.line_offset, refers.kind
FROM json_each(?) AS asked
CROSS JOIN reference_targets AS target ON target.section_id = asked.value
CROSS JOIN cross_references AS refers ON refers.id = target.reference_id
CROSS JOIN sections ON sections.id = refers.section_id
CROSS JOIN documents ON documents.id = sections.document_id
WHERE sections.id <> asked.value AND refers.kind IN ('appendix', 'form')
ORDER BY asked.key, documents.manual_id, documents.path, 3
LIMIT 10
"""

# 適用範囲, 定義, of which a document has few (general_sections); one inside another chapter holds there only.
_GENERAL = """
SELECT asked.value, general.id, general.start_line
FROM json_each(?) AS asked
CROSS JOIN sections AS found ON found.id = asked.value
CROSS JOIN sections AS general ON general.document_id = found.document_id AND general.is_general = 1
LEFT JOIN sections AS whole ON whole.id = general.parent_id
WHERE found.start_line NOT BETWEEN general.start_line AND general.end_line
  AND (whole.id IS NULL OR found.start_line BETWEEN whole.start_line AND whole.end_line)
ORDER BY asked.key, general.start_line
"""
