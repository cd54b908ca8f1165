"""What stands around the lines that a search found, read when it is asked for: headings above, lines between."""

import sqlite3
from functools import cache

from morenashi.indexer.text import normalise

from .headings import Whereabouts


class Surroundings:
    """Of one state of the index. What is asked twice is read once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.whereabouts = cache(self._read_whereabouts)
        """Of a section, by its id."""
        self.lines = cache(self._read_lines)
        """The normalised lines of a section from one line to another (1-based, inclusive), as far as they are its
        own.
        """

    def _read_whereabouts(self, section_id: int) -> Whereabouts:
        rows = self._connection.execute(_ABOVE, (section_id,)).fetchall()
        return Whereabouts(rows[0][0] if rows else "", tuple(normalise(title) for _, title in rows if title))

    def _read_lines(self, section_id: int, first: int, last: int) -> list[str]:
        values = {"section_id": section_id, "first": first, "last": last}
        lines: list[str] = []
        for first_line, text in self._connection.execute(_LINES, values):
            lines += text.split("\n")[max(first - first_line, 0) : last + 1 - first_line]
        return lines


_ABOVE = """
WITH RECURSIVE above (id, depth) AS (
  VALUES (?, 0)
  UNION ALL
  SELECT sections.parent_id, above.depth + 1
  FROM above
  JOIN sections ON sections.id = above.id
  WHERE sections.parent_id IS NOT NULL
)
SELECT documents.path, sections.title
FROM above
JOIN sections ON sections.id = above.id
JOIN documents ON documents.id = sections.document_id
ORDER BY above.depth DESC
"""

# Search: passages_by_section.
_LINES = """
SELECT passages.first_line, passage_texts.text
FROM passages
CROSS JOIN passage_texts ON passage_texts.id = passages.id
WHERE passages.section_id = :section_id
  AND passages.first_line <= :last
  AND passages.last_line >= :first
ORDER BY passages.first_line
"""
