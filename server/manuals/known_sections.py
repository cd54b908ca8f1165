"""The sections of a Markdown document as the index has them: to parse a large one anew takes longer than to read it."""

import sqlite3

from morenashi.indexer.markdown import Section


def known_sections(index: sqlite3.Connection, manual_id: str, path: str, sha256: bytes) -> list[Section]:
    """Those of a document whose content has this digest; none if the index has another, or none."""
    values = {"manual_id": manual_id, "path": path, "sha256": sha256}
    rows = index.execute(_SECTIONS, values).fetchall()
    places = {section_id: place for place, (section_id, *_) in enumerate(rows)}
    return [
        Section(level, title, anchor, places.get(parent_id), start_line, own_end_line, end_line)
        for _, parent_id, level, title, anchor, start_line, own_end_line, end_line in rows
    ]


# documents: its key; sections: sections_by_document.
_SECTIONS = """
SELECT
  sections.id, sections.parent_id, sections.level, sections.title, sections.anchor,
  sections.start_line, sections.own_end_line, sections.end_line
FROM documents
JOIN sections ON sections.document_id = documents.id
WHERE documents.manual_id = :manual_id AND documents.path = :path AND documents.sha256 = :sha256
ORDER BY sections.start_line
"""
