"""Marks before what is counted, or in the name of a place, and their other forms: 3か月 = 三箇月, 霞ヶ関 = 霞が関.

Pure, on normalised text.
"""

import re

from morenashi.indexer.numerals import KANJI_NUMERALS

MARKS = "かカヵケヶ箇"
"""One sign, in whatever form: 3か月, 三箇月, 2ヶ所."""
COUNTED = "[月所国条年]"
"""What it stands before."""

_ALL_MARKS = f"{MARKS}個"
_COUNTING = re.compile(f"(?<=[0-9{KANJI_NUMERALS}数])[{_ALL_MARKS}](?={COUNTED})")
# 霞ヶ関, 茅ケ崎, 霞が関.
_MARK_OF_PLACES = re.compile("(?<=[\u4e00-\u9fff])[ヶケが](?=[\u4e00-\u9fff])")
_LONGEST_PLACE = 8


def counting_spellings(text: str) -> list[str]:
    """3か月 as 3ヶ月, 3箇月 and so on, 霞が関 as 霞ヶ関; none without such a mark."""
    if _COUNTING.search(text):
        return [spelling for mark in _ALL_MARKS if (spelling := _COUNTING.sub(mark, text)) != text]
    if len(text) <= _LONGEST_PLACE and _MARK_OF_PLACES.search(text):
        return [spelling for mark in "ヶケが" if (spelling := _MARK_OF_PLACES.sub(mark, text)) != text]
    return []
