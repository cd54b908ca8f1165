"""Places that a question cites: 所得税法第28条第2項, 就業規則別表第1, and in a manual of a few rules 第39条第2項.

A heading says 第二十八条, and nothing of its law and its paragraphs; lines that cite it say all of that. By its words
alone the article itself would come behind whatever cites it.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from morenashi.indexer.law_names import means

from .id_lists import as_json
from .postings import Index

_MAY_CITE = re.compile("[0-9〇一二三四五六七八九十百千] ?[条章節]|別[表紙添図]|[付附][表録則]|様式")
# 著作権法 109条 is 著作権法第109条.
_APART = re.compile("(?<=[法律令則例程約綱款定]) +(?=[第0-9別付附様])")
_BARE_ARTICLE = re.compile("(?<![第0-9.])(?=[0-9]+条)")
_MOST = 20
# Where more documents have a place of that name, the number alone says too little.
_MOST_MEANT = 10


class CitedPlace(NamedTuple):
    """A passage with the line (1-based) that is cited in it; `words` are those that cite it. `is_named` if they say of
    which document it is; if not, it is meant with the others of `share` (0..1) that have such a place.
    """

    passage_id: int
    line: int
    words: str
    is_named: bool
    share: float


class _Citation(NamedTuple):
    """What the document is called, if it is, the words behind that, and the names of the place and of its part."""

    called: str | None
    text: str
    name: str
    detail: str | None


def find_cited_places(index: Index, home: Index, question: str) -> list[CitedPlace]:
    """The places that a normalised question cites, twenty at most: of the documents of `index` that it names, and of
    those of `home` where it names none and few have such a place.
    """
    if not _MAY_CITE.search(question):
        return []
    places = (place for citation in _citations(question) for place in _read_places(index, home, citation))
    return list(islice(places, _MOST))


def _citations(question: str) -> Iterator[_Citation]:
    # Imported for the first question that may cite something: a search is answered without.
    from morenashi.indexer.japanese_citations import JapaneseCitations
    from morenashi.indexer.section_names import NamedSections

    text = _BARE_ARTICLE.sub("第", _APART.sub("", question))
    for reference in JapaneseCitations(NamedSections(), ()).find(1, text):
        yield _Citation(reference.called, reference.text, reference.name, reference.detail)
        if reference.last:
            yield _Citation(reference.called, reference.text, reference.last, None)


def _read_places(index: Index, home: Index, citation: _Citation) -> Iterator[CitedPlace]:
    called, text, name, detail = citation
    documents = _documents_called(index, called) if called else _documents_meant(home, citation)
    asked = {"documents": as_json(documents), "name": name, "detail": detail}
    for passage_id, line in index.connection.execute(_PLACES, asked) if documents else ():
        yield CitedPlace(passage_id, line, f"{called or ''}{text}", bool(called), 1.0 if called else 1 / len(documents))


def _documents_called(index: Index, called: str) -> list[int]:
    """The documents that are called so, or by the end of that which is their title."""
    ends = [called[start:] for start in range(len(called) - 1)]
    found = [(name, document_id) for name, document_id in index.documents_called(ends) if means(called, name)]
    longest = max((len(name) for name, _ in found), default=0)
    return [document_id for name, document_id in found if len(name) == longest]


def _documents_meant(home: Index, citation: _Citation) -> list[int]:
    """The documents that have such a place, with the part of it if any have that, unless they are many."""
    found = home.documents_with_place(f"{citation.name}{citation.detail or ''}", _MOST_MEANT + 1)
    if citation.detail and not found:
        found = home.documents_with_place(citation.name, _MOST_MEANT + 1)
    return found if len(found) <= _MOST_MEANT else []


# Search: PRIMARY KEY (document_id, name) of section_names twice, passages_by_section.
_PLACES = """
SELECT passages.id, sections.start_line + coalesce(part.line_offset, place.line_offset)
FROM json_each(:documents) AS asked
CROSS JOIN section_names AS place
  ON place.document_id = asked.value AND place.name = :name
LEFT JOIN section_names AS part
  ON part.document_id = place.document_id AND part.name = place.name || :detail
CROSS JOIN sections ON sections.id = place.section_id
CROSS JOIN passages
  ON passages.section_id = sections.id
  AND sections.start_line + coalesce(part.line_offset, place.line_offset)
    BETWEEN passages.first_line AND passages.last_line
"""
