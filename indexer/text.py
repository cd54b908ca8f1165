"""Normalisation of text, with a way back from every normalised position to its original column.

Pure functions. `normalise` is what the index stores and what a query goes through, so that two
spellings are equal exactly if their normalised forms are (seed 004 §4; contract §3): NFKC and
casefold, one representative for each family of hyphens, middle dots, brackets, slashes and quotes
and for a character that is drawn in two ways, Latin letters without their accents (as FTS5's own
tokenizer has them), white space unified, invisible characters dropped.
Line feeds stay, so line *n* of the normalised text is line *n* of the file.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise

from .combining import in_order, normal_form

LINE_BREAK = re.compile(r"\r\n|\r|\n")
"""What ends a line of a file; form feed, U+2028 and the like do not (contract §1)."""

_CARRIAGE_RETURN = re.compile(r"\r\n?")

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What people cannot see and search must not, as ranges of a character class: all that Unicode calls ignorable by
default (DerivedCoreProperties.txt, Default_Ignorable_Code_Point). Zero-width spaces and joiners, the soft hyphen,
bidirectional controls, the byte order mark, the selectors that choose how a character is drawn (葛 of 葛飾).
"""
_INVISIBLE = re.compile(f"[{INVISIBLE}]")

_FAMILIES = {
    # U+30FC (ー) is a letter and stays out: サーバー is not サーバ-.
    "-": "‐‑‒–—―−─━﹘⸺⸻",
    "~": "〜∼∿〰",
    "・": "·•‧∙⋅●◦᛫",
    "/": "⁄∕╱⧸\\",
    "(": "[{「『【〔〈《〖〘〚⦅❨❪⟨⟪",
    ")": "]}」』】〕〉》〗〙〛⦆❩❫⟩⟫",
    '"': "“”„‟«»〝〞〟",
    "'": "‘’‚‛`′",
}
# Characters that Unicode has twice and does not unify: those of names that are drawn in two ways (髙橋, 山﨑, 𠮷野);
# and radicals, which stand for whole characters in much of what is copied from a PDF.
_GLYPHS = {
    "高": "髙", "崎": "﨑", "吉": "𠮷", "徳": "德", "増": "增", "瀬": "瀨", "寛": "寬", "横": "橫", "清": "淸",
    "教": "敎", "悦": "悅", "黒": "黑",
    "民": "\u2ea0", "虎": "\u2ec1", "西": "\u2ec4", "角": "\u2ec6", "長": "\u2ed1", "青": "\u2ed8", "食": "\u2edd",
    "骨": "\u2ee3", "鬼": "\u2ee4", "麦": "\u2ee8", "黄": "\u2ee9", "斉": "\u2eeb", "歯": "\u2eed", "竜": "\u2eef",
    "亀": "\u2ef2",
}  # fmt: skip


def _accented_letters() -> Iterator[tuple[str, str]]:
    """The small Latin letters with an accent that Unicode has as one character (é), each with the letter itself."""
    for character in map(chr, chain(range(0xC0, 0x250), range(0x1E00, 0x1F00))):
        letter, *marks = tuple(unicodedata.normalize("NFD", character))
        if marks and "a" <= letter <= "z":
            yield character, letter


_LETTERS = {"o": "ø", "l": "ł", "d": "đ", "i": "ı", "ae": "æ", "oe": "œ"}
# Those that no character has in itself: x̄, and the stroke through each letter of a text that is struck out.
_MARKS = frozenset(map(chr, range(0x300, 0x370)))
_REPRESENTATIVE = {variant: head for head, family in (_FAMILIES | _GLYPHS | _LETTERS).items() for variant in family}
_REPRESENTATIVE |= {**dict(_accented_letters()), **dict.fromkeys(_MARKS, "")}
_VARIANTS = frozenset(_REPRESENTATIVE)
# Of the families of quotes; NFKC would take them apart.
_QUOTES = {"´": "'", "″": '"'}

