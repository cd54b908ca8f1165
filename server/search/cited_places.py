"""Places that a question cites: 所得税法第28条第2項, 就業規則別表第1, and in a manual of a few rules 第39条第2項.

A heading says 第二十八条, and nothing of its law and its paragraphs; lines that cite it say all of that. By its words
alone the article itself would come behind whatever cites it.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from .index.id_lists import as_json
from .index.postings import Index
from .manual_names import manuals_called
from .question.question_citations import Citation, find_citations
from .scope import list_manual_ids

_MOST = 20
# Where more documents have a place of that name, the number alone says too little.
_MOST_MEANT = 10
_WHOLE = ""

_Place = tuple[int, int]
"""A passage, and a line (1-based) in it."""


class CitedPlace(NamedTuple):
    """A passage with the line (1-based) that is cited in it; `words` are those that cite it. Of places in several
    documents that may be meant, `share` (0..1) is that of each; 1 if it is meant for sure.
    """

    passage_id: int
    line: int
    words: str
    share: float

    @property
    def is_certain(self) -> bool:
        """Whether its document is named, or no other has such a place."""
        return self.share == 1


def find_cited_places(index: Index, home: Index, question: str) -> list[CitedPlace]:
    """The places that a normalised question cites, twenty at most: of the documents of `index` that it names, and of
    those of `home` where it names none and few have such a place.
    """
    places = (place for citation in find_citations(question) for place in _read_places(index, home, citation))
    return list(islice(places, _MOST))


def _read_places(index: Index, home: Index, citation: Citation) -> Iterator[CitedPlace]:
    words, name, detail = citation[:3]
    if named := _read_named(index, citation):
        called, places, share = named
        for passage_id, line in places:
            yield CitedPlace(passage_id, line, words if called in words else f"{called} {words}", share)
    elif not citation.is_of_another:
        meant = _read(home, _documents_meant(home, name, detail), name, detail)
        # A chapter or an appendix may be a document.
        meant = meant or _read(home, _documents_called(home, [name])[1], _WHOLE, None)
        for passage_id, line in meant:
            yield CitedPlace(passage_id, line, words, 1 / len(meant))


def _read_named(index: Index, citation: Citation) -> tuple[str, list[_Place], float] | None:
    """What calls the document, or the manual whose documents are its chapters; the places there, with the share of
    each; `None` if nothing is called so or has such a place. The longer name is the likelier one.
    """
    called, documents = _documents_called(index, citation.called)
    manual, places = _read_in_manual(index, citation)
    if places and len(manual) >= len(called):
        return manual, places, 1 / len(places)
    if named := _read(index, documents, citation.name, citation.detail):
        return called, named, 1.0
    return (manual, places, 1 / len(places)) if places else None


def _read_in_manual(index: Index, citation: Citation) -> tuple[str, list[_Place]]:
    """The longest name that any manual is called by, and the places there: those with a heading, if any have one. A
    table of contents in a document of its own has them all, too.
    """
    if not citation.called:
        return "", []
    called, manuals = manuals_called(citation.called, list_manual_ids(index.connection))
    if not manuals:
        return "", []
    name, detail = citation.name, citation.detail
    documents = _documents_with_place(index, name, manuals)
    found = _read(index, documents, name, detail)
    headed = _read(index, documents, name, detail, headed=True) if len(found) > 1 else []
    return called, headed or found


def _documents_called(index: Index, names: Sequence[str]) -> tuple[str, list[int]]:
    """The longest of these names that any document is called by, and the documents."""
    if not names:
        return "", []
    within = index.scope.within("document_names.document_id")
    values = {"names": json.dumps(names), **index.scope.values}
    found = index.connection.execute(_CALLED.format(within=within), values).fetchall()
    longest = max((name for name, _ in found), key=len, default="")
    return longest, [document_id for name, document_id in found if name == longest]


def _documents_meant(home: Index, name: str, detail: str | None) -> list[int]:
    """The documents that have such a place, with the part of it if any have that, unless they are many."""
    found = _documents_with_place(home, f"{name}{detail or ''}")
    return _documents_with_place(home, name) if detail and not found else found


def _documents_with_place(index: Index, name: str, manuals: Sequence[str] | None = None) -> list[int]:
    """Documents of the scope that have a place of this name (indexer/references/section_names.py), those of some
    manuals, if asked; none if they are many.
    """
    within = "" if manuals is None else f"AND document_id IN ({_OF_MANUALS})"
    query = _WITH_PLACE.format(documents=index.scope.documents or _ALL_DOCUMENTS, within=within)
    values = {"name": name, "most": _MOST_MEANT + 1, "manuals": json.dumps(manuals), **index.scope.values}
    found = [row[0] for row in index.connection.execute(query, values)]
    return found if len(found) <= _MOST_MEANT else []


def read_beginnings(index: Index, documents: Sequence[int]) -> list[tuple[int, int, int]]:
    """Each document with the passage that who is sent to it should see, and the line (1-based) in that."""
    return [(document_id, *place) for document_id in documents for place in _read(index, [document_id], _WHOLE, None)]


def _read(
    index: Index, documents: Sequence[int], name: str, detail: str | None, *, headed: bool = False
) -> list[_Place]:
    """The passages with the place in each document, and its line there; those alone that are `headed`, if asked."""
    asked = {"documents": as_json(documents), "name": name, "detail": detail, "headed": headed}
    return index.connection.execute(_PLACES, asked).fetchall() if documents else []


_CALLED = """
SELECT document_names.name, document_names.document_id
FROM json_each(:names) AS asked
CROSS JOIN document_names ON document_names.name = asked.value
  {within}
"""

_ALL_DOCUMENTS = "SELECT id FROM documents"

_OF_MANUALS = "SELECT id FROM documents WHERE manual_id IN (SELECT value FROM json_each(:manuals))"

# Search: PRIMARY KEY (document_id, name) once for each document.
_WITH_PLACE = """
SELECT document_id
FROM section_names
WHERE document_id IN ({documents})
  AND name = :name
  {within}
LIMIT :most
"""

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
WHERE NOT :headed OR place.line_offset = 0
"""
