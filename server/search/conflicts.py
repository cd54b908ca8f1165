"""Places that say what cannot both hold for the subject (contract §3). Pure.

Two kinds, both read off the text: a rule and a line elsewhere that says that it does not apply, or denies the same; two
numbers, dates or limits for one quantity. Nothing is guessed from words that merely sound opposed.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from typing import Literal, NamedTuple

from .evidence import Evidence
from .ranking import Ranked
from .statements import Statement, read_statements
from .verdicts import read_verdicts

_COMPARED, _MOST = 50, 50
_EMPHASIS = re.compile(r"\*\*|`")

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
    lines = list(_lines_about_the_subject(compared, evidence))
    found: dict[Conflict, None] = {}
    # Lazily: a few texts may state thousands of values of one quantity, and each two of them differ.
    for conflict in chain(_exclusions(compared, evidence), _contradictions(lines), _quantities(lines)):
        found[conflict] = None
        if len(found) == _MOST:
            break
    return tuple(found)


class _Line(NamedTuple):
    """A line with a hit, normalised and without emphasis, and where it stands."""

    section_id: int
    place: Place
    text: str


def _lines_about_the_subject(ranked: Sequence[Ranked], evidence: Evidence) -> Iterator[_Line]:
    for section_id, candidate, *_ in ranked:
        for hit in evidence.hits.get(section_id, ()):
            lines = hit.passage.text.split("\n")
            for offset, _ in hit.match.places:
                place = (candidate.manual_id, candidate.path, hit.passage.first_line + offset)
                yield _Line(section_id, place, _EMPHASIS.sub("", lines[offset]))


def _exclusions(ranked: Sequence[Ranked], evidence: Evidence) -> Iterator[Conflict]:
    """A rule with a hit, and a line of another section with a hit that says that the rule does not apply."""
    compared = {section_id for section_id, *_ in ranked if section_id in evidence.hits}
    for section_id, candidate, *_ in ranked:
        for denial in evidence.denials.get(section_id, ()):
            if section_id in compared and denial.source_id in compared:
                rule = candidate.manual_id, candidate.path, candidate.line
                yield Conflict("exclusion", rule, (denial.manual_id, denial.path, denial.line))


def _contradictions(lines: Sequence[_Line]) -> Iterator[Conflict]:
    """Two lines, in different sections, of which one says and one denies the same of the same."""
    said: defaultdict[tuple[str, str, str], dict[bool, _Line]] = defaultdict(dict)
    for line in lines:
        for verdict in read_verdicts(line.text):
            said[verdict.matter].setdefault(verdict.is_so, line)
    for verdicts in said.values():
        if len(verdicts) > 1 and verdicts[True].section_id != verdicts[False].section_id:
            yield Conflict("exclusion", verdicts[True].place, verdicts[False].place)


def _quantities(lines: Sequence[_Line]) -> Iterator[Conflict]:
    """Two lines, in different sections, that give one quantity different values."""
    stated: defaultdict[tuple[str, str, str], dict[float, tuple[_Line, Statement]]] = defaultdict(dict)
    for line in lines:
        for statement in read_statements(line.text):
            stated[statement.quantity].setdefault(statement.least, (line, statement))
    for values in stated.values():
        sections: defaultdict[int, dict[Place, Statement]] = defaultdict(dict)
        for line, statement in values.values():
            sections[line.section_id].setdefault(line.place, statement)
        for own, others in combinations(sections.values(), 2):
            for (place, statement), (other_place, other) in product(own.items(), others.items()):
                if statement.contradicts(other):
                    yield Conflict("quantity", place, other_place)
