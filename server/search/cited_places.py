"""Places that a question cites with the document's name: 所得税法第28条第2項, 就業規則別表第1.

A heading says 第二十八条 and nothing of its law, and lines that cite it say both: by its words alone the article itself
would come behind whatever cites it.
"""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from morenashi.indexer.law_names import means

from .postings import Index

_MAY_CITE = re.compile("[0-9〇一二三四五六七八九十百千] ?[条章節]|別[表紙添図]|[付附][表録則]|様式")
# 著作権法 109条 is 著作権法第109条.
_APART = re.compile("(?<=[法律令則例程約綱款定]) +(?=[第0-9別付附様])")
_BARE_ARTICLE = re.compile("(?<![第0-9.])(?=[0-9]+条)")
_MOST = 20


class CitedPlace(NamedTuple):
    """A passage with the line (1-based) that is cited in it; `words` are those that cite it."""

    passage_id: int
    line: int
    words: str


def find_cited_places(index: Index, question: str) -> list[CitedPlace]:
    """The places of the scope that a normalised question cites so, twenty at most."""
    if not _MAY_CITE.search(question):
        return []
    asked = [
        [document_id, name, detail, f"{called}{text}"]
        for called, text, name, detail in _citations(question)
        for document_id in _documents(index, called)
    ]
    rows = index.connection.execute(_PLACES, (json.dumps(asked[:_MOST]),))
    return [CitedPlace(*row) for row in rows]


def _citations(question: str) -> Iterator[tuple[str, str, str, str | None]]:
    """What the document is called, the words behind that, and the names of the place and of its part."""
    # Imported for the first question that may cite something: a search is answered without.
    from morenashi.indexer.japanese_citations import JapaneseCitations
    from morenashi.indexer.section_names import NamedSections

    text = _BARE_ARTICLE.sub("第", _APART.sub("", question))
    for reference in JapaneseCitations(NamedSections(), ()).find(1, text):
        if reference.called:
            yield reference.called, reference.text, reference.name, reference.detail
            if reference.last:
                yield reference.called, reference.text, reference.last, None


def _documents(index: Index, called: str) -> list[int]:
    """The documents that are called so, or by the end of that which is their title."""
    ends = [called[start:] for start in range(len(called) - 1)]
    found = [(name, document_id) for name, document_id in index.documents_called(ends) if means(called, name)]
    longest = max((len(name) for name, _ in found), default=0)
    return [document_id for name, document_id in found if len(name) == longest]


# Search: PRIMARY KEY (document_id, name) of section_names twice, passages_by_section.
_PLACES = """
SELECT passages.id, sections.start_line + coalesce(part.line_offset, place.line_offset), asked.value ->> 3
FROM json_each(?) AS asked
CROSS JOIN section_names AS place
  ON place.document_id = asked.value ->> 0 AND place.name = asked.value ->> 1
LEFT JOIN section_names AS part
  ON part.document_id = place.document_id AND part.name = place.name || (asked.value ->> 2)
CROSS JOIN sections ON sections.id = place.section_id
CROSS JOIN passages
  ON passages.section_id = sections.id
  AND sections.start_line + coalesce(part.line_offset, place.line_offset)
    BETWEEN passages.first_line AND passages.last_line
"""
