"""Places that say what cannot both hold for the subject (contract §3). Pure, but for what it asks of surroundings.

Two kinds, both read off the text: a rule and a line elsewhere that says that it does not apply (Evidence.denials), or
denies the same (negations.py); two numbers, dates or limits for one quantity, stated of a thing by its name
(statements.py, tables.py), in sentences that are the same in all else (alike.py) or in other words (reworded.py).
Nothing is guessed from words that merely sound opposed.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import Any, Literal, NamedTuple, Protocol, Self

from morenashi.server.search.evidence import Evidence
from morenashi.server.search.findings import PassageHit
from morenashi.server.search.ranking.candidates import Candidate, Ranked

from .claims import Claim, Marks
from .compared import Compared, Line, Place, Said, read_lines
from .contacts import contact_of
from .defaults import default_of
from .headings import is_attribute
from .measures import Measure
from .negations import read_assertions, read_denials
from .statements import Quantity, Statement
from .surroundings import Surroundings
from .tables import Words, words_of
from .values import read_given

_COMPARED, _MOST = 50, 50
# Pairs of lines of one section that are looked at: to tell them apart takes the lines between them.
_MOST_INSIDE = 50

ConflictKind = Literal["exclusion", "quantity"]


class Conflict(NamedTuple):
    """Two candidates that contradict each other, each by the line that does."""

    kind: ConflictKind
    place: Place
    other: Place


class _Value(Protocol):
    @property
    def least(self) -> Any: ...
    @property
    def most(self) -> Any: ...
    def contradicts(self, other: Self, /) -> bool: ...


class _Stated(NamedTuple):
    """What a line says, and of the values that it gives the least and the greatest: one that contradicts any of them
    contradicts one of these.
    """

    said: Said
    least: _Value
    greatest: _Value

    def contradicts(self, other: "_Stated") -> bool:
        return self.least.contradicts(other.greatest) or self.greatest.contradicts(other.least)


class _Quantities:
    """Quantities, by all in which two have to agree, and the values that each section gives them."""

    def __init__(self) -> None:
        self._stated: defaultdict[Hashable, defaultdict[int, dict[object, tuple[Said, _Value]]]]
        self._stated = defaultdict(lambda: defaultdict(dict))

    def add(self, quantity: Hashable, said: Said, value: _Value) -> None:
        """What a line says; of lines of one section that say the same, the first is kept."""
        self._stated[quantity][said.line.section_id].setdefault(value.least, (said, value))

    def differing(self, compared: Compared) -> Iterator[tuple[_Stated, _Stated]]:
        """Two lines each that cannot both hold."""
        for sections in self._stated.values():
            lines = {section_id: _by_line(held.values()) for section_id, held in sections.items()}
            for (here, values), (there, others) in combinations(sections.items(), 2):
                # What a section says of several cases, others may say of one of them.
                if values.keys().isdisjoint(others) and compared.are_about_one(
                    lines[here][0].said, lines[there][0].said
                ):
                    yield from _contradicting(product(lines[here], lines[there]))
        inside = (
            pair
            for sections in self._stated.values()
            for held in sections.values()
            for pair in combinations(_by_line(held.values()), 2)
        )
        for one, other in islice(_contradicting(inside), _MOST_INSIDE):
            if compared.are_about_one(one.said, other.said):
                yield one, other


def find_conflicts(ranked: Sequence[Ranked], evidence: Evidence, surroundings: Surroundings) -> tuple[Conflict, ...]:
    """The conflicts among the best candidates, exclusions first; at most 50."""
    best = ranked[:_COMPARED]
    compared = Compared(read_lines(best, evidence), surroundings)
    found: dict[Conflict, None] = {}
    # Lazily: a few texts may state thousands of values of one quantity, and each two of them differ.
    for conflict in chain(_exclusions(best, evidence), _contradictions(compared), _quantities(compared)):
        found[conflict] = None
        if len(found) == _MOST:
            break
    return tuple(found)


def _exclusions(ranked: Sequence[Ranked], evidence: Evidence) -> Iterator[Conflict]:
    """A rule with a hit, and a line of another section with a hit that says that the rule does not apply."""
    compared = {section_id for section_id, *_ in ranked if section_id in evidence.hits}
    for section_id, candidate, *_ in ranked:
        for denial in evidence.denials.get(section_id, ()):
            line = _hit_within(denial.denied, candidate, evidence.hits.get(section_id, ()))
            if denial.source_id in compared and line is not None:
                rule = candidate.manual_id, candidate.path, line
                yield Conflict("exclusion", rule, (denial.manual_id, denial.path, denial.line))


def _hit_within(parts: Sequence[range], candidate: Candidate, hits: Iterable[PassageHit]) -> int | None:
    """The line of a candidate if it is in one of these parts, else the first line there that holds a term."""
    if any(candidate.line in lines for lines in parts):
        return candidate.line
    found = (hit.passage.first_line + offset for hit in hits for offset, _ in hit.match.places)
    return min((line for line in found if any(line in lines for lines in parts)), default=None)


def _contradictions(compared: Compared) -> Iterator[Conflict]:
    """Two lines of which one says and one denies the same of the same."""
    said: defaultdict[tuple[str, str], dict[bool, dict[int, Said]]] = defaultdict(lambda: {True: {}, False: {}})
    for line, claim in _claims_and_denials(compared.lines):
        for sense in claim.senses:
            said[claim.rest, sense][claim.is_so].setdefault(line.section_id, Said(line, claim.topic, claim.rest))
    for claims in said.values():
        for one, other in product(claims[True].values(), claims[False].values()):
            if compared.are_about_one(one, other):
                yield Conflict("exclusion", one.line.place, other.line.place)


def _claims_and_denials(lines: Sequence[Line]) -> Iterator[tuple[Line, Claim]]:
    """Of what is said, that alone which may be denied: few lines deny anything."""
    denied = [(line, denial) for line in lines for denial in read_denials(line.text)]
    yield from denied
    marks = Marks(denial.marks for _, denial in denied)
    for line in lines if denied else ():
        yield from ((line, claim) for claim in read_assertions(line.text, marks))


def _quantities(compared: Compared) -> Iterator[Conflict]:
    """Two lines that give one quantity different values."""
    in_text, statements = _Quantities(), []
    for line in compared.lines:
        for given in read_given(line.text) if line.cells is None else ():
            said = Said(line, given.topic, given.rest)
            in_text.add(given.quantity, said, given.value)
            if given.statement:
                statements.append((said, given.statement))
        for cell in line.cells or ():
            if default := default_of(cell):
                in_text.add(default.quantity, Said(line, default.topic), default.value)
            if contact := contact_of(cell):
                in_text.add(contact.quantity, Said(line, ""), contact.value)
    elsewhere = _in_tables(compared, statements), _under_headings(compared, statements)
    for one, other in chain(in_text.differing(compared), *elsewhere):
        yield Conflict("quantity", one.said.line.place, other.said.line.place)


def _in_tables(compared: Compared, statements: Sequence[tuple[Said, Statement]]) -> Iterator[tuple[_Stated, _Stated]]:
    """What rows of tables give other values than sentences, or rows of other tables."""
    quantities, things = _Quantities(), {}
    for line in compared.lines:
        for cell in line.cells or ():
            if measured := cell.measured:
                for name in cell.names:
                    quantities.add((name, measured.unit), Said(line, ""), measured)
                    things[name, measured.unit] = cell.thing
    for said, statement in statements if things else ():
        quantity = _name(statement)
        if quantity in things:
            quantities.add(quantity, said._replace(thing=things[quantity]), statement.measure)
    for one, other in quantities.differing(compared):
        if one.said.line.cells or other.said.line.cells:
            yield one, other


def _under_headings(
    compared: Compared, statements: Sequence[tuple[Said, Statement]]
) -> Iterator[tuple[_Stated, _Stated]]:
    """What is stated of 保存期間 under the heading 契約書, and elsewhere of 契約書の保存期間."""
    quantities, things = _Quantities(), defaultdict[Quantity, set[str]](set)
    for said, statement in statements:
        thing, _, attribute = statement.subject.rpartition("の")
        if thing and is_attribute(attribute):
            quantity = statement._replace(subject=attribute).quantity
            things[quantity].add(thing)
            quantities.add((thing, quantity), said._replace(thing=said.subject), statement.measure)
    if not things:
        return
    for said, quantity, value in _stated_anywhere(compared.lines, statements):
        if quantity in things and (thing := compared.thing_over(said.line)) in things[quantity]:
            quantities.add((thing, quantity), said._replace(is_headed=True), value)
    for one, other in quantities.differing(compared):
        if one.said.is_headed or other.said.is_headed:
            yield one, other


def _stated_anywhere(
    lines: Sequence[Line], statements: Sequence[tuple[Said, Statement]]
) -> Iterator[tuple[Said, Quantity, Measure]]:
    """What sentences state, and rows of tables that are of an attribute alone: | 保存期間 | 7年 |."""
    for said, statement in statements:
        yield said, statement.quantity, statement.measure
    for line in lines:
        for cell in line.cells or ():
            if cell.attribute and (measured := cell.measured):
                yield Said(line, cell.attribute), (cell.attribute, "", measured.unit), measured


def _name(statement: Statement) -> tuple[Words, str] | None:
    """What it states a value of as the names of a table say it; `None` if it holds in some case alone."""
    if statement.limit not in ("", "by default"):
        return None
    name = statement.name or statement.subject
    says_default = statement.limit == "" or name != statement.subject
    return words_of(name if says_default else f"{name} {statement.limit}"), statement.measure.unit


def _by_line(stated: Iterable[tuple[Said, _Value]]) -> list[_Stated]:
    """The values of a quantity by the lines that give them: a long one may give it thousands."""
    lines: dict[Place, _Stated] = {}
    for said, value in stated:
        one = lines.get(said.line.place, _Stated(said, value, value))
        least = min(one.least, value, key=lambda given: given.most)
        greatest = max(one.greatest, value, key=lambda given: given.least)
        lines[said.line.place] = _Stated(one.said, least, greatest)
    return list(lines.values())


def _contradicting(pairs: Iterable[tuple[_Stated, _Stated]]) -> Iterator[tuple[_Stated, _Stated]]:
    return ((one, other) for one, other in pairs if one.contradicts(other))
