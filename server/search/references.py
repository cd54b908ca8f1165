"""What sections refer to, and what refers to them. SQL only."""

import json
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple


class ReferenceRow(NamedTuple):
    """A reference with one place that it leads to. A range has a row for each of its places.

    Lines are 1-based. `text` is as written, or what a link shows; normalised. `target` is what the text means, in
    the index's words: `所得税法 条28項2`. The target's section and line are `None` where nothing was found; a
    reference to the section that it stands in has that one.
    """

    source_section_id: int
    source_line: int
    kind: str
    relation: str | None
    text: str
    target: str
    target_section_id: int | None
    target_line: int | None


def references_from(connection: sqlite3.Connection, section_ids: Sequence[int]) -> list[ReferenceRow]:
    """The references in the own lines of these sections (without their subsections), by section and line."""
    return [ReferenceRow(*row) for row in connection.execute(_FROM, (json.dumps(list(section_ids)),))]


def references_to(connection: sqlite3.Connection, section_ids: Sequence[int]) -> list[ReferenceRow]:
    """The references that lead to these sections (not to their subsections), by target and place."""
    return [ReferenceRow(*row) for row in connection.execute(_TO, (json.dumps(list(section_ids)),))]


_COLUMNS = """
SELECT
  cross_references.section_id,
  sections.start_line + cross_references.line_offset,
  cross_references.kind,
  cross_references.relation,
  cross_references.text,
  ltrim(
    coalesce(called_documents.called, '') || ' ' || cross_references.name || coalesce(cross_references.detail, '')
    || coalesce('-' || cross_references.last_name, '')
  ),
  reference_targets.section_id,
  target_sections.start_line + reference_targets.line_offset
"""

_FROM = f"""
{_COLUMNS}
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id = asked.value
CROSS JOIN cross_references ON cross_references.section_id = sections.id
LEFT JOIN called_documents ON called_documents.id = cross_references.called_id
LEFT JOIN reference_targets ON reference_targets.reference_id = cross_references.id
LEFT JOIN sections AS target_sections ON target_sections.id = reference_targets.section_id
ORDER BY asked.key, cross_references.line_offset, cross_references.column_number, target_sections.start_line
"""  # noqa: S608 - our own columns

_TO = f"""
{_COLUMNS}
FROM json_each(?) AS asked
CROSS JOIN reference_targets ON reference_targets.section_id = asked.value
CROSS JOIN sections AS target_sections ON target_sections.id = reference_targets.section_id
CROSS JOIN cross_references ON cross_references.id = reference_targets.reference_id
CROSS JOIN sections ON sections.id = cross_references.section_id
LEFT JOIN called_documents ON called_documents.id = cross_references.called_id
ORDER BY asked.key, cross_references.section_id, cross_references.line_offset, cross_references.column_number
"""  # noqa: S608 - our own columns
