"""Numbers with their unit, one word in whatever way it is written: 10 MB = 10MB = 10 megabytes, 50 % = 50 percent,
75 dollars = $75. Pure, on normalised text.

9 am is one word, too; its notations are in clock_times.py.

Apart, the number stands on lines about anything, and mb in every number and member.
"""

import re

from .english_cited_words import CitedWords

# Each with the word for it, in the singular.
_SIGNS = {
    "kb": "kilobyte",
    "mb": "megabyte",
    "gb": "gigabyte",
    "tb": "terabyte",
    "kib": "kibibyte",
    "mib": "mebibyte",
    "gib": "gibibyte",
    "ms": "millisecond",
    "khz": "kilohertz",
    "mhz": "megahertz",
    "ghz": "gigahertz",
    "kg": "kilogram",
    "km": "kilometer",
    "cm": "centimeter",
    "mm": "millimeter",
    "%": "percent",
}
_WORDS = {word: sign for sign, word in _SIGNS.items()} | {"per cent": "%"}
# Before the number; each with the words for it that stand behind one.
_CURRENCIES = {"$": ("dollar", "usd"), "€": ("euro", "eur"), "£": ("pound", "gbp")}
_SIGN_OF = {word: sign for sign, words in _CURRENCIES.items() for word in words}
_TIMES = ("am", "pm", "a.m", "p.m")
_NUMBER = "(?P<number>[0-9][0-9,]*(?:[.:][0-9]+)?)"
_UNIT = f"{'|'.join(_SIGNS)}|(?:{'|'.join(_WORDS)})s?"
_CURRENCY = f"(?:{'|'.join(_SIGN_OF)})s?"
_MEASURE = re.compile(rf"{_NUMBER}[ -]?(?P<unit>{_UNIT})")
_SUM = re.compile(rf"(?P<sign>[{''.join(_CURRENCIES)}])?{_NUMBER}(?(sign)|[ -]?(?P<unit>{_CURRENCY}))")
# Set apart by one blank. In windows 11 am i allowed, the verb is none.
_APART = re.compile(
    rf"(?<![^ (]){_NUMBER} "
    rf"(?P<unit>{_UNIT}|{_CURRENCY}|[ap]\.?m)(?!\w|[/%&+*-]|[.:]\w| (?:i|not)(?!\w))"
)
_JAPANESE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_LONE_SIGNS = re.compile("[0-9] %[?.!]*")


def find_measures(question: str) -> list[CitedWords]:
    """The numbers of an English question that a unit stands behind, and what says something of each by itself."""
    # Lone signs are one term as they stand, anyway.
    is_none = _JAPANESE.search(question) or _LONE_SIGNS.fullmatch(question)
    found = () if is_none else _APART.finditer(question)
    return [CitedWords(match.start(), match.end(), _meant(match["number"], match["unit"])) for match in found]


def unit_spellings(term: str) -> list[str]:
    """A number with a unit as it is written otherwise; nothing of any other term."""
    if sum_of := _SUM.fullmatch(term):
        number, sign = sum_of["number"], sum_of["sign"] or _SIGN_OF[sum_of["unit"].removesuffix("s")]
        written = [f"{sign}{number}", *(f"{number} {word}" for word in _CURRENCIES[sign])]
        return [spelling for spelling in written if spelling != term]
    measure = _MEASURE.fullmatch(term)
    if not measure:
        return []
    number, unit = measure["number"], measure["unit"]
    sign = unit if unit in _SIGNS else _WORDS.get(unit) or _WORDS[unit.removesuffix("s")]
    words = [word for word, meant in _WORDS.items() if meant == sign]
    written = [f"{number}{sign}" if sign == "%" else f"{number} {sign}", *(f"{number} {word}" for word in words)]
    return [spelling for spelling in written if spelling != term]


def _meant(number: str, unit: str) -> list[str]:
    """A single figure says nothing where its unit does not stand behind it; of a time of day neither part does."""
    return [] if unit in _TIMES else [part for part in (number, unit) if len(part) > 1]
