"""Why a section is among the candidates: its terms, what led there, the exceptions that bear on it. Pure."""

from itertools import islice
from math import inf
from typing import Any

from morenashi.server.search.evidence import Clause, Evidence, Link, SectionInfo
from morenashi.server.search.findings import PassageHit

from .candidates import SUM_OF_WEIGHTS, Candidate, Ranked

_MOST_LISTED = 5


def explain(ranked: Ranked, evidence: Evidence) -> Candidate:
    """The candidate with its `why`."""
    section_id, candidate, _, parts = ranked
    hits = evidence.hits.get(section_id, [])
    links = list(islice(evidence.links.get(section_id, ()), _MOST_LISTED))
    clauses = evidence.clauses.get(section_id, [])
    section = evidence.sections[section_id]
    return candidate._replace(why=_why(parts, hits, links, clauses, evidence, section, candidate.line))


def _why(
    parts: dict[str, float],
    hits: list[PassageHit],
    links: list[Link],
    clauses: list[Clause],
    evidence: Evidence,
    section: SectionInfo,
    line: int,
) -> dict[str, Any]:
    why: dict[str, Any] = {"score": {name: round(part / SUM_OF_WEIGHTS, 4) for name, part in parts.items() if part}}
    terms: dict[str, list[int]] = {}
    for hit in hits:
        for offset, positions in hit.match.places:
            for position in positions:
                terms.setdefault(evidence.findings.terms[position].text, []).append(hit.passage.first_line + offset)
    if terms:
        why["terms"] = terms
    if links:
        why["via"] = [_via(link, evidence.sections[link.source_id]) for link in links]
    if clauses:
        nearest = sorted(clauses, key=lambda clause: _distance(clause, section, line))
        listed = list(dict.fromkeys((one.manual_id, one.path, one.line, one.kind) for one in nearest))
        why["exceptions"] = [list(place) for place in listed[:_MOST_LISTED]]
        if len(listed) > _MOST_LISTED:
            why["exceptions_total"] = len({place[:3] for place in listed})
    return why


def _distance(clause: Clause, section: SectionInfo, line: int) -> tuple[bool, float]:
    """Those that govern the line that matches come first, then those that stand near it, then those elsewhere."""
    is_here = (clause.manual_id, clause.path) == (section.manual_id, section.path)
    governs = is_here and clause.first_line <= line <= clause.last_line
    return not governs, abs(clause.line - line) if is_here else inf


def _via(link: Link, source: SectionInfo) -> list[str | int]:
    return [source.manual_id, source.path, link.line, link.kind]
