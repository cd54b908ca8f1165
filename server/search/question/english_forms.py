"""The forms of English words: refunds, refunded and refunding of refund, and refund of these. Pure."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from os.path import commonprefix

from morenashi.indexer.tokens import latin_words, stem

_WORD = re.compile("[a-z]{3,}")
_HISSING = ("s", "x", "z", "ch", "sh")
_ACRONYMS = re.compile("(?<![A-Za-z0-9])([A-Z][A-Z0-9]{1,7})s(?![A-Za-z0-9])")
_VOWELS = "aeiou"
# One consonant behind one vowel, which is doubled: planned of plan.
_IS_DOUBLED = re.compile("[a-z]*[^aeiou][aeiou][bdglmnprt]")
_DOUBLED = re.compile(r"[a-z]*([bdglmnprt])\1")
_BETWEEN = " *"
# Of a date: 2023.4.1, too; and before a number the point of an abbreviation: Apr. 1.
_BETWEEN_NUMBERS, _BEFORE_NUMBER = "[ .]+", "[.]? *"
_WORD_ENDS = "(?![a-z0-9])"
# 2023-04-01T10:00:00Z, as programs write it.
_NUMBER_ENDS = f"(?:(?=t[0-9])|{_WORD_ENDS})"
_LEAST_OF_VERB = 4


@lru_cache(4_096)
def forms_of(word: str) -> tuple[str, ...]:
    """A normalised word, and those of its forms that the stemmer takes for the same word."""
    if not _WORD.fullmatch(word):
        return (word,)
    root = stem(word)
    return (word, *(form for form in _forms(word) if stem(form) == root))


def root_of_verb(word: str) -> str | None:
    """What the forms of a verb begin with, if it is asked for in one without which others stand: deprecat of deprecated
    is in deprecates and deprecation, too. `None` of a short one, which begins other words as well.
    """
    is_verb = _WORD.fullmatch(word) is not None and word.endswith(("e", "ed", "ing"))
    root = without_last_e(stem(word)) if is_verb else word
    return root if _LEAST_OF_VERB <= len(root) < len(word) and word.startswith(root) else None


def singulars_of_acronyms(question: str) -> dict[str, str]:
    """The acronyms that a question as it is written has in the plural, normalised, each with its singular: API of APIs.
    The stemmer takes them for words of their own.
    """
    return {found[0].lower(): found[1].lower() for found in _ACRONYMS.finditer(question)}


def without_last_e(root: str) -> str:
    """A stem without the e that the stemmer leaves in short words, and that not all of their forms have: smok of smoke
    and smoking.
    """
    return root[:-1] if root.endswith("e") and len(root) > _LEAST_OF_VERB else root


def bases_of(word: str) -> Iterator[str]:
    """What a normalised word may be a form of, the likeliest first."""
    if not _WORD.fullmatch(word):
        return
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
        yield from [word[:-2]] * word.endswith("es")
    if word.endswith("ied"):
        yield f"{word[:-3]}y"
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            root = word.removesuffix(ending)
            yield root
            yield f"{root}e"
            if _DOUBLED.fullmatch(root):
                yield root[:-1]


def word_patterns(phrases: Iterable[str]) -> list[str]:
    """Patterns that find these normalised phrases of Latin words in a text of `blank_separators`, as whole words, the
    first and the last of each in any of its forms: one for each first character.
    """
    by_first: dict[str, list[str]] = {}
    for phrase in phrases:
        pattern = _pattern(phrase)
        by_first.setdefault(pattern[0], []).append(pattern[1:])
    # The first character stands before what is looked back at: that is what `re` can search for quickly.
    return [f"{first}(?<![a-z0-9]{first})(?:{'|'.join(dict.fromkeys(rests))})" for first, rests in by_first.items()]


def stems_of(phrase: str) -> list[str]:
    """The stems of the words of a phrase, as the index has them."""
    return list(dict.fromkeys(map(stem, latin_words(phrase))))


def root_of(phrase: str) -> str:
    """What all forms of a phrase begin with."""
    first, *_ = latin_words(phrase)
    return commonprefix(forms_of(first))  # noqa: RUF071 - characters are what is compared


@lru_cache(4_096)
def _pattern(phrase: str) -> str:
    words = latin_words(phrase)
    last = len(words) - 1
    parts = [_alternatives(forms_of(word) if at in (0, last) else (word,)) for at, word in enumerate(words)]
    between = ["", *map(_between, words, words[1:])]
    joined = "".join(chain.from_iterable(zip(between, parts, strict=True)))
    return joined + (_NUMBER_ENDS if all(map(str.isdigit, words)) else _WORD_ENDS)


def _between(left: str, right: str) -> str:
    if not right[0].isdigit():
        return _BETWEEN
    return _BETWEEN_NUMBERS if left[-1].isdigit() else _BEFORE_NUMBER


def _alternatives(forms: tuple[str, ...]) -> str:
    begun = commonprefix(forms)  # noqa: RUF071 - characters are what is compared
    rests = [form[len(begun) :] for form in forms]
    return begun if len(rests) == 1 else f"{begun}(?:{'|'.join(rests)})"


def _forms(word: str) -> Iterator[str]:
    last, before = word[-1], word[-2]
    if last == "y" and before not in _VOWELS:
        yield from (f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing")
    elif last == "e":
        yield from (f"{word}s", f"{word}d", f"{word[:-1]}ing")
    else:
        yield f"{word}es" if word.endswith(_HISSING) else f"{word}s"
        yield from (f"{word}ed", f"{word}ing")
        if _IS_DOUBLED.fullmatch(word):
            yield from (f"{word}{last}ed", f"{word}{last}ing")
