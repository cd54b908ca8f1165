"""Other spellings of katakana words: サーバ and サーバー, ウイルス and ウィルス, カーブ of カーヴ. Pure."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

_RUN = re.compile("[\u30a1-\u30fa\u30fc]{3,}")
# As newspapers write them, with large letters, and as most others do; and those that only older texts have large.
_SIZES = (("ウイ", "ウィ"), ("ウエ", "ウェ"), ("ウオ", "ウォ"))
_OLD_SIZES = (("フア", "ファ"), ("フイ", "フィ"), ("フエ", "フェ"), ("フオ", "フォ"), ("クオ", "クォ"))
_VU = (("ヴァ", "バ"), ("ヴィ", "ビ"), ("ヴェ", "ベ"), ("ヴォ", "ボ"), ("ヴ", "ブ"))
# Where another word may end inside a long one, with the mark or without it: サーバールーム, ユーザインタフェース.
_LONG_RUN = re.compile("[\u30a1-\u30fa\u30fc]{6,}")
_MAY_END = re.compile("(?<=[\u30a1-\u30fa\u30fc][カガサザタダナハバパマヤラワァャリィ])(?:ー|(?=[^ッンャュョ]))")
_MOST_INSIDE = 3
_DIFFERS = re.compile("[ウフ][イエオィェォアァ]|ク[オォ]|ヴ")


def katakana_spellings(text: str) -> list[str]:
    """A normalised text with its katakana words in other spellings, itself left out."""
    written = [text, *_other_letters(text)] if _DIFFERS.search(text) else [text]
    written += _other_inner_endings(text)
    found = [*written[1:], *(spelling for one in written for spelling in _other_endings(one))]
    # Of marks alone, ーーーー, nothing would be left.
    return [spelling for spelling in dict.fromkeys(found) if spelling not in ("", text)]


def _other_letters(text: str) -> list[str]:
    """The text with all such letters small, as newspapers have it, and with all large; with バ for ヴァ in each."""
    small = text
    for vu, plain in _VU:
        small = small.replace(vu, plain)
    for large, letters in (*_SIZES, *_OLD_SIZES):
        small = small.replace(large, letters)
    in_newspapers = _enlarged(small, _SIZES)
    return [small, in_newspapers, _enlarged(in_newspapers, _OLD_SIZES)]


def _enlarged(text: str, sizes: Iterable[tuple[str, str]]) -> str:
    for large, small in sizes:
        text = text.replace(small, large)
    return text


def _other_inner_endings(text: str) -> list[str]:
    """The text with the mark of a long vowel, or without it, where another word may end inside a long one of katakana;
    if there are many such places, at one of them.
    """
    runs = _LONG_RUN.finditer(text)
    places = [place for run in runs for place in _MAY_END.finditer(text, run.start(), run.end() - 1)]
    most = len(places) if len(places) <= _MOST_INSIDE else 1
    return [_marked_otherwise(text, some) for number in range(1, most + 1) for some in combinations(places, number)]


def _marked_otherwise(text: str, places: Sequence[re.Match[str]]) -> str:
    for place in reversed(places):
        text = text[: place.start()] + ("" if place[0] else "ー") + text[place.end() :]
    return text


def _other_endings(text: str) -> list[str]:
    """The text without the mark of a long vowel at the end of its words, and with it."""
    without = _RUN.sub(lambda match: match[0].rstrip("ー") if len(match[0]) > 3 else match[0], text)
    with_mark = _RUN.sub(
        lambda match: match[0] if match[0].endswith("ー") or match.end() == len(text) else match[0] + "ー",
        text,
    )
    return [without, with_mark]
