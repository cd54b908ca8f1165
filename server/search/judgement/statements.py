"""Quantities that a text states of a subject, so that two texts can be seen to contradict. Pure.

A statement is read only where the words are plain: a noun phrase, a particle or a verb that equates, a number, a unit,
the end of the sentence. What a text supposes (金額が三十万円以下である場合) states nothing; what hangs on a condition
(…の場合は 30 日) has the condition in its subject, so that two cases of one rule do not contradict each other; and what
points elsewhere (その額, この規程の施行日, it) may mean another thing in another text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from morenashi.indexer.numerals import DIGIT, ERA, KANJI_NUMERALS, parse_number
from morenashi.server.search.question.clock_times import CLOCK_SPAN, CLOCK_TIME, MAY_BE_CLOCK, span_of, time_of
from morenashi.server.search.question.years import year_of

from .bounds import bound_of
from .measures import QUANTITY, Measure, measure
from .said_of import IS_STATED, LONGEST_PREDICATE, NO_OR, said_of
from .subjects import case_before, name_subject
from .weekdays import WEEKDAY, may_be_weekday, weekday_of

_DATE = re.compile(
    rf"(?:(?P<era>{ERA})(?P<year_of_era>元|{DIGIT}{{1,3}})|(?P<year>[0-9]{{4}}))"
    rf"(?:年|-|/)(?P<month>{DIGIT}{{1,2}})(?:月|-|/)(?P<day>{DIGIT}{{1,3}})(?!{DIGIT})日?"
)
# Of each day: begins with a class, which is what `re` looks for quickly.
_MAY_BE_DAY = re.compile(f"[0-9元{KANJI_NUMERALS}](?:年|[-/]){DIGIT}{{1,2}}(?:月|[-/])")
_IS_ON = re.compile(rf"(?:{NO_OR}は、?|が、?|(?P<sign>[:=|])|\bis|\bon) *\Z")
_IS_OPEN = re.compile(rf"(?:{NO_OR}は、?|が、?| (?P<english>(?:is|are)(?: open)?(?: from)?)) *\Z")
_IS_AT = re.compile(rf"{NO_OR}(?:は、?|が、?) *\Z")
_IS_ON_WEEKDAY = re.compile(rf"{NO_OR}(?:は、?|が、?|:) *(?:毎月の?|各月の?)?\Z")
_UNTIL = re.compile("まで|から")
_IS_DONE_ON = re.compile(r"([^。、,;:()\n|.]{0,20})(?:[。(|.]|$)")
# 設立は1995年(平成7年)、but 当社は1995年(平成7年)に、: what has been done then.
_MAY_BE_WHEN = (" (", "(", "、")
_IS_A_TIME = re.compile(
    "(?:日|日程|日時|期限|期日|締切り?|締め切り|時期|年|月|予定|設立|創業|創立|発足|竣工|施行|発行|改[定正]|更新|開始|終了|開催)$"
)
_IS_ALL = re.compile(" ?(?:[.,;)(|]|$)")

Quantity = tuple[str, str, str]
"""A subject, the case in which it has so much, and the unit."""


class Statement(NamedTuple):
    """A `subject` (normalised) has so much of something in a case, `limit`; `name` is what the text calls it if that
    says more.

    A day has the unit `date` and the value yyyymmdd, one of a week or month that of `weekday_of`, a time that of
    `time_of`, and one from one hour to another that of `span_of`.
    """

    subject: str
    limit: str
    measure: Measure
    name: str = ""

    @property
    def quantity(self) -> Quantity:
        """What two statements agree in if they are about the same."""
        return self.subject, self.limit, self.measure.unit


def read_statements(line: str) -> Iterator[Statement]:
    """The quantities that a normalised line, spelt out, states."""
    end = 0
    times = (_read_spans, _read_times) if MAY_BE_CLOCK.search(line) else ()
    for read in (_read_days, _read_weekdays, *times, _read_quantities):
        # Each goes on where the one before has ended.
        for found in read(line, end):
            statement, end = found
            yield statement


def _read_days(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """What is on which day, and where each of these statements ends. Nothing before `taken` counts, here and below."""
    for match in _DATE.finditer(line, taken) if _MAY_BE_DAY.search(line, taken) else ():
        predicate = _IS_ON.search(line, max(taken, match.start() - LONGEST_PREDICATE), match.start())
        subject = predicate and name_subject(line, taken, predicate.start())
        done = "" if IS_STATED.match(line, match.end()) else _done_on(line, match)
        # What a front matter or a log says in Latin letters is about itself.
        if predicate is None or not subject or (predicate["sign"] and subject.isascii()) or done is None:
            continue
        if _says_when(line, match.end(), subject):
            continue
        if day := _day(match):
            case, taken = case_before(line, taken, predicate.start()), match.end()
            yield Statement(subject, case + done, Measure("date", day, day)), taken


def _read_weekdays(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """What is on which day of a week or month."""
    for match in WEEKDAY.finditer(line, taken) if may_be_weekday(line) else ():
        predicate = _IS_ON_WEEKDAY.search(line, max(taken, match.start() - LONGEST_PREDICATE), match.start())
        subject = predicate and name_subject(line, taken, predicate.start())
        stated = IS_STATED.match(line, match.end())
        # 土曜日、日曜日及び祝日とする: not that day alone.
        if predicate and subject and stated and "、" not in stated[0]:
            case, taken, day = case_before(line, taken, predicate.start()), match.end(), weekday_of(match)
            yield Statement(subject, case, Measure("weekday", day, day)), taken


def _read_spans(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """What is from which time of the day to which."""
    for match in CLOCK_SPAN.finditer(line, taken):
        predicate = _IS_OPEN.search(line, max(taken, match.start() - LONGEST_PREDICATE), match.start())
        is_english = predicate is not None and predicate["english"] is not None
        if predicate is None or not (_IS_ALL if is_english else IS_STATED).match(line, match.end()):
            continue
        subject, span = name_subject(line, taken, predicate.start(), is_english=is_english), span_of(match)
        if subject and span is not None:
            case, taken = case_before(line, taken, predicate.start()), match.end()
            yield Statement(subject, case, Measure("time of day", span, span)), taken


def _read_times(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """What is at which time of the day, or until or from it."""
    for match in CLOCK_TIME.finditer(line, taken):
        predicate = _IS_AT.search(line, max(taken, match.start() - LONGEST_PREDICATE), match.start())
        subject = predicate and name_subject(line, taken, predicate.start())
        until = _UNTIL.match(line, match.end())
        time = time_of(match)
        if predicate and subject and time is not None and IS_STATED.match(line, until.end() if until else match.end()):
            case, taken = case_before(line, taken, predicate.start()), match.end()
            yield Statement(subject, case + (until[0] if until else ""), Measure("time", time, time)), taken


def _read_quantities(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """How much there is of what, or how long something takes."""
    for match in QUANTITY.finditer(line, taken):
        measured = measure(match)
        if measured and (said := said_of(line, taken, match)):
            # All other years are days.
            if measured.unit == "年" and _says_when(line, match.end(), said.subject):
                continue
            taken = match.end()
            limit = "" if bound_of(match["limit"] or "") else (match["limit"] or "").removesuffix("まで")
            yield Statement(said.subject, said.case + limit, measured._replace(bound=said.bound), said.name), taken


def _says_when(line: str, end: int, subject: str) -> bool:
    """Whether a day or year that ends there says when something was done: 王は1830年8月18日、長男として生まれた."""
    stated = IS_STATED.match(line, end)
    return stated is not None and stated[0] in _MAY_BE_WHEN and not (subject.isascii() or _IS_A_TIME.search(subject))


def _done_on(line: str, date: re.Match[str]) -> str | None:
    """What the rest of the sentence says is done on a day: までとする, に開催する; `None` if that is not all."""
    # Laws say from when on each part of them holds: 改正規定は、令和六年四月一日から施行する.
    if date["era"]:
        return None
    done = _IS_DONE_ON.match(line, date.end())
    return done and done[1]


def _day(date: re.Match[str]) -> int | None:
    """The day as yyyymmdd; `None` if a part of it is no number."""
    year = year_of(date["era"], date["year_of_era"] or date["year"])
    month, day = map(parse_number, (date["month"], date["day"]))
    if year is None or month is None or day is None:
        return None
    return year * 10_000 + month * 100 + day
