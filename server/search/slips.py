"""For a word that stands nowhere: its other forms, or those words of the index that are spelt almost like it.

Forms of an English word are told by its stem. The others are spelling slips: Latin words and katakana words of four
letters or more, with the same first letter; one edit (a swap of two neighbours counts as one) for words of up to seven
letters, two for longer ones. Digits are no letters: a number that is not there is not another number. The index has
Latin words as stems, and two edits leave too little of a short one: sabbatical (sabbat) is not sabbers (sabber); words
of near stems have to be near themselves, but for the ending of a plural or a verb. For a slip in an ending
(autoincremnt) the words are read whose stem (autoincr) it begins with.
"""

import re

from morenashi.indexer.tokens import stem

from .index.passages import read_passages
from .index.postings import Index
from .matching import TermMatcher
from .question.english_forms import without_last_e
from .question.terms import Term

_LATIN_WORD = re.compile("[a-z]{4,}")
_WORD = re.compile("[a-z]{4,}|[\u30a1-\u30fa\u30fc]{4,}")
_LONG_FROM, _LONG_STEM_FROM, _SHORTEST = 8, 7, 4
_MOST_TAKEN, _MOST_READ, _BATCH = 3, 2_000, 64
# Of so many stems it is asked how the words are written.
_MOST_COMPARED = 20
_ENDING, _SHORTEST_BARE = re.compile("(?:ings?|ed|ies|es|s|e|y)$"), 5
# How much longer than its stem a word may be, and in how many passages its forms are looked at.
_LONGEST_ENDING, _LOOKED_AT = 7, 20
# A stem that stands everywhere is that of many words: "depend" of dependents is most often that of dependencies.
_MOST_WITH_FORMS = 100


def find_inflected(index: Index, term: Term, *, is_nowhere: bool) -> Term | None:
    """A term to look for loosely instead of a Latin word that the scope has in other forms alone: reassign for
    reassigned. `None` if it stands there, or no other form of it does.

    `is_nowhere` says that it is known not to stand in the scope. The text is the term's with a tilde before it.
    """
    root = without_last_e(stem(term.text).removesuffix("i"))
    if not _WORD.fullmatch(term.text) or not _is_root(root, term.text) or index.is_degraded:
        return None
    if not 0 < len(index.find_words([stem(term.text)])) <= _MOST_WITH_FORMS:
        return None
    if not is_nowhere and stands_in(index, term, loosely=False):
        return None
    return Term(f"~{term.text}", (), (root,))


def _is_root(root: str, word: str) -> bool:
    """Whether every form of the word is likely to begin with this, and little else."""
    return _SHORTEST <= len(root) < len(word) and word.startswith(root)


def find_similar(index: Index, term: Term, *, is_nowhere: bool) -> Term | None:
    """A term to look for loosely instead, or `None` if the term is no such word, stands somewhere, or nothing is near.

    `is_nowhere` says that it is known to stand in no manual. The text of what is found is that of the term with a tilde
    before it: what the index holds is spelling, and goes into no trace.
    """
    if not _WORD.fullmatch(term.text) or index.is_degraded:
        return None
    everything = Index(index.connection, None)
    if not is_nowhere and stands_in(everything, term, if_many=_is_word_of(everything, term)):
        return None
    taken: list[str] = []
    near = [root for root in _nearest(index, term.text)[:_MOST_COMPARED] if _is_written_alike(index, term.text, root)]
    for word in near or _nearest_in_endings(index, term.text):
        similar = Term(f"~{term.text}", (), (word,))
        if index.find_passages([similar], index.corpus((), [similar])):
            taken.append(word)
        if len(taken) == _MOST_TAKEN:
            break
    return Term(f"~{term.text}", (), tuple(taken)) if taken else None


