"""Places that say what cannot both hold for the subject (contract §3). Pure, but for the headings that it asks for.

Two kinds, both read off the text: a rule and a line elsewhere that says that it does not apply, or denies the same; two
numbers, dates or limits for one quantity. Nothing is guessed from words that merely sound opposed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import Literal, NamedTuple, Protocol, Self

from morenashi.server.search.evidence import Evidence
from morenashi.server.search.ranking.candidates import Ranked

from .alike import read_values
from .headings import Whereabouts, are_apart, are_versions
from .measures import may_measure, spell_out
from .negations import Claim, read_assertions, read_denials
from .statements import read_statements
from .verdicts import Verdict, may_deny, read_verdicts

_COMPARED, _MOST = 50, 50

ConflictKind = Literal["exclusion", "quantity"]
Place = tuple[str, str, int]
"""Manual, path and line (1-based)."""


class Conflict(NamedTuple):
    """Two candidates that contradict each other, each by the line that does."""

    kind: ConflictKind
    place: Place
    other: Place


class _Line(NamedTuple):
    """A line with a hit, normalised and without emphasis, and where it stands."""

    section_id: int
    place: Place
    text: str


class _Said(NamedTuple):
    """What a line says of a subject; of two subjects that are one, by other words, it is that of the first."""

    line: _Line
    subject: str


class _Value(Protocol):
    def contradicts(self, other: Self, /) -> bool: ...


class _Compared:
    """The lines with a hit of the best sections, and whether two of them are about the same thing."""

    def __init__(self, lines: Sequence[_Line], whereabouts: Callable[[int], Whereabouts]) -> None:
        self.lines = lines
        self._whereabouts = whereabouts

    def are_about_one(self, one: _Said, other: _Said) -> bool:
        """Whether nothing says that the two lines, alike as they are, are about different things."""
        places = self._whereabouts(one.line.section_id), self._whereabouts(other.line.section_id)
        return not are_versions(*places) and not are_apart(*places, one.subject)


def find_conflicts(
    ranked: Sequence[Ranked], evidence: Evidence, whereabouts: Callable[[int], Whereabouts]
) -> tuple[Conflict, ...]:
    """The conflicts among the best candidates, exclusions first; at most 50. `whereabouts` reads those of a section."""
    best = ranked[:_COMPARED]
    compared = _Compared(list(_lines_about_the_subject(best, evidence)), whereabouts)
    found: dict[Conflict, None] = {}
    # Lazily: a few texts may state thousands of values of one quantity, and each two of them differ.
    for conflict in chain(_exclusions(best, evidence), _contradictions(compared), _quantities(compared)):
        found[conflict] = None
        if len(found) == _MOST:
            break
    return tuple(found)


def _lines_about_the_subject(ranked: Sequence[Ranked], evidence: Evidence) -> Iterator[_Line]:
    for section_id, candidate, *_ in ranked:
        for hit in evidence.hits.get(section_id, ()):
            lines = hit.passage.text.split("\n")
            for offset, _ in hit.match.places:
                place = (candidate.manual_id, candidate.path, hit.passage.first_line + offset)
                yield _Line(section_id, place, lines[offset].replace("**", "").replace("`", ""))


def _exclusions(ranked: Sequence[Ranked], evidence: Evidence) -> Iterator[Conflict]:
    """A rule with a hit, and a line of another section with a hit that says that the rule does not apply."""
    compared = {section_id for section_id, *_ in ranked if section_id in evidence.hits}
    for section_id, candidate, *_ in ranked:
        for denial in evidence.denials.get(section_id, ()):
            if section_id in compared and denial.source_id in compared:
                rule = candidate.manual_id, candidate.path, candidate.line
                yield Conflict("exclusion", rule, (denial.manual_id, denial.path, denial.line))


def _contradictions(compared: _Compared) -> Iterator[Conflict]:
    """Two lines, in different sections, of which one says and one denies the same of the same."""
    said: defaultdict[tuple[str, ...], dict[bool, dict[int, _Said]]] = defaultdict(lambda: {True: {}, False: {}})
    for line, verdict in _verdicts(compared.lines):
        said[verdict.matter][verdict.is_so].setdefault(line.section_id, _Said(line, verdict.subject))
    for line, claim in _claims_and_denials(compared.lines):
        said[claim.rest,][claim.is_so].setdefault(line.section_id, _Said(line, claim.topic))
    for verdicts in said.values():
        for one, other in product(verdicts[True].values(), verdicts[False].values()):
            if one.line.section_id != other.line.section_id and compared.are_about_one(one, other):
                yield Conflict("exclusion", one.line.place, other.line.place)


def _verdicts(lines: Sequence[_Line]) -> list[tuple[_Line, Verdict]]:
    """None where nothing is denied, as in most searches."""
    denying = [line for line in lines if may_deny(line.text)]
    if all(verdict.is_so for line in denying for verdict in read_verdicts(line.text)):
        return []
    return [(line, verdict) for line in lines for verdict in read_verdicts(line.text)]


def _claims_and_denials(lines: Sequence[_Line]) -> Iterator[tuple[_Line, Claim]]:
    """Of what is said, that alone which may be denied: few lines deny anything."""
    denied = [(line, denial) for line in lines for denial in read_denials(line.text)]
    yield from denied
    marks = {denial.marks for _, denial in denied}
    for line in lines if marks else ():
        yield from ((line, claim) for claim in read_assertions(line.text, marks))


def _quantities(compared: _Compared) -> Iterator[Conflict]:
    """Two lines, in different sections, that give one quantity different values."""
    stated: defaultdict[tuple[str, ...], defaultdict[int, dict[object, tuple[_Said, _Value]]]]
    stated = defaultdict(lambda: defaultdict(dict))
    for line in compared.lines:
        text = spell_out(line.text)
        if not may_measure(text):
            continue
        for statement in read_statements(text):
            values = stated[statement.quantity][line.section_id]
            values.setdefault(statement.least, (_Said(line, statement.subject), statement))
        for alike in read_values(text):
            values = stated[(alike.rest,)][line.section_id]
            values.setdefault(alike.least, (_Said(line, alike.topic), alike))
    for sections in stated.values():
        for own, others in combinations([list(held.values()) for held in sections.values()], 2):
            if not compared.are_about_one(own[0][0], others[0][0]):
                continue
            for (one, value), (other, other_value) in product(own, others):
                if value.contradicts(other_value):
                    yield Conflict("quantity", one.line.place, other.line.place)
