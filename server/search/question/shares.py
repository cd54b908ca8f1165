"""Shares of a hundred in every notation: 25% = 25パーセント = 2割5分 = 百分の二十五. Pure, on normalised text."""

import re
from decimal import Decimal

from morenashi.indexer.numerals import DIGIT, parse_number

_NUMBER = rf"(?:[0-9]{{1,3}}(?:\.[0-9]{{1,2}})?|{DIGIT}{{1,5}})"
_OF_MANY = f"(?P<whole>100|百|1,?000|千)分の(?P<part>{_NUMBER})"
_SHARE = re.compile(
    rf"(?P<percent>{_NUMBER})(?:%|パーセント)|(?P<tenths>{DIGIT}{{1,2}})割(?:(?P<more>{DIGIT})分)?|{_OF_MANY}"
)
IN_FRACTIONS = rf"(?:1,000|{DIGIT}{{1,9}})分の{_NUMBER}"
"""An expression for what Japanese writes as a fraction, without groups; 3分の2 has no other name."""
_MOST, _MOST_IN_TENTHS = 999, 100


def share_spellings(term: str) -> list[str]:
    """A term that is such a share in its other notations; nothing of any other term. What has no tenth is not written
    as 5分, which are minutes.
    """
    match = _SHARE.fullmatch(term)
    value = _value(match) if match else None
    if value is None or not 0 < value <= _MOST:
        return []
    number = f"{value.normalize():f}"
    written = [f"{number}%", f"{number}パーセント"]
    if value != value.to_integral_value():
        written.append(f"千分の{(value * 10).normalize():f}")
    else:
        written.append(f"百分の{number}")
        tenths, more = divmod(int(value), 10)
        if tenths > 0 and value <= _MOST_IN_TENTHS:
            written.append(f"{tenths}割{f'{more}分' if more else ''}")
    return [spelling for spelling in written if spelling != term]


def _value(match: re.Match[str]) -> Decimal | None:
    if match["percent"]:
        return _decimal(match["percent"])
    if match["tenths"]:
        tenths, more = parse_number(match["tenths"]), parse_number(match["more"] or "0")
        return None if tenths is None or more is None else Decimal(10 * tenths + more)
    return percent_of(match["whole"], match["part"])


def percent_of(whole: str, part: str) -> Decimal | None:
    """How many per cent a part of a hundred or a thousand is; `None` if the part is no number."""
    value = _decimal(part)
    return value / 10 if value is not None and whole not in ("百", "100") else value


def _decimal(written: str) -> Decimal | None:
    if "." in written:
        return Decimal(written)
    number = parse_number(written)
    return None if number is None else Decimal(number)
