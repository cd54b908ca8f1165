"""Sections to ranked candidates. Pure.

A section's score (0..1) is a weighted mean of what its fields say: the best passage of its body
(LEX), its heading and what only headings above it say, the words in which others refer to it, the intent, a quantity
that is asked for, a noun for a verb of the question in its title. A heading or a link says as much as it has of the
terms, as far as these are the question: 箱 alone is no answer to 壊れた箱の見つけ方. A section that is only referred to
has a share of the score of the section that refers to it.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from morenashi.server.search.evidence import GOVERNED_BY, Evidence, Link
from morenashi.server.search.findings import PassageHit
from morenashi.server.search.question.intent import Intent, expects_facet, has_facet
from morenashi.server.search.question.quantities import asked_quantity
from morenashi.server.search.question.query import Query

from .candidates import Candidate, Ranked, Signal
from .contents import is_contents
from .defined import NO_DEFINITION, Defining
from .releases import asks_for_release, is_release
from .titles import likeness, normal_title, says_verb, share_of_terms

_REFERENCE_DECAY = 0.5
_HEADING, _LINK, _INTENT, _DEFINITION, _QUANTITY = 0.5, 1.0, 0.1, 0.8, 0.15
# A term that stands in the title does not count above it, too.
_ABOVE = 0.2
# Scores are not divided by this one, too: no section has all that the others are for, and a score ends at 1.
_VERB = 0.3
# What supplementary provisions count of what they say, unless they are asked for: they repeat what the main body says.
_SUPPLEMENT = 0.8
_ASKS_FOR_SUPPLEMENT = re.compile("附則|経過措置")
# So do the notes of a release.
_RELEASE = 0.8
SUM_OF_WEIGHTS = 1 + _HEADING + _LINK + _INTENT + _DEFINITION + _QUANTITY
"""What the parts of a score are divided by."""
# Files with many hits do not fill the first page alone: each further section of one file counts a little less.
_DAMPING, _DAMPED_AT_MOST = 0.01, 10
# What a better section of its manual says word for word under the same title is nothing new: one description of an
# option on the pages of ten commands would fill the first page. That another manual says it, too, is something new.
_COPY = 0.25
# A table of contents has the words of everything, and an answer to nothing.
_CONTENTS = 0.25


class Fields(NamedTuple):
    """What a section with hits says for itself: `best` is its best passage, or the one that has the definition that is
    asked for; `parts` are those of its score, each weighted.
    """

    best: PassageHit
    parts: dict[str, float]

    @property
    def score(self) -> float:
        """Their sum, not yet divided by that of the weights."""
        return sum(self.parts.values())


def read_fields(evidence: Evidence, query: Query, intent: Intent) -> dict[int, Fields]:
    """The fields of every section that has a hit, by its id."""
    certain = {section_id for section_id, place in evidence.findings.cited.items() if place.is_certain}
    defining = Defining.asked_in(query.text) if intent == "definition" else None
    quantity = asked_quantity(query.text)
    sentences = evidence.findings.places_of(query.sentences) if query.nouns else frozenset()
    best_score = max((hit.score for hit in evidence.all_hits()), default=0.0) or 1.0
    supplementary = frozenset() if _ASKS_FOR_SUPPLEMENT.search(query.text) else evidence.supplementary
    are_releases_less = not asks_for_release(query.text)
    fields = {}
    for section_id, hits in evidence.hits.items():
        best = max(hits, key=lambda hit: (hit.score, -hit.passage.first_line)) if len(hits) > 1 else hits[0]
        section = evidence.sections[section_id]
        definition = defining.look_for(section.title, hits) if defining else NO_DEFINITION
        asked = 1.0 if section_id in certain else evidence.findings.share_in_terms
        is_as_intended = expects_facet(intent) and any(has_facet(intent, hit.passage.text) for hit in hits)
        fields[section_id] = own = Fields(
            definition.stated or best,
            {
                "body": best.score / best_score,
                "heading": _HEADING * asked * evidence.share_of(evidence.titled[section_id]),
                "above": _ABOVE * asked * evidence.share_of(evidence.above.get(section_id, ())),
                "link": 0.0,
                "intent": _INTENT * is_as_intended,
                "definition": _DEFINITION * definition.weight,
                "quantity": _QUANTITY * _finds(quantity, hits),
                "verb": _VERB * (says_verb(section.title, query) or any(sentences & hit.match.held for hit in hits)),
                "supplement": 0.0,
                "release": 0.0,
            },
        )
        if section_id in supplementary:
            own.parts["supplement"] = (_SUPPLEMENT - 1) * own.score
        elif are_releases_less and is_release(section.path, section.title):
            own.parts["release"] = (_RELEASE - 1) * own.score
    return fields


def best_first(fields: dict[int, Fields], evidence: Evidence) -> list[int]:
    """The sections in order of what they say for themselves, those that say as much in that of the files."""

    def place(section_id: int) -> tuple[float, str, str, int]:
        section = evidence.sections[section_id]
        return -fields[section_id].score, section.manual_id, section.path, section.start_line

    return sorted(fields, key=place)


def rank(evidence: Evidence, fields: dict[int, Fields], query: Query, intent: Intent) -> list[Ranked]:
    """One candidate a section that has a hit or is referred to, the best first."""
    parts = {section_id: _own_parts(section_id, own, evidence, query, intent) for section_id, own in fields.items()}
    for section_id in evidence.links.keys() - fields.keys():
        parts[section_id] = _parts_of_reached(section_id, evidence, query)
    scores = {section_id: sum(own.values()) / SUM_OF_WEIGHTS for section_id, own in parts.items()}
    referred = _share_references(evidence.links, scores, parts, found=fields.keys())
    said = {section_id: _said(section_id, evidence) for section_id in fields}
    drafts = []
    for section_id in parts:
        section = evidence.sections[section_id]
        line = _line(section_id, fields, evidence)
        drafts.append((-scores[section_id], section.manual_id, section.path, line, section_id))
    return [
        Ranked(
            section_id,
            _candidate(-lost, line, section_id, fields.get(section_id), evidence),
            referred.get(section_id, 0.0),
            parts[section_id],
        )
        for lost, _, _, line, section_id in _damped(drafts, said, parts)
    ]


def with_part(ranked: Ranked, name: str, score: float) -> Ranked:
    """The same with another score, and with a part of this name for the difference."""
    candidate = ranked.candidate
    parts = {**ranked.parts, name: SUM_OF_WEIGHTS * (score - candidate.score)}
    return ranked._replace(candidate=candidate._replace(score=score), parts=parts)


def _own_parts(section_id: int, own: Fields, evidence: Evidence, query: Query, intent: Intent) -> dict[str, float]:
    called = [_likeness(link.text, query, evidence) for link in evidence.links.get(section_id, ())]
    if section_id in evidence.findings.cited:
        # A question that cites a section calls it as a reference does.
        place = evidence.findings.cited[section_id]
        called.append(1.0 if place.is_certain else place.share * likeness(place.words, query))
    parts = own.parts | {"link": _LINK * max(called, default=0.0)}
    if intent == "exceptions":
        parts["intent"] = _INTENT * (section_id in evidence.clauses)
    return parts


def _parts_of_reached(section_id: int, evidence: Evidence, query: Query) -> dict[str, float]:
    """Those of a section without a hit of its own, as far as it speaks for itself."""
    title = normal_title(evidence.sections[section_id].title)
    return {
        "heading": _HEADING * evidence.findings.share_in_terms * share_of_terms(title, evidence.findings.terms),
        "link": _LINK * max(_likeness(link.text, query, evidence) for link in evidence.links[section_id]),
    }


def _likeness(text: str, query: Query, evidence: Evidence) -> float:
    """How much (0..1) a link's text is what was asked, its verbs included: less than its share, as most links repeat a
    title, which has counted.
    """
    return 1.0 if text == query.text else (likeness(text, query) * evidence.findings.share_in_terms) ** 2


def _share_references(
    links: dict[int, dict[Link, None]],
    scores: dict[int, float],
    parts: dict[int, dict[str, float]],
    found: Collection[int],
) -> dict[int, float]:
    """Give each section that is referred to a share of the score of what refers to it, if that is more than its own.

    Answers these shares. What refers to a section is scored before it: the found ones are, then the nearest first.
    """
    known = {section_id: scores[section_id] for section_id in found}
    referred = {}
    for section_id in sorted(links, key=lambda target: min(link.depth for link in links[target])):
        share = _REFERENCE_DECAY * max(known.get(link.source_id, 0.0) for link in links[section_id])
        if share > scores[section_id]:
            parts[section_id]["reference"] = SUM_OF_WEIGHTS * (share - scores[section_id])
            scores[section_id] = share
        known.setdefault(section_id, scores[section_id])
        referred[section_id] = share
    return referred


_Draft = tuple[float, str, str, int, int]
"""What sections are ordered by: minus its score, manual, path, line; and its id. Tuples, as they sort without a key."""


def _line(section_id: int, fields: dict[int, Fields], evidence: Evidence) -> int:
    if own := fields.get(section_id):
        return own.best.passage.first_line + own.best.match.line
    return min(evidence.links[section_id], key=lambda link: link.depth).target_line


def _candidate(score: float, line: int, section_id: int, own: Fields | None, evidence: Evidence) -> Candidate:
    section = evidence.sections[section_id]
    signals = _signals(
        evidence.hits.get(section_id, ()),
        is_titled=own is not None and own.parts["heading"] > 0,
        has_clauses=section_id in evidence.clauses,
        is_referred_to=section_id in evidence.links,
    )
    column = own.best.match.column if own else 0
    is_general = own is None and all(link.kind == GOVERNED_BY for link in evidence.links[section_id])
    place = (section.manual_id, section.path, section.file_type, section.start_line, line, column)
    return Candidate(*place, signals, score, {}, is_general)


_Said = tuple[str, ...]
"""The manual and the title of a section, and the passages of it that were found."""


def _said(section_id: int, evidence: Evidence) -> _Said:
    section = evidence.sections[section_id]
    return section.manual_id, section.title, *sorted(hit.passage.text.strip() for hit in evidence.hits[section_id])


def _damped(drafts: list[_Draft], said: dict[int, _Said], parts: dict[int, dict[str, float]]) -> list[_Draft]:
    """The drafts with the scores that count; what is taken away becomes a part of each."""
    drafts.sort()
    seen: defaultdict[tuple[str, str], int] = defaultdict(int)
    known: set[_Said] = set()
    damped = []
    for lost, manual_id, path, line, section_id in drafts:
        score, counted = min(-lost, 1.0), 1.0
        factors = {"same_file": 1 - _DAMPING * min(seen[manual_id, path], _DAMPED_AT_MOST)}
        seen[manual_id, path] += 1
        if (own := said.get(section_id)) is not None:
            factors["copy"] = _COPY if own in known else 1
            _, _, *passages = own
            factors["contents"] = _CONTENTS if is_contents(passages) else 1
            known.add(own)
        for name, factor in factors.items():
            if factor < 1:
                parts[section_id][name] = SUM_OF_WEIGHTS * score * counted * (factor - 1)
                counted *= factor
        damped.append((-round(score * counted, 4), manual_id, path, line, section_id))
    damped.sort()
    return damped


def _signals(
    hits: Sequence[PassageHit], *, is_titled: bool, has_clauses: bool, is_referred_to: bool
) -> tuple[Signal, ...]:
    exact = any(hit.match.exact for hit in hits)
    loose = any(hit.match.loose for hit in hits)
    signals: list[Signal] = ["heading"] if is_titled else []
    if exact:
        signals.append("normalized")
    if hits and (loose or not exact):
        signals.append("loose")
    if has_clauses:
        signals.append("exceptions")
    if is_referred_to:
        signals.append("reference")
    return tuple(signals)


def _finds(looked_for: re.Pattern[str] | None, hits: list[PassageHit]) -> bool:
    return looked_for is not None and any(looked_for.search(hit.passage.text) for hit in hits)
