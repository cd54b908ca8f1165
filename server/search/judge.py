"""Stage 3.5: one candidate a section, gaps, sufficiency, and what to do next. Pure.

Always runs, on whatever the stages before it could find (seed 004 §3).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from morenashi.indexer.text import normalise

from .query import Term
from .stages import PassageHit

Signal = Literal["heading", "normalized", "loose", "exceptions", "reference"]
Status = Literal["ready", "needs_followup", "blocked"]

# The same titles come up in question after question.
normal_title = lru_cache(4_096)(normalise)

SIGNALS: tuple[Signal, ...] = ("heading", "normalized", "loose", "exceptions", "reference")
_TITLE_WEIGHT = 0.5
_READ_SHARE = 0.9


class SectionInfo(NamedTuple):
    """A section as a candidate refers to it, with its title as written."""

    manual_id: str
    path: str
    file_type: str
    start_line: int
    title: str


class Candidate(NamedTuple):
    """A section that says something about the subject. `line` is the line that matches."""

    manual_id: str
    path: str
    file_type: str
    section_line: int
    line: int
    column: int
    signals: tuple[Signal, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The integrated view of a search. Candidates are ranked; scores lie in 0..1."""

    candidates: tuple[Candidate, ...]
    gaps: tuple[str, ...]
    matched_lines: int
    file_bias_ratio: float
    sufficiency_score: float
    status: Status


def integrate(
    terms: Sequence[Term],
    hits: Sequence[PassageHit],
    sections: Mapping[int, SectionInfo],
    examined_share: float,
) -> Judgement:
    """Integrate passages to sections and judge the set.

    `examined_share` is the share (0..1) of the passages that may hold a term which was examined.
    """
    candidates = _rank(_by_section(hits), terms, sections)
    found = {position for hit in hits for position in hit.match.exact | hit.match.loose}
    gaps = tuple(term.text for position, term in enumerate(terms) if position not in found)
    coverage = len(found) / max(len(terms), 1)
    sufficiency = round(coverage * examined_share, 3) if candidates else 0.0
    return Judgement(
        candidates,
        gaps,
        sum(hit.match.matched_lines for hit in hits),
        _file_bias(candidates),
        sufficiency,
        _status(candidates, sufficiency),
    )


def _by_section(hits: Sequence[PassageHit]) -> dict[int, list[PassageHit]]:
    sections: defaultdict[int, list[PassageHit]] = defaultdict(list)
    for hit in hits:
        sections[hit.passage.section_id].append(hit)
    return sections


def _rank(
    by_section: Mapping[int, list[PassageHit]], terms: Sequence[Term], sections: Mapping[int, SectionInfo]
) -> tuple[Candidate, ...]:
    best_score = max((hit.score for hits in by_section.values() for hit in hits), default=0.0) or 1.0
    candidates = [_candidate(hits, terms, sections[section_id], best_score) for section_id, hits in by_section.items()]
    candidates.sort(key=lambda c: (-c.score, c.manual_id, c.path, c.line))
    return tuple(candidates)


def _candidate(hits: list[PassageHit], terms: Sequence[Term], section: SectionInfo, best_score: float) -> Candidate:
    best = max(hits, key=lambda hit: (hit.score, -hit.passage.first_line)) if len(hits) > 1 else hits[0]
    titled = _share_in_title(normal_title(section.title), terms)
    score = (best.score / best_score + _TITLE_WEIGHT * titled) / (1 + _TITLE_WEIGHT)
    return Candidate(
        section.manual_id,
        section.path,
        section.file_type,
        section.start_line,
        best.passage.first_line + best.match.line,
        best.match.column,
        _signals(hits, is_titled=titled > 0),
        round(score, 4),
    )


def _signals(hits: list[PassageHit], *, is_titled: bool) -> tuple[Signal, ...]:
    exact = loose = False
    for hit in hits:
        exact = exact or bool(hit.match.exact)
        loose = loose or bool(hit.match.loose)
    signals: list[Signal] = ["heading"] if is_titled else []
    if exact:
        signals.append("normalized")
    if loose or not exact:
        signals.append("loose")
    return tuple(signals)


def _share_in_title(title: str, terms: Sequence[Term]) -> float:
    """The share (0..1) of the terms that a normalised title holds."""
    held = 0
    for term in terms:
        for spelling in term.exact:
            if spelling in title:
                held += 1
                break
    return held / len(terms)


def _file_bias(candidates: Sequence[Candidate]) -> float:
    """The share of candidates in the file that has most of them; 0 without candidates."""
    counts: defaultdict[tuple[str, str], int] = defaultdict(int)
    for candidate in candidates:
        counts[candidate.manual_id, candidate.path] += 1
    return round(max(counts.values()) / len(candidates), 3) if candidates else 0.0


def _status(candidates: Sequence[Candidate], sufficiency: float) -> Status:
    if not candidates:
        return "blocked"
    return "ready" if sufficiency >= _READ_SHARE else "needs_followup"
