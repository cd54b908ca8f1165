"""A day of the week, of each week or of a month: 水曜日, 毎月第3日曜日, the second Tuesday. Pure."""

import re

from morenashi.indexer.numerals import parse_number

_JAPANESE = "月火水木金土日"
_ENGLISH = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ENGLISH_ENDS = ("nday", "sday", "rday", "iday")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 6, "最終": 6}
WEEKDAY = re.compile(
    rf"(?:毎週|第(?P<number>[1-5一二三四五])|(?P<last>最終))?(?P<day>[{_JAPANESE}])曜日?"
    r"|\b(?:(?P<ordinal>first|second|third|fourth|last)|(?P<figure>[1-4])(?:st|nd|rd|th))"
    rf" (?P<name>{'|'.join(_ENGLISH)})\b"
    rf"|\b(?:every|each|on) (?P<each>{'|'.join(_ENGLISH)})s?\b"
)
_DAYS_A_WEEK = 7


def may_be_weekday(text: str) -> bool:
    """Whether it is worth looking for one."""
    return "曜" in text or ("day" in text and any(map(text.__contains__, _ENGLISH_ENDS)))


def weekday_of(match: re.Match[str]) -> int:
    """One number for which day of which week a match of `WEEKDAY` is."""
    day = _JAPANESE.index(match["day"]) if match["day"] else _ENGLISH.index(match["name"] or match["each"])
    named = _ORDINALS.get(match["ordinal"] or match["last"] or "")
    week = named or parse_number(match["number"] or match["figure"] or "0") or 0
    return week * _DAYS_A_WEEK + day
