"""Quantities that a text states of a subject, so that two texts can be seen to contradict. Pure.

A statement is read only where the words are plain: a noun phrase, a particle or a verb that equates,
a number, a unit. What hangs on a condition ("…の場合は 30 日") has the condition in its subject, so
that two cases of one rule do not contradict each other.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from morenashi.indexer.numerals import parse_kanji

_UNITS = (
    "年間|年|か月|ヶ月|ケ月|箇月|カ月|月|週間|日間|日|時間|分間|分|秒|円|万円|億円|%|パーセント|割|回|件|人|名|個|文字|桁|歳|才|"
    "mb|gb|kb|tb|bytes?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|characters?|times|percent|dollars|usd|yen"
)
_NUMBER = r"(?P<number>[0-9]+(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|[〇一二三四五六七八九十百千]+)"
_LIMITS = "以内|以上|以下|未満|まで|超|前|後"
# Numbers are looked for first, and what they are said of before them: lines are long and numbers few.
_QUANTITY = re.compile(rf"{_NUMBER}(?P<gap>[ -]?)(?P<unit>{_UNITS})(?P<limit>{_LIMITS})?")
_DATE = re.compile(r"(?<![0-9])(?P<year>[0-9]{4})(?:年|-|/)(?P<month>[0-9]{1,2})(?:月|-|/)(?P<day>[0-9]{1,2})(?![0-9])")
# One line in fifteen has this: `re` looks quickly for what begins with a class.
_MAY_STATE = re.compile(rf"[0-9〇一二三四五六七八九十百千](?:[ -]?(?:{_UNITS})|[-/])")
_OR = "(?<!又)(?<!また)(?<!若しく)(?<!もしく)(?<!あるい)"
_IS_JAPANESE = re.compile(rf"(?:{_OR}は、?|が、?|:|=|\|) *(?P<bound>最大|最小|最低|最長|最高|上限|下限|原則|約)? *\Z")
_IS_ENGLISH = re.compile(
    r" (?:is|are|lasts?|takes?|costs?|must be|expires? (?:after|in)|equals?)"
    r" (?P<bound>(?:at (?:most|least)|up to|within|no more than|no less than) )?\Z"
)
_IS_ON = re.compile(rf"(?:{_OR}は、?|が、?|:|=|\||\bis|\bon) *\Z")
_SUBJECT_JAPANESE = re.compile(r"[^。、,;:()\n|]{2,40}\Z")
_SUBJECT_ENGLISH = re.compile(r"[a-z][a-z0-9 _'/-]{2,60}\Z")
_LONGEST_PREDICATE, _LONGEST_SUBJECT = 30, 61
# The cell before a cell is not what its number is said of, if it is a number itself.
_FIGURE = re.compile(rf"[-+0-9.,%]+|{_NUMBER}[ -]?(?:{_UNITS})(?:{_LIMITS}|分|から.*)?|から.*")
_ASCII_LETTER = re.compile(r"[a-z0-9_]")
_LEADING = re.compile(
    r"^(?:また|なお|ただし|この場合において|[ #*+>|-]|[0-9]+[.)] |[(]?[0-9一二三四五六七八九十]+[)]? )+"
)
_ARTICLE = re.compile(r"^(?:the|a|an|this|its|their|our|your) ")
_SAME_UNIT = {
    "年間": "年", "か月": "月", "ヶ月": "月", "ケ月": "月", "箇月": "月", "カ月": "月", "日間": "日", "分間": "分",
    "パーセント": "%", "percent": "%", "名": "人", "才": "歳", "usd": "dollars",
}  # fmt: skip


class Statement(NamedTuple):
    """`subject` (normalised) is `value` of `unit`; `limit` says whether that is a bound, and which.

    A day has the unit `date` and the value yyyymmdd.
    """

    subject: str
    limit: str
    unit: str
    value: float


def read_statements(line: str) -> Iterator[Statement]:
    """The quantities that a normalised line states."""
    if _MAY_STATE.search(line) is None:
        return
    taken = 0
    for match in _DATE.finditer(line):
        if subject := _subject(line, taken, match.start(), _IS_ON, _SUBJECT_JAPANESE):
            day = int(match["year"]) * 10_000 + int(match["month"]) * 100 + int(match["day"])
            yield Statement(subject.text, "", "date", day)
            taken = match.end()
    for match in _QUANTITY.finditer(line, taken):
        unit, value = match["unit"], _value(match["number"])
        if value is None or (_ASCII_LETTER.match(line, match.end("unit")) and unit.isascii()):
            continue
        said = _subject(line, taken, match.start(), _IS_JAPANESE, _SUBJECT_JAPANESE) if match["gap"] != "-" else None
        said = said or _subject(line, taken, match.start(), _IS_ENGLISH, _SUBJECT_ENGLISH)
        if said:
            taken = match.end()
            limit = said.bound + (match["limit"] or "")
            yield Statement(said.text, limit, _SAME_UNIT.get(unit, unit.rstrip("s") if unit.isascii() else unit), value)


class _Subject(NamedTuple):
    text: str
    bound: str


def _subject(line: str, start: int, end: int, predicate: re.Pattern[str], before: re.Pattern[str]) -> _Subject | None:
    """What the number at `end` is said of, by a predicate that ends there; nothing before `start` counts."""
    is_said = predicate.search(line, max(start, end - _LONGEST_PREDICATE), end)
    if is_said is None:
        return None
    named = before.search(line, max(start, is_said.start() - _LONGEST_SUBJECT), is_said.start())
    if named is None:
        return None
    text = _ARTICLE.sub("", _LEADING.sub("", named[0]).strip())
    bound = (is_said.groupdict().get("bound") or "").strip()
    return _Subject(text, bound) if len(text) >= 2 and not _FIGURE.fullmatch(text) else None


def _value(number: str) -> float | None:
    if number[0].isascii():
        return float(number.replace(",", ""))
    return parse_kanji(number)
