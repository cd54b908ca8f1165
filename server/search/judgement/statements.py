"""Quantities that a text states of a subject, so that two texts can be seen to contradict. Pure.

A statement is read only where the words are plain: a noun phrase, a particle or a verb that equates, a number, a unit,
the end of the sentence. What a text supposes (金額が三十万円以下である場合) states nothing; what hangs on a condition
(…の場合は 30 日) has the condition in its subject, so that two cases of one rule do not contradict each other; and what
points elsewhere (その額, この規程の施行日, it) may mean another thing in another text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from morenashi.indexer.numerals import KANJI_NUMERALS, parse_number

from .clock_times import CLOCK_SPAN, MAY_BE_CLOCK, span_of
from .measures import DIGIT, LIMITS, NUMBER, QUANTITY, UNITS, measure

_DATE = re.compile(
    rf"(?<!{DIGIT})(?:(?P<era>令和|平成|昭和|大正|明治)(?P<year_of_era>元|{DIGIT}{{1,3}})|(?P<year>[0-9]{{4}}))"
    rf"(?:年|-|/)(?P<month>{DIGIT}{{1,2}})(?:月|-|/)(?P<day>{DIGIT}{{1,3}})(?!{DIGIT})日?"
)
# Of each day: begins with a class, which is what `re` looks for quickly.
_MAY_BE_DAY = re.compile(f"[0-9元{KANJI_NUMERALS}](?:年|[-/]){DIGIT}{{1,2}}(?:月|[-/])")
_YEARS_BEFORE = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
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
# The same in Japanese: 片道10km以上の場合、通勤手当は; words that only join a sentence to the one before are no case.
_CASE = re.compile(
    r"(?:^|[。;:|\n])(?:[ #*+>-]|[0-9]+[.)] |[(][0-9a-z一二三四五六七八九十]+[)])*([^。;:|\n]{1,100})[、,][^、,]*\Z"
)
_IS_NO_CASE = re.compile(
    "(?:また|なお|ただし|但し|さらに|したがって|従って|原則として|原則|通常|ここで|そのため|この場合(?:において)?|[、,])*"
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
    f"(?:法?第{DIGIT}+[条項号章節]|その|それ|この|これ|当該|同[項条号表法]|前[項条号]|次[のに]|各[号項]|本(?:規則|規程|規定|契約|約款|法|条|書|要領|細則)"
    "|[のをに]|から|まで|について|する|した)"
    r"|(?:if|when|where|unless|while|because|since|that|which|who|this|these|those|there|it|they|you|we|he|she|what)\b"
)
# 場合には, 者にあつては: a case, and not what has the quantity. Nor is a cell its name that is a number itself, or an
# ordinal.
_IS_NO_SUBJECT = re.compile(
    rf".*(?:[にでて]|場合|とき|こと)|[-+0-9.,%]+|(?:{NUMBER}[ -]?(?:{UNITS})(?:{LIMITS}|分|から.*)?[~-]?)+|から.*"
    "|第.{1,5}[級号項類種]|.*[<>=].*"
    # Each section has one of its own.
    "|(?:(?:default|maximum|minimum|recommended|allowed) ?)*"
    "(?:value|limit|length|size|duration|time|number|amount|rate)?s?"
)
_LONG_VOWEL = re.compile("(?<=[ァ-ヺー]{2})ー(?![ァ-ヺー])")


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
    """The quantities that a normalised line, spelt out, states."""
    end = 0
    for read in (_read_days, _read_times, _read_quantities):
        # Each goes on where the one before has ended.
        for found in read(line, end):
            statement, end = found
            yield statement


def _read_days(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """What is on which day, and where each of these statements ends. Nothing before `taken` counts, here and below."""
    for match in _DATE.finditer(line, taken) if _MAY_BE_DAY.search(line, taken) else ():
        predicate = _IS_ON.search(line, max(taken, match.start() - _LONGEST_PREDICATE), match.start())
        subject = predicate and name_subject(line, taken, predicate.start())
        # Laws say from when on each part of them holds: 改正規定は、令和六年四月一日から施行する.
        if match["era"] and not _IS_STATED.match(line, match.end()):
            continue
        # What a front matter or a log says in Latin letters is about itself.
        if predicate and subject and not (predicate["sign"] and subject.isascii()) and (day := _day(match)):
            case, taken = case_before(line, taken, predicate.start()), match.end()
            yield Statement(subject, case, "date", day, day), taken


def _read_times(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """What is from which time of the day to which."""
    for match in CLOCK_SPAN.finditer(line, taken) if MAY_BE_CLOCK.search(line, taken) else ():
        predicate = _IS_OPEN.search(line, max(taken, match.start() - _LONGEST_PREDICATE), match.start())
        is_english = predicate is not None and predicate["english"] is not None
        if predicate is None or not (_IS_ALL if is_english else _IS_STATED).match(line, match.end()):
            continue
        subject, span = name_subject(line, taken, predicate.start(), is_english=is_english), span_of(match)
        if subject and span is not None:
            case, taken = case_before(line, taken, predicate.start()), match.end()
            yield Statement(subject, case, "time of day", span, span), taken


def _read_quantities(line: str, taken: int) -> Iterator[tuple[Statement, int]]:
    """Of what there is how much."""
    for match in QUANTITY.finditer(line, taken):
        measured = measure(match)
        if measured and (said := _said_of(line, taken, match)):
            taken = match.end()
            limit = "" if match["limit"] in (None, "以内", "まで") else match["limit"].removesuffix("まで")
            yield Statement(said.subject, said.bound + limit, *measured), taken


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
            bound = case_before(line, start, predicate.start()) + _PER_WORD.sub("", predicate["bound"]).replace(
                "一", "1"
            )
            return _Said(subject, bound + ("" if is_stated or done is None else done["verb"]))
    return None


def case_before(line: str, start: int, end: int) -> str:
    """In what case a Japanese sentence says something of the subject that ends there; empty if in any."""
    case = _CASE.search(line, max(start, end - _LONGEST_CASE), end)
    return "" if case is None or _IS_NO_CASE.fullmatch(case[1]) else case[1]


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
