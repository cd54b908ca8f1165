"""Supplementary provisions (附則) of statutes and rules: what held on the way from one wording to the next.

They repeat the words of the articles that they changed, once for each amendment, so that who asks for a rule would read
how it once came into force before the rule itself.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping

from morenashi.server.search.evidence import SectionInfo
from morenashi.server.search.index.id_lists import as_json


def find_supplementary(connection: sqlite3.Connection, sections: Mapping[int, SectionInfo]) -> frozenset[int]:
    """Those of the sections that are supplementary provisions, or lie below the heading of such."""
    by_document: defaultdict[int, list[int]] = defaultdict(list)
    for section_id, section in sections.items():
        by_document[section.document_id].append(section_id)
    blocks = connection.execute(_BLOCKS, (as_json(by_document),)).fetchall()
    return frozenset(
        section_id
        for document_id, first, last in blocks
        for section_id in by_document[document_id]
        if first <= sections[section_id].start_line <= last
    )


# Search: the primary key of section_names, once for each document.
_BLOCKS = """
SELECT sections.document_id, sections.start_line, sections.end_line
FROM json_each(?) AS asked
CROSS JOIN section_names ON section_names.document_id = asked.value
  AND section_names.name >= '附則' AND section_names.name < '附則:'
JOIN sections ON sections.id = section_names.section_id
WHERE section_names.name NOT GLOB '*[条項]*' AND sections.title GLOB '附*'
"""
