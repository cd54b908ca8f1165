"""Files called by a term that stands on none of their lines: the title of a note may be the name of its file alone."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence

from .cited_places import CitedPlace, read_beginnings
from .findings import PassageHit
from .index.postings import Index
from .question.terms import Term
from .ranking.titles import is_in_title

_MOST, _SHORTEST, _MOST_NAMES = 20, 2, 500


def find_called_files(index: Index, terms: Sequence[Term], hits: Iterable[PassageHit]) -> list[CitedPlace]:
    """The beginnings of documents whose names begin with one of the `terms` that none of the `hits` in them holds, in
    Latin letters with all of a word; twenty at most. None is meant for sure; the words that cite it are its name.
    """
    by_spelling = {
        spelling: position
        for position, term in enumerate(terms)
        for spelling in term.exact
        if len(spelling) >= _SHORTEST
    }
    if not by_spelling:
        return []
    within = index.scope.within("document_names.document_id")
    asked = {"spellings": json.dumps([*by_spelling]), "most": _MOST_NAMES, **index.scope.values}
    named = index.connection.execute(_CALLED.format(within=within), asked).fetchall()
    if not named:
        return []
    held: defaultdict[int, set[int]] = defaultdict(set)
    for hit in hits:
        held[hit.passage.document_id] |= hit.match.held
    called: dict[int, str] = {}
    for spelling, name, document_id in named:
        position = by_spelling[spelling]
        if position not in held[document_id] and _is_called(name, spelling, terms[position]):
            called.setdefault(document_id, name)
    documents = sorted(called)[:_MOST]
    share = 1 / (len(documents) + 1)
    return [
        CitedPlace(passage_id, line, called[document_id], share)
        for document_id, passage_id, line in read_beginnings(index, documents)
    ]


def _is_called(name: str, spelling: str, term: Term) -> bool:
    behind = name[len(spelling) : len(spelling) + 1]
    is_cut = spelling[-1].isascii() and behind.isascii() and behind.isalnum()
    return not is_cut and is_in_title(name, term)


# Search: document_names_by_name once for each spelling.
_CALLED = """
SELECT asked.value, document_names.name, document_names.document_id
FROM json_each(:spellings) AS asked
CROSS JOIN document_names
  ON document_names.name >= asked.value AND document_names.name < asked.value || char(1114111)
  {within}
LIMIT :most
"""
