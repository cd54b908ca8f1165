"""From normalised text to the strings that the two FTS5 tables hold. Pure.

*Pairs*: every adjacent pair of characters of the squeezed text (separators taken out), so any term
of two characters or more is found inside any word, whatever separators stand between its
characters. *Words*: runs of one script, stems for Latin words, for ranking. Both tables keep a
token once a passage (`detail=none`): order and count do not matter to them.
"""

import re
import threading
from array import array
from functools import cached_property
from operator import add
from typing import Any

# What a loose match looks through: "any run of spaces and separators" (contract §3). Normalised text has no
# other white space.
SEPARATORS = " \n・/-_,、"

PASSAGE_CHARACTERS = 1500
"""A passage ends at the line that would exceed this many normalised characters."""

# Closes every passage, so that its last character too begins a pair and one-character terms can be
# asked as a prefix. A separator: squeezed text never contains it.
END = "-"

# From here on it pays to take pairs for numbers.
_LONG = 100

_KANJI, _KATAKANA = r"\u4e00-\u9fff\u3400-\u4dbf々〆", r"\u30a1-\u30fa\u30fc"
# The set of first characters stands before the alternatives: that is what Python's re can search for quickly.
_RUN = re.compile(f"[a-z0-9{_KANJI}{_KATAKANA}](?:(?<=[a-z0-9])[a-z0-9]*|(?<=[{_KANJI}])[{_KANJI}]*|[{_KATAKANA}]+)")
_LATIN = re.compile(r"[a-z0-9]+")


def squeeze(text: str) -> str:
    """The text without separators, line feeds included."""
    # Faster than a pattern or a translation table: most are in no passage at all.
    for separator in SEPARATORS:
        text = text.replace(separator, "")
    return text


def pair_tokens(text: str) -> str:
    """The `pairs` document of a normalised passage: distinct pairs, in any order."""
    squeezed = squeeze(text) + END
    units = squeezed.encode("utf-16-le")
    if len(squeezed) < _LONG or len(units) != 2 * len(squeezed):
        return " ".join(dict.fromkeys(map(add, squeezed, squeezed[1:])))
    return _join_pairs(_distinct_pairs(units))


def _distinct_pairs(units: bytes) -> "array[int]":
    """The pairs of a text in UTF-16, all of whose characters have one unit, as numbers: quicker than as texts."""
    pairs = set[int]()
    for start in (0, 2):
        pairs.update(array("I", units[start : start + (len(units) - start) // 4 * 4]))
    return array("I", pairs)


def _join_pairs(pairs: "array[int]") -> str:
    """The same as text, with blanks between."""
    units = array("H", pairs.tobytes())
    joined = array("H", " ".encode("utf-16-le") * (3 * len(pairs)))
    joined[0::3], joined[1::3] = units[0::2], units[1::2]
    return joined.tobytes().decode("utf-16-le")[:-1]


def word_tokens(text: str) -> str:
    """The `words` document of a normalised passage: distinct script runs and stems."""
    return " ".join(dict.fromkeys(map(stem, _RUN.findall(text))))


def quote(token: str) -> str:
    """A token as an FTS5 expression: whatever is in it, it is no syntax."""
    return '"' + token.replace('"', '""') + '"'


def runs(text: str) -> list[str]:
    """The script runs of a normalised text: Latin words, kanji runs, katakana runs of two or more."""
    return _RUN.findall(text)


def latin_words(text: str) -> list[str]:
    """The runs of Latin letters and digits in a normalised text."""
    return _LATIN.findall(text)


def is_kanji(character: str) -> bool:
    """Whether this is an ideograph of the basic blocks, or one of the two marks that act as one."""
    return "\u4e00" <= character <= "\u9fff" or "\u3400" <= character <= "\u4dbf" or character in "々〆"


class _Stems(dict[str, str]):
    """Each run's stem, computed once: a corpus has few distinct words."""

    _MOST = 200_000
    # FTS5 would cut a token at 32,768 bytes, be that in the middle of a character.
    _LONGEST = 1_000
    # The stemmer changes no word with another end, and takes a while to find that out: half of all words have none.
    _CHANGED = ("s", "e", "y", "i", "ed", "ing", "al", "ul", "ll", "ic", "er", "or", "nt", "ist", "ion", "ism")

    def __init__(self) -> None:
        super().__init__()
        # It keeps the word in itself: of two threads each would stem a part of what the other one has brought.
        self._stemming = threading.Lock()

    def __missing__(self, run: str) -> str:
        if len(run) > self._LONGEST:
            return run[: self._LONGEST]
        if len(self) >= self._MOST:
            self.clear()
        may_change = run[0] <= "z" and len(run) < 40 and run.endswith(self._CHANGED)
        self[run] = value = self._stem(run) if may_change else run
        return value

    @cached_property
    def _stemmer(self) -> Any:
        # Imported for the first word that has a stem: it brings the stemmers of thirty languages.
        import snowballstemmer

        return snowballstemmer.stemmer("english")

    def _stem(self, word: str) -> str:
        with self._stemming:
            return str(self._stemmer.stemWord(word))


stem = _Stems().__getitem__
"""The Snowball (Porter 2) stem of a Latin run; any other run is its own stem. Of a very long run, its beginning."""
