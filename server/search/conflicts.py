"""Places that say what cannot both hold for the subject (contract §3). Pure.

Two kinds, both read off the text: a rule and a line elsewhere that says that it does not apply; two numbers, dates or
limits for one quantity. Nothing is guessed from words that merely sound opposed.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from .evidence import Evidence
from .ranking import Ranked
from .statements import Statement, read_statements

_COMPARED, _MOST = 50, 50

Place = tuple[str, str, int]
"""Manual, path and line (1-based)."""


class Conflict(NamedTuple):
    """Two candidates that contradict each other, each by the line that does."""

    kind: Literal["exclusion", "quantity"]
    place: Place
    other: Place


def find_conflicts(ranked: Sequence[Ranked], evidence: Evidence) -> tuple[Conflict, ...]:
    """The conflicts among the best candidates, exclusions first; at most 50."""
    compared = ranked[:_COMPARED]
    found = [*_exclusions(compared, evidence), *_quantities(compared, evidence)]
    return tuple(dict.fromkeys(found))[:_MOST]


def _exclusions(ranked: Sequence[Ranked], evidence: Evidence) -> Iterator[Conflict]:
    """A rule with a hit, and a line of another section with a hit that says that the rule does not apply."""
    compared = {section_id for section_id, *_ in ranked if section_id in evidence.hits}
    for section_id, candidate, *_ in ranked:
        for denial in evidence.denials.get(section_id, ()):
            if section_id in compared and denial.source_id in compared:
                rule = candidate.manual_id, candidate.path, candidate.line
                yield Conflict("exclusion", rule, (denial.manual_id, denial.path, denial.line))


def _quantities(ranked: Sequence[Ranked], evidence: Evidence) -> Iterator[Conflict]:
    """Lines about the subject that give one quantity different values, in different sections."""
    stated: defaultdict[tuple[str, str, str], dict[float, _Stated]] = defaultdict(dict)
    for section_id, candidate, *_ in ranked:
        for hit in evidence.hits.get(section_id, ()):
            lines = hit.passage.text.split("\n")
            for offset, _ in hit.match.places:
                place = (candidate.manual_id, candidate.path, hit.passage.first_line + offset)
                for statement in read_statements(lines[offset]):
                    of_quantity = stated[statement.quantity]
                    of_quantity.setdefault(statement.least, _Stated(section_id, place, statement))
    for values in stated.values():
        for one, other in combinations(values.values(), 2):
            if one.section_id != other.section_id and one.statement.contradicts(other.statement):
                yield Conflict("quantity", one.place, other.place)


class _Stated(NamedTuple):
    section_id: int
    place: Place
    statement: Statement
