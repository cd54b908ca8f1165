"""Numbered headings of a Japanese document without chapters, which its text cites as such: 第2章; in a contract and
the like also as articles: 第2条. Pure.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from morenashi.indexer.markdown import Section

from .place_keys import ARTICLE, ARTICLE_HEADING, DIVISION_HEADING

_NUMBERED = re.compile(r"([0-9]{1,2})章?(?:[.:)] ?| )(?=[^\W\d])")
_ARTICLE_LINE = re.compile(
    rf"[ 　\t#*_（(]{{0,8}}(?:[^（）()\n]{{1,40}}[）)])?[ 　*_]{{0,4}}{ARTICLE}(?=[ 　\t*_（(]|$)"
)
# In a handbook 第2条 may be that of any law.
_HAS_ARTICLES = re.compile("(?:契約書?|規約|約款|協定書?|覚書|合意書|規程|規則|細則|要綱|条件)\\Z")


def numbered_chapters(sections: Sequence[Section], titles: Sequence[str]) -> dict[int, str]:
    """The numbers of such headings by their positions. `titles` are the plain ones of the sections.

    None where a heading is a chapter or an article by its words; else those of the highest level that has numbers, if
    they go up.
    """
    if any(DIVISION_HEADING.match(title) or ARTICLE_HEADING.match(title) for title in titles):
        return {}
    numbers = {
        position: match[1]
        for position, title in enumerate(titles)
        if not title.isascii() and (match := _NUMBERED.match(title))
    }
    highest = min((sections[position].level for position in numbers), default=0)
    chapters = {
        position: str(int(number)) for position, number in numbers.items() if sections[position].level == highest
    }
    counted = list(map(int, chapters.values()))
    return chapters if all(one < other for one, other in pairwise(counted)) else {}


def are_articles(lines: Sequence[str], called: Iterable[str]) -> bool:
    """Whether numbered headings are articles: of a contract or of rules, by what it is called, without any article."""
    return any(map(_HAS_ARTICLES.search, called)) and not any(map(_ARTICLE_LINE.match, lines))
