"""How much of a question the titles of sections hold, and the texts of links to them. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from morenashi.indexer.text import normalise
from morenashi.indexer.tokens import latin_words, stem
from morenashi.server.search.evidence import Evidence, SectionInfo
from morenashi.server.search.findings import PassageHit
from morenashi.server.search.question.query import Query
from morenashi.server.search.question.terms import Term

from .captions import article_title

_DESTINATION = re.compile(r"(?<=\])\([^()\s]{1,500}\)")
_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])")
# Of two letters a stem says little.
_LATIN_WORD = re.compile("[a-z]{3,}")
# An option or a setting, of several words or with signs at its ends: --force, _skip_if_exists, worker-class.
_NAME = re.compile("[-_]{0,2}[a-z][a-z0-9]*(?:[-_. ][a-z0-9]+)*[-_]{0,2}")
_LEAST_OF_NAME = 3
_BEGUN_BEFORE = re.compile("(?:(?<=[a-z])[a-z]|(?<=[0-9])[0-9]|(?<=[0-9][.])[0-9])$")


# The same titles come up in question after question.
@lru_cache(4_096)
def normal_title(title: str) -> str:
    """What the title shows, normalised, with the words of names such as keepAliveTimeout set apart behind it."""
    title = _DESTINATION.sub("", title)
    apart = _HUMP.sub(" ", title)
    return normalise(title if apart == title else f"{title} {apart}")


def terms_in_titles(evidence: Evidence) -> dict[int, frozenset[int]]:
    """The positions of the terms that the title of each section with hits holds: all, if the question cites it for
    sure, and those that cite it, if perhaps.
    """
    every = frozenset(range(len(evidence.findings.terms)))
    held = {}
    for section_id, hits in evidence.hits.items():
        place = evidence.findings.cited.get(section_id)
        if place and place.is_certain:
            held[section_id] = every
            continue
        title = _shown_title(evidence.sections[section_id], hits) + (f" {place.words}" if place else "")
        held[section_id] = frozenset(i for i, term in enumerate(evidence.findings.terms) if is_in_title(title, term))
    return held


def _shown_title(section: SectionInfo, hits: Sequence[PassageHit]) -> str:
    """The title as written in the heading, and below it."""
    below = (article_title(hit.passage.text) for hit in hits)
    return " ".join((normal_title(section.title), *filter(None, below)))


def share_of_terms(title: str, terms: Sequence[Term]) -> float:
    """The share (0..1) of the terms that a normalised title holds; Latin ones at the beginning of a word."""
    return sum(is_in_title(title, term) for term in terms) / len(terms)


def is_in_title(title: str, term: Term) -> bool:
    """Whether a normalised title holds the term in any spelling, a Latin one where a word begins, in another form
    (Caching of cache) or in two words (Back up of backup), a number as a whole, a name with whatever signs between its
    words (`worker_class` of --worker-class). A title by a synonym is about something else as often as not. Of terms
    that are asked for near each other it has to hold one of each side.
    """
    if term.sides:
        return all(any(is_in_title(title, part) for part in side) for side in term.sides)
    for spelling in (*term.exact, *term.respelt):
        if _holds(title, spelling):
            return True
    if _LATIN_WORD.fullmatch(term.text) and (stem(term.text) in _stems(title) or term.text in _joined(title)):
        return True
    if (name := _words_of_name(term.text)) and f" {name} " in _words_apart(title):
        return True
    return (bounded := term.as_bounded()) is not None and bounded.search(title) is not None


@lru_cache(4_096)
def _stems(title: str) -> frozenset[str]:
    return frozenset(map(stem, latin_words(title)))


@lru_cache(1_024)
def _words_of_name(text: str) -> str:
    """The words of a name, blanks between them; nothing of what is one word without signs, which is found as it is."""
    if _LATIN_WORD.fullmatch(text) or not _NAME.fullmatch(text):
        return ""
    name = " ".join(latin_words(text))
    return name if len(name) >= _LEAST_OF_NAME else ""


@lru_cache(4_096)
def _words_apart(title: str) -> str:
    return f" {' '.join(latin_words(title))} "


@lru_cache(4_096)
def _joined(title: str) -> frozenset[str]:
    """Each two of its words that stand side by side as one: backup of Back up."""
    return frozenset(map("".join, pairwise(latin_words(title))))


def _holds(title: str, spelling: str) -> bool:
    start = title.find(spelling)
    while start >= 0 and _is_cut_out(title, start, start + len(spelling)):
        start = title.find(spelling, start + 1)
    return start >= 0


def _is_cut_out(title: str, start: int, end: int) -> bool:
    """Whether what stands there is the end of a Latin word, or of a number, or the first digits of one. Titles are
    short, and would be about anything: "age" is no word of "package", 7.2 no number of 3.7.2 or 7.25.
    """
    last_and_next = title[end - 1 : end + 1]
    return _BEGUN_BEFORE.search(title, max(start - 2, 0), start + 1) is not None or (
        len(last_and_next) == 2 and last_and_next.isdecimal()
    )


def says_verb(title: str, query: Query) -> bool:
    """Whether a title as written has a noun that says what a verb of the question does: 削除 of 消したい."""
    return bool(query.nouns) and any(noun in normal_title(title) for noun in query.nouns)


def likeness(text: str, query: Query) -> float:
    """How much (0..1) a link's text is what was asked: the share of the terms in it, less what it says besides."""
    if not text:
        return 0.0
    if text == query.text:
        return 1.0
    return share_of_terms(text, query.terms) * min(1.0, len(query.text) / len(text))
