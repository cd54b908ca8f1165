"""What of a question no candidate covers: terms, what the intent asks for, references that lead nowhere. Pure."""

import re
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from morenashi.server.search.evidence import Evidence, OpenEnd
from morenashi.server.search.question.intent import (
    Intent,
    defining_expression,
    expects_facet,
    has_facet,
    is_name_of,
    telling_expression,
)
from morenashi.server.search.question.near import FURTHEST
from morenashi.server.search.question.query import Query
from morenashi.server.search.ranking.candidates import Ranked
from morenashi.server.search.ranking.titles import is_in_title
from morenashi.server.search.resuming import Earlier

from .inflections import holds_inflection

_LOOKED_THROUGH, _MOST_OPEN_ENDS = 50, 10
# Of what places are called, what has nothing but numbers and our words for parts: no text of a document.
_IS_NUMBERED = re.compile(
    r"[条項号章節款編部表様式附則別紙付録添図0-9-]{2,24}[a-z]?|(?:section|chapter|appendix|annex) [0-9a-z.]{1,12}"
    r"|[a-z]{1,6}(?:-[a-z]{1,6})?-[0-9][0-9.-]{0,20}"
)
_LATIN_WORD = re.compile("[a-z]{4,}")
_PART = re.compile(r"([条項号章節款編部])([0-9]+)((?:-[0-9]+)*)")
_FACETS: dict[Intent, str] = {
    "definition": "no candidate says what it is",
    "procedure": "no candidate says how it is done",
    "eligibility": "no candidate says who or what qualifies",
    "exceptions": "no candidate has an exception",
}
_SIMILAR = "not found; a word spelt almost like it was looked for instead, as on this line"
_OTHER_FORM = "not found; words of the same stem were looked for instead, as on this line"
_NOT_NEAR = f"not within {FURTHEST} columns of one another, wherever they stand"
_ELSEWHERE = "not in the manual that was asked for; another one has it, as on this line"


class Gap(NamedTuple):
    """An aspect of the question, or of the notes that were found, that no candidate covers; or that there are none.

    The place is that of a reference without a target, where a word similar to a missing one stands, or where lines
    begin that hold nothing that was asked for. `hint` has words of the question or of this program, and the number of
    what a reference names (第99条), never the text of a document.
    """

    kind: Literal["term", "facet", "reference", "range", "scope"]
    hint: str
    manual_id: str | None = None
    path: str | None = None
    line: int | None = None


NO_DOCUMENTS = Gap(
    "scope", "no document to search: a manual is a folder of .md, .markdown, .mdx or .json files below MANUALS_ROOT"
)
"""The gap of a search that had nothing to search in: that it is so is what is missing, not the words."""


def find_gaps(
    ranked: Sequence[Ranked],
    evidence: Evidence,
    query: Query,
    intent: Intent,
    earlier: Earlier,
    *,
    is_found: bool,
    are_notes: bool,
) -> tuple[Gap, ...]:
    """The gaps of a ranked set that the searches `earlier` had as well. `is_found`: a line holds a term, in this search
    or in one of those. Nothing is expected of notes by intent.
    """
    expected = "unknown" if are_notes else intent
    missing = _missing_terms(evidence, query, expected, is_found=is_found)
    facet = _missing_facet(ranked, evidence, query, expected)
    return (*_never_found([*missing, *facet], intent, earlier), *_open_ends(evidence))


def lacking_at_home(gaps: Sequence[Gap], evidence: Evidence, at_home: Sequence[Gap]) -> list[Gap]:
    """What of the question the manual that was asked for lacks, though another one has it. `gaps` are those of the
    widened search, `at_home` those of the search in that manual alone.
    """
    missing = {_what_is_missing(gap.hint) for gap in gaps}
    held = {position for hit in evidence.all_hits() for position in hit.match.held}
    lacking = []
    for word in dict.fromkeys(_what_is_missing(gap.hint) for gap in at_home if gap.kind == "term"):
        position = next((one for one in sorted(held) if word in evidence.findings.terms[one].text), None)
        if word not in missing and position is not None:
            lacking.append(_taken_instead(evidence, word, position, _ELSEWHERE))
    return lacking


def _missing_terms(evidence: Evidence, query: Query, intent: Intent, *, is_found: bool) -> list[Gap]:
    """The terms that no hit holds. Whether there is what a name of the intent asks for, its facet says.

    A word that is inflected otherwise is none that is missing, unless nothing was found as it was asked for; nor is one
    that may stand in what was left over, where the hits have it so. One of the same stem may be another word (several
    of severance), so that it is said. What a file is called by is none.
    """
    findings, terms = evidence.findings, evidence.findings.terms
    found = {position for hit in evidence.all_hits() for position in hit.match.held}
    called = [place.words for place in findings.cited.values()]
    found |= {position for position, term in enumerate(terms) if any(is_in_title(words, term) for words in called)}
    inflected = {position: other for position, other in findings.inflected.items() if other in found}
    slips = {position: similar for position, similar in findings.slips.items() if similar in found}
    if is_found:
        found |= {position for position, other in inflected.items() if _is_inflected(evidence, position, other)}
    asked = [position for position in range(len(query.terms)) if position not in found]
    held = _latin_words_of_hits(evidence) if asked and findings.left else ""
    gaps = []
    for position in sorted({*asked, *slips}):
        if is_name_of(intent, terms[position].text):
            continue
        if position not in slips and holds_inflection(held, terms[position].text):
            continue
        if position in inflected:
            gaps.append(_taken_instead(evidence, terms[position].text, inflected[position], _OTHER_FORM))
        elif position in slips:
            gaps.append(_taken_instead(evidence, terms[position].text, slips[position], _SIMILAR))
        else:
            words = _words_missing(evidence, query, position, found | slips.keys())
            gaps += [Gap("term", f"{word}: {_NOT_NEAR}" if terms[position].sides else word) for word in words]
    return gaps


