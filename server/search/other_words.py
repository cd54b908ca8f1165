"""Verbs that the scope does not have, where it has the nouns that say the same: 退職 for 辞めたい, resign for quit."""

from collections.abc import Iterator
from dataclasses import replace

from .index.postings import Index
from .question.query import Query
from .question.terms import Term
from .question.verbs import AskedVerb

# A verb that more passages have is one that the scope uses itself; a noun that more have says too little.
_MOST_WITH_VERB, _MOST_WITH_NOUN = 10, 200


def with_nouns(index: Index, query: Query) -> Query:
    """The question with the nouns of those of its verbs that hardly a passage of the scope has: a Japanese one becomes
    a term of its own, an English one has them as synonyms.
    """
    if not query.verbs or index.is_degraded:
        return query
    missing = [verb for verb in query.verbs if _is_rare(index, verb.asked)]
    others = {verb.term: verb for verb in missing}
    terms = [_in_other_words(term, others.get(term.text)) for term in query.terms]
    known = {term.text for term in terms}
    terms += [term for term in _noun_terms(index, missing) if term.text not in known]
    return replace(query, terms=tuple({term.text: term for term in terms}.values()), verbs=())


def _is_rare(index: Index, verb: Term) -> bool:
    corpus = index.corpus((), [verb])
    return len(index.find_passages([verb], corpus)) <= _MOST_WITH_VERB


def _noun_terms(index: Index, verbs: list[AskedVerb]) -> Iterator[Term]:
    """A term for each Japanese verb: the first of its nouns that the scope has, with the others."""
    for verb in verbs:
        if verb.term:
            continue
        corpus = index.corpus((), verb.nouns)
        held = [term for term in verb.nouns if 0 < len(index.find_passages([term], corpus)) <= _MOST_WITH_NOUN]
        if held:
            nouns = tuple(noun for term in held for noun in term.exact)
            others = (synonym for term in held for synonym in term.loose)
            yield Term(held[0].text, (), tuple(dict.fromkeys((*nouns, *others))), respelt=nouns)


def _in_other_words(term: Term, verb: AskedVerb | None) -> Term:
    if verb is None:
        return term
    nouns = (word for noun in verb.nouns for word in (noun.text, *noun.words))
    return replace(term, words=tuple(dict.fromkeys((*term.words, *verb.asked.words, *nouns))))
