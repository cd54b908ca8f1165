"""Years in both calendars: 令和5年 = 2023年. Pure, on normalised text."""

import re
from collections.abc import Iterator
from itertools import pairwise

from morenashi.indexer.numerals import DIGIT, ERA, KANJI_NUMERALS, YEAR_BEFORE, parse_number

_LAST_YEARS = [following + 1 for _, following in pairwise(YEAR_BEFORE.values())] + [2099]
# 2,000年間, 1990年代 and the like are no years.
_YEAR = re.compile(
    rf"(?:(?P<era>{ERA})(?P<of_era>元|{DIGIT}{{1,3}})"
    rf"|(?<![0-9,.{KANJI_NUMERALS}])(?P<year>[0-9]{{4}}|[{KANJI_NUMERALS}]{{4,7}}))年(?![代間])"
)
_MONTH = re.compile(f"{DIGIT}{{1,3}}月")


def year_spellings(term: str) -> list[str]:
    """The term with its first year in the other calendar, in which a year may lie in two eras (2019年 is 平成31年 and
    令和元年); nothing if it names none.
    """
    return [f"{before}{other}年{behind}" for before, _, other, behind in _in_other_calendar(term)]


def first_year_spellings(term: str) -> list[str]:
    """The term with the first year of an era written otherwise: 令和1年 of 令和元年, and the reverse; nothing of any
    other term.
    """
    found = _YEAR.search(term)
    if found is None or not found["era"] or year_of(None, found["of_era"]) != 1:
        return []
    other = "1" if found["of_era"] == "元" else "元"
    return [term[: found.start("of_era")] + other + term[found.end("of_era") :]]


def both_years(term: str) -> Iterator[str]:
    """A term with a date, its year in both calendars: 2023年(令和5年)4月1日, 令和5(2023)年4月1日; nothing of any other
    term.
    """
    for before, year, other, behind in _in_other_calendar(term):
        if _MONTH.match(behind):
            for one, in_brackets in ((year, other), (other, year)):
                yield from (f"{before}{one}年({in_brackets}年){behind}", f"{before}{one}({in_brackets})年{behind}")


def year_of(era: str | None, written: str) -> int | None:
    """The year of the common calendar, of a year of an era if there is one; `None` if what is written is no number."""
    number = parse_number(written.replace("元", "1"))
    return None if number is None else YEAR_BEFORE.get(era or "", 0) + number


def in_eras(value: int) -> Iterator[tuple[str, int]]:
    """A year of the common calendar in those of the eras: 2019 is 平成 31 and 令和 1."""
    for (era, before), last in zip(YEAR_BEFORE.items(), _LAST_YEARS, strict=True):
        if before < value <= last:
            yield era, value - before


def _in_other_calendar(term: str) -> Iterator[tuple[str, str, str, str]]:
    """What stands before the first year of the term, that year, the same in the other calendar, and what is behind."""
    found = _YEAR.search(term)
    if found is None or (value := year_of(found["era"], found["of_era"] or found["year"])) is None:
        return
    for other in [str(value)] if found["era"] else _written_in_eras(value):
        yield term[: found.start()], found[0].removesuffix("年"), other, term[found.end() :]


def _written_in_eras(value: int) -> Iterator[str]:
    for era, year in in_eras(value):
        yield f"{era}{year}"
        if year == 1:
            yield f"{era}元"
