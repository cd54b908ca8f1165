"""What a sentence says of a value says also without it: keys expire after 90 days, so they expire. Pure.

So it contradicts one that denies that: keys never expire. What only holds from a value on (1万円以上は無料とする) says
nothing without.
"""

import re
from itertools import islice
from typing import NamedTuple

from .bounds import as_within
from .frequencies import FREQUENCY, may_say_how_often
from .measures import QUANTITY, Measure, is_calendar_year, may_measure, measure, spell_out
from .starts import start_before
from .suppositions import CONJUNCTIONS, SUPPOSES

# Of what there is so much each time, and how much at most.
_PER_ONE = re.compile("[1一](?:[回人名件日年泊枚個台]|か月|時間)(?:に?つき|[当あ]たり)、?")
_PER = re.compile("(?:[月年日]額|毎[月年日]|[年月週]に?)?(?:最[大長高低]|上限|約)?$")
# What goes with a value, and behind it nothing but what is done: not 3万円以上は, 5日以上で, 50人以上が, 10MBの.
_TAIL = re.compile(
    "(?>を(?:限度|上限)(?:として|に)|[前後]までに?|[前後]に|までに?|(?:ごと|毎|おき|以内)に?|以[上下]|間|を|に)?+"
    "(?P<done>(?!程|近|代|目|台|だ|で(?!き))[^はがのも、]{1,24})"
)
_SUPPOSES = re.compile(f"{SUPPOSES}|者は|[うくすつぬぶむる]と|未満")
# Behind the value of what a sentence only says how much it is.
_STATES = re.compile(
    "(?P<most>以[内下]|まで|を(?:上限|限度))?(?:間|以上)?(?:です|である|であります|と(?:する|します|なる|なります))?"
)
# And before it.
_TOPIC = re.compile("(?P<name>.{2,})は、?")
_LIMITS = ("期限", "上限", "限度", "制限", "下限")
_SUPPOSES_IN_ENGLISH = re.compile(rf"\b(?:{CONJUNCTIONS}|until|who|which|that)\b|[,:]")
_BEFORE = re.compile(
    r" (?:within|every|after|for|in|to|up to|at least|at most|(?:no|not) (?:more|less|later) than)"
    "(?: (?:up to|at least))? $"
)
_BEHIND = re.compile(r"(?: (?:of|from|after|per|or)\b[a-z' -]{1,60})?")
_LONGEST_BEFORE = 24


class _Value(NamedTuple):
    number: re.Match[str]
    measure: Measure


def without_value(sentence: str) -> str | None:
    """A normalised sentence without its one value; `None` if it has none, or says nothing without."""
    sentence = spell_out(sentence)
    if not may_measure(sentence) and not may_say_how_often(sentence):
        return None
    return _english_without(sentence) if sentence.isascii() else _japanese_without(sentence)


def _japanese_without(sentence: str) -> str | None:
    sentence = _PER_ONE.sub("", as_within(sentence))
    found = None if _SUPPOSES.search(sentence) else _only_value(sentence)
    # 一部 and 十分 are no values, and what costs nothing has no price.
    if found is None or not found.number[0][0].isascii() or is_calendar_year(found.number) or not found.measure.most:
        return None
    before, behind = sentence[: found.number.start()], sentence[found.number.end("unit") :]
    before = before[: start_before(before, found.measure)]
    if per := _PER.search(before, max(len(before) - _LONGEST_BEFORE, 0)):
        before = before[: per.start()]
    if states := _STATES.fullmatch(behind):
        return _that_there_is(before, is_limit=states["most"] is not None)
    tail = _TAIL.fullmatch(behind) if "は" in before else None
    return before + tail["done"] if tail else None


def _that_there_is(before: str, *, is_limit: bool) -> str | None:
    """Of 入会金は500円です, that there is one: 入会金はあります; of what is so much at most, that it has a limit."""
    named = _TOPIC.fullmatch(before)
    limit = "の上限" if is_limit and named and not named["name"].endswith(_LIMITS) else ""
    return f"{named['name']}{limit}はあります" if named else None


def _english_without(sentence: str) -> str | None:
    if _SUPPOSES_IN_ENGLISH.search(sentence):
        return None
    if often := FREQUENCY.search(sentence, 1):
        begin, end = often.start() - 1, often.end()
    else:
        number = found.number if (found := _only_value(sentence)) else None
        before = number and _BEFORE.search(sentence, max(number.start() - _LONGEST_BEFORE, 0), number.start())
        if not number or not before:
            return None
        begin, end = before.start(), number.end()
    return sentence[:begin] if _BEHIND.fullmatch(sentence, end) else None


def _only_value(sentence: str) -> _Value | None:
    """Its number with a unit, if it has one alone."""
    found = list(islice(QUANTITY.finditer(sentence), 2))
    measured = measure(found[0]) if len(found) == 1 else None
    return _Value(found[0], measured) if measured else None
