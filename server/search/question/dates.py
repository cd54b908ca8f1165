"""Dates and months in every notation: 2023年4月1日 = 2023/4/1 = 2023-04-01 = 2023.4.1 = April 1, 2023 = R5.4.1. Pure,
on normalised text.

A day without its year is one, too: 4月1日 = April 1. What may be any two numbers is none (4/1), nor is 4/1/2023, which
may be two days, nor the may of "may 5". The years of eras are in years.py.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from morenashi.indexer.numerals import DIGIT, ERA, parse_number

from .english_cited_words import CitedWords
from .years import in_eras, year_of

_MONTHS = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
    ("july", "jul"), ("august", "aug"), ("september", "sep", "sept"), ("october", "oct"), ("november", "nov"),
    ("december", "dec"),
)  # fmt: skip
MONTHS = tuple(names[0] for names in _MONTHS)
"""The English names of the months, in order."""
_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_EARLIEST, _LATEST, _MOST_DAYS = 1868, 2099, 31

_NAME, _DAY, _YEAR = rf"(?:{'|'.join(_NUMBERS)})\b\.?", "[0-3]?[0-9](?:st|nd|rd|th)?", "[12][0-9]{3}"
# Only Latin letters go on with a date: april 1, 2023から.
_ENGLISH = re.compile(
    rf"(?<![\w.,/-])(?:(?:{_DAY} (?:of )?)?{_NAME},? {_YEAR}|{_NAME} {_DAY},? {_YEAR}|{_DAY}-{_NAME}-{_YEAR})"
    r"(?![\w/-]|[.,]\w)",
    re.A,
)
# Of the months that are other words, too, and in short only with an ordinal: section 3 may, int 8 dec.
_FULL_NAME, _ORDINAL = "|".join(name for name in MONTHS if name != "may"), "[0-3]?[0-9](?:st|nd|rd|th)"
_WITHOUT_YEAR = re.compile(
    rf"(?<![\w.,/-])(?:{_DAY} (?:of )?(?:{_FULL_NAME})|(?:{_FULL_NAME}) {_DAY}"
    rf"|{_ORDINAL} (?:of )?{_NAME}|{_NAME} {_ORDINAL})(?![\w/-]|[.,:]\w)",
    re.A,
)
_PARTS = re.compile("(?!may)[a-z]{3,}|[0-9]{4}")
_M, _D = "(?:1[0-2]|0?[1-9])", "(?:3[01]|[12][0-9]|0?[1-9])"
_INITIALS = {"昭和": "s", "平成": "h", "令和": "r"}
_ERAS = {initial: era for era, initial in _INITIALS.items()}
IN_FIGURES = (
    f"(?<![0-9a-z./-])(?:(?:1[89]|20)[0-9]{{2}}(?:/{_M}(?:/{_D})?|-{_M}(?:-{_D})?|[.]{_M}[.]{_D})"
    f"|(?:{ERA}|[{''.join(_ERAS)}])[0-9]{{1,2}}(?:/{_M}/{_D}|[.]{_M}[.]{_D}))"
    "(?![0-9a-z/-]|[.][0-9a-z])"
)
"""An expression for a date in figures, without groups."""
_FIGURES = re.compile(IN_FIGURES)
_JAPANESE = re.compile(
    rf"(?:(?P<era>{ERA})?(?P<year>元|{DIGIT}{{1,7}})年)?(?<!{DIGIT})(?P<month>{DIGIT}{{1,3}})月(?:(?P<day>{DIGIT}{{1,3}})日)?"
    "(?![間々])"
)

_ONE_FIGURE, _ONE_FIGURE_OR_YEAR = (re.compile(f"(?<![0-9])[1-9](?=[{units}])") for units in ("月日", "年月日"))


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
    stands as a whole: its month, but for may, which is another word on most lines, and its year.
    """
    return [CitedWords(*match.span(), _PARTS.findall(match[0])) for match, _ in _in_words(question)]


def date_spellings(term: str) -> list[str]:
    """The term with its first date, if that is in figures or English, as Japanese has it; nothing without one."""
    for match, date in _dates(term):
        return [term[: match.start()] + _in_japanese(date) + term[match.end() :]]
    return []


def padded_dates(term: str) -> Iterator[str]:
    """The term with its first date as programs print it: 2023年04月01日; 令和5年4月1日 is 令和05年04月01日, too."""
    match = _JAPANESE.search(term)
    if match and (match["year"] or match["day"]):
        for figures in (_ONE_FIGURE, _ONE_FIGURE_OR_YEAR):
            if (padded := figures.sub(r"0\g<0>", match[0])) != match[0]:
                yield term[: match.start()] + padded + term[match.end() :]


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
    yield from _in_words(term)


def _in_words(text: str) -> Iterator[tuple[re.Match[str], _Date]]:
    rest = _ENGLISH.sub(lambda match: " " * len(match[0]), text)
    found = chain(_ENGLISH.finditer(text), _WITHOUT_YEAR.finditer(rest))
    yield from ((match, date) for match in found if (date := _of_english(match)).is_one())


def _of_figures(match: re.Match[str]) -> _Date:
    year, month, *day = re.findall("[0-9]+", match[0])
    era = match[0][: match[0].index(year)]
    return _Date(year_of(_ERAS.get(era, era), year), int(month), int(day[0]) if day else None)


def _of_english(match: re.Match[str]) -> _Date:
    (month,) = (_NUMBERS[word] for word in re.findall("[a-z]+", match[0]) if word in _NUMBERS)
    *days, last = sorted(map(int, re.findall("[0-9]+", match[0])))
    return _Date(last, month, days[0] if days else None) if last > _MOST_DAYS else _Date(None, month, last)


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
    names = _MONTHS[month - 1]
    name, behind = names[0], f" {year}" if year else ""
    if day is None:
        yield from (f"{year}-{month}", f"{year}-{month:02}", *(f"{called}{behind}" for called in names))
        return
    if year:
        yield from (f"{year}-{month}-{day}", f"{year}-{month:02}-{day:02}", f"{year}{month:02}{day:02}")
        for initial, of_era in ((_INITIALS[era], of_era) for era, of_era in in_eras(year) if era in _INITIALS):
            yield from (f"{initial}{of_era}-{month}-{day}", f"{initial}{of_era:02}-{month:02}-{day:02}")
    for called in names:
        for written in (f"{day}", f"{day:02}"):
            yield from (f"{called} {written}{behind}", f"{written} {called}{behind}")
    nth = f"{day}{_ordinal(day)}"
    yield from (f"{name} {nth}{behind}", f"{nth} {name}{behind}", f"{nth} of {name}{behind}")


def _ordinal(day: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day // 10 != 1 else 0, "th")
