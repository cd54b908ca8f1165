"""Figures and tables that text names: 図2の画面, 表1～3, 保守手引の図1, Table 2, figs. 1–3. Pure.

They count where a caption of the document has that number, or where another document is named with it: most figures
of a manual are pictures that no line of text is a caption of. What counts things is no citation: 図2枚, Table 2 people.
"""

import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from .english_citations import STANDS_ALONE, document_behind
from .japanese_enumerations import AND, STANDS
from .numbered_citations import other_document
from .place_keys import CAPTION_NUMBER, RANGE_SIGNS, between, caption_key
from .reference import Reference

_NUMBER = rf"{CAPTION_NUMBER}(?![0-9０-９])"
_JAPANESE = re.compile(
    # 代表1, 地図2, データ表3, 別表1.
    rf"(?<![^\W_ぁ-ん上下次右左記掲述])(?P<kind>[図表])[ 　]?(?P<first>{_NUMBER})"
    rf"|第(?P<ordinal>[0-9０-９]{{1,3}})(?P<behind>[図表])(?![a-zA-Z一-龠])"
)
_FURTHER_JAPANESE = re.compile(
    rf"(?:{AND}|(?P<range>から|[{RANGE_SIGNS}-]))[ 　]?(?P<kind>[図表])?[ 　]?(?P<number>{_NUMBER})"
)
_STANDS = re.compile(STANDS)
_ENGLISH = re.compile(
    # Each table 1 to 4 seats: no place.
    r"(?<![^\Wぁ-ん])(?<![.-])(?<!\b[Aa] )(?<!\b[Ee]ach )(?<!\b[Pp]er )"
    r"(?:(?P<figure>[Ff]ig(?:ures?|s?\.|s)|FIGURES?|FIGS?\.)|(?P<table>[Tt]ables?|TABLES?))"
    rf"[ \t]{{1,2}}(?P<first>{_NUMBER})"
)
_FURTHER_ENGLISH = re.compile(
    r"(?:,[ \t]{1,2}(?:(?:and|or)[ \t]{1,2})?|[ \t]{1,2}(?:and|or|&|(?P<range>to|through))[ \t]{1,2}|[–-])"
    rf"(?P<kind>(?!))?(?P<number>{_NUMBER})"
)
# A set of characters to begin with, as in TOKEN of `japanese_targets`.
MAY_CITE = re.compile(
    "[図表bBgG](?:(?<=[図表])[ 　]?[0-9０-９]|(?<=[0-9０-９][図表])"
    "|(?:(?<=[Tt]ab)les?|(?<=TAB)LES?|(?<=[Ff]ig)(?:ures?|s?\\.|s)|(?<=FIG)(?:URES?|S?\\.))[^\\n\\w]{1,4}[0-9])"
)
_MOST_FURTHER = 20


def find_caption_citations(line: int, text: str, known: Set[str], titles: Set[str]) -> Iterator[Reference]:
    """The references of a line. `known` are the names of the document's places, `titles` what itself is called."""
    for cited in _read(text):
        if cited.is_japanese:
            other = other_document(text, cited.start, cited.kind, known, titles)
        else:
            other = document_behind(text, cited.end)
        called = None if other in titles else other
        numbers = cited.numbers if called else _known_numbers(cited, known)
        for name in (cited.kind + number for number in numbers):
            yield Reference(line, cited.start, "section", None, name, called, name)


def find_asked_captions(question: str) -> Iterator[tuple[int, int, str, str]]:
    """Those of a normalised question, whatever captions there are: begin, end, words and name of each."""
    for cited in _read(question):
        words = question[cited.start : cited.end]
        for number in cited.numbers:
            yield cited.start, cited.end, words, cited.kind + number


class _Cited(NamedTuple):
    """An enumeration of figures or of tables; `kind` and a number are a name."""

    start: int
    end: int
    kind: str
    numbers: list[str]

    @property
    def is_japanese(self) -> bool:
        return self.kind in ("図", "表")


def _read(text: str) -> Iterator[_Cited]:
    for pattern, further, stands in (
        (_JAPANESE, _FURTHER_JAPANESE, _STANDS),
        (_ENGLISH, _FURTHER_ENGLISH, STANDS_ALONE),
    ):
        end = 0
        for match in pattern.finditer(text):
            if match.start() < end:
                continue
            numbers, end = _all_of(text, match, further, stands)
            if numbers:
                yield _Cited(match.start(), end, _kind(match), numbers)


def _kind(match: re.Match[str]) -> str:
    if match.re is _JAPANESE:
        return match["kind"] or match["behind"]
    return "figure " if match["figure"] else "table "


def _all_of(
    text: str, match: re.Match[str], further: re.Pattern[str], stands: re.Pattern[str]
) -> tuple[list[str], int]:
    """The numbers of an enumeration that begins there, as names have them, none if they count something; its end."""
    if match.re is _JAPANESE and match["ordinal"]:
        return [caption_key(match["ordinal"])], match.end()
    numbers, end = [caption_key(match["first"])], match.end()
    kept = (numbers[:], end) if stands.match(text, end) else ([], end)
    while len(numbers) < _MOST_FURTHER and (more := further.match(text, end)):
        if more["kind"] not in (None, _kind(match)):
            break
        number = caption_key(more["number"])
        numbers += [*(between(numbers[-1], number) if more["range"] else ()), number]
        end = more.end()
        if stands.match(text, end):
            kept = numbers[:], end
    return kept


def _known_numbers(cited: _Cited, known: Set[str]) -> Iterator[str]:
    """Those that have a caption; where 1–3 has none, all of the range from 1 to 3."""
    for number in cited.numbers:
        first, _, last = number.partition("-")
        is_range = cited.kind + number not in known and {cited.kind + first, cited.kind + last} <= known
        for one in (first, *between(first, last), last) if is_range else (number,):
            if cited.kind + one in known:
                yield one
