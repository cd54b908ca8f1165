"""Places that say what cannot both hold for the subject (contract §3). Pure.

Two kinds, both read off the text: a rule and an exception elsewhere that refers to it; two numbers,
dates or limits for one quantity. Nothing is guessed from words that merely sound opposed.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from .evidence import Clause, Evidence, SectionInfo
from .ranking import Ranked
from .statements import read_statements

_COMPARED, _MOST = 50, 50

ConflictKind = Literal["exclusion", "quantity"]
Place = tuple[str, str, int]
"""Manual, path and line (1-based)."""


class Conflict(NamedTuple):
    """Two candidates that contradict each other, each by the line that does."""

    kind: ConflictKind
    place: Place
    other: Place


def find_conflicts(ranked: Sequence[Ranked], evidence: Evidence) -> tuple[Conflict, ...]:
    """The conflicts among the best candidates, exclusions first; at most 50."""
    compared = ranked[:_COMPARED]
    found = [*_exclusions(compared, evidence), *_quantities(compared, evidence)]
    return tuple(dict.fromkeys(found))[:_MOST]


def _exclusions(ranked: Sequence[Ranked], evidence: Evidence) -> Iterator[Conflict]:
    """A rule with a hit, and a line of another section with a hit: it refers to the rule and says it does not apply."""
    found = [evidence.sections[section_id] for section_id, *_ in ranked if section_id in evidence.hits]
    for section_id, candidate, *_ in ranked:
        if section_id not in evidence.hits:
            continue
        own = evidence.sections[section_id]
        for clause in evidence.clauses.get(section_id, ()):
            if clause.kind == "non_application" and any(
                _holds(section, clause) for section in found if section is not own and not _holds(own, clause)
            ):
                yield Conflict(
                    "exclusion",
                    (candidate.manual_id, candidate.path, candidate.line),
                    (clause.manual_id, clause.path, clause.line),
                )


def _holds(section: SectionInfo, clause: Clause) -> bool:
    is_same_file = (section.manual_id, section.path) == (clause.manual_id, clause.path)
    return is_same_file and section.start_line <= clause.line <= section.end_line


def _quantities(ranked: Sequence[Ranked], evidence: Evidence) -> Iterator[Conflict]:
    """Lines about the subject that give one quantity different values, in different sections."""
    values: defaultdict[tuple[str, str, str], dict[float, tuple[int, Place]]] = defaultdict(dict)
    for section_id, candidate, *_ in ranked:
        for hit in evidence.hits.get(section_id, ()):
            lines = hit.passage.text.split("\n")
            for offset, _ in hit.match.places:
                place = (candidate.manual_id, candidate.path, hit.passage.first_line + offset)
                for subject, limit, unit, value in read_statements(lines[offset]):
                    values[subject, limit, unit].setdefault(value, (section_id, place))
    for stated in values.values():
        for (section_id, place), (other_id, other) in combinations(stated.values(), 2):
            if section_id != other_id:
                yield Conflict("quantity", place, other)
