"""Times of the day, and from one to another: 8時30分, 9時から18時, 午前九時〜午後5時半, 9:00-17:30, 9 am to 5 pm.

Pure.
"""

import re

from morenashi.indexer.numerals import parse_number

_KANJI = "〇一二三四五六七八九十"
_DIGIT = f"[0-9{_KANJI}]"
_HOUR = f"2[0-4]|1[0-9]|0?[0-9]|[{_KANJI}]{{1,3}}"
_HOURS_LATER = {"午後": 12, "pm": 12}
_MINUTES_A_DAY = 24 * 60
_HALF_A_DAY = 12 * 60
_POINTS = re.compile(r"([ap])\.m\.?$")
# As the British write it.
_POINT_IN_TIME = re.compile("(?<=[0-9])[.](?=[0-5][0-9] ?[ap]m$)")


def _time(name: str) -> str:
    """An expression for a time of the day, its groups under this name."""
    minutes = rf"時(?:(?P<{name}_minute>{_DIGIT}{{1,3}})分|(?P<{name}_and_half>半))?|:(?P<{name}_digits>[0-5][0-9])"
    return (
        rf"(?P<{name}_half>午前|午後)?(?P<{name}_hour>{_HOUR})(?:{minutes}|(?= ?[ap]m\b))"
        rf"(?: ?(?P<{name}_m>[ap]m)\b)?"
    )


# Not in the middle of a number.
CLOCK_SPAN = re.compile(
    rf"(?=[0-9{_KANJI}午])(?<!{_DIGIT})(?<!:){_time('from')} ?(?:から|[-~]|to|until) ?{_time('to')}(?:まで)?"
)
"""A span of time, in normalised text; `span_of` tells from when to when."""
# 一時停止 is none.
CLOCK_TIME = re.compile(rf"(?=[0-9{_KANJI}午])(?<!{_DIGIT})(?<!:)(?!一時(?!半|{_DIGIT})){_time('at')}(?!間)(?![0-9:])")
"""One time of the day, in normalised text; `time_of` tells which."""
BEHIND_HOUR = r"時(?!間)|:[0-5]| ?[ap]m\b"
"""What stands behind an hour: no time is without it."""
MAY_BE_CLOCK = re.compile(f"{_DIGIT}(?:{BEHIND_HOUR})")
"""Of each of them. Begins with a class: that is what `re` looks for quickly."""


def span_of(match: re.Match[str]) -> int | None:
    """One number for both ends of a match of `CLOCK_SPAN`: until 24時 is until 午前0時, and from 9時 to 5時 is
    until 17:00; `None` if one of them is no time of the day.
    """
    begin, end = _minutes(match, "from"), _minutes(match, "to")
    if begin is None or end is None:
        return None
    if 0 < end < begin < _HALF_A_DAY and not match["to_half"] and not match["to_m"]:
        end += _HALF_A_DAY
    return begin * _MINUTES_A_DAY + end % _MINUTES_A_DAY


def time_of(match: re.Match[str]) -> int | None:
    """Which time a match of `CLOCK_TIME` is, in minutes. 5時 and 17時 are one: whoever writes 5時 may mean either."""
    minutes = _minutes(match, "at")
    return None if minutes is None else minutes % _HALF_A_DAY


def clock_spellings(term: str) -> list[str]:
    """A term that is a time of the day in its other notations; nothing of any other term. 5時 may be 17:00, too, but is
    what is written of 5:00.
    """
    if (time := _time_of(term)) is None:
        return []
    hour, minute = divmod(time, 60)
    behind = [f"{minute}分", f"{minute:02}分", *["半"] * (minute == 30)] if minute else ["", "00分"]
    half = "午前" if hour % 24 < 12 else "午後"
    written = [f"{hour}:{minute:02}", f"{hour:02}:{minute:02}"]
    written += [f"{begun}時{rest}" for begun in (f"{hour}", f"{half}{hour % 12}") for rest in behind]
    return [spelling for spelling in dict.fromkeys(written) if spelling != term]


def clock_in_english(term: str) -> list[str]:
    """The same with am or pm."""
    if (time := _time_of(term)) is None:
        return []
    hour, minute = divmod(time, 60)
    half, on_dial = ("a" if hour % 24 < 12 else "p"), (hour - 1) % 12 + 1
    hours = [f"{on_dial}"] * (minute == 0) + [f"{on_dial}:{minute:02}", f"{on_dial}.{minute:02}"]
    return [f"{at} {half}{m}" for at in hours for m in ("m", ".m")]


def _time_of(term: str) -> int | None:
    match = CLOCK_TIME.fullmatch(_POINT_IN_TIME.sub(":", _POINTS.sub(r"\1m", term)))
    return _minutes(match, "at") if match else None


def _minutes(match: re.Match[str], name: str) -> int | None:
    hour = parse_number(match[f"{name}_hour"])
    minute = parse_number(match[f"{name}_minute"] or match[f"{name}_digits"] or "0")
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    half = match[f"{name}_half"] or match[f"{name}_m"]
    if half and hour <= 12:
        # Noon is 12 pm, and 午後0時.
        hour = hour % 12 + _HOURS_LATER.get(half, 0)
    return hour * 60 + (30 if match[f"{name}_and_half"] else minute)
