"""A term: what every occurrence of is asked for, in all its spellings, and how it is found in a text. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from os.path import commonprefix

from morenashi.indexer.numerals import DIGIT, KANJI_NUMERALS
from morenashi.indexer.tokens import SEPARATORS, squeeze

from .amounts import amount_spellings
from .articles import article_spellings, bare_articles
from .british import english_spellings
from .clock_times import CLOCK_TIME, clock_in_english, clock_spellings
from .counting_marks import counting_spellings
from .dates import date_spellings, dates_in_latin, padded_dates
from .english_forms import bases_of, word_patterns
from .english_numbers import number_spellings
from .english_units import unit_spellings
from .katakana import katakana_spellings
from .numerals import notations
from .shares import share_spellings
from .spellings import Spellings, respell
from .years import both_years, first_year_spellings, year_spellings

# A class of all separators takes `re` three times as long to compile, and there is one a character.
_BETWEEN = " *"
_NOT_BLANK = SEPARATORS.replace(" ", "")
_LATIN = re.compile("[a-z]")
# A number in whatever notation: 令和元年, 第iii条. Most words have none.
_MAY_COUNT = re.compile(rf"[0-9元第{KANJI_NUMERALS}]|\A[ivxlc]")
_SHARE_ENDS = f"(?<!割(?= *{DIGIT} *分))(?!(?<={DIGIT}){DIGIT})"
_TIME_ENDS = f"(?! *(?:間|半|{DIGIT}+ *分))(?![0-9:])"
# An option, or what a file of settings calls one, with the signs that only go before it.
_OF_WORDS = re.compile("[-_]{1,2}([a-z0-9]+(?:[-_][a-z0-9]+)+)")
_MOST_RESPELT, _LEAST_BEGUN = 16, 2
# A synonym in Latin letters, of which a text may have a form, and which is none in another word: fee in coffee.
_LATIN_WORDS = re.compile("[a-z0-9]+(?:[ -][a-z0-9]+)*")

Synonyms = Mapping[str, Sequence[str]]


def blank_separators(text: str) -> str:
    """A text of the same length for `Term.pattern`: all its separators are blanks."""
    for separator in _NOT_BLANK:
        text = text.replace(separator, " ")
    return text


@dataclass(frozen=True, slots=True)
class Term:
    """A normalised term. `exact` are its notations, `loose` further spellings and synonyms, `respelt` the former.

    `words` are those of its synonyms that have Latin letters alone: they are found as whole words, in any of their
    forms. `said_as` is what these, and those among the loose spellings, say, where that is more than the term: annual
    leave, for leave in `annual leave`.

    `sides`, if it has any, are what it asks for near each other, one term of each (near.py): it has no spelling then.

    `bounded` are those notations that are none inside a longer number or word: iii章 of 3章, as UI部品 does not hold
    一部, and 5時 of 5:00, as neither 15時 nor 5時間 does.
    """

    text: str
    exact: tuple[str, ...]
    loose: tuple[str, ...]
    bounded: tuple[str, ...] = ()
    respelt: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    said_as: str = ""
    sides: "tuple[tuple[Term, ...], ...]" = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """All that the term may be written as, apart from its `words`."""
        return *self.exact, *self.bounded, *self.loose

    def pattern(self) -> re.Pattern[str] | None:
        """Finds the term in a text of `blank_separators`; `None` where that would mean almost anything."""
        alternatives = list(_loosely((*self.exact, *self.loose)))
        alternatives += [_bounded(squeeze(spelling), _BETWEEN) for spelling in self.bounded]
        alternatives += word_patterns(self.words)
        return re.compile("|".join(alternatives)) if alternatives else None

    def as_bounded(self) -> re.Pattern[str] | None:
        """Finds the `bounded` notations in a normalised text; `None` if there are none."""
        return _all_bounded(self.bounded) if self.bounded else None


def parts_of(terms: Iterable[Term]) -> list[Term]:
    """The terms, but for one that asks for others near each other these."""
    return [part for term in terms for part in (chain.from_iterable(term.sides) if term.sides else (term,))]


def make_term(
    word: str, synonyms: Synonyms, spellings: Spellings, further: Sequence[str] = (), said_as: str = ""
) -> Term:
    """A normalised text as one term, in all its spellings; `further` are synonyms that it has where it stands, as part
    of what is `said_as` a whole.
    """
    found = _notations_of(word)
    roman = [] if _LATIN.match(word) else list(filter(_LATIN.match, found))
    exact = [spelling for spelling in found if spelling not in roman]
    # As typed, and all in kanji or digits: each further spelling is looked for in every passage.
    bare = [spelling for article in bare_articles(word) for spelling in notations(article)[:2]]
    others = [spelling for spelling in (*_times_and_shares(word), *bare) if spelling not in further]
    bounded = [*roman, *(spelling for spelling in others if spelling not in exact)]
    loose = [spelling for text in exact for spelling in katakana_spellings(text)]
    loose += [spelling for text in exact for spelling in counting_spellings(text)]
    loose += [spelling for text in exact for spelling in english_spellings(text)]
    loose += _without_wildcard(word) + _without_dashes(word)
    listed = [spelling for text in exact for spelling in respell(text, spellings, _MOST_RESPELT)][:_MOST_RESPELT]
    loose += listed
    respelt = tuple(s for s in dict.fromkeys(loose) if s not in exact)
    others = [*(synonym for text in (word, *listed) for synonym in synonyms_of(text, synonyms)), *further]
    others += number_spellings(word)
    if _MAY_COUNT.search(word):
        others += [*unit_spellings(word), *dates_in_latin(word), *clock_in_english(word)]
    words = tuple(other for other in dict.fromkeys(others) if _LATIN_WORDS.fullmatch(other) and other not in loose)
    loose += [other for other in others if other not in words and other not in bounded]
    loose = [spelling for spelling in dict.fromkeys(loose) if spelling not in exact]
    return Term(word, tuple(exact), tuple(loose), tuple(bounded), respelt, words, said_as)


def _notations_of(word: str) -> list[str]:
    """The word with its numbers, dates and places in all notations, itself first."""
    if not _MAY_COUNT.search(word):
        return [word]
    dated = (word, *date_spellings(word))
    dated = (*dated, *chain(*map(year_spellings, dated)), *first_year_spellings(word))
    written = (*dated, *amount_spellings(word), *article_spellings(word))
    in_digits = dict.fromkeys(spelling for date in dated for spelling in notations(date)[:2])
    printed = (spelling for date in in_digits for spelling in (*padded_dates(date), *both_years(date)))
    return list(dict.fromkeys((*chain(*map(notations, written)), *printed)))


def _times_and_shares(word: str) -> list[str]:
    """The other notations of a word that is a time of the day or a share."""
    if not _MAY_COUNT.search(word):
        return []
    found = list(chain(*map(notations, (*clock_spellings(word), *share_spellings(word)))))
    found += [time for time in clock_in_english(word) if not _LATIN_WORDS.fullmatch(time)]
    return list(dict.fromkeys(found))


def _without_wildcard(word: str) -> list[str]:
    """The beginning of a word that is asked for with a star behind it, as many programs have it: hibernat*."""
    begin = word.rstrip("*")
    return [begin] if begin != word and len(squeeze(begin)) >= _LEAST_BEGUN else []


def _without_dashes(word: str) -> list[str]:
    """What an option of several words is called elsewhere: idle_timeout of --idle-timeout. Of one word it would be in
    any longer one: force of --force.
    """
    option = _OF_WORDS.fullmatch(word)
    return [option[1]] if option else []


def synonyms_of(text: str, synonyms: Synonyms) -> Sequence[str]:
    """Those of a normalised text; of a form of English words, those of what it is a form of."""
    if text in synonyms or not text.isascii():
        return synonyms.get(text, ())
    return next((synonyms[base] for base in _uninflected(text.replace("-", " ")) if base in synonyms), ())


def _uninflected(phrase: str) -> Iterator[str]:
    """What a phrase may be a form of: its first word or its last without an ending (days off, paid holidays)."""
    yield phrase
    first, blank, rest = phrase.partition(" ")
    yield from (f"{base}{blank}{rest}" for base in bases_of(first))
    before, blank, last = phrase.rpartition(" ")
    if blank:
        yield from (f"{before}{blank}{base}" for base in bases_of(last))


def _loosely(spellings: Iterable[str]) -> Iterator[str]:
    """Patterns for spellings with whatever separators inside. Those at its ends are not between its characters: where
    STA_ has one, there has to be one.
    """
    by_ends: dict[tuple[bool, bool], dict[str, None]] = {}
    for spelling in spellings:
        if len(squeezed := squeeze(spelling)) > 1:
            ends = spelling[0] in SEPARATORS, spelling[-1] in SEPARATORS
            by_ends.setdefault(ends, {})[squeezed] = None
    for (is_begun, is_ended), texts in by_ends.items():
        for pattern in _spaced(texts):
            yield (_behind_separator(pattern) if is_begun else pattern) + ("(?= )" if is_ended else "")


def _behind_separator(pattern: str) -> str:
    # The first character stands before what is looked back at: that is what `re` can search for quickly.
    first = pattern[: 2 if pattern[0] == "\\" else 1]
    return f"{first}(?<= {first}){pattern[len(first) :]}"


def _spaced(squeezed: Iterable[str]) -> Iterator[str]:
    """Patterns for different texts with separators anywhere inside, one for each first character. What texts begin with
    alike stands in it once: one after the other they would be tried at every 第.
    """
    by_first: dict[str, list[str]] = {}
    for text in squeezed:
        by_first.setdefault(text[:1], []).append(text)
    for texts in by_first.values():
        begun = commonprefix(texts)  # noqa: RUF071 - characters are what is compared
        pattern = _BETWEEN.join(map(re.escape, begun))
        if rests := "|".join(_spaced(text[len(begun) :] for text in texts if text != begun)):
            further = f"{_BETWEEN}(?:{rests})"
            pattern += f"(?:|{further})" if begun in texts else further
        yield pattern


@lru_cache(1_024)
def _all_bounded(spellings: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for all; the ranking asks for it at every title."""
    return re.compile("|".join(map(_bounded, spellings)))


def _bounded(spelling: str, between: str = "") -> str:
    """A pattern for a text that begins with a number and is none at the end of a longer one, or of a Latin word; nor
    where it goes on: 5時半 or 5時間 of 5時, 2割5分 of 2割, 百分の二十五 of 百分の二十.
    """
    # The first character stands before what is looked back at: that is what `re` can search for quickly.
    first = spelling[0]
    before = f"{first}(?<![a-z0-9{KANJI_NUMERALS}]{first})(?<![0-9][.]{first})"
    behind = _SHARE_ENDS
    if CLOCK_TIME.fullmatch(spelling):
        before, behind = f"{before}(?<!午後{first})", _TIME_ENDS
    return before + between + between.join(map(re.escape, spelling[1:])) + behind
