"""The notations of a number that counts something: 第3条 = 第三条 = 第Ⅲ条. Pure, on normalised text."""

import re

from morenashi.indexer.numerals import DIGITS, UNITS, parse_kanji

_KANJI = re.compile(r"[〇一二三四五六七八九十百千]+")
_NUMBER = re.compile(r"[0-9]+|[〇一二三四五六七八九十百千]+|(?<=第)[ivxlc]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff々〆]")
_ROMAN_COUNTERS = "条項号章節款編部表類種級期回"
_MOST = 9_999


def notations(term: str, most: int = 16) -> list[str]:
    """The term itself, then the same with its numbers in other notations; at most `most`.

    Only a number that touches a Japanese character is rewritten: 2026 alone stays what it is.
    """
    found = [""]
    end = 0
    for match in _NUMBER.finditer(term):
        choices = _choices(term, match)
        between = term[end : match.start()]
        found = [prefix + between + choice for prefix in found for choice in choices][:most]
        end = match.end()
    return list(dict.fromkeys([term, *(prefix + term[end:] for prefix in found)]))[:most]


def to_kanji(value: int) -> str:
    """With units, as statutes write it: 2026 is 二千二十六."""
    written = ""
    for unit, size in UNITS:
        count, value = divmod(value, size)
        if count:
            written += (DIGITS[count] if count > 1 else "") + unit
    return written + (DIGITS[value] if value else "") or "〇"


def to_roman(value: int) -> str:
    """Lower case, as Ⅲ is after normalisation."""
    written = ""
    table = (
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    )
    for size, letters in table:
        count, value = divmod(value, size)
        written += letters * count
    return written


def _choices(term: str, match: re.Match[str]) -> list[str]:
    text, before, after = match[0], term[: match.start()][-1:], term[match.end() :][:1]
    value = _value(text)
    if value is None or value > _MOST or not (_CJK.match(before) or _CJK.match(after)):
        return [text]
    choices = [text, str(value), to_kanji(value)]
    if value > 9:
        choices.append("".join(DIGITS[int(digit)] for digit in str(value)))
    if value < 100 and (before == "第" or (after and after in _ROMAN_COUNTERS)):
        choices.append(to_roman(value))
    return list(dict.fromkeys(choices))


def _value(text: str) -> int | None:
    if text[0].isdigit() and text.isascii():
        return int(text) if len(text) <= 4 else None
    if _KANJI.fullmatch(text):
        return parse_kanji(text)
    return next((number for number in range(1, 100) if to_roman(number) == text), None)
