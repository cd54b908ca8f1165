"""British and American spellings that the scope has: one that no text has is nothing to look for.

The pairs of letters of organisation stand in almost every passage, so that it may be in all of them.
"""

from dataclasses import replace

from morenashi.indexer.tokens import latin_words, stem

from .index.postings import Index
from .question.british import english_spellings
from .question.query import Query
from .question.terms import Term


def as_written(index: Index, query: Query) -> Query:
    """The question without the other English spellings of its words that the scope has in no form."""
    terms, fallback = ([_as_written(index, term) for term in terms] for terms in (query.terms, query.fallback))
    return replace(query, terms=tuple(terms), fallback=tuple(fallback))


def _as_written(index: Index, term: Term) -> Term:
    others = [spelling for spelling in english_spellings(term.text) if spelling in term.loose]
    if not others or index.is_degraded:
        return term
    unwritten = [spelling for spelling in others if not _stands(index, spelling, term.text)]
    return replace(term, loose=tuple(spelling for spelling in term.loose if spelling not in unwritten))


def _stands(index: Index, spelling: str, asked: str) -> bool:
    return all(index.find_words([stem(word)]) for word in {*latin_words(spelling)} - {*latin_words(asked)})
