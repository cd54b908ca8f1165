"""Places that Japanese text names by the number of a heading: 3.2節, 第3.2.1項, 4章, 「3.2 設定」, 3.2を参照.

Also those of another document: 旅費規程の4.1. Pure.
"""

import re
from collections.abc import Iterator, Set

from morenashi.indexer.numerals import parse_number
from morenashi.indexer.text import normalise

from .chapters import chapter_with
from .document_codes import CODE, CODED, may_be_document, meant_by
from .japanese_enumerations import AND, STANDS
from .place_keys import RANGE_SIGNS, between
from .reference import Reference

_DIGIT, _DOT = "[0-9０-９]", "[.．]"
_DOTTED = rf"{_DIGIT}{{1,3}}(?:{_DOT}{_DIGIT}{{1,3}}){{1,5}}"
# No end of a name or of another number.
_BEGINS = "(?<![0-9０-９A-Za-zＡ-Ｚ.．_/-])"
# No figure, table or version of that number.
_ALONE = rf"{_BEGINS}(?<![図表例式版ンドト])(?<![図表例式版ンドトA-Za-z] )"
# And another number; what a text does with the place.
_GOES_ON = rf"(?:(?:、|,|・|および|及び|と|または|又は|から|[{RANGE_SIGNS}-]){_DOTTED}){{0,5}}"
_IS_CITED = "ご?参照|ご?覧|示[すさし]|従|定め|定義|記載|規定|説明|述べ|掲げ|基づ|(?<=に)よ[りるっ]"
# Another document before it: 旅費規程4.1, 「運用手順書」の3.2, 手順書B-03の4.1, QM-02の4.1; but not 本規程の4.1.
_RULES = "規程|規則|要領|要綱|約款|指針|細則|手順書|仕様書|説明書|手引|マニュアル|ガイドライン|ガイド|ポリシー"
_OF_ANOTHER = re.compile(
    rf"(?:[「『]([^「」『』]{{1,40}}(?:{_RULES}|手引き)|{CODED})[」』]"
    rf"|(?<![^\s、。，．,.「」『』（）()ぁ-ん])(?![本当同])([^\s、。，．,.「」『』（）()ぁ-ん]{{1,30}}(?:{_RULES}))"
    rf"|({CODED})|(?<![A-Za-z0-9-])(?P<code>{CODE}))[ 　]?の?[ 　]?第?\Z"
)
_MOST_BEFORE = 50
# Quantities: 手引 1.5倍.
_NO_QUANTITY = "(?![ 　]?(?:[倍円版%％℃A-Za-z0-9.]|以上|以下|未満|年|月))"
# 上記2.2, 前述の3.1, and what goes on with it: 上記2.1及び2.2.
_ABOVE = re.compile(
    rf"(?:[上前下後次]記|[前後先上]述|前掲|(?<![^\W_ぁ-ん])[上下])の?[ 　]?"
    rf"(?P<numbers>{_DOTTED}(?:{AND}{_DOTTED}){{0,5}})(?={STANDS})"
)
# 3.1節から3.3節まで, 2.1～2.3節, 2.1及び2.2節: with one unit, and what lies between.
_SEVERAL = re.compile(
    rf"{_BEGINS}(?P<numbers>{_DOTTED}[章節項]?(?:(?:{AND}|から|[{RANGE_SIGNS}])第?[ 　]?{_DOTTED}[章節項]?){{1,9}})"
    "(?<=[章節項])(?!目)"
)
_EACH = re.compile(rf"(?P<range>(?:から|[{RANGE_SIGNS}])第?[ 　]?)?(?P<number>{_DOTTED})")
_CITATION = re.compile(
    rf"(?P<number>{_BEGINS}{_DOTTED})[ 　]?(?P<unit>[章節項])(?!目)"
    rf"|(?P<shown>{_ALONE}{_DOTTED})(?={_GOES_ON}[ 　]?(?:の項)?[をもにで]?[ 　]?(?:{_IS_CITED}))"
    rf"|(?P<titled>(?<=「){_DOTTED})(?={_DOT}?[ 　][^「」]{{1,80}}」)"
    rf"|(?P<behind>(?<=[程則領綱款針書引ルンドー」』の0-9 　]){_DOTTED}){_NO_QUANTITY}"
    rf"|(?P<chapter>(?<![0-9０-９.．第全各約計数]){_DIGIT}{{1,2}})[ 　]?章(?![立分構])"
)
MAY_CITE = re.compile(rf"{_DIGIT}(?:{_DOT}{_DIGIT}|[ 　]?章)")


def find_numbered_citations(line: int, text: str, known: Set[str], titles: Set[str]) -> Iterator[Reference]:
    """The references of a line. `known` are the names of the document's sections, `titles` what itself is called: what
    is no such number is missing only where it is called a section.
    """
    for above in _ABOVE.finditer(text):
        for each in _EACH.finditer(above["numbers"]):
            if (name := f"section {normalise(each['number'])}") in known:
                column = above.start("numbers") + each.start("number")
                yield Reference(line, column, "section", None, normalise(each["number"]), None, name)
    for several in _SEVERAL.finditer(text):
        yield from _several(line, several, known, titles)
    for match in _CITATION.finditer(text):
        name = _chapter(match["chapter"], known) if match["chapter"] else f"section {_number(match)}"
        if other := other_document(text, match.start(), name, known, titles):
            inside = f"章{parse_number(match['chapter'])}" if match["chapter"] else name
            yield Reference(line, match.start(), "section", None, normalise(match[0]), other, inside)
            continue
        called = chapter_with(name, known, titles)
        if (name in known and not match["behind"]) or match["unit"] or (match["chapter"] and called):
            inside = "" if match["chapter"] and called else name
            yield Reference(line, match.start(), "section", None, normalise(match[0]), called, inside)


def _several(line: int, match: re.Match[str], known: Set[str], titles: Set[str]) -> Iterator[Reference]:
    """Those of an enumeration or a range that the document itself has."""
    if other_document(match.string, match.start(), "", known, titles):
        return
    last = ""
    for each in _EACH.finditer(match["numbers"]):
        number = normalise(each["number"])
        column = match.start("numbers") + each.start("number")
        for one in (*(between(last, number) if each["range"] else ()), number):
            if (name := f"section {one}") in known:
                yield Reference(line, column, "section", None, number, None, name)
        last = number


def _number(match: re.Match[str]) -> str:
    return normalise(match["number"] or match["shown"] or match["titled"] or match["behind"])


def other_document(text: str, place: int, name: str, known: Set[str], titles: Set[str]) -> str | None:
    """What the document is called that stands right before a place of this name, if it is another one."""
    match = _OF_ANOTHER.search(text, max(place - _MOST_BEFORE, 0), place)
    if match is None or (match["code"] and not may_be_document(match["code"], name, known, titles)):
        return None
    return meant_by(match[match.lastindex or 0], titles)


def _chapter(number: str, known: Set[str]) -> str:
    """第4章 or 4. in its heading."""
    value = parse_number(number)
    return f"章{value}" if f"章{value}" in known else f"section {value}"
