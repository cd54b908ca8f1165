"""Whether the full-text tables of an index may be believed when they say that no passage holds a term."""

from collections.abc import Sequence

from morenashi.indexer.tokens import quote, squeeze
from morenashi.server.search.question.terms import Term, parts_of

from .expressions import all_of, beginning_with, rarest_pairs
from .passages import InconsistentIndexError, read_passages
from .postings import Index, spellings_of
from .scanning import scan_texts

# Texts of passages, once for each spelling: some 120 MB, and less than a fifth of a second.
_READ_BEFORE_ABSENT = 100_000
_LOOKED_INTO = 1_000


def contradicts_absence(index: Index, terms: Sequence[Term]) -> bool:
    """Whether anything speaks against what the full-text tables say: that no passage holds one of the terms.

    The witness is `term_counts`. A posting that was lost is still counted there; one that went to a wrong
    passage is named by the tables, and that passage's text does not hold it. Both are looked at in all
    documents. Without complete counts the texts themselves are scanned, 100,000 at most.
    """
    if index.is_degraded:
        return False
    if not index.has_all_counts:
        return _scan_finds_more(index, terms)
    terms = parts_of(terms)
    squeezed = [text for text in map(squeeze, spellings_of(terms)) if text]
    corpus = index.corpus((), terms)
    asked = [rarest_pairs(text, corpus) for text in squeezed if len(text) > 1]
    pairs = {pair for pairs in asked for pair in pairs}
    everything = Index(index.connection, None)
    return (
        any(index.count("pairs", quote(pair)) != corpus.counts.get(("pair", pair), 0) for pair in pairs)
        or any(_names_wrong_passage(everything, all_of(pairs), pairs) for pairs in asked)
        or any(_is_wrong_about(everything, text) for text in squeezed if len(text) == 1)
    )


def _scan_finds_more(index: Index, terms: Sequence[Term]) -> bool:
    """Whether texts hold one of the terms, or, of one that asks for others near each other, one of these and are not
    named for it: that they stand somewhere is no contradiction.
    """
    alone = spellings_of(term for term in terms if not term.sides)
    if alone and scan_texts(index.connection, index.scope, alone, _READ_BEFORE_ABSENT):
        return True
    near = parts_of(term for term in terms if term.sides)
    if not near:
        return False
    named = set(index.find_passages(near, index.corpus((), near)))
    return not named.issuperset(scan_texts(index.connection, index.scope, spellings_of(near), _READ_BEFORE_ABSENT))


def _is_wrong_about(index: Index, character: str) -> bool:
    """The same for the pairs that begin with a character: their counts, and some of the passages they name."""
    values = {"character": character}
    kept, held = (index.connection.execute(query, values).fetchall() for query in (_KEPT_FROM, _HELD_FROM))
    return kept != held or _names_wrong_passage(index, beginning_with(character), [character])


def _names_wrong_passage(index: Index, expression: str, texts: Sequence[str]) -> bool:
    """Whether one of the first 1,000 passages that the table names lacks one of the texts, or does not exist."""
    try:
        named = read_passages(index, index.find_ids("pairs", expression)[:_LOOKED_INTO])
        passages = [squeeze(passage.text) for passage in named]
    except InconsistentIndexError:
        return True
    return any(text not in passage for passage in passages for text in texts)


# Search: PRIMARY KEY (kind, term), from this character to the last pair that begins with it.
_KEPT_FROM = """
SELECT term, passages
FROM term_counts
WHERE kind = 'pair' AND term >= :character AND term < :character || char(1114111)
ORDER BY term
"""

# FTS5 walks from the first of these terms to the last.
_HELD_FROM = """
SELECT term, doc
FROM pairs_vocabulary
WHERE term >= :character AND term < :character || char(1114111)
ORDER BY term
"""
