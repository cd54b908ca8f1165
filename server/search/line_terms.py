"""What one line holds of a question's terms, as the search matches them. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from .matching import TermMatcher
from .question.english_forms import word_patterns
from .question.query import Query
from .question.terms import Term, blank_separators, parts_of

How = Literal["exact", "synonym", "loose", "instead", "begun_before"]

_RESEMBLES_FROM = 50


@dataclass(frozen=True, slots=True)
class HeldTerm:
    """A term, all its notations and spellings, and how the line holds it: `None` if it does not.

    `is_inner`: no term of the question, but a word inside one or what may stand in for one; `is_looked_for`: the search
    did so. What stands in for a term has no notations here: they may be words of the documents.
    `resemblance` (0..100) is that of the term to what is most like it on the line.
    """

    text: str
    notations: tuple[str, ...]
    how: How | None
    resemblance: int
    is_inner: bool
    is_looked_for: bool
    says: str


def look_at_line(query: Query, looked_for: tuple[Term, ...], text: str, offset: int) -> list[HeldTerm]:
    """The terms of a question on a line (0-based) of a normalised passage text. `looked_for` are those of the search,
    the question's own first.
    """
    terms = looked_for + tuple(term for term in query.fallback if term not in looked_for)
    match = TermMatcher(terms, len(query.terms)).match(text)
    on_line = dict(match.places).get(offset, ()) if match else ()
    return [
        _look_for(
            term,
            text,
            offset,
            is_there=position in on_line,
            is_inner=position >= len(query.terms),
            is_looked_for=position < len(looked_for),
        )
        for position, term in enumerate(terms)
    ]


def _look_for(term: Term, text: str, offset: int, *, is_there: bool, is_inner: bool, is_looked_for: bool) -> HeldTerm:
    from rapidfuzz import fuzz

    line = text.split("\n")[offset]
    how, says = _how(term, line) if is_there else _how_not(term, text, offset)
    resemblance = 100 if how else round(fuzz.partial_ratio(term.text, line))
    if how is None:
        says += f"; what is most like it resembles it to {resemblance} %" if resemblance >= _RESEMBLES_FROM else ""
    notations = [notation for part in parts_of([term]) if part.exact for notation in (*part.spellings, *part.words)]
    return HeldTerm(term.text, tuple(notations), how, resemblance, is_inner, is_looked_for, says)


def _how(term: Term, line: str) -> tuple[How, str]:
    if term.sides:
        return "exact", "the line holds words of it that stand near each other"
    if not term.exact:
        return "instead", "the line holds what is looked for instead: another form, or a word that is spelt like it"
    if found := next((spelling for spelling in (*term.exact, *term.bounded) if spelling in line), None):
        return "exact", "the line holds it" + (f" as {found}" if found != term.text else "")
    if found := next((spelling for spelling in term.loose if spelling in line), None):
        return "synonym", f"the line holds it as another spelling or a synonym: {found}"
    if found := next((phrase for phrase in term.words if _holds_words(line, phrase)), None):
        return "synonym", f"the line holds it as another spelling or a synonym: {found}"
    return "loose", "the line holds it loosely: separators, or a line break, stand between its characters"


def _holds_words(line: str, phrase: str) -> bool:
    (pattern,) = word_patterns([phrase])
    return re.search(pattern, blank_separators(line)) is not None


def _how_not(term: Term, text: str, offset: int) -> tuple[How | None, str]:
    pattern = term.pattern()
    for match in pattern.finditer(blank_separators(text)) if pattern else ():
        first = text.count("\n", 0, match.start())
        if first < offset <= text.count("\n", 0, match.end()):
            return "begun_before", "it begins on a line before and ends on this one; it counts for that line"
    return None, "the line does not hold it"
