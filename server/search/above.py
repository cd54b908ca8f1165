"""What stands above sections: the headings that they lie under, and the title at the head of their document.

Where a file or a chapter has one subject, the sections below say "dosage", "side effects", "cleaning"; of what, only a
heading above them says.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from heapq import nlargest

from .evidence import SectionInfo
from .ranking import normal_title
from .stages import PassageHit

_READ = 50


def read_headings_above(
    connection: sqlite3.Connection, hits: Mapping[int, Sequence[PassageHit]], sections: Mapping[int, SectionInfo]
) -> dict[int, str]:
    """The normalised titles above the most promising sections, by their ids; empty where nothing stands above."""
    best = nlargest(_READ, hits, key=lambda section_id: max(hit.score for hit in hits[section_id]))
    above: dict[int, dict[str, None]] = {section_id: {} for section_id in best}
    for section_id, title in connection.execute(_ANCESTORS, (json.dumps(best),)):
        above[section_id][normal_title(title)] = None
    heads = _read_heads(connection, {sections[section_id].document_id for section_id in best})
    for section_id in best:
        titles = (title for head, title in heads[sections[section_id].document_id] if head != section_id)
        above[section_id] |= dict.fromkeys(map(normal_title, titles))
    return {section_id: " ".join(titles) for section_id, titles in above.items()}


def _read_heads(connection: sqlite3.Connection, document_ids: set[int]) -> dict[int, list[tuple[int, str]]]:
    """The first title of each document with the id of its section; a front matter's also as the first heading has it,
    if that says it with more: `title: Kettle`, `## Kettle K-20 (K-20S, K-20W)`.
    """
    heads: dict[int, list[tuple[int, str]]] = {document_id: [] for document_id in document_ids}
    front_matter = ""
    for document_id, section_id, level, title in connection.execute(_FIRST_TITLES, (json.dumps(sorted(document_ids)),)):
        known = heads[document_id]
        if not known or (front_matter and front_matter in title):
            known.append((section_id, title))
        front_matter = "" if level else title
    return heads


_ANCESTORS = """
WITH RECURSIVE above (section_id, id) AS (
  SELECT sections.id, sections.parent_id
  FROM json_each(?) AS asked
  CROSS JOIN sections ON sections.id = asked.value
  WHERE sections.parent_id IS NOT NULL
  UNION ALL
  SELECT above.section_id, sections.parent_id
  FROM above
  CROSS JOIN sections ON sections.id = above.id
  WHERE sections.parent_id IS NOT NULL
)
SELECT above.section_id, sections.title
FROM above
CROSS JOIN sections ON sections.id = above.id
"""

_FIRST_TITLES = """
SELECT asked.value, sections.id, sections.level, sections.title
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id IN (
  SELECT titled.id
  FROM sections AS titled
  WHERE titled.document_id = asked.value AND titled.title <> ''
  ORDER BY titled.start_line
  LIMIT 2
)
ORDER BY asked.value, sections.start_line
"""
