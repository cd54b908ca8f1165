"""Numbers from ten thousand on, as prices have them: 150,000円 = 15万円 = 十五万円; and round thousands, as newspapers
have them: 5,000円 = 5千円, 3000万円 = 3千万円. Pure, on normalised text.
"""

import re
from collections.abc import Iterator

from morenashi.indexer.numerals import KANJI_NUMERALS, parse_number

_UNITS = (("兆", 10**12), ("億", 10**8), ("万", 10**4))
_COUNT = rf"(?:[0-9]{{1,3}},[0-9]{{3}}|[0-9]{{1,4}}|[{KANJI_NUMERALS}]{{1,9}})"
_WITH_UNITS = re.compile(
    rf"(?<![0-9.,{KANJI_NUMERALS}兆億万])(?:{_COUNT}[兆億万]){{1,3}}(?:{_COUNT}千?)?(?![0-9.,{KANJI_NUMERALS}兆億万])"
)
_PART = re.compile(rf"({_COUNT})([兆億万千]?)")
_DIGITS = re.compile(r"(?<![0-9.,])(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{5,16})(?![0-9.,])(?=[\u3040-\u30ff\u3400-\u9fff])")
# 5千円, 3千万円, 1億5千万円; of 1万2千 the thousands are a part of the number.
_THOUSANDS = re.compile(f"(?<![0-9.,{KANJI_NUMERALS}万第])([1-9])千(?=[兆億万円人名個件株])")
# No years, and no numbers of a thing: 2000年, 3000番. Without a 万 behind it, 1千 is only 千.
_ROUND_THOUSANDS = re.compile("(?<![0-9.,万第])(?:([2-9]),?000(?=[兆億万円人名個件株])|(1),?000(?=[兆億万]))")
# Nobody writes 12,345円 with a 万.
_LEAST, _ROUND = 10_000, 100


def amount_spellings(term: str) -> list[str]:
    """The term with its first such number in its other notations, itself left out; nothing if there is none."""
    in_digits = _THOUSANDS.sub(r"\g<1>000", term, 1)
    spelt = [in_digits, *_in_units_or_digits(in_digits)]
    spelt += [_ROUND_THOUSANDS.sub(r"\1\2千", spelling, 1) for spelling in spelt]
    return [spelling for spelling in dict.fromkeys(spelt) if spelling != term]


def _in_units_or_digits(term: str) -> list[str]:
    if found := _WITH_UNITS.search(term):
        value = _value(found[0])
        # Of nothing, 0万円, no digits are written, and 円 would be all that is left.
        written = [str(value), *_with_units(value)] if value else []
    elif found := _DIGITS.search(term):
        value = int(found[0].replace(",", ""))
        written = list(_with_units(value)) if value >= _LEAST and value % _ROUND == 0 else []
    else:
        return []
    return [term[: found.start()] + number + term[found.end() :] for number in written]


def _with_units(value: int) -> Iterator[str]:
    """15万, 1億2000万; of 12,000 1万2000 and 1万2千."""
    written = ""
    for unit, size in _UNITS:
        count, value = divmod(value, size)
        written += f"{count}{unit}" if count else ""
    if not value:
        yield written
        return
    yield f"{written}{value}"
    if value % 1_000 == 0:
        yield f"{written}{value // 1_000}千"


def _value(written: str) -> int | None:
    """The number; `None` where its units do not descend."""
    value, last = 0, 10**16
    sizes = dict(_UNITS) | {"千": 1_000, "": 1}
    for count, unit in _PART.findall(written):
        number = parse_number(count.replace(",", ""))
        if number is None or sizes[unit] >= last:
            return None
        last = sizes[unit]
        value += number * last
    return value
