"""Citations as words of a question: 第27条, 別表第1, 就業規則 of 就業規則第3章. Pure, on normalised text."""

import re

from morenashi.indexer.references.place_keys import NO_ONE, NUMBER, NUMBER_BRANCHES

from .asked import without_asking

# 第5条の3 is an article of its own, 第5条の3日 none.
_COUNTS_NOTHING = "(?![0-9つ人件名割倍分日円年月週時回歳個枚台種%万億千百])"
# 別表第1, 様式第2号の3, 様式2-3, 第3号様式, 別表Ⅱ, 付録B.
_BACK_MATTER = (
    f"(?:(?:別[表紙添図]|[付附][表録]|様式){NO_ONE}"
    f"(?:第?{NUMBER}号?(?:[の-]{NUMBER})*{_COUNTS_NOTHING}|(?:[ivx]{{2,4}}|[a-z])(?![a-z]))|第{NUMBER}号様式)"
)
# 図2, 表2-1; but neither 代表2名 nor 図2枚.
_CAPTION = f"(?<![^\\W_ぁ-ん])[図表][0-9]{{1,3}}(?:[-.][0-9]{{1,3}}){{0,2}}{_COUNTS_NOTHING}"
_ROMAN_CHAPTER = "第[ivx]{1,4}[編章節款]"
_CITED = re.compile(
    f"{_BACK_MATTER}|{_CAPTION}|{_ROMAN_CHAPTER}"
    f"|(?:第[0-9]+[条項号章節款編部](?:の[0-9]+{_COUNTS_NOTHING})*)+|第?[0-9]+(?:[.][0-9]+)+[章節項]"
    f"|(?<![0-9.])[0-9]+条(?![例件約])(?:の[0-9]+{_COUNTS_NOTHING})*"
)
# Of 3.2節: the number, which is all that its heading has.
_OF_HEADING = re.compile("第?([0-9]+(?:[.][0-9]+)+)[章節項]")
# Of 第9条第2項: its article, which is called so where nothing cites the paragraph.
_ARTICLE = f"(第{NUMBER}条{NUMBER_BRANCHES})"
# 第8号の2, 第1号ロ.
_BELOW_ARTICLE = f"(?:第?{NUMBER}[項号]{NUMBER_BRANCHES}[イロハニホヘトチリヌ]?|ただし書|[本但]文|[前後]段)"
_IN_ARTICLE = re.compile(_ARTICLE + _BELOW_ARTICLE)
# Of 第3章第2節, whose headings stand on lines of their own, both.
_CHAPTER = f"第?{NUMBER}[編章部節](?!目)"
_IN_CHAPTER = re.compile(f"{_CHAPTER}の?(?:第?{NUMBER}[章節款](?!目)の?)+")
_ONE_CHAPTER = re.compile(f"第?{NUMBER}[編章部節款]")
# 消費税法第2条第1項第8号, 消費税法附則第2条, 労働基準法別表第1, 就業規則の第3章, 報告書第Ⅱ章
_NAMED_PLACE = re.compile(
    rf"([^\W\d_第]{{2,}}?)の?(?:(附則)(?:{_ARTICLE}{_BELOW_ARTICLE}*)?|{_ARTICLE}{_BELOW_ARTICLE}*|({_BACK_MATTER})"
    rf"|(第{NUMBER}[編章節款]|{_ROMAN_CHAPTER})(第{NUMBER}[章節款])?)"
)
# What a document is called by the place that is cited of it: 情報セキュリティ規程第18条, 「旅費規程」第2条.
_NAMING = r"[^\W\d_第\u3041-\u309f]"
_PLACE_OF_IT = f"(?:の?第{NUMBER}[条編章節款]|の?{_ROMAN_CHAPTER}|{_BACK_MATTER})"
# The bracket at the beginning of a question has fallen away.
_NAME_OF_CITED = re.compile(
    rf"(?<!{_NAMING}){_NAMING}{{2,40}}(?={_PLACE_OF_IT})|(?:^|(?<=[(])){_NAMING}{{2,40}}(?=[)]{_PLACE_OF_IT})"
)


def find_cited(text: str) -> list[str]:
    """The places that a text cites, each with its number: what stands between digits is no word."""
    return _CITED.findall(text)


def without_cited(text: str) -> str:
    """The text without them, blanks in their place."""
    return _CITED.sub(" ", text)


def is_place_of_named(piece: str) -> bool:
    """Whether a piece is a place with the name of its document, or a section of a chapter, and nothing else:
    所得税法第28条第2項, 第3章第2節.
    """
    return (_NAMED_PLACE.fullmatch(piece) or _IN_CHAPTER.fullmatch(piece)) is not None


def with_names_of_cited(piece: str, words: list[str]) -> list[str]:
    """The words of a piece, but what a document is called whose place it cites is one, whatever scripts it is in."""
    names = [match[0] for match in _NAME_OF_CITED.finditer(without_asking(piece))]
    return list(dict.fromkeys([*names, *(word for word in words if not any(word in name for name in names))]))


def names_of_place(word: str) -> list[str]:
    """What a place is called where nothing calls it as the question does, one of a named document by the two of them;
    nothing if the word names none.
    """
    if named := _NAMED_PLACE.fullmatch(word):
        return list(filter(None, named.groups()))
    if _IN_CHAPTER.fullmatch(word):
        return _ONE_CHAPTER.findall(word)
    match = _IN_ARTICLE.match(word) or _OF_HEADING.fullmatch(word)
    return [match[1]] if match else []
