"""Articles as lawyers cite them, without what laws write before the numbers: 労働基準法39条1項. Pure, on normalised
text.

A law calls itself 労働基準法第39条第1項; who asks seldom writes so.
"""

import re

from morenashi.indexer.numerals import KANJI_NUMERALS
from morenashi.indexer.references.place_keys import NUMBER, NUMBER_BRANCHES, OF_ARTICLES

_OF_DOCUMENT = f"(?<=[{OF_ARTICLES}])"
# 条例 and 条件 are no articles.
_ARTICLE = f"{NUMBER}条(?![例件約]){NUMBER_BRANCHES}"
_BELOW = f"第?{NUMBER}[項号]"
# Of a named document, or with what lies in it: 30条 alone is as well a part of 第130条.
_ALONE = f"(?<![^\\s、,・])(?={_ARTICLE}{_BELOW})"
_BARE = re.compile(rf'"[^"]*"|(?:{_OF_DOCUMENT}|(?<=[{OF_ARTICLES}]の))(?={_ARTICLE})|{_ALONE}')
_TYPED = re.compile(f"{_ALONE}{_ARTICLE}(?:{_BELOW})+")
_CITED = re.compile(rf"(?:{_OF_DOCUMENT}|^)第{_ARTICLE}(?:{_BELOW})*")
_WITH_BELOW = re.compile(rf"第{_ARTICLE}{_BELOW}")
_NOT_BEHIND_NUMBER = f"(?<![0-9{KANJI_NUMERALS}第])"
# Of 第39条の2第1項 the second one has to stay.
_ORDINAL = re.compile(f"{_NOT_BEHIND_NUMBER}第(?={NUMBER}[条項号])")
_NO_ORDINAL = re.compile(f"{_NOT_BEHIND_NUMBER}(?={NUMBER}[条項号])")


def with_ordinals(question: str) -> str:
    """A question with a 第 before the articles that it cites without one, but for what it quotes."""
    return _BARE.sub(lambda found: found[0] or "第", question)


def typed_articles(question: str) -> dict[str, str]:
    """The articles without a document that a normalised question has without 第, by what `with_ordinals` makes of them:
    where the characters stand as they were typed, in 第三十五条第一項 of 十五条第一項, they are found, too.
    """
    return {f"第{typed[0]}": typed[0] for typed in _TYPED.finditer(question)}


def article_spellings(word: str) -> list[str]:
    """A word that cites an article, with and without 第 before its numbers, if it is not written so itself. Of an
    article without a document only with: 3条 is not 第3条 alone.
    """
    cited = _CITED.search(word)
    if not cited:
        return []
    before, place, behind = word[: cited.start()], cited[0], word[cited.end() :]
    others = [_NO_ORDINAL.sub("第", place), *([_ORDINAL.sub("", place)] if before else [])]
    return [f"{before}{other}{behind}" for other in others if other != place]


def bare_articles(word: str) -> list[str]:
    """A word that begins with an article, and what lies in it, as texts have it that leave 第 out: 39条2項 of
    第39条2項. They are it only where no number stands before: 139条2項 is another.
    """
    cited = _CITED.match(word)
    if not cited or not _WITH_BELOW.match(cited[0]):
        return []
    place, behind = cited[0], word[cited.end() :]
    others = (place, _NO_ORDINAL.sub("第", place), _ORDINAL.sub("", place))
    return [f"{other.removeprefix('第')}{behind}" for other in dict.fromkeys(others)]
