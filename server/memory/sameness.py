"""How much two claims say the same, and whether they may, so that one may speak for both. Pure.

They have the same words, or one has hardly more than the other, and nothing speaks against it: 10時 is no duplicate of
11時, nor yes of no, Tokyo of Osaka, "from A to B" of "from B to A". In doubt they are kept apart: what is merged into
another claim is lost with what it says alone, and what is not stands twice.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache

from morenashi.indexer.claim_tokens import searchable, token_kinds
from morenashi.indexer.tokens import is_kanji, runs, stem

# With its sign, all parts of a date or version, and what it counts if that is one kanji, or says which half of the day:
# 5月3日 is not 3月5日, 1.2.3 not 1.3.2, -5 not 5, 3 am not 3 pm. か and ヶ stand between a number and its unit.
_NUMBER = re.compile(
    r"(?:(?<![a-z0-9])-)?[0-9]+(?:[.:/-][0-9]+)*(?: ?[ap]m\b)?[かヵヶ]?[\u4e00-\u9fff]?"
    r"|[〇一二三四五六七八九十百千万]+[かヵヶ]?[\u4e00-\u9fff]?"
)
_BETWEEN = re.compile("[かヵヶ]")
_COMPARISON = re.compile("[<>=!]=|[<>≠≤≥]")
# What is in a sentence or not without changing what it says. No "on" and "and": these have opposites.
_FILLERS = frozenset(
    "a an the is are be am was were we you i me my our your it its this that there to of for in at by as with do does "
    "please".split()
)
# つないで, 少ない and 危ない deny nothing.
_DENIAL = re.compile(
    r"(?<![つ少危])ない|なく|なし|ません|せず|ずに|禁止|[不非未無]"
    r"|\b(?:not|no|non|never|nobody|nothing|none|neither|hardly|without|except|unless|cannot)\b|n't"
)
# Where a word stands says as much as that it is there: who reports to whom, what is used instead of what.
_BEFORE_A_PLACE = frozenset("to from of than by before after into over under".split())
# A run is looked for where it begins, not from each of its characters: that would be quadratic.
_AFTER_A_PLACE = re.compile(
    r"((?<![a-z0-9])[a-z0-9]++|(?<![\u4e00-\u9fff])[\u4e00-\u9fff]++|(?<![\u30a1-\u30fc])[\u30a1-\u30fc]++)"
    "(?:さん|さま|くん)? ?(から|まで|より|に|へ|が|は|を)"
)
_DOER, _DONE_TO = "がは", "を"


def similarity() -> Callable[[str, str], float]:
    """How much two texts say the same: the share of their tokens that both have, 0..1."""

    @cache
    def tokens(text: str) -> frozenset[object]:
        return frozenset(token_kinds(searchable(text)))

    def compare(one: str, other: str) -> float:
        left, right = tokens(one), tokens(other)
        return len(left & right) / max(len(left | right), 1)

    return compare


def may_be_same(one: str, other: str) -> bool:
    """Whether nothing in the texts of two claims speaks against it that the other says all that the one says."""
    left, right = searchable(one), searchable(other)
    return (
        _numbers(left) == _numbers(right)
        and sorted(_COMPARISON.findall(left)) == sorted(_COMPARISON.findall(right))
        and len(_DENIAL.findall(left)) == len(_DENIAL.findall(right))
        and not _differ_in_places(_places(left), _places(right))
        and not _differ_in_words(_words(left), _words(right))
    )


def _numbers(text: str) -> list[str]:
    return sorted(_BETWEEN.sub("", number).replace(" ", "") for number in _NUMBER.findall(text))


def _places(text: str) -> Counter[tuple[str, str]]:
    """Words that stand before or after what says their part in the sentence: (to, maria), (から, 東京)."""
    places = Counter((particle, word) for word, particle in _AFTER_A_PLACE.findall(text))
    preposition = None
    for run in runs(text):
        if run in _BEFORE_A_PLACE:
            preposition = run
        elif preposition and run not in _FILLERS:
            places[preposition, stem(run)] += 1
            preposition = None
    return places


def _differ_in_places(places: Counter[tuple[str, str]], others: Counter[tuple[str, str]]) -> bool:
    """Whether the two have a different word in the same place, or who does something and whom it is done to changed
    theirs. Of these no other words speak against it: が, は and を stand for each other, and behind compounds.
    """
    more, fewer = places - others, others - places
    told = {particle for particle, _ in more} & {particle for particle, _ in fewer}
    return bool(told.difference(_DOER, _DONE_TO)) or (
        bool(_words_at(_DOER, more) & _words_at(_DONE_TO, fewer))
        and bool(_words_at(_DONE_TO, more) & _words_at(_DOER, fewer))
    )


def _words_at(particles: str, places: Counter[tuple[str, str]]) -> set[str]:
    return {word for particle, word in places if particle in particles}


def _differ_in_words(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether each has a word that the other lacks, or the first more than one: it would be lost with what it says of
    somebody or something else, as what corrects a claim and repeats it does.
    """
    more = words - others
    return bool(more and others - words) or sum(_share_of_word(word) for word in more) > 1


def _share_of_word(word: str) -> float:
    """Most words of kanji have two."""
    return 0.5 if is_kanji(word) else 1.0


def _words(text: str) -> frozenset[str]:
    """Stems of Latin and katakana words, and single kanji: compounds are made at will, 精算期限 and 精算の期限."""
    latin_and_katakana = (run for run in runs(text) if not is_kanji(run[0]) and run not in _FILLERS)
    return frozenset([*map(stem, latin_and_katakana), *filter(is_kanji, text)])
