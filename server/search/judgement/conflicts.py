"""Places that say what cannot both hold for the subject (contract §3). Pure, but for what it asks of surroundings.

Two kinds, both read off the text: a rule and a line elsewhere that says that it does not apply (Evidence.denials), or
denies the same (negations.py); two numbers, dates or limits for one quantity, stated of a thing by its name
(statements.py, tables.py), in sentences that are the same in all else (alike.py) or in other words (reworded.py).
Nothing is guessed from words that merely sound opposed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Literal, NamedTuple

from morenashi.server.search.evidence import Evidence
from morenashi.server.search.findings import PassageHit
from morenashi.server.search.ranking.candidates import Candidate, Ranked

from .claims import Claim, Marks
from .compared import Compared, Line, Place, Said, read_lines
from .contacts import contact_of
from .defaults import Default, default_below, default_of, setting_called
from .differing import Quantities, Stated
from .headings import is_attribute
from .measures import Measure
from .negations import read_assertions, read_denials
from .statements import Quantity, Statement
from .surroundings import Surroundings
from .tables import Words, words_of
from .values import read_given

_COMPARED, _MOST = 50, 50

ConflictKind = Literal["exclusion", "quantity"]


class Conflict(NamedTuple):
    """Two candidates that contradict each other, each by the line that does."""

    kind: ConflictKind
    place: Place
    other: Place


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
    in_text, statements = Quantities(), []
    for line in compared.lines:
        for given in read_given(line.text) if line.cells is None else ():
            said = Said(line, given.topic, given.rest)
            in_text.add(given.quantity, said, given.value)
            if given.statement:
                statements.append((said, given.statement))
        if (value := default_below(line.text)) and (name := setting_called(compared.title_over(line))):
            below = Default(name, value)
            in_text.add(below.quantity, Said(line, below.topic), value)
        for cell in line.cells or ():
            if default := default_of(cell):
                in_text.add(default.quantity, Said(line, default.topic), default.value)
            if contact := contact_of(cell):
                in_text.add(contact.quantity, Said(line, ""), contact.value)
    elsewhere = _in_tables(compared, statements), _under_headings(compared, statements)
    for one, other in chain(in_text.differing(compared), *elsewhere):
        yield Conflict("quantity", one.said.line.place, other.said.line.place)


def _in_tables(compared: Compared, statements: Sequence[tuple[Said, Statement]]) -> Iterator[tuple[Stated, Stated]]:
    """What rows of tables give other values than sentences, or rows of other tables."""
    quantities, things = Quantities(), {}
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
) -> Iterator[tuple[Stated, Stated]]:
    """What is stated of 保存期間 under the heading 契約書, and elsewhere of 契約書の保存期間."""
    quantities, things = Quantities(), defaultdict[Quantity, set[str]](set)
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
