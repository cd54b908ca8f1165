"""Which sections hold for all that stands beside them, by their headings: 適用範囲, 定義, 不支給, Definitions. Pure.

They say for whom, in which words and when not, and rarely name what they hold for: a question for one article of a rule
does not meet them by its words.
"""

import re

from .numerals import DIGIT

_NUMBER = f"{DIGIT}+"
_JAPANESE_LABEL = rf"第 ?{_NUMBER} ?[条章節款項]?(?:の{_NUMBER})*|{_NUMBER}(?:[.-]{_NUMBER})*[.)]?"
_ENGLISH_LABEL = r"(?:section|article|clause|part|chapter|§) ?[0-9ivx]+(?:\.[0-9]+)*|[0-9]+(?:\.[0-9]+)*|[a-z](?=[.)])"
_JAPANESE = (
    "適用の?(?:範囲|対象者?|除外)|(?:用語の)?(?:定義|意義)|免責(?:事項)?|"
    "(?:[^、。]{1,10}の)?(?:減額[・及びと]+)?(?:不支給|支給制限|支給の制限)|不正受給"
)
_ENGLISH = (
    r"scope(?: (?:of|and) application)?|applicability|application|(?:terms and )?definitions?"
    r"(?: and interpretation)?|exclusions?|exemptions?"
)
# An English word alone is the name of many things: of a clause it is where that has a number.
_GENERAL = re.compile(
    rf"(?:(?:{_JAPANESE_LABEL})?[ (]*(?:{_JAPANESE})(?:等|など)?|(?:{_ENGLISH_LABEL})[.): -]+(?:{_ENGLISH}))[ ).]*"
)


def is_general(title: str) -> bool:
    """Whether a section of this normalised title holds for all that stands beside it.

    >>> is_general("第2条(適用範囲)"), is_general("1. scope"), is_general("scope"), is_general("適用範囲の見直し")
    (True, True, False, False)
    """
    return _GENERAL.fullmatch(title) is not None
