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
_JAPANESE = re.compile(
    r"(?P<subject>[^。、,;:()\n|]{2,40}?)(?:は、?|が、?|:|=|\|)[ ]*"
    rf"(?P<bound>最大|最小|最低|最長|最高|上限|下限|原則|約)?[ ]*"
    rf"{_NUMBER}[ ]?(?P<unit>{_UNITS})(?![a-z])(?P<limit>{_LIMITS})?"
)
_ENGLISH = re.compile(
    rf"(?P<subject>[a-z][a-z0-9 _'/-]{{2,60}}?) (?:is|are|lasts?|takes?|costs?|must be|expires? (?:after|in)|equals?)"
    rf" (?P<bound>(?:at (?:most|least)|up to|within|no more than|no less than) )?"
    rf"{_NUMBER}[ -]?(?P<unit>{_UNITS})\b(?P<limit>)"
)
_DATE = re.compile(
    r"(?P<subject>[^。、,;:()\n|]{2,40}?)(?:は、?|が、?|:|=|\||\bis|\bon)[ ]*"
    r"(?P<year>[0-9]{4})(?:年|-|/)(?P<month>[0-9]{1,2})"
    r"(?:月|-|/)(?P<day>[0-9]{1,2})(?![0-9])"
)
_DIGIT = re.compile(r"[0-9〇一二三四五六七八九十百千]")
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
    if not _DIGIT.search(line):
        return
    for match in _DATE.finditer(line):
        day = int(match["year"]) * 10_000 + int(match["month"]) * 100 + int(match["day"])
        yield Statement(_subject(match), "", "date", day)
    for pattern in (_JAPANESE, _ENGLISH):
        for match in pattern.finditer(_DATE.sub("", line)):
            subject = _subject(match)
            value = _value(match["number"])
            if len(subject) >= 2 and value is not None:
                unit = match["unit"]
                limit = (match["bound"] or "").strip() + (match["limit"] or "")
                yield Statement(
                    subject, limit, _SAME_UNIT.get(unit, unit.rstrip("s") if unit.isascii() else unit), value
                )


def _subject(match: re.Match[str]) -> str:
    return _ARTICLE.sub("", _LEADING.sub("", match["subject"]).strip())


def _value(number: str) -> float | None:
    if number[0].isascii():
        return float(number.replace(",", ""))
    return parse_kanji(number)
