"""The notations of a number that counts something: 第3条 = 第三条 = 第Ⅲ条. Pure, on normalised text."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod

from morenashi.indexer.numerals import DIGITS, KANJI_NUMERALS, UNITS, parse_kanji

_KANJI = re.compile(f"[{KANJI_NUMERALS}]+")
_ROMAN_COUNTERS = "条項号章節款編部表類種級期回"
_NUMBER = re.compile(rf"[0-9]+|[{KANJI_NUMERALS}]+|(?<=第)[ivxlc]+|\A[ivxlc]+(?=[{_ROMAN_COUNTERS}])")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff々〆]")
_ROMAN = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_THOUSANDS = re.compile("[0-9]{3}")
_SIZES = frozenset(unit for unit, _ in UNITS)
_MOST_NOTATIONS, _GREATEST = 64, 9_999


def notations(term: str) -> list[str]:
    """The term itself, then the same with its numbers in other notations; at most 64.

    Only a number that touches a Japanese character is rewritten: 2026 alone stays what it is. Numbers come first all in
    one notation, then in different ones: all combinations of three numbers, of more those of digits and plain kanji.
    """
    between: list[str] = []
    numbers: list[list[str]] = []
    end = 0
    for match in _NUMBER.finditer(term):
        if (written := _written(term, match)) is not None:
            between.append(term[end : match.start()])
            numbers.append(written)
            end = match.end()
    found = (_put_together(between, chosen) + term[end:] for chosen in _chosen(numbers))
    return list(islice(dict.fromkeys([term, *found]), _MOST_NOTATIONS))


def _to_kanji(value: int) -> str:
    """With units, as statutes write it: 2026 is 二千二十六."""
    written = ""
    for unit, size in UNITS:
        count, value = divmod(value, size)
        if count:
            written += (DIGITS[count] if count > 1 else "") + unit
    return written + (DIGITS[value] if value else "") or "〇"


def _to_roman(value: int) -> str:
    """Lower case, as Ⅲ is after normalisation."""
    written = ""
    for size, letters in _ROMAN:
        count, value = divmod(value, size)
        written += letters * count
    return written


def _chosen(numbers: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Each number in one of its notations: all in the same one, then the combinations."""
    yield from zip(*numbers, strict=True)
    distinct = [list(dict.fromkeys(written)) for written in numbers]
    if prod(map(len, distinct)) > _MOST_NOTATIONS:
        distinct = [list(dict.fromkeys(written[:2])) for written in numbers]
    yield from islice(product(*distinct), _MOST_NOTATIONS)


def _put_together(between: Sequence[str], chosen: Sequence[str]) -> str:
    return "".join(text + number for text, number in zip(between, chosen, strict=True))


def _written(term: str, match: re.Match[str]) -> list[str] | None:
    """A number in digits, in kanji with units, in kanji digit by digit, as a Roman one; `None` if it counts nothing.

    Where a notation is not in use, that of digits stands in its place.
    """
    before, after = term[: match.start()][-1:], term[match.end() :][:1]
    # The end of a longer number: 2千, 12,000.
    if (before.isdigit() and match[0][0] in _SIZES) or (before == "," and _THOUSANDS.fullmatch(match[0])):
        return None
    value = _value(match[0])
    if value is None or value > _GREATEST or not (_CJK.match(before) or _CJK.match(after)):
        return None
    digits = str(value)
    positional = "".join(DIGITS[int(digit)] for digit in digits)
    is_roman = 0 < value < 100 and (before == "第" or (after and after in _ROMAN_COUNTERS))
    return [digits, _to_kanji(value), positional, _to_roman(value) if is_roman else digits]


def _value(text: str) -> int | None:
    if text[0].isdigit() and text.isascii():
        return int(text) if len(text) <= 4 else None
    if _KANJI.fullmatch(text):
        return parse_kanji(text)
    return next((number for number in range(1, 100) if _to_roman(number) == text), None)
