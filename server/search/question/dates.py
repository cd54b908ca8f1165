"""Dates and months in every notation: 2023年4月1日 = 2023/4/1 = 2023-04-01 = 2023.4.1 = April 1, 2023. Pure, on
normalised text.

In Japanese a day without its year is one, too: 4月1日 = April 1. What may be any two numbers is none (4/1), nor is
4/1/2023, which may be two days. The years of eras are in years.py.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from morenashi.indexer.numerals import DIGIT, ERA, parse_number

from .english_cited_words import CitedWords
from .years import year_of

_MONTHS = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may", "may"), ("june", "jun"),
    ("july", "jul"), ("august", "aug"), ("september", "sep"), ("october", "oct"), ("november", "nov"),
    ("december", "dec"),
)  # fmt: skip
_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names} | {"sept": 9}
_EARLIEST, _LATEST, _MOST_DAYS = 1868, 2099, 31

_NAME, _DAY, _YEAR = rf"(?:{'|'.join(_NUMBERS)})\b\.?", "[0-3]?[0-9](?:st|nd|rd|th)?", "[12][0-9]{3}"
_ENGLISH = re.compile(
    rf"(?<![\w.,/-])(?:(?:{_DAY} (?:of )?)?{_NAME},? {_YEAR}|{_NAME} {_DAY},? {_YEAR})"
    r"(?![\w/-]|[.,]\w)"
)
_M, _D = "(?:1[0-2]|0?[1-9])", "(?:3[01]|[12][0-9]|0?[1-9])"
IN_FIGURES = (
    f"(?<![0-9a-z./-])(?:1[89]|20)[0-9]{{2}}(?:/{_M}(?:/{_D})?|-{_M}(?:-{_D})?|[.]{_M}[.]{_D})"
    "(?![0-9a-z/-]|[.][0-9a-z])"
)
"""An expression for a date in figures, without groups."""
_FIGURES = re.compile(IN_FIGURES)
_JAPANESE = re.compile(
    rf"(?:(?P<era>{ERA})?(?P<year>元|{DIGIT}{{1,7}})年)?(?<!{DIGIT})(?P<month>{DIGIT}{{1,3}})月(?:(?P<day>{DIGIT}{{1,3}})日)?"
    "(?![間々])"
)


class _Date(NamedTuple):
    """A month, or a day of it; of some year or of any."""

    year: int | None
    month: int
    day: int | None

    def is_one(self) -> bool:
        return (
            1 <= self.month <= 12
            and (self.day is None or 1 <= self.day <= _MOST_DAYS)
            and (self.year is None or _EARLIEST <= self.year <= _LATEST)
            and (self.year is not None or self.day is not None)
        )


def find_dates(question: str) -> list[CitedWords]:
    """The dates of a question that are written with the name of a month, and what says something of each where none
    stands as a whole: its month and its year.
    """
    dates = [match for match in _ENGLISH.finditer(question) if _of_english(match).is_one()]
    return [CitedWords(*match.span(), re.findall("[a-z]{3,}|[0-9]{4}", match[0])) for match in dates]


def date_spellings(term: str) -> list[str]:
    """The term with its first date, if that is in figures or English, as Japanese has it; nothing without one."""
    for match, date in _dates(term):
        return [term[: match.start()] + _in_japanese(date) + term[match.end() :]]
    return []


def dates_in_latin(term: str) -> list[str]:
    """A term that is a date and nothing else in its notations in Latin letters and figures, to be found as whole words;
    nothing of any other term.
    """
    if (match := _JAPANESE.fullmatch(term)) and (date := _of_japanese(match)):
        return list(dict.fromkeys(_in_latin(date)))
    whole = [date for match, date in _dates(term) if match.span() == (0, len(term))]
    return list(dict.fromkeys(_in_latin(whole[0]))) if whole else []


def _dates(term: str) -> Iterator[tuple[re.Match[str], _Date]]:
    for match in _FIGURES.finditer(term):
        yield match, _of_figures(match)
    yield from ((match, date) for match in _ENGLISH.finditer(term) if (date := _of_english(match)).is_one())


def _of_figures(match: re.Match[str]) -> _Date:
    year, month, *day = map(int, re.findall("[0-9]+", match[0]))
    return _Date(year, month, day[0] if day else None)


def _of_english(match: re.Match[str]) -> _Date:
    (month,) = (_NUMBERS[word] for word in re.findall("[a-z]+", match[0]) if word in _NUMBERS)
    *day, year = sorted(map(int, re.findall("[0-9]+", match[0])))
    return _Date(year, month, day[0] if day else None)


def _of_japanese(match: re.Match[str]) -> _Date | None:
    year = year_of(match["era"], match["year"]) if match["year"] else None
    month, day = parse_number(match["month"]), parse_number(match["day"]) if match["day"] else None
    if month is None or (match["year"] and year is None) or (match["day"] and day is None):
        return None
    date = _Date(year, month, day)
    return date if date.is_one() else None


def _in_japanese(date: _Date) -> str:
    year, day = (f"{date.year}年" if date.year else ""), (f"{date.day}日" if date.day else "")
    return f"{year}{date.month}月{day}"


def _in_latin(date: _Date) -> Iterator[str]:
    year, month, day = date
    name, short = _MONTHS[month - 1]
    behind = f" {year}" if year else ""
    if day is None:
        yield from (f"{year}-{month}", f"{year}-{month:02}", f"{name}{behind}", f"{short}{behind}")
        return
    if year:
        yield from (f"{year}-{month}-{day}", f"{year}-{month:02}-{day:02}", f"{year}{month:02}{day:02}")
    for called in (name, short):
        yield from (f"{called} {day}{behind}", f"{day} {called}{behind}")
    nth = f"{day}{_ordinal(day)}"
    yield from (f"{name} {nth}{behind}", f"{nth} {name}{behind}", f"{nth} of {name}{behind}")


def _ordinal(day: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day // 10 != 1 else 0, "th")
