"""Whether a value is the most or the least that something may have, however that is said. Pure.

宿泊費の上限は1万円, 宿泊費は1万円を上限とする and 宿泊費は1万円まで are one, as are "at least 8" and "a minimum of 8".
"""

import re
from typing import Literal

Bound = Literal["", "most", "least"]

_WORDS: dict[str, Bound] = {
    **dict.fromkeys(("以内", "以下", "まで", "最大", "最長", "最高", "上限", "限度"), "most"),
    **dict.fromkeys(("以上", "最小", "最低", "下限", "少なくとも"), "least"),
}
_MOST = r"at most|up to|(?:no|not) more than|a maximum of|(?:limited|restricted|capped) (?:to|at)"
_LEAST = r"at least|(?:no|not) (?:less|fewer) than|a minimum of"
ENGLISH_BOUNDS = f"{_MOST}|{_LEAST}"
_IN_ENGLISH = re.compile(rf"\b(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))\b ?")
_BEHIND = re.compile(r"^ ?or (?:(?P<least>more|longer|above|older)|(?P<most>less|fewer|shorter|below))\b")
_LENGTH = re.compile(r"^ ?(?:long|in (?:length|size))$")
_IN_NAME = re.compile("(?P<name>.*[^のは])の?(?P<word>上限|限度|下限)額?")
_IN_ENGLISH_NAME = re.compile(r"(?:the )?(?P<word>max(?:imum)?|min(?:imum)?) (?P<name>.+)")
_ENDS_OF_NAMES = ("上限", "限度", "下限", "上限額", "限度額", "下限額")
# Until when something holds, it holds.
_LASTS = ("有効期限", "消費期限", "賞味期限", "使用期限", "保証期限")
_LIMITS = ("期限", "締切", "締切り", "締め切り", "期日", "deadline")
# Within 7 days you may: a deadline as any other.
_MAY_WITHIN = re.compile(
    "以内(?:であれば|ならば?|に限り|の場合は?)、?(?=[^。]*(?:でき(?:る|ます)|可能|認め|受け付け|承り))"
)
_MAY_NOT_EXCEED = re.compile(
    r"\b(?:must|may|can|should|shall)(?: not |not )(?:exceed|be (?:more|larger|longer|greater|bigger|over)(?: than)?)\b"
)
# Without a word that denies.
_NO_LATER = re.compile(r"\b(?:no|not) later than (?=[0-9])")
_NO_MORE = re.compile(r"\b(?:no|not) (?:more|longer) than (?=[0-9])")
_NO_LESS = re.compile(r"\b(?:no|not) (?:less|fewer) than (?=[0-9])")
_EXCEEDS_NOT = re.compile(
    "を超え(?:て(?:は(?:ならない|なりません|いけない|いけません)|[^。、]{1,8}(?:ない|ません))"
    "|る(?:こと)?[はが]?(?:でき)?(?:ない|ません)|ない|ません)"
)


def bound_of(word: str) -> Bound:
    """What a word before or after a number makes of it: 以内, 最低; nothing, if it is no such word."""
    return _WORDS.get(word, "")


def as_within(sentence: str) -> str:
    """A sentence in which 45時間を超えてはならない is 45時間以内, and 7日以内ならばできる 7日以内にできる; in English
    "must not exceed" is "may be at most", and "no later than" is "within".
    """
    if sentence.isascii():
        told = _NO_LESS.sub("at least ", _NO_MORE.sub("at most ", _NO_LATER.sub("within ", sentence)))
        return _MAY_NOT_EXCEED.sub("may be at most", told)
    return _EXCEEDS_NOT.sub("以内", _MAY_WITHIN.sub("以内に", sentence))


def take_from_name(subject: str) -> tuple[str, Bound]:
    """What a quantity is of, and whether it is a bound by its name: 宿泊費の上限, maximum upload size."""
    named = None
    if subject.endswith(_ENDS_OF_NAMES):
        named = _IN_NAME.fullmatch(subject)
    elif "max" in subject or "min" in subject:
        named = _IN_ENGLISH_NAME.fullmatch(subject)
    if named is None:
        return subject, "most" if subject.endswith(_LIMITS) and not subject.endswith(_LASTS) else ""
    return named["name"], bound_of(named["word"]) or ("most" if named["word"].startswith("max") else "least")


def take_from_english(before: str, behind: str) -> tuple[str, str, Bound]:
    """The same of the words before and behind an English number: at least 12 characters long, 12 or more."""
    found = _IN_ENGLISH.search(before) or _BEHIND.match(behind)
    if found is None:
        return before, _LENGTH.sub("", behind), ""
    bound: Bound = "most" if found["most"] else "least"
    return _IN_ENGLISH.sub("", before), _LENGTH.sub("", _BEHIND.sub("", behind)), bound
