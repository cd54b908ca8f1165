"""What the index stores of passages, by their ids: texts and lines."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from .id_lists import as_json
from .postings import Index


class InconsistentIndexError(Exception):
    """The full-text tables name a passage that does not exist: somebody else wrote to them.

    Its only argument is the build of these tables.
    """


class StoredPassage(NamedTuple):
    """A passage with its normalised text. Lines are 1-based and inclusive."""

    id: int
    document_id: int
    section_id: int
    first_line: int
    last_line: int
    text: str


def first_passages(index: Index, section_ids: Collection[int]) -> list[int]:
    """The ids of the passages with the headings of these sections, in the same order."""
    return [row[0] for row in index.connection.execute(_FIRST_PASSAGES, (as_json(section_ids),))]


def in_file_order(index: Index, passage_ids: Sequence[int]) -> list[int]:
    """The same passages by manual, path and line: in ids there is no order, once files have changed."""
    if index.ids_follow_files:
        return sorted(passage_ids)
    return [row[0] for row in index.connection.execute(_IN_FILE_ORDER, (as_json(sorted(passage_ids)),))]


def read_passages(index: Index, passage_ids: Sequence[int]) -> list[StoredPassage]:
    """The passages with these ids, in this order."""
    # Asked in the order of the pages, which is a quarter faster.
    rows = index.connection.execute(_PASSAGES, (as_json(sorted(passage_ids)),))
    passages = {row[0]: StoredPassage._make(row) for row in rows}
    try:
        return [passages[passage_id] for passage_id in passage_ids]
    except KeyError:
        raise InconsistentIndexError(index.build) from None


def count_lines_and_sections(index: Index, passage_ids: Sequence[int]) -> tuple[int, int]:
    """How many lines these passages have together, and in how many sections they lie: a JSON file is one."""
    if not passage_ids:
        return 0, 0
    # Asked in the order of the pages, as in `read_passages`.
    lines, sections = index.connection.execute(_LINES_AND_SECTIONS, (as_json(sorted(passage_ids)),)).fetchone()
    return int(lines), sections


# Search: passages_by_section once for each section.
_FIRST_PASSAGES = """
SELECT (SELECT id FROM passages WHERE section_id = asked.value ORDER BY first_line LIMIT 1) AS id
FROM json_each(?) AS asked
WHERE id IS NOT NULL
"""

_IN_FILE_ORDER = """
SELECT passages.id
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.id = asked.value
CROSS JOIN documents ON documents.id = passages.document_id
ORDER BY documents.manual_id, documents.path, passages.first_line
"""

_PASSAGES = """
SELECT passages.id, passages.document_id, passages.section_id, passages.first_line, passages.last_line,
  passage_texts.text
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.id = asked.value
CROSS JOIN passage_texts ON passage_texts.id = passages.id
"""

_LINES_AND_SECTIONS = """
SELECT total(passages.last_line - passages.first_line + 1), COUNT(DISTINCT passages.section_id)
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.id = asked.value
"""