def _is_inflected(evidence: Evidence, position: int, other: int) -> bool:
    """Whether what was found instead of a term is it all the same: a mere inflection of it anywhere, or a Japanese
    compound with a particle inside.
    """
    word = evidence.findings.terms[position].text
    return not word.isascii() or any(
        holds_inflection(hit.passage.text, word) for hit in evidence.all_hits() if other in hit.match.loose
    )


def _latin_words_of_hits(evidence: Evidence) -> str:
    """Each once: many may be missing."""
    return " ".join({word for hit in evidence.all_hits() for word in _LATIN_WORD.findall(hit.passage.text)})


def _words_missing(evidence: Evidence, query: Query, position: int, known: Collection[int]) -> list[str]:
    """Of a phrase that stands nowhere, the words that are not `known` either; the term itself if it is none."""
    term = evidence.findings.terms[position].text
    known_words = {evidence.findings.terms[one].text for one in known}
    words = [word.text for word in query.phrases.get(term, ())]
    return [word for word in words if word not in known_words] or [term]


def _never_found(gaps: Sequence[Gap], intent: Intent, earlier: Earlier) -> Sequence[Gap]:
    """Those that the searches before had as well: what one of them found is not missing because the rest lacks it."""
    if earlier.intent != intent:
        return gaps
    missed = set(map(_what_is_missing, earlier.missing))
    # Of no candidates nobody said whether they have what the intent asks for.
    return [
        gap
        for gap in gaps
        if _what_is_missing(gap.hint) in missed or (gap.kind == "facet" and not earlier.has_candidates)
    ]


def _what_is_missing(hint: str) -> str:
    """Without what was looked for instead: that may stand in the rest and nowhere before, or the other way."""
    return hint.removesuffix(f": {_SIMILAR}").removesuffix(f": {_OTHER_FORM}").removesuffix(f": {_NOT_NEAR}")


def _taken_instead(evidence: Evidence, word: str, other: int, hint: str) -> Gap:
    """Says of a word where what was found instead stands, not what it is: that is text of a document."""
    manual_id, path, line = min(
        (section.manual_id, section.path, hit.passage.first_line + offset)
        for section_id, hits in evidence.hits.items()
        for section in (evidence.sections[section_id],)
        for hit in hits
        for offset, positions in hit.match.places
        if other in positions
    )
    return Gap("term", f"{word}: {hint}", manual_id, path, line)


def _missing_facet(ranked: Sequence[Ranked], evidence: Evidence, query: Query, intent: Intent) -> list[Gap]:
    best = [section_id for section_id, *_ in ranked[:_LOOKED_THROUGH]]
    if intent == "exceptions":
        is_there = any(evidence.clauses.get(section_id) for section_id in best)
    elif expects_facet(intent):
        texts = [hit.passage.text for section_id in best for hit in evidence.hits.get(section_id, ())]
        is_there = any(has_facet(intent, text) for text in texts)
        if not is_there and intent == "definition":
            says = filter(None, (defining_expression(query.text), telling_expression(query.text)))
            is_there = any(said.search(text) for said in says for text in texts)
    else:
        return []
    return [] if is_there or not ranked else [Gap("facet", f"intent {intent}: {_FACETS[intent]}")]


def _open_ends(evidence: Evidence) -> list[Gap]:
    """References of the best candidates that lead nowhere, each target by the first of its places; those that are not
    told by a number together by the first of their lines in a file.
    """
    ends: dict[tuple[str | bool, ...], list[OpenEnd]] = {}
    for end in evidence.open_ends:
        name = end.name if _IS_NUMBERED.fullmatch(end.name) else ""
        kind = "" if name else end.kind
        ends.setdefault((name, end.manual_id, end.path, kind, end.is_elsewhere), []).append(end)
    return [
        Gap("reference", _unresolved(str(name), alike), alike[0].manual_id, alike[0].path, alike[0].line)
        for (name, *_), alike in ends.items()
    ][:_MOST_OPEN_ENDS]


def _unresolved(name: str, alike: Sequence[OpenEnd]) -> str:
    first = alike[0]
    what = _PART.sub(_as_cited, name) or first.kind
    if first.is_elsewhere:
        what += " to another document" if what == "link" else " of another document"
    lines = 1 if name else len({end.line for end in alike})
    return f"unresolved reference: {what}" + (f", on {lines} lines from this one on" if lines > 1 else "")


def _as_cited(part: re.Match[str]) -> str:
    """Of 条4-2, 第4条の2: what can be asked for."""
    unit, number, branches = part.groups()
    return f"第{number}{unit}{branches.replace('-', 'の')}"
