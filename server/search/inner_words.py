"""The words inside the terms of a question, which are looked for as well if the terms themselves say little, or are
said with a verb.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from .compounds import find_parts
from .findings import Findings
from .index.postings import Index
from .question.query import Query, near_term
from .question.terms import Term
from .slips import stands_in

FEW = 200
"""Passages: as many as a list of candidates has room for. Words that more have would fill it, and say nothing of what
was asked for."""
_MOST_LEFT_OUT, _MOST_WAYS = 1, 6


def find_inner_words(
    index: Index, query: Query, findings: Findings, *, known: int, was_found: bool
) -> tuple[Term, ...]:
    """The words inside the terms that say something: a single kanji says too little beside a term that stands
    somewhere, and so does `timeout` beside `request_timeout`.

    `known` passages have the terms themselves; `was_found`: a search whose rest this one takes up had a line with one.
    """
    names = _names_found(findings, was_found=was_found)
    inner = [
        term
        for term in query.fallback
        if (len(term.text) > 1 or not (known or was_found)) and not any(term.text in name for name in names)
    ]
    by_term = [_words_of(index, term, [word for word in inner if word.text in term.text]) for term in query.terms]
    found = [term for words in by_term for term in (_of_several(index, words) if len(words) > 1 else words)]
    # Those of a phrase that was taken apart, and is no term any more.
    found += [word for word in inner if not any(word.text in term.text for term in query.terms)]
    return _besides_terms(found, query)


def find_words_of_sentences(index: Index, query: Query) -> tuple[Term, ...]:
    """The words of what the question says with a verb, near each other or as few passages have them: where some lines
    have it in the form that was asked for, others have it in another one.
    """
    sentences = [term for term in query.terms if term.text in query.sentences]
    return _besides_terms([word for term in sentences for word in _of_several(index, query.phrases[term.text])], query)


def _besides_terms(words: Iterable[Term], query: Query) -> tuple[Term, ...]:
    """Those that are no terms of the question already, each once."""
    return tuple({word.text: word for word in words if word not in query.terms}.values())


def _words_of(index: Index, term: Term, inner: Iterable[Term]) -> list[Term]:
    """The words of a term; of one that stands nowhere those that it is made of."""
    words = [part for word in inner for part in find_parts(index, word) or (word,)]
    return words or list(find_parts(index, term))


def _of_several(index: Index, words: Sequence[Term]) -> list[Term]:
    """The words of one term, if few passages have any. Else all of them near each other or all but one, where a passage
    has them so, or those that few have.
    """
    if _have_few(index, words):
        return list(words)
    for left_out in range(_MOST_LEFT_OUT + 1):
        some = combinations(words, len(words) - left_out)
        together = [near_term([[word] for word in chosen]) for chosen in some if len(chosen) > 1]
        if standing := [near for near in together[:_MOST_WAYS] if stands_in(index, near)]:
            return standing
    return [word for word in words if _have_few(index, [word])]


def _have_few(index: Index, words: Sequence[Term]) -> bool:
    return len(index.find_passages(words, index.corpus((), words))) <= FEW


def _names_found(findings: Findings, *, was_found: bool) -> list[str]:
    """The terms that are one Latin word of code, a product's name or the like, and that a line holds."""
    missing = set(findings.terms_without_hit()) if len(findings.terms) > 1 or not was_found else set()
    return [
        term.text
        for position, term in enumerate(findings.terms)
        if position not in missing and term.text.isascii() and " " not in term.text
    ]
