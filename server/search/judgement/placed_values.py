"""The values of a sentence, each by its place: numbers with a unit, times of the day, days of the week, and how often
something is done. Pure.
"""

import re
from typing import NamedTuple

from morenashi.server.search.question.clock_times import CLOCK_TIME, MAY_BE_CLOCK, time_of

from .bounds import bound_of
from .frequencies import FREQUENCY, frequency_of, frequency_of_period, frequency_with_gaps, may_say_how_often
from .measures import QUANTITY, Measure, is_calendar_year, measure
from .weekdays import WEEKDAY, may_be_weekday, weekday_of

# What makes another value of the same number: 3日前まで, 9時から. And what is done every so often.
_MARKER = re.compile(" ?(から|より|以降|以後|前|後|目|まで)")
_EACH, _EVERY = re.compile(" ?(?:ごと|毎|おき)"), "every "
_SINCE = ("より", "以降", "以後")


class PlacedValue(NamedTuple):
    """A value by its place, with what belongs to it up to `end`; the number and its unit end at `number_end`."""

    begin: int
    end: int
    number_end: int
    marker: str
    measure: Measure

    @property
    def kind(self) -> str:
        """What two agree in that may be compared."""
        return f"{self.marker} {self.measure.unit}"


def read_placed(sentence: str) -> list[PlacedValue]:
    """The values of a normalised sentence, spelt out, in their order; how often something is done, if there is no
    other.
    """
    found: list[PlacedValue] = []
    if MAY_BE_CLOCK.search(sentence):
        times = ((match, time_of(match)) for match in CLOCK_TIME.finditer(sentence))
        found += [_placed(match, Measure("time", time, time)) for match, time in times if time is not None]
    if may_be_weekday(sentence):
        days = ((match, weekday_of(match)) for match in WEEKDAY.finditer(sentence))
        found += [_placed(match, Measure("weekday", day, day)) for match, day in days]
    frequencies = FREQUENCY.finditer(sentence) if may_say_how_often(sentence) else ()
    often = [_placed(match, frequency_of(match)) for match in frequencies]
    for match in QUANTITY.finditer(sentence):
        if not is_calendar_year(match) and not any(_overlap(match, value) for value in (*found, *often)):
            measured = measure(match)
            found += [_counted(match, measured)] if measured else []
    return sorted(found or often)


def _overlap(match: re.Match[str], value: PlacedValue) -> bool:
    return value.begin < match.end() and match.start() < value.end


def _placed(match: re.Match[str], measured: Measure) -> PlacedValue:
    marker = _MARKER.match(match.string, match.end())
    end = marker.end() if marker else match.end()
    return PlacedValue(match.start(), end, match.end(), _marked(marker), measured)


def _marked(marker: re.Match[str] | None) -> str:
    return "" if marker is None else "から" if marker[1] in _SINCE else marker[1]


def _counted(match: re.Match[str], measured: Measure) -> PlacedValue:
    """A number with its unit, or how often that makes it: every 3 months."""
    start = match.start()
    each, is_every = _EACH.match(match.string, match.end()), match.string.endswith(_EVERY, 0, start)
    times_of = frequency_with_gaps if each and each[0].endswith("おき") else frequency_of_period
    often = times_of(measured) if each or is_every else None
    if often:
        return PlacedValue(start, each.end() if each else match.end(), match.end(), "", often)
    limit = match["limit"] or ""
    bound, placed = bound_of(limit), _placed(match, measured)
    marker = ("" if bound else limit.removesuffix("まで")) + placed.marker
    return placed._replace(number_end=match.end("unit"), marker=marker, measure=measured._replace(bound=bound))
