"""Why a section is among the candidates: its terms, what led there, the exceptions that bear on it. Pure."""

from collections.abc import Iterable, Sequence
from itertools import islice
from math import inf
from typing import Any

from morenashi.server.search.evidence import Clause, Evidence, Link, SectionInfo
from morenashi.server.search.findings import PassageHit
from morenashi.server.search.question.terms import Term

from .candidates import Candidate, Ranked
from .rank import SUM_OF_WEIGHTS

_MOST_LISTED = 5


def explain(ranked: Ranked, evidence: Evidence) -> Candidate:
    """The candidate with its `why`."""
    section_id, candidate, _, parts = ranked
    why: dict[str, Any] = {"score": {name: round(part / SUM_OF_WEIGHTS, 4) for name, part in parts.items() if part}}
    if terms := _lines_of_terms(evidence.hits.get(section_id, ()), evidence.findings.terms):
        why["terms"] = terms
    if links := list(islice(evidence.links.get(section_id, ()), _MOST_LISTED)):
        why["via"] = [_via(link, evidence.sections[link.source_id]) for link in links]
    if clauses := evidence.clauses.get(section_id):
        section = evidence.sections[section_id]
        nearest = sorted(clauses, key=lambda clause: _distance(clause, section, candidate.line))
        listed = list(dict.fromkeys((one.manual_id, one.path, one.line, one.kind) for one in nearest))
        why["exceptions"] = [list(place) for place in listed[:_MOST_LISTED]]
        if len(listed) > _MOST_LISTED:
            why["exceptions_total"] = len({place[:3] for place in listed})
    return candidate._replace(why=why)


def _lines_of_terms(hits: Iterable[PassageHit], terms: Sequence[Term]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for hit in hits:
        for offset, positions in hit.match.places:
            for position in positions:
                found.setdefault(terms[position].text, []).append(hit.passage.first_line + offset)
    return found


def _distance(clause: Clause, section: SectionInfo, line: int) -> tuple[bool, float]:
    """Those that govern the line that matches come first, then those that stand near it, then those elsewhere."""
    is_here = (clause.manual_id, clause.path) == (section.manual_id, section.path)
    governs = is_here and clause.first_line <= line <= clause.last_line
    return not governs, abs(clause.line - line) if is_here else inf


def _via(link: Link, source: SectionInfo) -> list[str | int]:
    return [source.manual_id, source.path, link.line, link.kind]
