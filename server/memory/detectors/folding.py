"""One spelling for what is written full or half width, decomposed, in letters styled as mathematics has them, in digits
of any script, with other dashes, blanks or line breaks, or with what nobody sees in between; and the way back from its
characters to those of the text."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from morenashi.indexer.combining import normal_form
from morenashi.indexer.text import INVISIBLE

from .scanning import Span

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_HALF_WIDTH_SIGNS = dict(zip(range(0xFF61, 0xFF66), "。「」、・", strict=True))
# What Unicode and terminals take for the end of a line, for those who look at lines.
_LINE_BREAK = re.compile("\r(?!\n)|[\v\f\x85\u2028\u2029]")
_FOLDED_ASCII = "\r\v\f\x1b"
_BLANKS = dict.fromkeys([0x00A0, *range(0x2000, 0x200B), 0x202F, 0x3000], " ")
_DASHES = dict.fromkeys([*range(0x2010, 0x2016), 0x2043, 0x2212, 0x2500, 0x2501, 0xFE58, 0xFE63], "-")
# The mark of a long vowel stands for a dash between digits, and for itself after a word: コールセンター03-...
_LONG_VOWEL = {0xFF70: "ー"}
# As word processors and telephones write them.
_QUOTES = dict.fromkeys(map(ord, "“”„‟"), '"') | dict.fromkeys(map(ord, "‘’‚‛"), "'")
_BRACKETS = dict(zip(map(ord, "〔［【〕］】"), "((()))", strict=True))
# 𝐩𝐚𝐬𝐬, 𝟎𝟗𝟎: an alphabet for each style, and those of its letters that Unicode had before.
_STYLED = {
    code: letter
    for code in (*range(0x2100, 0x2150), *range(0x1D400, 0x1D800))
    if len(letter := normal_form("NFKC", chr(code))) == 1 and letter.isascii()
}
# Circled and raised ones stay: they number what stands behind them, ①090-...
_ZEROS = "٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐᥆᧐᪀᪐᭐᮰᱀᱐꘠꣐꤀꧐꧰꩐꯰"
_DIGITS = {ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)}
_FOLD = _STYLED | _DIGITS | _FULL_WIDTH | _HALF_WIDTH_SIGNS | _BLANKS | _DASHES | _LONG_VOWEL | _BRACKETS | _QUOTES
_KANJI_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")

_MARKS = "\u0300-\u034e\u0350-\u036f\u3099\u309a"
_begin = attrgetter("folded")
UNSEEN = rf"[{INVISIBLE}]+|\x1b\[[0-9;]{{0,20}}[A-Za-z]"
"""What nobody sees: also what gives colours to a terminal."""
_ANY_TO_COMPOSE = re.compile(f"[ｦ-ﾟ{_MARKS}{INVISIBLE}\x1b]")
# A soft hyphen is seen where a line ends, and between digits often meant as one.
_TO_COMPOSE = re.compile(
    rf"(?P<kana>[ｦ-ﾝ][ﾞﾟ]?)|\w[{_MARKS}]+|(?P<hyphen>(?<=[0-9])\u00ad(?=[0-9]))|(?P<unseen>{UNSEEN})"
)


class _Piece(NamedTuple):
    """What begins at `folded` in the folded text, and where it stood: copied, or written for all of that."""

    folded: int
    start: int
    end: int
    is_copied: bool

    def place_of(self, position: int) -> Span:
        """Where a character of it stood."""
        if not self.is_copied:
            return self.start, self.end
        place = self.start + position - self.folded
        return place, place + 1


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text, and its pieces in order; without any, each character is where it was. `of` is what was folded,
    if that was none as it came."""

    text: str
    pieces: Sequence[_Piece] = ()
    of: "Folded | None" = None

    def original(self, span: Span) -> Span:
        """The span in the text as it came."""
        start, end = span
        if self.pieces:
            start, end = self._place_of(start)[0], self._place_of(end - 1)[1]
        return self.of.original((start, end)) if self.of else (start, end)

    def _place_of(self, position: int) -> Span:
        return self.pieces[bisect_right(self.pieces, position, key=_begin) - 1].place_of(position)


def fold(text: str) -> Folded:
    """The text with ASCII letters, digits and signs for full-width or typographic ones, and letters in one piece."""
    if text.isascii() and not any(sign in text for sign in _FOLDED_ASCII):
        return Folded(text)
    text = _LINE_BREAK.sub("\n", text).translate(_FOLD)
    return rewrite(text, _TO_COMPOSE, _compose) if _ANY_TO_COMPOSE.search(text) else Folded(text)


def fold_kanji_digits(text: str) -> str:
    """The text with 〇 to 九 as digits, for numbers that are written out one by one."""
    return text.translate(_KANJI_DIGITS)


def rewrite(text: str, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str]) -> Folded:
    """The text with other characters for what a pattern matches; each of them stands where all of the match stood."""
    parts: list[str] = []
    pieces: list[_Piece] = []
    folded, position = 0, 0
    for match in pattern.finditer(text):
        start, end = match.span()
        written = replace(match)
        parts += [text[position:start], written]
        pieces.append(_Piece(folded, position, start, True))
        folded += start - position
        pieces.append(_Piece(folded, start, end, False))
        folded += len(written)
        position = end
    parts.append(text[position:])
    return Folded("".join(parts), [*pieces, _Piece(folded, position, len(text), True)])


def _compose(match: re.Match[str]) -> str:
    """ﾊﾟ is パ, か and its mark are が; p with a stroke below it is p; what is not seen is left out."""
    if match["hyphen"]:
        return "-"
    if match["unseen"]:
        return ""
    composed = normal_form("NFKC" if match["kana"] else "NFC", match[0])
    return composed[0] if composed[0].isascii() else composed
