"""Compounds that a text writes together with another of the same head: 育児休業 stands in 育児・介護休業, too.

Which words stand between is read from passages that hold both parts of a term apart; what the scope has so written is
looked for loosely. 育児及び介護休業 counts where both words are as long: 旅費及び通勤手当 is mostly two things, but
nobody asks for 旅費手当.
"""

import re
from dataclasses import replace

from .index.expressions import all_of, pairs_of
from .index.passages import read_passages
from .index.postings import Index
from .question.query import Query
from .question.terms import Term

_WORD = "[一-鿿㐀-䶿々ァ-ヺー]"
_COMPOUND = re.compile(f"{_WORD}{{2,6}}[一-鿿㐀-䶿々]{{2}}")
# Much the same in a normalised text. To compile ranges of thousands of characters takes `re` milliseconds.
_LETTER = r"[^\W0-9a-z_ぁ-ゖ]"
_HEAD = 2
_MOST_READ, _MOST_SPELLINGS = 100, 4
# The two parts of a term that stand in so many passages each say too little for what it costs to ask for both.
_FREQUENT = 5_000


def with_shared_heads(index: Index, query: Query) -> Query:
    """The question with its compounds as the scope has them together with others, as further loose spellings."""
    if index.is_degraded:
        return query
    return replace(query, terms=tuple(_together(index, term) for term in query.terms))


def _together(index: Index, term: Term) -> Term:
    if not _COMPOUND.fullmatch(term.text):
        return term
    first, head = term.text[:-_HEAD], term.text[-_HEAD:]
    passages = read_passages(index, _holding_both(index, first, head)[:_MOST_READ])
    if not passages:
        return term
    together = _written_together(first, head)
    found = dict.fromkeys(match[0] for passage in passages for match in together.finditer(passage.text))
    new = [spelling for spelling in found if spelling not in term.loose][:_MOST_SPELLINGS]
    return replace(term, loose=(*term.loose, *new)) if new else term


def _written_together(first: str, head: str) -> re.Pattern[str]:
    between = rf"(?:・{_LETTER}{{1,6}}?){{1,3}}?|(?:及び|又は|若しくは|並びに|および|または){_LETTER}{{{len(first)}}}"
    return re.compile(f"(?<!{_LETTER}){first}(?:{between}){head}")


def _holding_both(index: Index, first: str, head: str) -> list[int]:
    """The passages with both parts that do not have them side by side; none if too many have each."""
    pairs = [*pairs_of(first), head]
    counts = index.count_terms([("pair", pair) for pair in pairs])
    if min(counts.get(("pair", pair), 0) for pair in pairs) > _FREQUENT:
        return []
    joined = all_of([first[-1] + head[0]])
    return index.find_ids("pairs", f"{all_of(pairs)} NOT {joined}")
