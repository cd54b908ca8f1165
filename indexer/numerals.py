"""Numbers as Japanese text writes them: 三十五 = 35 = ３５. Pure."""

import unicodedata

DIGITS = "〇一二三四五六七八九"
UNITS = (("千", 1000), ("百", 100), ("十", 10))
KANJI_NUMERALS = DIGITS + "".join(unit for unit, _ in UNITS)
"""All that a number below ten thousand is written with."""
DIGIT = f"[0-9{KANJI_NUMERALS}]"
"""An expression for one of its characters, in digits or kanji."""
YEAR_BEFORE = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
"""The year before the first one of each era, the oldest first."""
ERA = "|".join(YEAR_BEFORE)
"""An expression for the name of an era."""

_MOST_CHARACTERS = 12
_SIZES = dict(UNITS)


def parse_kanji(text: str) -> int | None:
    """The value of a kanji numeral, positional (一二〇) or with units (百二十); `None` if it is none, or longer than
    any that counts. The text has nothing but such numerals.

    >>> parse_kanji("二千二十六")
    2026
    """
    if len(text) > _MOST_CHARACTERS:
        return None
    if not any(unit in text for unit in _SIZES):
        return int("".join(str(DIGITS.index(digit)) for digit in text))
    value = digit = 0
    last_unit = 10_000
    for character in text:
        unit = _SIZES.get(character)
        if unit is None:
            if digit:
                return None
            digit = DIGITS.index(character)
        elif unit >= last_unit:
            return None
        else:
            value, digit, last_unit = value + (digit or 1) * unit, 0, unit
    return value + digit


def parse_number(text: str) -> int | None:
    """The value of a number in kanji, ASCII or full-width digits; `None` if it is none, or longer than any that counts.

    >>> parse_number("３５"), parse_number("三十五")
    (35, 35)
    """
    if len(text) > _MOST_CHARACTERS:
        return None
    digits = unicodedata.normalize("NFKC", text)
    if digits.isascii() and digits.isdigit():
        return int(digits)
    if all(character in KANJI_NUMERALS for character in text):
        return parse_kanji(text)
    return None
