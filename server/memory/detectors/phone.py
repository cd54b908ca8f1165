"""Telephone numbers: Japanese ones as they are written, those with a country code, North American ones.

The shapes follow the numbering plan of Japan (総務省, 電気通信番号計画): area codes of two to five digits that make ten
digits with the local number, 0A0 for mobile and IP telephones, 0120, 0570, 0800 and 0990 for services.
"""

import re
from collections.abc import Iterator

from .folding import fold_kanji_digits
from .scanning import Span, is_called_otherwise, is_near, scan

_AREA_3 = (
    "011|015|017|018|019|022|023|024|025|026|027|028|029|042|043|044|045|046|047|048|049|052|053|054|055|058|059|072"
    "|073|075|076|077|078|079|082|083|084|086|087|088|089|092|093|095|096|097|098|099"
)
_AREA_5 = "01[2-6][0-9]{2}|0499[0-9]|05769|05979|07468|08[3-5][0-9]{2}|0949[0-9]|0980[0-9]|099[0-9]{2}"
_SHAPES = (
    ("0[5-9]0", 4, 4),
    ("0800", 3, 4),
    ("0120|0570|0990", 3, 3),
    ("0120|0570|0990", 2, 4),
    ("03|04|06", 4, 4),
    (_AREA_3, 3, 4),
    ("0[1-9][0-9]{2}", 2, 4),
    (_AREA_5, 1, 4),
)
# A line may end behind a dash.
_JAPANESE = "|".join(
    rf"(?:{area})(?P<s{place}>[-ー.・の]| ?[-ー] ?| )(?:\r?\n)?[0-9]{{{middle}}}(?P=s{place})(?:\r?\n)?[0-9]{{{last}}}"
    rf"|\((?:{area})\)[- ー]?[0-9]{{{middle}}}[- ー]?[0-9]{{{last}}}"
    rf"|(?:{area})[- ]?\([0-9]{{{middle}}}\)[- ]?[0-9]{{{last}}}"
    for place, (area, middle, last) in enumerate(_SHAPES)
)
_UNDIVIDED = r"0[5-9]0[0-9]{8}|0[789]0(?:[- ][0-9]{8}|[0-9]{4}-[0-9]{4})|0800[0-9]{7}|(?:0120|0570)[0-9]{6}"
_FROM_ABROAD = r"(?:00|010[- ])81(?:[-. ()]{0,3}[0-9]){9,10}"
_ABROAD = r"\+[1-9](?:[-. ()]{0,3}[0-9]){7,14}"
_AMERICAN = r"(?:1[-. ])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[-.])[2-9][0-9]{2}[-.][0-9]{4}"
_NUMBER = re.compile(rf"(?<![0-9])(?:{_JAPANESE}|{_UNDIVIDED}|{_FROM_ABROAD}|{_ABROAD}|{_AMERICAN})(?![0-9])")
# What is a telephone number only where it is called one.
_CALLED_SO = re.compile(
    r"(?<![0-9])(?:0[1-9][0-9]{8}|0[0-9]{1,4}[-ー. (]{1,2}[0-9]{2,4}[-ー. )]{1,2}[0-9]{3,6}"
    r"|0[0-9]{4} [0-9]{6}|\([1-9][0-9]{2}\) ?[0-9]{3}-[0-9]{4}|[1-9][0-9]{2}[-. ][0-9]{3}[-. ][0-9]{4}"
    r"|[1-9][0-9]{2}[- ][0-9]{4})(?![0-9])"
)
_WORDS = re.compile(
    r"電話|でんわ|折り?返し|着信|発信|問い?合わ?せ先|携帯|ケータイ|スマホ|連絡先|ファックス|ファクス|ファクシミリ|内線|直通|代表番号|フリーダイヤル|℡|☎|📞"
    r"|(?<![a-z])(?:tel|telephone|fax|mobile|cell|call(?:ed|ing)?|dial|sms|text)(?![a-z])"
    r"|phone(?:[-_ ]?(?:number|num|no))?(?![a-z])|(?:tel|fax)[.:]?\Z",
    re.IGNORECASE | re.ASCII,
)
_KANJI_ZERO = re.compile("[〇零]")
_WORD_CHARS = 18
# A comma joins groups of three digits alone: here it divides the fields of a row.
# At the end, which `$` is not: what ends the line above is joined to nothing.
_JOINED_BEFORE = re.compile(r"(?:[A-Za-z0-9]|[A-Za-z0-9][-_]|[0-9]\.|[$¥€#])\Z")
_MAY_BE_JOINED = re.compile(r"(?:tel|fax|phone|mobile|cell)[-_.:=/]?\Z", re.IGNORECASE)
_JOINED_AFTER = re.compile(r"(?!(?i:tel|fax|e?-?mail))[A-Za-z](?!xt|x?[0-9])|[-ー_.][0-9]|[-_][A-Za-z]|%")
_COUNTRY_CODES = re.compile(
    r"(?:1[2-9]|7|20|27|3[0-4]|36|39|4[013-9]|5[1-8]|6[0-6]|81|82|84|86|9[0-58]|21[1-8]|35[0-9]|37[0-9]|38[0-9]|42[01]"
    r"|852|853|855|856|880|886|88[0-6]|96[0-8]|97[0-7]|99[2-8])"
)


def find_phones(text: str) -> Iterator[Span]:
    """Telephone and fax numbers."""
    yield from _find(text)
    if _KANJI_ZERO.search(text):
        yield from _find(fold_kanji_digits(text))


def _find(text: str) -> Iterator[Span]:
    yield from scan(_NUMBER, text, _is_number)
    yield from scan(_CALLED_SO, text, _is_called_so)


def _is_number(match: re.Match[str]) -> bool:
    if not _stands_alone(match):
        return False
    if match[0].startswith("+"):
        return _is_abroad(match[0])
    return not is_called_otherwise(match.string, match.start()) or _is_called_phone(match)


def _is_called_so(match: re.Match[str]) -> bool:
    return _stands_alone(match) and _is_called_phone(match) and not is_called_otherwise(match.string, match.start())


def _is_called_phone(match: re.Match[str]) -> bool:
    return is_near(_WORDS, match.string, match.span(), _WORD_CHARS)


def _stands_alone(match: re.Match[str]) -> bool:
    before = match.string[max(match.start() - 8, 0) : match.start()]
    after = match.string[match.end() : match.end() + 6]
    return not _JOINED_AFTER.match(after) and (
        not _JOINED_BEFORE.search(before) or _MAY_BE_JOINED.search(before) is not None
    )


def _is_abroad(number: str) -> bool:
    """A country code, and as many digits as numbers have: the same sign stands before a growth or an offset."""
    digits = "".join(character for character in number if character.isdigit())
    if _COUNTRY_CODES.match(digits) is None:
        return False
    return len(digits) == 11 if digits.startswith("1") else 10 <= len(digits) <= 15
