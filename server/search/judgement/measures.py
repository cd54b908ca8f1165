"""Numbers with a unit in a text, and what they come to in a unit in which they can be compared. Pure."""

import re
from typing import NamedTuple

from morenashi.indexer.numerals import DIGIT, KANJI_NUMERALS, parse_kanji
from morenashi.server.search.question.counting_marks import MARKS
from morenashi.server.search.question.dates import MONTHS
from morenashi.server.search.question.english_numbers import NUMBER_WORD, NUMBER_WORDS
from morenashi.server.search.question.shares import percent_of

from .bounds import Bound
from .weekdays import may_be_weekday

# Of two that begin alike the longer one first: gbp before gb.
UNITS = (
    f"年間|年|[{MARKS}]月間?|月|週間|営業日|日間|日|時間|分間|分|秒|円|千円|万円|億円|%|パーセント|割|回|件|人|名|個|文字|桁|歳|才|"
    f"部|通|本|社|世帯|リットル|グラム|キログラム|冊|錠|枚|台|泊|席|世代|項目|[{MARKS}]所|ページ|ポイント|ユーザー?|倍|階|号室|番窓口|平方メートル|メートル|m2|ミリ秒|"
    "members?|people|persons?|guests?|pages?|copies|files|connections?|sessions?|"
    "nodes?|rows?|replicas?|records?|messages?|devices?|seats?|projects?|employees?|participants?|students?|"
    "gbp|mb|gb|kb|tb|bytes?|(?:business |working |calendar )?days?|weeks?|months?|"
    "years?|hours?|minutes?|seconds?|characters?|times|percent|requests?|items?|attempts?|users?|"
    "dollars?|usd|euros?|eur|pounds?|yen|jpy|"
    "°c|kg|mg|μg|km|cm|mm|ml|kw|hz|ms|secs?|mins?|hrs?|s|h|g|v|w"
)
_FURTHER_FIGURES = r"[0-9]*+(?:,[0-9]{3})*+(?:\.[0-9]++)?+"
_FIGURE = "[0-9]" + _FURTHER_FIGURES
# Begins with a class: that is what `re` looks for quickly. And not in the middle of a number.
NUMBER = (
    rf"(?P<number>{DIGIT}(?<!{DIGIT}{{2}})(?:(?<=[{KANJI_NUMERALS}])[{KANJI_NUMERALS}]*+"
    rf"|(?<=[0-9]){_FURTHER_FIGURES}(?:[億万](?:{_FIGURE}[億万]?+)?+(?:{_FIGURE})?+)?+))"
)
LIMITS = "以内|以上|以下|未満|まで|超|前まで|後まで|前|後"
# US$50, $1,200.50, ¥5,000
_SIGN = re.compile("[$€£¥]")
_WITH_SIGN = re.compile(rf"(?:\bus)?([$€£¥]) ?({_FIGURE})(?! ?(?:[kmb]|thousand|million|billion)\b)")
_SIGNS = {"$": "usd", "€": "eur", "£": "gbp", "¥": "円"}
# Numbers are looked for first, and what they are said of before them: lines are long and numbers few.
QUANTITY = re.compile(rf"{NUMBER}(?P<gap>[ -]?)(?P<unit>{UNITS})(?P<limit>{LIMITS})?")
BEHIND_BARE_NUMBER = (
    r"(?: ?(?:以上|以降|以後|以下)| or (?:later|newer|higher|above|greater|more|less|lower|fewer|earlier|below)\b|\+"
    r"| ?(?:で(?:す|ある|あります)|と(?:する|します)|を(?:使|利)?用(?:する|します))(?=[。)]|$)"
    r"|(?=[.。]?$)|(?=\. )|(?=。))"
)
"""What stands behind a number without a unit that a sentence states: ポート番号は8080です, Python 3.10 or later."""
# One line in fifteen has this: `re` looks quickly for what begins with a class.
_MAY_STATE = re.compile(rf"{DIGIT}(?:[ -]?(?:[億万]|{UNITS})|[-/時]|:[0-5]| ?[ap]m\b|{BEHIND_BARE_NUMBER})")
_COUNTED_IN_WORDS = (
    *("day", "week", "month", "year", "hour", "minute", "percent"),
    *("member", "people", "guest", "item", "attempt", "user", "copies", "page", "character"),
)
# Not of one hundred and twenty days.
_IN_WORDS = re.compile(
    rf"(?<![a-z-])(?<!hundred )(?<!hundred and )(?<!thousand )"
    rf"({NUMBER_WORD})(?: \([0-9]+\))?"
    rf"(?=[ -](?:(?:business|working|calendar) )?(?:{'|'.join(_COUNTED_IN_WORDS)})s?\b)"
)
_MONTH_NAMES = "|".join(MONTHS)
_ENGLISH_DAY = re.compile(
    rf"\b(?:(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTH_NAMES})"
    rf"|(?P<named>{_MONTH_NAMES}) (?P<follows>[0-3]?[0-9])(?:st|nd|rd|th)?)\b(?:,? (?P<year>[12][0-9]{{3}})\b)?"
)
# The last day of some month that is not told, as long as the longest.
_LAST_DAY = re.compile("(?P<month>毎月|各月|翌月|翌々月|当月)の?末日?(?![締〆])")
# 百分の二十五, 1000分の2.5: as rules and statutes write percentages.
_IN_HUNDREDTHS = re.compile(rf"(?<!{DIGIT})(?P<whole>100|百|1,?000|千)分の(?P<part>[0-9]+(?:\.[0-9]+)?|{DIGIT}+)")
_ASCII_LETTER = re.compile(r"[a-z0-9_]")

