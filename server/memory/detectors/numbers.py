"""Numbers with a check digit: credit cards and My Number."""

import re
from collections.abc import Iterator

from .scanning import Span, is_called_otherwise, is_near, scan

_JOINED = r"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-_.])"
_ENDS = r"(?![0-9A-Za-z])(?![-ー_.][0-9A-Za-z])"
_BETWEEN = r"[- ー._・]?|  "


def _again(name: str) -> str:
    """What divides a number once more, where a line may end too."""
    return rf"(?:(?P={name})(?:\r?\n)?|\r?\n)"


_CARD = re.compile(
    _JOINED + rf"(?:[2-6][0-9]{{3}}(?P<a>{_BETWEEN})[0-9]{{4}}{_again('a')}[0-9]{{4}}{_again('a')}[0-9]{{4}}"
    rf"(?P<more>(?P=a)[0-9]{{3}})?|3[0-9]{{3}}(?P<b>{_BETWEEN})[0-9]{{6}}{_again('b')}[0-9]{{4,5}})" + _ENDS
)
# Issuer, lengths (ISO/IEC 7812; the ranges as the schemes publish them).
_ISSUERS = (
    (re.compile("4"), {16, 19}),
    (re.compile("5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), {16}),
    (re.compile("3[47]"), {15}),
    (re.compile("30[0-5]|3095|3[689]"), {14, 16}),
    (re.compile("35(?:2[89]|[3-8])"), {16, 19}),
    (re.compile("6011|64[4-9]|65|62|81|5018|5020|5038|6304|6759|676[1-3]"), {16, 19}),
)
_CARD_WORDS = re.compile(r"カード|クレジット|クレカ|\bcard\b|\bvisa\b|master|amex|\bjcb\b", re.IGNORECASE | re.ASCII)
_MY_NUMBER = re.compile(_JOINED + rf"[0-9]{{4}}(?P<a>[- ー・.]?)[0-9]{{4}}{_again('a')}[0-9]{{4}}" + _ENDS)
_MY_NUMBER_WORDS = re.compile(
    r"マイナンバ|個人番号|共通番号|my[ _-]?number|individual[ _]?number|social security and tax number", re.IGNORECASE
)
_WORD_CHARS_BEFORE, _WORD_CHARS_AFTER = 60, 30


def find_credit_cards(text: str) -> Iterator[Span]:
    """Numbers of an issuer's range and length that satisfy Luhn, with a security code that is joined to them."""
    return scan(_CARD, text, _is_card)


def find_my_numbers(text: str) -> Iterator[Span]:
    """Twelve digits with the right check digit, near a word for it: one in eleven random numbers has the digit."""
    return scan(_MY_NUMBER, text, _is_my_number)


def is_my_number(text: str) -> bool:
    """Whether a text is such a number, in groups or not."""
    match = _MY_NUMBER.fullmatch(text)
    return match is not None and _has_check_digit(_digits(match))


def satisfies_luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(map(int, digits[-1::-2]))) % 10 == 0


def satisfies_my_number(digits: str) -> bool:
    """The check digit of twelve digits (番号利用法の省令, 平成26年総務省令第85号, 第5条)."""
    # From the right: 2 to 7, then 2 to 6.
    weights = (*range(2, 8), *range(2, 7))
    remainder = sum(int(digit) * weight for digit, weight in zip(digits[-2::-1], weights, strict=True)) % 11
    return int(digits[-1]) == (0 if remainder <= 1 else 11 - remainder)


def _is_card(match: re.Match[str]) -> bool:
    digits = _digits(match)
    # Three more behind a number that is divided are of it, or its security code.
    numbers = [digits, digits[:-3]] if match["more"] and match["a"] else [digits]
    if not any(map(_is_card_number, numbers)):
        return False
    if is_near(_CARD_WORDS, match.string, match.span(), 20):
        return True
    # Over the end of a line these may be the numbers of a table.
    is_divided, is_on_one_line = len(match[0]) > len(digits), "\n" not in match[0]
    return is_on_one_line and (is_divided or not is_called_otherwise(match.string, match.start()))


def _is_card_number(digits: str) -> bool:
    if not satisfies_luhn(digits) or len(set(digits)) == 1:
        return False
    return any(issuer.match(digits) and len(digits) in lengths for issuer, lengths in _ISSUERS)


def _is_my_number(match: re.Match[str]) -> bool:
    if not _has_check_digit(_digits(match)):
        return False
    return is_near(_MY_NUMBER_WORDS, match.string, match.span(), _WORD_CHARS_BEFORE, _WORD_CHARS_AFTER)


def _has_check_digit(digits: str) -> bool:
    return len(set(digits)) > 1 and satisfies_my_number(digits)


def _digits(match: re.Match[str]) -> str:
    return "".join(character for character in match[0] if character.isdigit())