# White space, and control characters with it: FTS5 would cut a token at NUL.
_BLANK = re.compile("[\x00-\x09\x0b-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_CHUNK = 2_000
# Characters whose normal form does not depend on what is before them.
_STANDS_ALONE = re.compile("[0-9A-Za-z\u3041-\u3096\u4e00-\u9fff]")
_BLANKS = re.compile(r" {2,}")
# From here on it pays to look for the few characters that may change, and at each of those once.
_LONG = 2_000


def _ideographs_without(others: Iterable[str]) -> str:
    """The ranges of a character class."""
    ends = [chr(ord("一") - 1), *sorted(character for character in others if "一" <= character <= "\u9fff"), "\ua000"]
    return "".join(f"{chr(ord(one) + 1)}-{chr(ord(other) - 1)}" for one, other in pairwise(ends))


IDEOGRAPHS = _ideographs_without(_GLYPHS.values())
"""Those that normalisation leaves as they are, as ranges of a character class."""

# Most of any text: what by itself is in its normal form, or is put into it by casefolding alone.
_PLAIN = "\n -Z^_a-z|~、。々・ーぁ-ゖァ-ヺ" + IDEOGRAPHS
_NOT_PLAIN = re.compile(f"[^{_PLAIN}]")
# What does not become one character, or may become one with another.
_MOVES_OTHERS = re.compile(f"[^{_PLAIN}\x00-\x7f！-～]")


class _Remembered(dict[str, str]):
    """What a function makes of each character, asked once."""

    def __init__(self, function: Callable[[str], str]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, character: str) -> str:
        self[character] = value = self._function(character)
        return value


def unify_line_breaks(text: str) -> str:
    """`\\r\\n` and `\\r` become `\\n`."""
    return _CARRIAGE_RETURN.sub("\n", text) if "\r" in text else text


def count_lines(text: str) -> int:
    """Lines as an editor counts them; a final line break starts no further one. `\\n` only."""
    return text.count("\n") + (not text.endswith("\n")) if text else 0


def normalise(text: str) -> str:
    """The form in which texts are compared. Idempotent; keeps every line feed.

    >>> normalise("Ｔｈｅ「第３条」")
    'the(第3条)'
    """
    text = _blank(_represent(_fold(_INVISIBLE.sub("", text)))) if len(text) < _LONG else _normalise_long(text)
    return _BLANKS.sub(" ", text) if "  " in text else text


def normalise_lines(lines: Iterable[str]) -> list[str]:
    """`normalise` of each of these texts, which have no line feeds. All at once: what it costs, it costs once."""
    lines = list(lines)
    return normalise("\n".join(lines)).split("\n") if lines else []


def normalise_with_columns(line: str) -> tuple[str, list[int]]:
    """Normalise one line and say where each character came from.

    Returns the normalised line and, for each of its characters, the 0-based column (code points) of
    `line` that it stems from. Columns never decrease. The first value equals `normalise(line)`.
    """
    characters: list[str] = []
    columns: list[int] = []
    for start, cluster in _clusters(line):
        for character in _NORMAL[cluster] if len(cluster) == 1 else _blank(_represent(_fold(cluster))):
            if character == " " and characters and characters[-1] == " ":
                continue
            characters.append(character)
            columns.append(start)
    return "".join(characters), columns


def original_column(line: str, column: int) -> int:
    """The original column of one normalised column, without mapping all of a long line."""
    return original_columns(line, [column])[0]


def original_columns(line: str, wanted: Sequence[int]) -> list[int]:
    """The original columns of normalised ones, in ascending order, without mapping all of a long line."""
    found: list[int] = []
    start = passed = 0
    while start < len(line) and len(found) < len(wanted):
        end = min(start + _CHUNK, len(line))
        while end < len(line) and not _STANDS_ALONE.match(line[end]):
            end += 1
        length = len(normalise(line[start:end]))
        if passed + length > wanted[len(found)]:
            # Where each becomes one, and no blanks are put together, each stems from the one at its place.
            is_same = length == end - start and not _MOVES_OTHERS.search(line, start, end)
            columns = range(length) if is_same else normalise_with_columns(line[start:end])[1]
            here = wanted[len(found) : bisect_left(wanted, passed + length, len(found))]
            found += [start + columns[column - passed] for column in here]
        passed += length
        start = end
    return found + [len(line)] * (len(wanted) - len(found))


def _represent(text: str) -> str:
    # str.translate looks up every character of a non-ASCII text; the few variants present are quicker.
    for variant in _VARIANTS.intersection(text):
        text = text.replace(variant, _REPRESENTATIVE[variant])
    return text


def _blank(text: str) -> str:
    return _BLANK.sub(" ", text)


def _fold(text: str) -> str:
    for variant, quote in _QUOTES.items():
        text = text.replace(variant, quote)
    # NFKC twice around casefold: Unicode's NFKC_Casefold (UAX #44) without its removals.
    return unicodedata.normalize("NFKC", normal_form("NFKC", text).casefold())


def _normalise_long(text: str) -> str:
    """The same as `_blank(_represent(_fold(text)))`, once the invisible characters are taken out. NFKC takes a text
    apart and puts it together again, character by character, if one of them is not in its normal form; so these are
    replaced before, all of a kind at once.
    """
    characters = set(_NOT_PLAIN.findall(text))
    for character in characters:
        if (normal := _COMPATIBLE[character]) != character:
            text = text.replace(character, normal)
    text = in_order("NFKC", text, set("".join(map(_COMPATIBLE.__getitem__, characters))))
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    # Without marks no variant and no blank is put together from others: those there are were one character before.
    folded = set("".join(map(_FOLDED.__getitem__, characters)))
    if not _MARKS.isdisjoint(folded):
        folded.update(text)
    for variant in _VARIANTS.intersection(folded):
        text = text.replace(variant, _REPRESENTATIVE[variant])
    return _blank(text) if any(map(_BLANK.match, folded)) else text


def _clusters(line: str) -> Iterator[tuple[int, str]]:
    """Cut a line where folding the parts equals folding the whole. (column, text) each."""
    start, parts = 0, list[str]()
    for column, character in enumerate(line):
        if _INVISIBLE.match(character):
            continue
        if parts and not _interacts(parts, character):
            yield start, "".join(parts)
            parts = []
        start = start if parts else column
        parts.append(character)
    if parts:
        yield start, "".join(parts)


def _interacts(parts: list[str], character: str) -> bool:
    if character.isascii() or _STANDS_ALONE.match(character):
        return False
    decomposed = unicodedata.normalize("NFKD", character)
    if unicodedata.combining(decomposed[0]):
        return True
    before = "".join(parts)
    return _fold(before + character) != _fold(before) + _fold(character)


_COMPATIBLE = _Remembered(
    lambda character: (
        "" if _INVISIBLE.match(character) else _QUOTES.get(character) or unicodedata.normalize("NFKC", character)
    )
)
_FOLDED = _Remembered(lambda character: _fold(_COMPATIBLE[character]))
_NORMAL = _Remembered(lambda character: _blank(_represent(_fold(character))))