_SAME_UNIT = {
    **{f"{mark}月{between}": "月" for mark in MARKS for between in ("", "間")},
    "年間": "年", "日間": "日", "分間": "分",
    **{f"{mark}所": "か所" for mark in MARKS}, "平方メートル": "m2", "ユーザ": "ユーザー",
    "パーセント": "%", "percent": "%", "名": "人", "才": "歳", "グラム": "g", "キログラム": "kg",
    "dollar": "usd", "euro": "eur", "pound": "gbp", "yen": "円", "jpy": "円",
    "calendar day": "day", "s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour",
    # Without its s it would be a metre.
    "ms": "ms",
}  # fmt: skip
_OF_OTHERS = {
    "万円": ("円", 10_000), "億円": ("円", 100_000_000), "割": ("%", 10),
    "ミリ秒": ("秒", 0.001), "分": ("秒", 60), "時間": ("秒", 3_600), "日": ("秒", 86_400), "週間": ("秒", 604_800),
    "minute": ("second", 60), "hour": ("second", 3_600), "day": ("second", 86_400), "week": ("second", 604_800),
    "ms": ("second", 0.001),
    "kg": ("g", 1_000), "mg": ("g", 0.001), "μg": ("g", 0.000_001),
    "km": ("mm", 1_000_000), "cm": ("mm", 10), "kw": ("w", 1_000),
}  # fmt: skip
_SECONDS_A_DAY, _TIMES = 86_400, ("秒", "second")
_IN_DAYS = {"月": ("秒", 30.4), "年": ("秒", 365.25), "month": ("second", 30.4), "year": ("second", 365.25)}
_CALENDAR_YEARS_FROM = 1_000
_CALENDAR_YEAR = re.compile("[0-9]{4}年")
# Of 15万5千円 the thousands are five; 15万千円 has one.
_MYRIADS = re.compile(rf"({_FIGURE}|(?=千))([億万千]?)")
_MYRIAD = {"": 1, "千": 1_000, "万": 10_000, "億": 100_000_000}


