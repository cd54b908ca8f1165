"""Does a line say of a place that it refers to that this does not apply? Pure.

To name a place and to say that something does not apply is not enough:
第三条の適用を受ける者には、前項は、適用しない is about the paragraph and not about 第三条.
The place has to be what the sentence is about, and the sentence has to say so, not to suppose it
(適用しないで計算した, 適用しないことができる).
"""

import re

from morenashi.indexer.numerals import DIGIT, parse_number

_FURTHER_PLACES = (
    r"\((?:[^()]|\([^()]*\))*\)|[第0-9〇一二三四五六七八九十百千条項号章節款編表様式文段書前次同各本後法令の、, ]"
    "|別表|附則|規則|規程|ただし|但し|から|まで|及び|並びに|又は|若しくは|および|ならびに|または|もしくは|と"
)
# From the end of a reference to the particle after it, as in 第三条(届出)及び第五条から第七条までの規定は,
# 第五条の賞与の規定は.
_IS_TOPIC = re.compile(
    rf"(?:{_FURTHER_PLACES})*?(?:(?:の[^、。,はをが]{{1,16}})?の(?:規定|定め))?(?:について|に)?[はを]"
)
_IS_SAID = re.compile(r"(?:(?:もの|こと)と(?:する|します))?(?:[。.、,)]|$)")
_IS_ENGLISH_TOPIC = re.compile(
    r"(?:\([^()]*\)|[) ,]|and|or|sections?|clauses?|chapters?|articles?|[0-9.])*+(?:does|do|shall|will|is|are)? ?"
)
# What may stand behind the number of a paragraph: 第一項第二号(届出), 第一項本文.
_BEHIND_PARAGRAPH = rf"(?:の?第?{DIGIT}{{1,9}}号|各号|本文|ただし書|但し書|[前後]段|の規定)*+(?:\([^()]{{0,200}}\))?+"
_AFTER_PARAGRAPH = re.compile(_BEHIND_PARAGRAPH)
_FURTHER_PARAGRAPH = re.compile(
    rf"(?:(?P<to>から)|及び|並びに|又は|若しくは|および|ならびに|または|もしくは|と|[、,・])、?"
    rf"第?(?P<number>{DIGIT}{{1,9}})項(?:まで)?{_BEHIND_PARAGRAPH}"
)
_SENTENCE_ENDS = ("。", ". ")
_LONGEST_LIST = 400


def denied_place(line: str, reference: str, term: str, column: int) -> int | None:
    """Where a `reference` ends of which a normalised line says, by the expression `term` at `column`, that it does not
    apply; `None` if it does not say so.

    `reference` is as written on the line, normalised; where that is nothing, as of `[](rules.md)`, it cannot be told.
    """
    if not reference:
        return None
    begun = max(line.rfind(end, 0, column) for end in _SENTENCE_ENDS) + 1
    place = line.find(reference, begun, column)
    while place >= 0:
        after = place + len(reference)
        end = min(column, after + _LONGEST_LIST)
        if term.isascii():
            is_denied = end == column and _IS_ENGLISH_TOPIC.fullmatch(line, after, column)
        else:
            is_denied = _IS_TOPIC.match(line, after, end) and _IS_SAID.match(line, column + len(term))
        if is_denied:
            return after
        place = line.find(reference, after, column)
    return None


def paragraphs_named(first: int, line: str, after: int) -> list[range] | None:
    """The paragraphs of an article that a reference names, of which the `first` one ends at `after`: 第一項及び第三項,
    第二項から第五項まで. `None` if more may be meant than can be read.
    """
    paragraphs = [range(first, first + 1)]
    end = _AFTER_PARAGRAPH.match(line, after, after + _LONGEST_LIST).end()  # type: ignore[union-attr]
    while further := _FURTHER_PARAGRAPH.match(line, end, after + _LONGEST_LIST):
        number = parse_number(further["number"])
        if number is None:
            return None
        start = paragraphs.pop().start if further["to"] else number
        paragraphs.append(range(start, number + 1))
        end = further.end()
    return None if line.startswith("(", end) else paragraphs
