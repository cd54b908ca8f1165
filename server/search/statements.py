"""Quantities that a text states of a subject, so that two texts can be seen to contradict. Pure.

A statement is read only where the words are plain: a noun phrase, a particle or a verb that equates, a number, a unit,
the end of the sentence. What a text supposes (金額が三十万円以下である場合) states nothing; what hangs on a condition
(…の場合は 30 日) has the condition in its subject, so that two cases of one rule do not contradict each other; and what
points elsewhere (その額, この規程の施行日, it) may mean another thing in another text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from morenashi.indexer.numerals import KANJI_NUMERALS, parse_kanji, parse_number

from .clock_times import CLOCK_SPAN, span_of

_UNITS = (
    "年間|年|[かヶケ箇カ]月間?|月|週間|営業日|日間|日|時間|分間|分|秒|円|千円|万円|億円|%|パーセント|割|回|件|人|名|個|文字|桁|歳|才|"
    "mb|gb|kb|tb|bytes?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|characters?|times|percent|"
    "dollars?|usd|euros?|eur|pounds?|gbp|yen|jpy|"
    "ms|secs?|mins?|hrs?|s|h"
)
_DIGITS = f"[0-9{KANJI_NUMERALS}]"
_FURTHER_FIGURES = r"[0-9]*+(?:,[0-9]{3})*+(?:\.[0-9]++)?+"
_FIGURE = "[0-9]" + _FURTHER_FIGURES
# Begins with a class: that is what `re` looks for quickly. And not in the middle of a number.
_NUMBER = (
    rf"(?P<number>{_DIGITS}(?<!{_DIGITS}{{2}})(?:(?<=[{KANJI_NUMERALS}])[{KANJI_NUMERALS}]*+"
    rf"|(?<=[0-9]){_FURTHER_FIGURES}(?:[億万](?:{_FIGURE}[億万]?+)?+(?:{_FIGURE})?+)?+))"
)
_LIMITS = "以内|以上|以下|未満|まで|超|前|後"
# US$50, $1,200.50, ¥5,000
_SIGN = re.compile("[$€£¥]")
_WITH_SIGN = re.compile(rf"(?:\bus)?([$€£¥]) ?({_FIGURE})(?! ?(?:[kmb]|thousand|million|billion)\b)")
_SIGNS = {"$": "usd", "€": "eur", "£": "gbp", "¥": "円"}
# Numbers are looked for first, and what they are said of before them: lines are long and numbers few.
_QUANTITY = re.compile(rf"{_NUMBER}(?P<gap>[ -]?)(?P<unit>{_UNITS})(?P<limit>{_LIMITS})?")
_DATE = re.compile(
    rf"(?<!{_DIGITS})(?:(?P<era>令和|平成|昭和|大正|明治)(?P<year_of_era>元|{_DIGITS}{{1,3}})|(?P<year>[0-9]{{4}}))"
    rf"(?:年|-|/)(?P<month>{_DIGITS}{{1,2}})(?:月|-|/)(?P<day>{_DIGITS}{{1,3}})(?!{_DIGITS})日?"
)
_YEARS_BEFORE = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
# One line in fifteen has this: `re` looks quickly for what begins with a class.
_MAY_STATE = re.compile(rf"{_DIGITS}(?:[ -]?(?:[億万]|{_UNITS})|[-/時]|:[0-5]| ?[ap]m\b)")

_OR = "(?<!又)(?<!また)(?<!若しく)(?<!もしく)(?<!あるい)"
# Of what the number is: 1日につき2,000円, 毎月25日, 年2回, 年に2回, 月額5,000円.
_PER = (
    "(?:[1一](?:[日泊年回人名件台週]|か?月|時間)(?:に?つき|に|[当あ]たり)?、?"
    "|毎[年月週日回]|[年月日]額|年間?に?|[月週]に?)"
)
_PER_WORD = re.compile("(?:に?つき|[当あ]たり|に)、?")
_BOUND = f"(?P<bound>{_PER}?(?:最大|最小|最低|最長|最高|上限|下限|原則|約)?)満?"
_IS_JAPANESE = re.compile(rf"(?:{_OR}(?P<by>は)、?|が、?|[:=|]) *{_BOUND} *\Z")
# From what day or of what the number is counted: 申請期限は出張日の14日前, 精算期限は帰着後7日以内.
_IS_COUNTED = re.compile(rf"{_OR}(?P<by>は)、?(?P<bound>[^。、,;:()\n|はが]{{1,12}}(?:の|から|より|後))\Z")
_IS_ENGLISH = re.compile(
    r" (?:is|are|lasts?|takes?|costs?|(?:must|shall|will) be|expires? (?:after|in)|equals?|defaults? to)"
    r" (?P<bound>(?:(?:[a-z]+ed|kept|made|paid|sent|set) )?"
    r"(?:at (?:most|least)|up to|within|every|after|for|no more than|no less than|(?<=(?:ed|et) )(?:to|at)) )?\Z"
)
# In what case, and of what, a sentence says it: on Linux, the timeout is; 10 dollars for students, 50 usd per month.
_IN_CASE = re.compile(
    r"\b((?:if|when|where|for|in|on|at|during|with|without|after|before|under|unless|as|by|once|while|until|from)\b"
    r"[^.;:|]{0,100}),[^,.;:|]*\Z"
)
_LONGEST_CASE = 200
_OF_WHAT = re.compile(r"[^.,;:()|]{0,60}(?=[.,;:()|]|$)")
_PER_EACH = re.compile(r"^ ?(?:/|(?:per|an?|each|every)\b) ?")
_IS_ON = re.compile(rf"(?:{_OR}は、?|が、?|(?P<sign>[:=|])|\bis|\bon) *\Z")
_IS_OPEN = re.compile(rf"(?:{_OR}は、?|が、?| (?P<english>(?:is|are)(?: open)?(?: from)?)) *\Z")
_IS_ALL = re.compile(" ?(?:[.,;)(|]|$)")
_IS_STATED = re.compile(
    " ?(?:程度)?(?:で(?:す|ある|あり|した)|と(?:する|し|します|なる|なります|なって)|に(?:なる|なります)|だ)?"
    " ?(?:[。、)(|]|$)"
)
# What is done in the time, or with the sum, if that is only a verb: 3日以内に行う, 千円を支給する, 1年間保存する.
_IS_DONE = re.compile(
    r"(?:[にを]|で(?!あ)|(?=ごとに|毎に|[\u4e00-\u9fff]))(?P<verb>[^。、,;:()\n|をはが0-9]{1,16})(?:。|$)"
)

_LONGEST_JAPANESE, _LONGEST_ENGLISH, _LONGEST_PREDICATE = 40, 60, 30
_BARS_OF_TWO_COLUMNS = 3
_SUBJECT_JAPANESE = re.compile(rf"[^。、,;:()\n|]{{2,{_LONGEST_JAPANESE + 1}}}\Z")
_SUBJECT_ENGLISH = re.compile(rf"[a-z][a-z0-9 _'/-]{{2,{_LONGEST_ENGLISH}}}\Z")
_LEADING = re.compile(
    r"^(?:また|なお|ただし|この場合において|(?:and|but) |[ #*+>|-]|[0-9]+[.)] |[(]?[0-9一二三四五六七八九十]+[)]? "
    # The answer to a question that is asked often.
    r"|a[0-9]{0,3}[.)] ?)+"
)
_ARTICLE = re.compile(r"^(?:the|a|an|its|their|our|your) ")
_POINTS_ELSEWHERE = re.compile(
    f"(?:法?第{_DIGITS}+[条項号章節]|その|それ|この|これ|当該|同[項条号表法]|前[項条号]|次[のに]|各[号項]|本(?:規則|規程|規定|契約|約款|法|条|書|要領|細則)"
    "|[のをに]|から|まで|について|する|した)"
    r"|(?:if|when|where|unless|while|because|since|that|which|who|this|these|those|there|it|they|you|we|he|she|what)\b"
)
# 場合には, 者にあつては: a case, and not what has the quantity. Nor is a cell its name that is a number itself, or an
# ordinal.
_IS_NO_SUBJECT = re.compile(
    rf".*(?:[にでて]|場合|とき|こと)|[-+0-9.,%]+|{_NUMBER}[ -]?(?:{_UNITS})(?:{_LIMITS}|分|から.*)?|から.*"
    "|第.{1,5}[級号項類種]|.*[<>=].*"
    # Each section has one of its own.
    "|(?:(?:default|maximum|minimum|recommended|allowed) ?)*"
    "(?:value|limit|length|size|duration|time|number|amount|rate)?s?"
)
_ASCII_LETTER = re.compile(r"[a-z0-9_]")
_LONG_VOWEL = re.compile("(?<=[ァ-ヺー]{2})ー(?![ァ-ヺー])")

_SAME_UNIT = {
    **{f"{mark}月{between}": "月" for mark in "かヶケ箇カ" for between in ("", "間")},
    "年間": "年", "日間": "日", "分間": "分",
    "パーセント": "%", "percent": "%", "名": "人", "才": "歳",
    "dollar": "usd", "euro": "eur", "pound": "gbp", "yen": "円", "jpy": "円",
    "s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour", "ms": "ms",
}  # fmt: skip
_OF_OTHERS = {
    "千円": ("円", 1_000), "万円": ("円", 10_000), "億円": ("円", 100_000_000), "割": ("%", 10),
    "分": ("秒", 60), "時間": ("秒", 3_600), "日": ("秒", 86_400), "週間": ("秒", 604_800),
    "minute": ("second", 60), "hour": ("second", 3_600), "day": ("second", 86_400), "week": ("second", 604_800),
    "ms": ("second", 0.001),
}  # fmt: skip
_SECONDS_A_DAY = 86_400
_IN_DAYS = {"月": ("秒", 30.4), "年": ("秒", 365.25), "month": ("second", 30.4), "year": ("second", 365.25)}
_CALENDAR_YEARS_FROM = 1_000
_MYRIADS = re.compile(rf"({_FIGURE})([億万]?)")
_MYRIAD = {"": 1, "万": 10_000, "億": 100_000_000}


class Statement(NamedTuple):
    """A `subject` (normalised) has something from `least` to `most` of a `unit`; `limit` says whether that is a bound.

    A day has the unit `date` and the value yyyymmdd, a time from one hour to another that of `span_of`. Of months and
    years nobody knows how many days they have exactly; all other values are one number.
    """

    subject: str
    limit: str
    unit: str
    least: float
    most: float

    @property
    def quantity(self) -> tuple[str, str, str]:
        """What two statements agree in if they are about the same."""
        return self.subject, self.limit, self.unit

    def contradicts(self, other: "Statement") -> bool:
        """Whether two statements about the same cannot both hold."""
        return self.most < other.least or other.most < self.least


def read_statements(line: str) -> Iterator[Statement]:
    """The quantities that a normalised line states."""
    if _SIGN.search(line):
        line = _WITH_SIGN.sub(lambda signed: signed[2] + _SIGNS[signed[1]], line)
    if _MAY_STATE.search(line) is None:
        return
    end = 0
    for read in (_read_days, _read_times, _read_quantities):
        # Each goes on where the one before has ended.
        for found in read(line, end):
            statement, end = found
            yield statement


def _read_days(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """What is on which day, and where each of these statements ends. Nothing before `taken` counts, here and below."""
    for match in _DATE.finditer(line, taken):
        predicate = _IS_ON.search(line, max(taken, match.start() - _LONGEST_PREDICATE), match.start())
        subject = predicate and name_subject(line, taken, predicate.start())
        # Laws say from when on each part of them holds: 改正規定は、令和六年四月一日から施行する.
        if match["era"] and not _IS_STATED.match(line, match.end()):
            continue
        # What a front matter or a log says in Latin letters is about itself.
        if subject and not (predicate and predicate["sign"] and subject.isascii()) and (day := _day(match)):
            taken = match.end()
            yield Statement(subject, "", "date", day, day), taken


def _read_times(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """What is from which time of the day to which."""
    for match in CLOCK_SPAN.finditer(line, taken):
        predicate = _IS_OPEN.search(line, max(taken, match.start() - _LONGEST_PREDICATE), match.start())
        is_english = predicate is not None and predicate["english"] is not None
        if predicate is None or not (_IS_ALL if is_english else _IS_STATED).match(line, match.end()):
            continue
        subject, span = name_subject(line, taken, predicate.start(), is_english=is_english), span_of(match)
        if subject and span is not None:
            taken = match.end()
            yield Statement(subject, "", "time of day", span, span), taken


def _read_quantities(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """Of what there is how much."""
    for match in _QUANTITY.finditer(line, taken):
        unit, value = match["unit"], _value(match["number"])
        if value is None or (_ASCII_LETTER.match(line, match.end("unit")) and unit.isascii()):
            continue
        if said := _said_of(line, taken, match):
            taken = match.end()
            limit = "" if match["limit"] in (None, "以内", "まで") else match["limit"]
            yield Statement(said.subject, said.bound + limit, *_measure(value, unit)), taken


class _Said(NamedTuple):
    """`bound` is what the quantity depends on besides."""

    subject: str
    bound: str


def _said_of(line: str, start: int, number: re.Match[str]) -> _Said | None:
    """What a number is said of, if the sentence states it. Nothing before `start` counts."""
    return _said_in_japanese(line, start, number) or _said_in_english(line, start, number)


def _said_in_japanese(line: str, start: int, number: re.Match[str]) -> _Said | None:
    is_stated, done = _IS_STATED.match(line, number.end()), _IS_DONE.match(line, number.end())
    if number["gap"] == "-" or not (is_stated or done):
        return None
    for form in (_IS_JAPANESE, _IS_COUNTED):
        predicate = form.search(line, max(start, number.start() - _LONGEST_PREDICATE), number.start())
        if predicate is None or not (is_stated or predicate["by"]):
            continue
        # In a table of several columns it is their heads that say what the numbers are of.
        if "|" in predicate[0] and line.count("|") > _BARS_OF_TWO_COLUMNS:
            continue
        subject = name_subject(line, start, predicate.start())
        if subject and not _is_setting(subject, predicate[0], number):
            bound = _PER_WORD.sub("", predicate["bound"]).replace("一", "1")
            return _Said(subject, bound + ("" if is_stated or done is None else done["verb"]))
    return None


def _is_setting(subject: str, sign: str, number: re.Match[str]) -> bool:
    """Whether it is a line of some configuration (`scrape_interval: 15s`), which holds where that is in use."""
    return sign.strip() in (":", "=") and subject.isascii() and " " not in subject and not number["gap"]


def _said_in_english(line: str, start: int, number: re.Match[str]) -> _Said | None:
    predicate = _IS_ENGLISH.search(line, max(start, number.start() - _LONGEST_PREDICATE), number.start())
    subject = predicate and name_subject(line, start, predicate.start(), is_english=True)
    of_what = _OF_WHAT.match(line, number.end())
    if not (predicate and subject and of_what):
        return None
    case = _IN_CASE.search(line, max(start, predicate.start() - _LONGEST_CASE), predicate.start())
    bound = (case and case[1], predicate["bound"], _PER_EACH.sub("per ", of_what[0]))
    return _Said(subject, " ".join(part.strip() for part in bound if part and part.strip()))


def name_subject(line: str, start: int, end: int, *, is_english: bool = False) -> str | None:
    """The phrase that ends there, if it names something by itself. Nothing before `start` counts."""
    longest, phrase = (_LONGEST_ENGLISH, _SUBJECT_ENGLISH) if is_english else (_LONGEST_JAPANESE, _SUBJECT_JAPANESE)
    named = phrase.search(line, max(start, end - longest - 1), end)
    if named is None or len(named[0]) > longest:
        return None
    text = _LONG_VOWEL.sub("", _ARTICLE.sub("", _LEADING.sub("", named[0]).strip()))
    if len(text) < 2 or _POINTS_ELSEWHERE.match(text) or _IS_NO_SUBJECT.fullmatch(text):
        return None
    return text


def _day(date: re.Match[str]) -> int | None:
    """The day as yyyymmdd; `None` if a part of it is no number."""
    written = date["year"] or date["year_of_era"].replace("元", "1")
    year, month, day = map(parse_number, (written, date["month"], date["day"]))
    if year is None or month is None or day is None:
        return None
    return (_YEARS_BEFORE.get(date["era"], 0) + year) * 10_000 + month * 100 + day


def _value(number: str) -> float | None:
    if number[0].isascii():
        return sum(float(figure.replace(",", "")) * _MYRIAD[unit] for figure, unit in _MYRIADS.findall(number))
    return parse_kanji(number)


def _measure(value: float, unit: str) -> tuple[str, float, float]:
    """The unit in which such quantities are compared, and the least and most that the value is there."""
    if unit.isascii() and unit not in _SAME_UNIT:
        unit = unit.rstrip("s")
    unit = _SAME_UNIT.get(unit, unit)
    if unit in _IN_DAYS and value < _CALENDAR_YEARS_FROM:
        unit, days = _IN_DAYS[unit]
        about = 2 + 0.003 * value * days
        return unit, (value * days - about) * _SECONDS_A_DAY, (value * days + about) * _SECONDS_A_DAY
    unit, times = _OF_OTHERS.get(unit, (unit, 1))
    return unit, value * times, value * times
