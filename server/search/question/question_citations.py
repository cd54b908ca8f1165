"""What a question cites: 所得税法第28条第2項, 第39条, 3.2節, section 4.2 of the privacy statement, Appendix B. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from morenashi.indexer.numerals import DIGIT
from morenashi.indexer.references.law_names import LAW_ENDINGS, means
from morenashi.indexer.references.numbered_citations import find_numbered_citations

_MAY_CITE = re.compile(f"{DIGIT} ?[条章節]|別[表紙添図]|[付附][表録則]|様式")
# 著作権法 109条 is 著作権法第109条.
_APART = re.compile(f"(?<=[{LAW_ENDINGS}]) +(?=[第0-9別付附様])")
_BARE_ARTICLE = re.compile("(?<![第0-9.])(?=[0-9]+条)")
_NUMBER = r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,5}|(?:[ivx]{2,5}|[a-z])(?:\.[0-9]{1,3}|\([0-9]{1,3}\)){0,2}"
# As in texts: no letter but the particle of a Japanese sentence, and not in the middle of a number: section 4.2の例外.
_ENDS = r"(?![^\Wぁ-っづ-ん]|\.[0-9])"
_ENGLISH = re.compile(
    r"(?:(?<![^\Wぁ-ん])(?<!\.)(?:(?P<kind>section|chapter|appendix|annex)|(?P<contract>clause|article|schedule|exhibit|attachment|part)"
    r"|(?P<plural>(?:section|chapter|clause|article|schedule|exhibit|attachment|part)s|appendices|annexes)) |§ ?)"
    rf"(?P<number>{_NUMBER}){_ENDS}"
)
_FURTHER = re.compile(rf"(?:, (?:and |or )?| (?:and|or|&) )(?P<number>{_NUMBER}){_ENDS}")
_SINGULAR = {"appendices": "appendix", "annexes": "annex"}
# A heading 7.2 is clause 7.2, and may be article 7.2 or part III; chapter 7.2, too, which is a section.
_ALSO_NUMBERED = ("clause", "article", "part")
_MOST_FURTHER = 10
_MAY_CITE_CAPTION = re.compile(r"[図表] ?[0-9]|[0-9][図表]|(?<![\w.])(?:fig|table)")
OF = re.compile(r",? (?:of|in|from) (?:the |this |our |your )?")
"""What stands between an English place and the name of its document."""
# Keywords do without: section 4.2 privacy statement.
_BLANK = re.compile(" ")
_WORD = re.compile(r"[^\s,]+")
_MOST_WORDS = 8
_RUN_BEFORE = re.compile(r"([^\s、。()]+?)[の、\s(]?$")
_MOST_BEFORE = 40


class Citation(NamedTuple):
    """A place by its name (indexer/references/section_names.py), and by that of a part of it.

    `words` are those that cite it. `called` is what they may call its document, the likeliest first; `is_of_another` if
    they do so for sure, so that it is no place of a document called otherwise.
    """

    words: str
    name: str
    detail: str | None
    called: tuple[str, ...]
    is_of_another: bool


def find_citations(question: str) -> Iterator[Citation]:
    """The places that a normalised question cites."""
    if _MAY_CITE.search(question):
        yield from _in_japanese(question)
    for numbered in find_numbered_citations(1, question, frozenset(), frozenset()):
        yield Citation(
            numbered.text, numbered.name, None, _named_before(question, numbered.column), is_of_another=False
        )
    for match in _ENGLISH.finditer(question):
        yield from _in_english(question, match)
    if _MAY_CITE_CAPTION.search(question):
        yield from _of_captions(question)


def find_english_places(question: str) -> Iterator[tuple[int, int, str]]:
    """Where a normalised question cites a place by one number in English, and the number: section 9.3."""
    from morenashi.indexer.references.english_citations import may_be_name

    for match in _ENGLISH.finditer(question):
        is_name = not match["contract"] or may_be_name(question, match.end(), match["number"])
        if is_name and not match["plural"]:
            yield match.start(), match.end(), match["number"]


def _in_japanese(question: str) -> Iterator[Citation]:
    # Imported for the first question that may cite something: a search is answered without.
    from morenashi.indexer.references.citing_document import CitingDocument
    from morenashi.indexer.references.japanese_citations import find_japanese_citations
    from morenashi.indexer.references.named_places import NamedSections

    text = _BARE_ARTICLE.sub("第", _APART.sub("", question))
    for reference in find_japanese_citations(CitingDocument(NamedSections(), ()), 1, text):
        called, name = reference.called or "", reference.name
        if not name:
            # An appendix that may be a document: to a question it is a place, wherever it stands.
            called, name = "", called
        titles = tuple(end for end in _ends(called) if means(called, end)) or _named_before(text, reference.column)
        # Of two articles of one law the second does not repeat its name.
        words = reference.text if reference.text.startswith(called) else f"{called}{reference.text}"
        yield Citation(words, name, reference.detail, titles, bool(called))
        if reference.last:
            yield Citation(words, reference.last, None, titles, bool(called))


def _named_before(text: str, column: int) -> tuple[str, ...]:
    """What stands before a place, in a question: 操作説明書の3.2節."""
    run = _RUN_BEFORE.search(text, max(column - _MOST_BEFORE, 0), column)
    return tuple(_ends(run[1])) if run else ()


def _ends(name: str) -> Iterator[str]:
    return (name[start:] for start in range(len(name) - 1))


def _of_captions(question: str) -> Iterator[Citation]:
    from morenashi.indexer.references.caption_citations import find_asked_captions

    for start, end, words, name in find_asked_captions(question):
        is_japanese = name[0] in "図表"
        called = _named_before(question, start) if is_japanese else _called_around(question, start, end)
        yield Citation(words, name, None, called, is_of_another=False)


def _in_english(question: str, match: re.Match[str]) -> Iterator[Citation]:
    from morenashi.indexer.references.english_citations import may_be_name

    plural = match["plural"]
    kind = _SINGULAR.get(plural, plural[:-1]) if plural else match["kind"] or match["contract"] or "section"
    numbers, end = [match["number"]], match.end()
    while plural and len(numbers) < _MOST_FURTHER and (further := _FURTHER.match(question, end)):
        numbers.append(further["number"])
        end = further.end()
    if (match["contract"] or plural) and not may_be_name(question, end, numbers[-1]):
        return
    called = _called_around(question, match.start(), end)
    for number in (number.replace("(", ".").replace(")", "") for number in numbers):
        words = match[0] if len(numbers) == 1 else f"{kind} {number}"
        yield Citation(words, f"{kind} {number}", None, called, is_of_another=False)
        if kind in _ALSO_NUMBERED or (kind == "chapter" and "." in number):
            yield Citation(words, f"section {number}", None, called, is_of_another=False)


def _called_around(question: str, start: int, end: int) -> tuple[str, ...]:
    """What the document may be called, behind a place, with or without "of the", or before it."""
    before = _WORD.findall(question, 0, start)[-_MOST_WORDS:]
    beside = OF.match(question, end) or _BLANK.match(question, end)
    behind = _WORD.findall(question, beside.end())[:_MOST_WORDS] if beside else []
    return (*_beginnings(behind), *_endings(before))


def _beginnings(words: Sequence[str]) -> Iterator[str]:
    return (" ".join(words[:count]).rstrip("?.!") for count in range(len(words), 0, -1))


def _endings(words: Sequence[str]) -> Iterator[str]:
    return (" ".join(words[start:]) for start in range(len(words)))
