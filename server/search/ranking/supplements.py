"""Supplementary provisions (附則) of statutes and rules: what held on the way from one wording to the next.

They repeat the words of the articles that they changed, once for each amendment, so that who asks for a rule would read
how it once came into force before the rule itself.
"""

import sqlite3
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence

from morenashi.server.ranges import Range, merge
from morenashi.server.search.evidence import SectionInfo
from morenashi.server.search.index.id_lists import as_json


def find_supplementary(connection: sqlite3.Connection, sections: Mapping[int, SectionInfo]) -> frozenset[int]:
    """Those of the sections that are supplementary provisions, or lie below the heading of such."""
    documents = {section.document_id for section in sections.values()}
    supplements: defaultdict[int, list[Range]] = defaultdict(list)
    for document_id, first, last in connection.execute(_SUPPLEMENTS, (as_json(sorted(documents)),)):
        supplements[document_id].append((first, last))
    lines = {document_id: merge(found) for document_id, found in supplements.items()}
    return frozenset(
        section_id
        for section_id, section in sections.items()
        if section.document_id in lines and _holds(lines[section.document_id], section.start_line)
    )


def _holds(merged: Sequence[Range], line: int) -> bool:
    """Whether one of these merged ranges holds the line."""
    at = bisect_right(merged, line, key=lambda lines: lines[0])
    return at > 0 and line <= merged[at - 1][1]


# Search: the primary key of section_names, once for each document.
_SUPPLEMENTS = """
SELECT sections.document_id, sections.start_line, sections.end_line
FROM json_each(?) AS asked
CROSS JOIN section_names ON section_names.document_id = asked.value
  AND section_names.name >= '附則' AND section_names.name < '附則:'
JOIN sections ON sections.id = section_names.section_id
WHERE section_names.name NOT GLOB '*[条項]*' AND sections.title GLOB '附*'
"""
