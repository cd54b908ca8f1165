"""One spelling for what is written full width, with other dashes or other blanks. Every character keeps its place."""

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_BLANKS = dict.fromkeys([0x00A0, *range(0x2000, 0x200B), 0x202F, 0x3000], " ")
_DASHES = dict.fromkeys([0x00AD, *range(0x2010, 0x2016), 0x2043, 0x2212, 0x2500, 0x2501, 0xFE58, 0xFE63], "-")
# The mark of a long vowel stands for a dash between digits, and for itself after a word: コールセンター03-...
_LONG_VOWEL = {0xFF70: "ー"}
_BRACKETS = dict(zip(map(ord, "〔［【〕］】"), "((()))", strict=True))
_FOLD = _FULL_WIDTH | _BLANKS | _DASHES | _LONG_VOWEL | _BRACKETS
_KANJI_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")


def fold(text: str) -> str:
    """The text with ASCII letters, digits and signs wherever it has full-width or typographic ones."""
    return text if text.isascii() else text.translate(_FOLD)


def fold_kanji_digits(text: str) -> str:
    """The text with 〇 to 九 as digits, for numbers that are written out one by one."""
    return text.translate(_KANJI_DIGITS)
