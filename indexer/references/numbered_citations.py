"""Places that Japanese text names by the number of a heading: 3.2節, 第3.2.1項, 4章, 「3.2 設定」, 3.2を参照. Pure."""

import re
from collections.abc import Iterator, Set

from morenashi.indexer.numerals import parse_number
from morenashi.indexer.text import normalise

from .chapters import chapter_with
from .reference import Reference, lines_with

_DIGIT, _DOT = "[0-9０-９]", "[.．]"
_DOTTED = rf"{_DIGIT}{{1,3}}(?:{_DOT}{_DIGIT}{{1,3}}){{1,5}}"
# No end of a name or of another number.
_BEGINS = "(?<![0-9０-９A-Za-zＡ-Ｚ.．_/-])"
# No figure, table or version of that number.
_ALONE = rf"{_BEGINS}(?<![図表例式版ンドト])(?<![図表例式版ンドトA-Za-z] )"
_CITATION = re.compile(
    rf"(?P<number>{_BEGINS}{_DOTTED})[ 　]?(?P<unit>[章節項])(?!目)"
    rf"|(?P<shown>{_ALONE}{_DOTTED})(?=[ 　]?(?:の項)?[をもに]?[ 　]?(?:ご?参照|ご?覧|示|従))"
    rf"|(?P<titled>(?<=「){_DOTTED})(?={_DOT}?[ 　][^「」]{{1,80}}」)"
    rf"|(?P<chapter>(?<![0-9０-９.．第全各約計数]){_DIGIT}{{1,2}})[ 　]?章(?![立分構])"
)
_MAY_CITE = re.compile(rf"{_DIGIT}(?:{_DOT}{_DIGIT}|[ 　]?章)")


def lines_to_read(text: str) -> list[int]:
    """The lines (1-based) of a text that may hold a citation."""
    return lines_with(text, (match.start() for match in _MAY_CITE.finditer(text)))


def find_numbered_citations(line: int, text: str, known: Set[str], titles: Set[str]) -> Iterator[Reference]:
    """The references of a line. `known` are the names of the document's sections, `titles` what itself is called: what
    is no such number is missing only where it is called a section.
    """
    for match in _CITATION.finditer(text):
        name = _chapter(match["chapter"], known) if match["chapter"] else f"section {_number(match)}"
        called = chapter_with(name, known, titles)
        if name in known or match["unit"] or (match["chapter"] and called):
            inside = "" if match["chapter"] and called else name
            yield Reference(line, match.start(), "section", None, normalise(match[0]), called, inside)


def _number(match: re.Match[str]) -> str:
    return normalise(match["number"] or match["shown"] or match["titled"])


def _chapter(number: str, known: Set[str]) -> str:
    """第4章 or 4. in its heading."""
    value = parse_number(number)
    return f"章{value}" if f"章{value}" in known else f"section {value}"
