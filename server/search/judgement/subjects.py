"""What a statement is about, and in which case it holds. Pure.

A phrase is a subject only where it names something by itself: what points elsewhere (その額, it) may mean another thing
in another text. 契約社員の場合、… is a case, and part of what is compared.
"""

import re

from morenashi.indexer.numerals import DIGIT

from .measures import LIMITS, NUMBER, UNITS
from .sentences import ARTICLE, SAID_BEFORE, THIS_DOCUMENT
from .suppositions import CONJUNCTIONS

# On Linux, the timeout is.
_IN_CASE = re.compile(
    r"\b((?:if|when|where|for|in|on|at|during|with|without|after|before|under|unless|as|by|once|while|until|from)\b"
    r"[^.;:|]{0,100}),[^,.;:|]*\Z"
)
# 片道10km以上の場合、通勤手当は; words that only join a sentence to the one before are no case.
_CASE = re.compile(
    r"(?:^|[。;:|\n])(?:[ #*+>-]|[0-9]+[.)] |[(][0-9a-z一二三四五六七八九十]+[)])*([^。;:|\n]{1,100})[、,][^、,]*\Z"
)
_IS_NO_CASE = re.compile(
    "(?:また|なお|ただし|但し|さらに|したがって|従って|原則として|原則|通常|ここで|そのため|この場合(?:において)?|[、,])*"
)
_LONGEST_CASE = 200

_LONGEST_JAPANESE, _LONGEST_ENGLISH = 40, 60
# With what stands before its first letter: of a longer phrase the end would name something else.
_SUBJECT_JAPANESE = re.compile(rf"([^。、,;:()\n|]{{2,{_LONGEST_JAPANESE + 1}}})\Z")
_SUBJECT_ENGLISH = re.compile(rf"[0-9 _'/-]*([a-z][a-z0-9 _'/-]{{2,{_LONGEST_ENGLISH}}})\Z")
_LEADING = re.compile(
    r"^(?:また|なお|ただし|この場合において|(?:and|but) |[ #*+>|-]|[0-9]+[.)] |[(]?[0-9一二三四五六七八九十]+[)]? "
    # The answer to a question that is asked often.
    rf"|a[0-9]{{0,3}}[.)] ?|{ARTICLE})+"
)
_ARTICLE = re.compile(r"^(?:the|a|an|its|their|our|your) ")
_DEMONSTRATIVES = f"その|それ|この|これ|当該|{SAID_BEFORE}"
_PLACES = f"法?第{DIGIT}+[条項号章節]|同[項条号表法]|前[項条号]|次[のに]|各[号項]|本条|{THIS_DOCUMENT}"
# What goes on with words before it, and is the end of a longer phrase.
_CONTINUATIONS = "[のをに]|から|まで|について|する|した"
_ENGLISH_PRONOUNS = "that|which|who|this|these|those|there|it|they|you|we|he|she|what"
_NAMES_NOTHING_ITSELF = re.compile(
    rf"(?:{_DEMONSTRATIVES}|{_PLACES}|{_CONTINUATIONS})|(?:{CONJUNCTIONS}|since|{_ENGLISH_PRONOUNS})\b"
)
# 場合には, 者にあつては: a case, and not what has the quantity.
_CASES = ".*(?:[にでて]|場合|とき|こと)"
# Nor is a cell its name that is a number itself, a formula or an ordinal.
_QUANTITIES = rf"[-+0-9.,%]+|(?:{NUMBER}[ -]?(?:{UNITS})(?:{LIMITS}|分|から.*)?[~-]?)+|から.*"
_FORMULAS = ".*[<>=].*"
_ORDINALS = "第.{1,5}[級号項類種]"
BARE_DEFAULTS = "(?:(?:デフォルト|既定)(?:の?(?:値|設定))?|(?:規定|初期|標準)値)"
# Each section has one of its own.
_BARE_ATTRIBUTES = (
    "(?:(?:default|maximum|minimum|recommended|allowed) ?)*"
    "(?:value|limit|length|size|duration|time|number|amount|rate)?s?"
    f"|{BARE_DEFAULTS}"
)
# The last 10 minutes is no sentence.
_ENDS_NO_PHRASE = "(?:.* )?(?:the|an?|its|their|your|our|of|in|on|at|by|for|to|from|over|with|and|or)"
_IS_NO_SUBJECT = re.compile(f"{_CASES}|{_QUANTITIES}|{_FORMULAS}|{_ORDINALS}|{_BARE_ATTRIBUTES}|{_ENDS_NO_PHRASE}")
_LONG_VOWEL = re.compile("(?<=[ァ-ヺー]{2})ー(?![ァ-ヺー])")


def name_subject(line: str, start: int, end: int, *, is_english: bool = False) -> str | None:
    """The phrase that ends there, if it names something by itself. Nothing before `start` counts."""
    longest, phrase = (_LONGEST_ENGLISH, _SUBJECT_ENGLISH) if is_english else (_LONGEST_JAPANESE, _SUBJECT_JAPANESE)
    named = phrase.search(line, max(start, end - longest - 1), end)
    if named is None or len(named[0]) > longest:
        return None
    text = _LONG_VOWEL.sub("", _ARTICLE.sub("", _LEADING.sub("", named[1]).strip()))
    if len(text) < 2 or _NAMES_NOTHING_ITSELF.match(text) or _IS_NO_SUBJECT.fullmatch(text):
        return None
    return text


def case_before(line: str, start: int, end: int) -> str:
    """In what case a Japanese sentence says something of the subject that ends there; empty if in any."""
    case = _CASE.search(line, max(start, end - _LONGEST_CASE), end)
    return "" if case is None or _IS_NO_CASE.fullmatch(case[1]) else case[1]


def english_case_before(line: str, start: int, end: int) -> str:
    """The same of an English sentence."""
    case = _IN_CASE.search(line, max(start, end - _LONGEST_CASE), end)
    return case[1].strip() if case else ""
