"""The name of the manual that is asked in: Bun, of "install Bun with Docker" asked in `manuals/bun`.

Most of what stands there is about it, so beside other words it says nothing there of what is asked for. In other
manuals it does, and so does a name that is seldom said: both stay terms.
"""

from dataclasses import replace

from morenashi.indexer.tokens import runs

from .index.postings import Index
from .manual_names import names_of_manual, without_joints
from .question.query import Query
from .question.terms import Term

_MOST_WORDS = 4
_SAID_SELDOM = 200
"""Passages: as many as a list of candidates has room for."""


def without_own_name(index: Index, query: Query, manual_id: str | None) -> Query:
    """The question without the name of the one manual that it is asked in, if that is said in many of its passages,
    and any other term in one. A name in quotes stays.
    """
    if manual_id is None or index.is_degraded:
        return query
    named = _named(_terms_by_name(query), manual_id)
    others = tuple(term for term in query.terms if term not in named)
    own_name = " ".join(term.text for term in named)
    if not (named and others) or f'"{own_name}"' in query.text:
        return query
    corpus = index.corpus((), query.terms)
    if len(index.find_passages(named, corpus)) <= _SAID_SELDOM or not index.find_passages(others, corpus):
        return query
    inside = set(runs(own_name))
    fallback = tuple(term for term in query.fallback if term.text not in inside)
    return replace(query, terms=others, fallback=fallback, own_name=own_name)


def _named(called: dict[str, tuple[Term, ...]], manual_id: str) -> tuple[Term, ...]:
    return next((called[name] for name in names_of_manual(manual_id) if name in called), ())


def _terms_by_name(query: Query) -> dict[str, tuple[Term, ...]]:
    """Terms that stand side by side in the question, by the name that they may be, without what joins its words."""
    starts = range(len(query.terms))
    beside = (query.terms[start : start + length] for length in range(1, _MOST_WORDS + 1) for start in starts)
    return {without_joints("".join(term.text for term in terms)): terms for terms in beside}
