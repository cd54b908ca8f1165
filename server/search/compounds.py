"""Compounds that stand nowhere: 結婚休暇, where a text has 結婚したとき and 休暇."""

from collections.abc import Iterator

from morenashi.indexer.tokens import is_kanji

from .postings import Index
from .query import Term, make_term
from .slips import stands_in

# Words of two characters make most compounds; of longer runs nobody can tell without a dictionary.
_SHORTEST, _LONGEST, _WORD = 4, 5, 2


def find_parts(index: Index, term: Term) -> tuple[Term, ...]:
    """The two words that a term of kanji is made of, if it stands nowhere in the scope and each of them somewhere."""
    is_compound = _SHORTEST <= len(term.text) <= _LONGEST and all(map(is_kanji, term.text))
    if not is_compound or stands_in(index, term):
        return ()
    return next((parts for parts in _halves(term.text) if all(stands_in(index, part) for part in parts)), ())


def _halves(text: str) -> Iterator[tuple[Term, ...]]:
    """The ways to part a compound of two words, one of them of two characters: 結婚休暇, 年間休日数."""
    for cut in dict.fromkeys((_WORD, len(text) - _WORD)):
        yield tuple(make_term(part, {}, {}) for part in (text[:cut], text[cut:]))
