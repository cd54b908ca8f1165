"""The grammar of what places are called: numbers with branches, chapters, appendices, headings as keys. Pure."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from morenashi.indexer.numerals import KANJI_NUMERALS, parse_number
from morenashi.indexer.text import normalise, normalise_lines

NUMBER = f"[0-9０-９{KANJI_NUMERALS}]+"
NUMBER_BRANCHES = f"(?:の{NUMBER})*"
ARTICLE = rf"第 ?({NUMBER}) ?条({NUMBER_BRANCHES})"
# Behind 条: 条件, 条約 and 条例 are no articles.
NO_WORD = "(?![件約例文理数])"
# The last character of what a document with articles is called.
OF_ARTICLES = "法令則程例款約領準"
DIVISIONS = "編章節款目"
APPENDICES = "別表|別紙|別添|別図|別記|付表|付録|附録"
RANGE_SIGNS = "~〜～–—―"
"""What stands between the first and the last of several places, beside hyphens."""
# As the hyphen of a number is written; as a member of a class the last one.
HYPHENS = "‐‑−－-"
# Of appendices and forms: 様式第2号の3, 様式2-3; but not 別表1の3倍.
BRANCHES = f"(?:[の{HYPHENS}](?!{NUMBER}(?:[倍割つ円%％枚通]|分の)){NUMBER})*"
# 様式一覧, 別表一式: no number, but the beginning of a word.
NO_ONE = "(?! ?一[覧式部括切般例])"
# Of figures and tables: 2-1, 3.2.
CAPTION_NUMBER = f"[0-9０-９]{{1,3}}(?:[.．–{HYPHENS}][0-9０-９]{{1,3}}){{0,2}}"
ENGLISH_DIVISIONS = "chapter|section|appendix|annex|part|article|clause|schedule|exhibit|attachment"
# Of chapters, also in Roman numerals: 第Ⅲ章, 第III章.
DIVISION_NUMBER = f"(?:{NUMBER}|[Ⅰ-Ⅻⅰ-ⅻ]|[IVXivxＩＶＸ]{{1,6}})"
# Of appendices: 別表A, 付録II.
LETTER = "(?:[IVX]{2,4}|[A-Za-zＡ-ＺⅠ-Ⅻⅰ-ⅻ])(?![A-Za-zＡ-Ｚ])"
ARTICLE_HEADING = re.compile(ARTICLE)
DIVISION_HEADING = re.compile(rf"第 ?({DIVISION_NUMBER}) ?([{DIVISIONS}])({NUMBER_BRANCHES})")

_EMPHASIS = re.compile(r"\*+|__")
_APPENDIX_HEADING = re.compile(
    rf"({APPENDICES}){NO_ONE} ?(?:第? ?({NUMBER})({BRANCHES})|([ivx]{{2,4}}|[a-z])(?![a-z]))?"
)
_FORM_HEADING = re.compile(
    rf"(?:別[記紙添] ?)?(?:様式{NO_ONE} ?第? ?({NUMBER})?|第 ?({NUMBER}) ?号様式)号?({BRANCHES})"
)
_BRANCH = re.compile(f"[の{HYPHENS}]")
_ROMAN = re.compile("(?=.)x{0,3}(?:ix|iv|v?i{0,3})")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10}
_DASH = re.compile(f"[.–{HYPHENS}]")
_NO_LETTERS = re.compile(r"[\W_]+")
_LONGEST_RANGE = 50


def anchor_key(anchor: str) -> str:
    """The name of an anchor or of a heading's text.

    >>> anchor_key("Using-`v-for`") == anchor_key("using-v-for")
    True
    """
    return title_key(normalise(anchor))


def title_key(title: str) -> str:
    """The same of a text that is normalised, emphasis or none."""
    return "~" + _NO_LETTERS.sub("", title)


def caption_key(number: str) -> str:
    """A number as names have it: 2-1 for 2.1.

    >>> caption_key("２．１")
    '2-1'
    """
    return _DASH.sub("-", normalise(number))


def back_matter_name(title: str) -> str:
    """The name of the appendix or form that a heading begins, 別表1 or 様式3; empty if it begins none."""
    if form := _FORM_HEADING.match(title):
        number = form[1] or form[2]
        return "様式" + (branched(number, form[3]) if number else "")
    if appendix := _APPENDIX_HEADING.match(title):
        return appendix[1] + (branched(appendix[2], appendix[3]) if appendix[2] else appendix[4] or "")
    return ""


def plain_title(title: str) -> str:
    """A normalised title without emphasis: of **第2章　採用**, what it says."""
    return _without_emphasis(normalise(title))


def plain_titles(titles: Iterable[str]) -> list[str]:
    """The same of several titles."""
    return [_without_emphasis(title) for title in normalise_lines(titles)]


@lru_cache(4096)
def branched(number: str, branches: str | None) -> str:
    """A number with its branches, as names have it; empty if it is none.

    >>> branched("三十五", "の二の3"), branched("Ⅳ", "")
    ('35-2-3', '4')
    """
    values = [_value(part) for part in (number, *_BRANCH.split(branches or "")[1:])]
    return "" if None in values else "-".join(map(str, values))


def between(first: str, last: str, sign: str = ".", most: int = _LONGEST_RANGE) -> list[str]:
    """The numbers inside a range, as names have them, which may differ behind the last `sign`; none of a longer one.

    >>> between("1", "4"), between("7.1", "7.4"), between("7.1", "8.4"), between("35-2", "35-4", "-")
    (['2', '3'], ['7.2', '7.3'], [], ['35-3'])
    """
    head, _, begin = first.rpartition(sign)
    head_last, _, end = last.rpartition(sign)
    if head != head_last or not (begin.isdigit() and end.isdigit()) or int(end) - int(begin) > most:
        return []
    return [f"{head}{sign}{number}".lstrip(sign) for number in range(int(begin) + 1, int(end))]


def _value(number: str) -> int | None:
    value = parse_number(number)
    if value is None and _ROMAN.fullmatch(roman := normalise(number)):
        digits = [_ROMAN_DIGITS[letter] for letter in roman]
        return sum(-one if one < after else one for one, after in pairwise([*digits, 0]))
    return value


def _without_emphasis(title: str) -> str:
    return _EMPHASIS.sub("", title).strip()
