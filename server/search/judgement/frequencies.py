"""How often something is done: 毎日, 週1回, 6か月ごと, daily, every 3 months, twice a year. Pure."""

import re

from morenashi.server.search.question.counting_marks import MARKS

from .bounds import Bound
from .measures import Measure

_YEAR = 365.25
_ADVERBS = {
    "daily": 1.0, "nightly": 1.0, "weekly": 7.0,
    "monthly": _YEAR / 12, "quarterly": _YEAR / 4, "yearly": _YEAR, "annually": _YEAR,
}  # fmt: skip
_DAYS = {
    "日": 1.0, "週": 7.0, "月": _YEAR / 12, "四半期": _YEAR / 4, "半年": _YEAR / 2, "年": _YEAR,
    "day": 1.0, "night": 1.0, "week": 7.0, "month": _YEAR / 12, "year": _YEAR, **_ADVERBS,
}  # fmt: skip
_TIMES = {"once": 1, "twice": 2}
# A group without a name is of `_DAYS`: each form has one.
_EACH = "(day|night|week|month|year)"
FREQUENCY = re.compile(
    f"(?P<periods>[1-9][0-9]?)(?:([日週年])|[{MARKS}](月))間?に[一1][回度]"
    "|(四半期|半年)(?:ごと|毎|に[一1][回度])|(?P<every_other>隔)([日週月年])"
    "|毎([日週月年])(?!度?[1-9])"
    f"|(?:毎|1[{MARKS}]?)?([日週月年])間?に?(?P<times>[1-9][0-9]?(?=回)|[1-3](?=度))[回度](?![以ま目]|を?限)"
    rf"|\b({'|'.join(_ADVERBS)})\b"
    rf"|\bonce every (?P<english_periods>[1-9][0-9]?) {_EACH}s\b"
    rf"|\bevery {_EACH}\b"
    rf"|\b(?P<english_times>once|twice) (?:a|per|every|each) {_EACH}\b"
)
_TOLERANCE, _UNIT, _SECONDS_A_DAY = 0.03, "from one time to the next", 86_400
_TURNED: dict[Bound, Bound] = {"most": "least", "least": "most", "": ""}
_MAY = ("毎", "回", "度", "四半期", "半年", "隔", *_ADVERBS, "every ", *_TIMES)


def may_say_how_often(text: str) -> bool:
    """Whether it is worth looking for one."""
    return any(map(text.__contains__, _MAY))


def frequency_of(match: re.Match[str]) -> Measure:
    """The days from one time to the next."""
    days = next(_DAYS[word] for word in match.groups() if word in _DAYS)
    periods = 2 if match["every_other"] else int(match["periods"] or match["english_periods"] or 1)
    times = int(match["times"] or _TIMES.get(match["english_times"], 1))
    return _once_in(days * periods / times)


def frequency_of_period(period: Measure) -> Measure | None:
    """The same of what is done once in a time; `None` if it is no time."""
    return _once_in(_days_of(period)) if period.is_time else None


def frequency_with_gaps(period: Measure) -> Measure | None:
    """The same of what is done with such times between: 1日おき is every second day, 3日おき every third or fourth."""
    days = round(_days_of(period))
    often = frequency_of_period(period)
    if often is None or not days:
        return often
    return _once_in(2 * days) if days in (1, 7) else often._replace(most=_once_in(days + 1).most)


def _days_of(period: Measure) -> float:
    return (period.least + period.most) / 2 / _SECONDS_A_DAY


def bound_of_frequency(bound: Bound) -> Bound:
    """At least weekly is a week at most from one time to the next."""
    return _TURNED[bound]


def is_frequency(measured: Measure) -> bool:
    """Whether it is one of these."""
    return measured.unit == _UNIT


def _once_in(days: float) -> Measure:
    return Measure(_UNIT, days * (1 - _TOLERANCE), days * (1 + _TOLERANCE))