class Measure(NamedTuple):
    """From `least` to `most` of a `unit`. Of months and years nobody knows how many days they have exactly; all other
    values are one number. With a `bound`, a quantity has that much at most, or at least.
    """

    unit: str
    least: float
    most: float
    bound: Bound = ""

    @property
    def is_time(self) -> bool:
        """Whether it is one, in seconds."""
        return self.unit in _TIMES

    def contradicts(self, other: "Measure") -> bool:
        """Whether one quantity of this unit cannot have both."""
        is_less, is_more = self.most < other.least, other.most < self.least
        if self.bound == other.bound:
            return is_less or is_more
        # 10 is more than up to 8, and less than at least 12.
        if self.bound and other.bound:
            return False
        return is_more if self.bound == "least" or other.bound == "most" else is_less


def spell_out(line: str) -> str:
    """A normalised line with signs of currencies as units, 百分の十 as 10%, English words for numbers as digits and
    English days as 2025-03-31, or --03-31 without a year.
    """
    if _SIGN.search(line):
        line = _WITH_SIGN.sub(lambda signed: signed[2] + _SIGNS[signed[1]], line)
    if any(map(line.__contains__, _COUNTED_IN_WORDS)):
        line = _IN_WORDS.sub(lambda word: str(NUMBER_WORDS[word[1]]), line)
    if any(map(line.__contains__, MONTHS)):
        line = _ENGLISH_DAY.sub(_in_figures, line)
    if "分の" in line:
        line = _IN_HUNDREDTHS.sub(_as_percentage, line)
    if "前日まで" in line:
        line = line.replace("前日まで", "1日前まで")
    if "末" in line:
        line = _LAST_DAY.sub(r"\g<month>31日", line)
    return line.replace("は無料", "は0円") if "は無料" in line else line


def _in_figures(day: re.Match[str]) -> str:
    month = day["month"] or day["named"]
    # Up to 3 may be used.
    if month == "may" and not day["year"]:
        return day[0]
    return f"{day['year'] or '-'}-{MONTHS.index(month) + 1:02}-{int(day['day'] or day['follows']):02}"


def _as_percentage(share: re.Match[str]) -> str:
    percent = percent_of(share["whole"], share["part"])
    return share[0] if percent is None else f"{percent.normalize():f}%"


def may_measure(line: str) -> bool:
    """Whether it is worth looking for numbers with a unit, days or times."""
    return _MAY_STATE.search(line) is not None or may_be_weekday(line)


def is_calendar_year(match: re.Match[str]) -> bool:
    """Whether a match of `QUANTITY` names a year: 2024年."""
    return _CALENDAR_YEAR.match(match[0]) is not None


def measure(match: re.Match[str]) -> Measure | None:
    """What a match of `QUANTITY` comes to; `None` if it is none after all."""
    number, unit = match["number"], match["unit"]
    if unit == "千円":
        number, unit = number + "千", "円"
    value = _value(number)
    if value is None or (unit.isascii() and _ASCII_LETTER.match(match.string, match.end("unit"))):
        return None
    return _measure(value, unit)


def _value(number: str) -> float | None:
    if number[0].isascii():
        return sum(float(figure.replace(",", "") or 1) * _MYRIAD[unit] for figure, unit in _MYRIADS.findall(number))
    return parse_kanji(number)


def _measure(value: float, unit: str) -> Measure:
    """The unit in which such quantities are compared, and the least and most that the value is there."""
    if unit.isascii() and unit not in _SAME_UNIT:
        unit = unit.rstrip("s")
    unit = _SAME_UNIT.get(unit, unit)
    if unit in _IN_DAYS and value < _CALENDAR_YEARS_FROM:
        unit, days = _IN_DAYS[unit]
        # One month has two days more or less than that; of many, leap days and the like are left.
        about = 2 + 0.003 * value * days
        return Measure(unit, (value * days - about) * _SECONDS_A_DAY, (value * days + about) * _SECONDS_A_DAY)
    unit, times = _OF_OTHERS.get(unit, (unit, 1))
    return Measure(unit, value * times, value * times)
