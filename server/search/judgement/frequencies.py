"""How often something is done: 毎日, 週1回, 6か月ごと, daily, every 3 months, twice a year. Pure."""

import re

from morenashi.server.search.question.counting_marks import MARKS

from .bounds import Bound
from .measures import Measure

_DAYS = {
    "日": 1.0, "週": 7.0, "月": 30.44, "年": 365.25,
    "day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25,
}  # fmt: skip
_ADVERBS = {"daily": 1.0, "weekly": 7.0, "monthly": 30.44, "quarterly": 91.3, "yearly": 365.25, "annually": 365.25}
_TIMES = {"once": 1, "twice": 2}
FREQUENCY = re.compile(
    f"(?P<once>[1-9][0-9]?)(?P<span>日|週|[{MARKS}]月|年)間?に[一1][回度]"
    "|(?:四半期(?P<quarter>)|半年(?P<half>))(?:ごと|毎|に[一1][回度])|隔(?P<other>[日週月年])"
    "|毎(?P<each>[日週月年])(?!度?[1-9月火水木金土])"
    f"|(?:毎|1[{MARKS}]?)?(?P<per>[日週月年])間?に?(?:(?P<times>[1-9][0-9]?)回|(?P<few>[1-3])度)(?![以ま目]|を?限)"
    rf"|\b(?P<adverb>{'|'.join(_ADVERBS)})\b"
    r"|\bonce every (?P<every_other>[1-9][0-9]?) (?P<spans>day|week|month|year)s\b"
    r"|\bevery (?P<every>day|week|month|year)\b"
    r"|\b(?P<english_times>once|twice) (?:a|per|every|each) (?P<english_per>day|week|month|year)\b"
)
_TOLERANCE, _UNIT, _SECONDS_A_DAY = 0.03, "from one time to the next", 86_400
# So many days stand between, as a rule, with おき; of more, nobody counts from which day on.
_GAPS = range(1, 8)
_TURNED: dict[Bound, Bound] = {"most": "least", "least": "most", "": ""}
_MAY = ("毎", "回", "度", "四半期", "半年", "隔", *_ADVERBS, "every ", *_TIMES)


def may_say_how_often(text: str) -> bool:
    """Whether it is worth looking for one."""
    return any(map(text.__contains__, _MAY))


def frequency_of(match: re.Match[str]) -> Measure:
    """The days from one time to the next."""
    if match["quarter"] is not None:
        days = _ADVERBS["quarterly"]
    elif match["half"] is not None:
        days = _DAYS["年"] / 2
    elif match["other"]:
        days = 2 * _DAYS[match["other"]]
    elif match["every_other"]:
        days = int(match["every_other"]) * _DAYS[match["spans"]]
    elif match["once"]:
        days = int(match["once"]) * _DAYS[match["span"][-1]]
    elif match["each"]:
        days = _DAYS[match["each"]]
    elif match["per"]:
        days = _DAYS[match["per"]] / int(match["times"] or match["few"])
    elif match["adverb"]:
        days = _ADVERBS[match["adverb"]]
    elif match["every"]:
        days = _DAYS[match["every"]]
    else:
        days = _DAYS[match["english_per"]] / _TIMES[match["english_times"]]
    return _once_in(days)


def frequency_of_period(period: Measure) -> Measure | None:
    """The same of what is done once in a time; `None` if it is no time."""
    return _once_in(_days_of(period)) if period.is_time else None


def frequency_with_gaps(period: Measure) -> Measure | None:
    """The same of what is done with such times between: 1日おき is every second day, 3日おき every third or fourth."""
    days = round(_days_of(period))
    often = frequency_of_period(period)
    if often is None or days not in _GAPS:
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
