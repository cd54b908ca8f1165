"""What only headings above sections say: those that they lie under, and the title at the head of their document.

Where a file or a chapter has one subject, the sections below say "dosage", "side effects", "cleaning"; of what, only a
heading above them says. A heading with a term has a hit itself, so that these are at hand.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator
from math import inf

from morenashi.server.search.evidence import Evidence
from morenashi.server.search.index.id_lists import as_json

_Positions = frozenset[int]
"""Of terms."""


def terms_above(connection: sqlite3.Connection, evidence: Evidence) -> dict[int, frozenset[int]]:
    """The positions of the terms that headings above a section say and its own title does not; sections without such
    are left out. Of a single term all below a heading with it would have the same.
    """
    if len(evidence.findings.terms) < 2:
        return {}
    sections: defaultdict[int, list[int]] = defaultdict(list)
    for section_id in evidence.hits:
        sections[evidence.sections[section_id].document_id].append(section_id)
    asked = [one for one, own in sections.items() if any(map(evidence.titled.__getitem__, own))]
    heads = _read_heads(connection, asked) if asked else {}
    return {
        section_id: further
        for document_id in asked
        for section_id, above in _said_above(sections[document_id], heads[document_id], evidence)
        if (further := above - evidence.titled[section_id])
    }


def _said_above(section_ids: Collection[int], heads: list[int], evidence: Evidence) -> Iterator[tuple[int, _Positions]]:
    """Sections of one document with the terms that titles above each of them hold."""
    # The name of the file is a title, too.
    called = [one for one in section_ids if one in evidence.findings.cited and evidence.sections[one].start_line == 1]
    by_head = frozenset[int]().union(*(evidence.titled.get(head, frozenset()) for head in (*heads, *called)))
    # What lies around the place that is reached, the innermost last, each with all that the ones around it say.
    around: list[tuple[float, _Positions]] = [(inf, by_head)]
    for section_id in sorted(section_ids, key=lambda one: evidence.sections[one].start_line):
        section = evidence.sections[section_id]
        while around[-1][0] < section.start_line:
            around.pop()
        above = around[-1][1]
        yield section_id, above
        around.append((section.end_line, above | evidence.titled[section_id]))


def _read_heads(connection: sqlite3.Connection, document_ids: list[int]) -> dict[int, list[int]]:
    """The section with the first title of each document; that of a front matter also as the first heading has it, if
    that says it with more: `title: Kettle`, `## Kettle K-20 (K-20S, K-20W)`.
    """
    heads: dict[int, list[int]] = {document_id: [] for document_id in document_ids}
    front_matter = ""
    for document_id, section_id, level, title in connection.execute(_FIRST_TITLES, (as_json(document_ids),)):
        known = heads[document_id]
        if not known or (front_matter and front_matter in title):
            known.append(section_id)
        front_matter = "" if level else title
    return heads


# Search: sections_by_document, in the order of the lines, once for each document.
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
