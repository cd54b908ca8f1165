"""Sentences that are alike but for a value, so that two texts can be seen to contradict. Pure.

What such a sentence is about need not be understood: all its other words are the same, the case that it holds in
included. What a number is supposed to be (30秒である場合) states nothing, unless it is from where on a rule holds
(10万円以上の場合): two rules that are the same in all else set two limits.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from morenashi.indexer.numerals import DIGIT
from morenashi.server.search.question.clock_times import BEHIND_HOUR, CLOCK_TIME, time_of

from .measures import BEHIND_BARE_NUMBER, QUANTITY, is_calendar_year, measure
from .sentences import stands_alone, topic_of
from .subjects import BARE_DEFAULTS
from .suppositions import CONJUNCTIONS, NUMBERED, SUPPOSES, UNTIL
from .weekdays import WEEKDAY, may_be_weekday, weekday_of
from .wording import bare, by_sound, plain

_GAP = "\0"
# 18歳以上であれば, 10日を超えるときは, 二十万円以下の罰金; the number of a year of an era.
# Not 業者に通知する.
_IS_SUPPOSED = re.compile(
    rf"[^。、,]{{0,12}}?(?:{SUPPOSES}|以[下上内]の|未満の|(?<=[ぁ-ん])者)|[^。、,にをでとへ]{{0,12}}者"
)
# From where on or until where: 10万円以上, 10万円を超える, over $500.
_IS_LIMIT = re.compile("(?:以[上下]|未満|超|を(?:超え|上回|下回))")
_IS_LIMIT_IN_ENGLISH = re.compile(
    r"\b(?:over|above|exceeds?|exceeding|(?:more|less|fewer|greater|longer) than|under|below|at least) \Z"
)
# Behind it a case that does not say of what: 10日を超えるときは.
_IS_OF_ANY_THING = re.compile("(?:る|た|の|である|となる)?(?:とき|場合|際|時|者|もの)")
# And a rule, not the case alone: the sentence goes on to say of something what is so.
_GOES_ON = re.compile("[はがもをに]")
_ENDS_A_RULE = re.compile("(?:[うくすつぬぶむるいただ]|必要|不要|可|禁止)$")
_NAMES_BEFORE = re.compile(f"[^{_GAP}]*(?:[はが]|[a-z] )")
_SUPPOSES = re.compile(rf"\b(?:(?:{CONJUNCTIONS}|for those)\b|{UNTIL})[^,]*\Z|{NUMBERED}")
# At -20 °C.
_MINUS = (" -", "は-", "が-")
_JAPANESE = re.compile("[ぁ-ん]")
_WORD = re.compile("[a-z][a-z'-]*")
_FEWEST_CHARACTERS, _FEWEST_WORDS = 6, 4
# Each page has a default of its own.
_IS_ANY_DEFAULT = re.compile(rf"{BARE_DEFAULTS}[はが:]、? ?[^。、{_GAP}]{{0,4}}{_GAP}")
_SAYS_LITTLE = frozenset(
    "a an the is are be of to in on at by and or for with from must may can shall will should up not least most no more"
    " less than default maximum minimum recommended allowed value limit length size duration time number amount rate"
    " within after every per you we".split()
)
_DAY_OR_TIME = re.compile(
    rf"(?<![0-9年])(?P<month>1[0-2]|[1-9])月(?P<day>3[01]|[12][0-9]|[1-9])日"
    rf"|--(?P<english_month>[0-9]{{2}})-(?P<english_day>[0-9]{{2}})|{CLOCK_TIME.pattern}"
)
# Begins with a class: that is what `re` looks for quickly.
_MAY_BE_DAY_OR_TIME = re.compile(f"{DIGIT}(?:月[0-9]|-[0-9]|{BEHIND_HOUR})")
_BARE_NUMBER = re.compile(
    rf"(?<![0-9a-z.,:/#_-])(?P<number>[0-9]{{1,9}}(?:\.[0-9]{{1,6}}){{0,3}})(?={BEHIND_BARE_NUMBER})"
)
_SAYS_OF_NUMBER = re.compile(r"[はが]、? ?\Z| (?:is|are|to|equals|port) \Z")
_IS_BOUND = re.compile(r" ?(?:以上|以降|以後|以下)| or |\+")
_NEXT_PART = 1_000.0
_HAS_YEAR = re.compile("(?:年|年度)[^。]{0,3}[0-9]{1,2}月|施行|[0-9]{4}年")


class Alike(NamedTuple):
    """`rest` is all that a sentence says but for its values, each from `least` to `most`. What it is about is its
    `topic`, as far as it says.
    """

    rest: str
    topic: str
    least: tuple[float, ...]
    most: tuple[float, ...]

    def contradicts(self, other: "Alike") -> bool:
        """Whether two sentences with the same rest cannot both hold."""
        return any(most < least for most, least in zip(self.most, other.least, strict=True)) or any(
            most < least for most, least in zip(other.most, self.least, strict=True)
        )


def read_values(parted: Iterable[str]) -> Iterator[Alike]:
    """What the sentences of a normalised line, spelt out, say of numbers with a unit, or of days of the year and times
    of the day.
    """
    for sentence in parted:
        if _MAY_BE_DAY_OR_TIME.search(sentence) and _DAY_OR_TIME.search(sentence):
            yield from _read_days_and_times(sentence)
        elif may_be_weekday(sentence) and WEEKDAY.search(sentence) and not QUANTITY.search(WEEKDAY.sub("", sentence)):
            yield from _read_weekdays(sentence)
        else:
            yield from _read_quantities(sentence)
            yield from _read_bare_number(sentence)


def _read_days_and_times(sentence: str) -> Iterator[Alike]:
    """All of them together: from 1月10日 to 1月20日."""
    rest = _DAY_OR_TIME.sub(_GAP, sentence)
    moments = list(map(_moment, _DAY_OR_TIME.finditer(sentence)))
    values = tuple(moment for moment in moments if moment is not None)
    if len(values) < len(moments) or _HAS_YEAR.search(sentence) or QUANTITY.search(rest):
        return
    if says_enough(rest) and stands_alone(sentence):
        yield Alike(in_one_form(rest), topic_of(sentence), values, values)


def _read_weekdays(sentence: str) -> Iterator[Alike]:
    """All of them together: on the first and third Monday. A sentence that begins with one may hold of others too."""
    rest = WEEKDAY.sub(_GAP, sentence)
    if _NAMES_BEFORE.match(rest) and says_enough(rest) and stands_alone(sentence):
        # In whatever order they are listed.
        values = tuple(sorted(map(weekday_of, WEEKDAY.finditer(sentence))))
        yield Alike(in_one_form(rest), topic_of(sentence), values, values)


def _read_quantities(sentence: str) -> Iterator[Alike]:
    """One at a time: what the others say is part of the case."""
    for number in QUANTITY.finditer(sentence):
        before, after = sentence[: number.start()], sentence[number.end() :]
        measured = None if _is_of_an_item(number) else measure(number)
        if measured and before.endswith(_MINUS):
            before = before[:-1]
            measured = measured._replace(least=-measured.most, most=-measured.least)
        if not measured or is_calendar_year(number) or not says_enough(f"{before}{_GAP}{after}"):
            continue
        behind = (number["limit"] or "") + after
        is_supposed = _IS_SUPPOSED.match(behind) or _SUPPOSES.search(before)
        if is_supposed and not _sets_a_limit(before, behind, is_supposed):
            continue
        if not stands_alone(sentence):
            return
        rest = f"{before}{_GAP}{measured.unit}{behind}"
        # What a rule is about that holds from a limit on, the headings may say.
        topic = "" if is_supposed else topic_of(sentence)
        yield Alike(in_one_form(rest), topic, (measured.least,), (measured.most,))


def _sets_a_limit(before: str, behind: str, supposed: re.Match[str]) -> bool:
    """Whether what a number is supposed to be is from where on a rule holds, or until where."""
    if behind.isascii():
        return "," in behind and _IS_LIMIT_IN_ENGLISH.search(before) is not None
    limit = _IS_LIMIT.match(behind) if supposed.string == behind else None
    if limit is None or not (before or not _IS_OF_ANY_THING.match(behind, limit.end())):
        return False
    return _GOES_ON.search(behind, supposed.end()) is not None and _ENDS_A_RULE.search(behind[-2:]) is not None


def _is_of_an_item(number: re.Match[str]) -> bool:
    """Whether a sentence begins with it as an item does, and what follows is no unit: 八 人格のない社団, 2 回線は."""
    is_apart = number.start() == 0 and number["gap"] == " " and not number["unit"].isascii()
    return is_apart and not number["limit"]


def _read_bare_number(sentence: str) -> Iterator[Alike]:
    """The one number of a sentence that has no unit: ポート番号は8080です, requires Python 3.10 or later."""
    found = list(islice(_BARE_NUMBER.finditer(sentence), 2))
    if len(found) != 1 or QUANTITY.search(sentence):
        return
    before, after = sentence[: found[0].start()], sentence[found[0].end() :]
    if not _SAYS_OF_NUMBER.search(before) and not _IS_BOUND.match(after):
        return
    is_supposed = _IS_SUPPOSED.match(after) or _SUPPOSES.search(before)
    if not is_supposed and says_enough(f"{before}{_GAP}{after}") and stands_alone(sentence):
        # Each part of a version counts for itself: 3.10 is later than 3.9.
        parts = [int(part) for part in found[0]["number"].split(".")]
        value = float(sum(part * _NEXT_PART**-place for place, part in enumerate(parts)))
        yield Alike(in_one_form(f"{before}{_GAP}{after}"), topic_of(sentence), (value,), (value,))


def in_one_form(rest: str) -> str:
    """All that a sentence says but for its values, however it is put."""
    if rest.isascii():
        return rest
    before, gap, after = rest.rpartition(_GAP)
    return f"{bare(before)}{gap}{by_sound(bare(plain(after)))}"


def _moment(match: re.Match[str]) -> int | None:
    """A day as month and day, a time as `time_of` has it; `None` if it is neither."""
    month, day = match["month"] or match["english_month"], match["day"] or match["english_day"]
    return int(month) * 100 + int(day) if month else time_of(match)


def says_enough(rest: str) -> bool:
    """Whether all that a sentence says but for its values is enough to be about one thing only."""
    if _JAPANESE.search(rest):
        is_long = len(rest.replace(_GAP, "")) >= _FEWEST_CHARACTERS
        return is_long and ":" not in rest and not _IS_ANY_DEFAULT.match(rest)
    words = _WORD.findall(rest)
    return len(words) >= _FEWEST_WORDS and not _SAYS_LITTLE.issuperset(words)