def stands_in(index: Index, term: Term, *, loosely: bool = True, if_many: bool = True) -> bool:
    """Whether the scope holds the term. If more passages have its pairs than are looked at, it is taken to be so, or
    as `if_many` says.

    Unless `loosely`, only as normalised: "are assigned" is no "reassigned".
    """
    passages = index.find_passages([term], index.corpus((), [term]))
    if len(passages) > _MOST_READ:
        return if_many
    matcher = TermMatcher((term,), 1)
    batches = (passages[start : start + _BATCH] for start in range(0, len(passages), _BATCH))
    matches = (matcher.match(passage.text) for batch in batches for passage in read_passages(index, batch))
    return any(match.exact or loosely for match in matches if match)


def _is_word_of(everything: Index, term: Term) -> bool:
    """Whether a term that more passages may hold than are looked at is likely to stand in one. The pairs of a long
    Latin word stand in every English page; if it is no word of any, no search that read hundreds found it inside one.
    """
    return not _LATIN_WORD.fullmatch(term.text) or bool(everything.find_words([stem(term.text)]))


def _nearest(index: Index, word: str) -> list[str]:
    """Words of the index within the distance, the nearest ones, of these the most frequent first."""
    from rapidfuzz.distance import OSA

    stemmed = _without_mark(stem(word))
    most = 2 if len(word) >= _LONG_FROM and len(stemmed) >= _LONG_STEM_FROM else 1
    found = []
    for other, passages in _words_from(index, stemmed[0], max(len(stemmed) - most, _SHORTEST), len(stemmed) + most + 1):
        distance = OSA.distance(stemmed, _without_mark(other), score_cutoff=most)
        if distance <= most:
            found.append((distance, -passages, other))
    least = min(found, default=(0,))[0]
    return [other for distance, _, other in sorted(found) if distance == least]


def _is_written_alike(index: Index, word: str, root: str) -> bool:
    """Whether a word with this stem is near itself, or but for what ends a plural or a form of a verb: maternity is no
    slip for materials, though matern is one edit from materi.
    """
    from rapidfuzz.distance import OSA

    if not word.isascii():
        return True
    most, bare, forms = _most_edits(word), _ENDING.sub("", word), _forms_of(index, root)
    pairs = [(word, form) for form in forms]
    if len(bare) >= _SHORTEST_BARE:
        pairs += [(bare, _ENDING.sub("", form)) for form in forms]
    return any(OSA.distance(one, other, score_cutoff=most) <= most for one, other in pairs)


def _nearest_in_endings(index: Index, word: str) -> list[str]:
    """Words within the distance whose stem the word begins with, the nearest first; written with Latin letters."""
    from rapidfuzz.distance import OSA

    if not word.isascii():
        return []
    most = _most_edits(word)
    # The longest stem is the one that a slip behind it leaves whole.
    for end in range(len(word) - 1, max(len(word) - _LONGEST_ENDING, _SHORTEST) - 1, -1):
        root = word[:end]
        forms = (form for form in _forms_of(index, root) if form.startswith(root))
        distances = [(OSA.distance(word, form, score_cutoff=most), form) for form in forms]
        near = sorted((distance, form) for distance, form in distances if distance <= most)
        if near:
            return [form for distance, form in near if distance == near[0][0]]
    return []


def _most_edits(word: str) -> int:
    return 2 if len(word) >= _LONG_FROM else 1


def _forms_of(index: Index, root: str) -> set[str]:
    """Words with this stem, as some passages have them."""
    passages = read_passages(index, index.find_words([root])[:_LOOKED_AT])
    return {form for passage in passages for form in _LATIN_WORD.findall(passage.text) if stem(form) == root}


def _without_mark(word: str) -> str:
    """Without the mark for a long vowel at its end, which is a matter of taste."""
    return word.removesuffix("ー")


def _words_from(index: Index, first: str, shortest: int, longest: int) -> list[tuple[str, int]]:
    """Words (Latin ones as stems) of all manuals by their first letter and length, with their passages' number."""
    values = {"first": first, "after": chr(ord(first) + 1), "shortest": shortest, "longest": longest}
    return index.connection.execute(_WORDS, values).fetchall()


# FTS5 walks from the first of these words to the last, and counts their passages on the way.
_WORDS = """
SELECT term, doc
FROM words_vocabulary
WHERE term >= :first AND term < :after AND length(term) BETWEEN :shortest AND :longest
"""
