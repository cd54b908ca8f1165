"""Years in both calendars: 令和5年 = 2023年. Pure, on normalised text."""

import re
from collections.abc import Iterator
from itertools import pairwise

from morenashi.indexer.numerals import DIGIT, ERA, KANJI_NUMERALS, YEAR_BEFORE, parse_number

_LAST_YEARS = [following + 1 for _, following in pairwise(YEAR_BEFORE.values())] + [2099]
# 2,000年間, 1990年代 and the like are no years.
_YEAR = re.compile(
    rf"(?:(?P<era>{ERA})(?P<of_era>元|{DIGIT}{{1,3}})"
    rf"|(?<![0-9,.{KANJI_NUMERALS}])(?P<year>[0-9]{{4}}|[{KANJI_NUMERALS}]{{4,7}}))年(?![代間分])"
)


def year_spellings(term: str) -> list[str]:
    """The term with its first year in the other calendar, in which a year may lie in two eras (2019年 is 平成31年 and
    令和元年); nothing if it names none.
    """
    found = _YEAR.search(term)
    if found is None or (value := year_of(found["era"], found["of_era"] or found["year"])) is None:
        return []
    others = [str(value)] if found["era"] else _in_eras(value)
    return [f"{term[: found.start()]}{other}年{term[found.end() :]}" for other in others]


def year_of(era: str | None, written: str) -> int | None:
    """The year of the common calendar, of a year of an era if there is one; `None` if what is written is no number."""
    number = parse_number(written.replace("元", "1"))
    return None if number is None else YEAR_BEFORE.get(era or "", 0) + number


def _in_eras(value: int) -> Iterator[str]:
    for (era, before), last in zip(YEAR_BEFORE.items(), _LAST_YEARS, strict=True):
        if before < value <= last:
            yield f"{era}{value - before}"
            if value == before + 1:
                yield f"{era}元"
