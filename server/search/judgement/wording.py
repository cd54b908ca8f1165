"""What a Japanese sentence says, whatever its politeness, its commas and its particles. Pure.

精算書は、5日までに提出してください is 精算書を5日までに提出する.
"""

import re

# Takes up what stands before it, and points nowhere else: 副業は、これを認めない.
_RESUMES = re.compile("(?<=[はも])、?これを")
_SLIGHT = re.compile("[はもがをの、,\"' ]|一切|必ず|特に")
_IS_SO = re.compile("(?:で(?:す|ある|あります)|と(?:する|します|なる|なります)|だ)$")
_HAS_TO = re.compile("(?:こと|もの)と(?:する|します)$|(?:こと|必要が(?:ある|あります)|べきである)$")
_ROWS = tuple(str.maketrans(row, "うくぐすつぬぶむる") for row in ("いきぎしちにびみり", "わかがさたなばまら"))
_POLITE = re.compile("(?P<end>.)ます$")
_OBLIGED = re.compile("(?P<end>.)なければ(?:ならない|なりません)$")
_ASKED = re.compile("(?P<end>[^いっん])てください$")
_DOES = re.compile("する$|す$")


def without_resuming(sentence: str) -> str:
    """A sentence without a これを that takes up its own topic."""
    return _RESUMES.sub("", sentence) if "これを" in sentence else sentence


def bare(said: str) -> str:
    """A part of a sentence without what only joins its words."""
    return _SLIGHT.sub("", said).replace("へ", "に")


def plain(predicate: str) -> str:
    """The end of a sentence in one form: 提出します, 提出してください and 提出しなければならない are 提出."""
    end = _IS_SO.sub("", _HAS_TO.sub("", predicate))
    end = _POLITE.sub(lambda verb: _dictionary_form(verb["end"], 0), end)
    end = _OBLIGED.sub(lambda verb: _dictionary_form(verb["end"], 1), end)
    end = _ASKED.sub(lambda verb: "す" if verb["end"] == "し" else f"{verb['end']}る", end)
    return _DOES.sub("", end)


def _dictionary_form(stem: str, row: int) -> str:
    if stem == "し":
        return "す"
    other = stem.translate(_ROWS[row])
    return other if other != stem else f"{stem}る"
