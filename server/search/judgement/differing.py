"""The values that sections give to quantities, and which of them cannot both hold. Pure, but for what it asks of
surroundings.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import combinations, islice, product
from typing import Any, NamedTuple, Protocol, Self

from .compared import Compared, Place, Said

# Pairs of lines of one section that are looked at: to tell them apart takes the lines between them.
_MOST_INSIDE = 50


class _Value(Protocol):
    @property
    def least(self) -> Any: ...
    @property
    def most(self) -> Any: ...
    def contradicts(self, other: Self, /) -> bool: ...


class Stated(NamedTuple):
    """What a line says, and of the values that it gives the least and the greatest: one that contradicts any of them
    contradicts one of these.
    """

    said: Said
    least: _Value
    greatest: _Value

    def contradicts(self, other: "Stated") -> bool:
        return self.least.contradicts(other.greatest) or self.greatest.contradicts(other.least)


class Quantities:
    """Quantities, by all in which two have to agree, and the values that each section gives them."""

    def __init__(self) -> None:
        self._stated: defaultdict[Hashable, defaultdict[int, dict[object, tuple[Said, _Value]]]]
        self._stated = defaultdict(lambda: defaultdict(dict))

    def add(self, quantity: Hashable, said: Said, value: _Value) -> None:
        """What a line says; of lines of one section that say the same, the first is kept."""
        self._stated[quantity][said.line.section_id].setdefault(value.least, (said, value))

    def differing(self, compared: Compared) -> Iterator[tuple[Stated, Stated]]:
        """Two lines each that cannot both hold: of two sections, then of one."""
        yield from self._between_sections(compared)
        yield from self._inside_sections(compared)

    def _between_sections(self, compared: Compared) -> Iterator[tuple[Stated, Stated]]:
        for sections in self._stated.values():
            lines = {section_id: _by_line(held.values()) for section_id, held in sections.items()}
            for (here, values), (there, others) in combinations(sections.items(), 2):
                # What a section says of several cases, others may say of one of them.
                have_none_in_common = values.keys().isdisjoint(others)
                if have_none_in_common and compared.are_about_one(lines[here][0].said, lines[there][0].said):
                    yield from _contradicting(product(lines[here], lines[there]))

    def _inside_sections(self, compared: Compared) -> Iterator[tuple[Stated, Stated]]:
        pairs = (
            pair
            for sections in self._stated.values()
            for held in sections.values()
            for pair in combinations(_by_line(held.values()), 2)
        )
        for one, other in islice(_contradicting(pairs), _MOST_INSIDE):
            if compared.are_about_one(one.said, other.said):
                yield one, other


def _by_line(stated: Iterable[tuple[Said, _Value]]) -> list[Stated]:
    """The values of a quantity by the lines that give them: a long one may give it thousands."""
    lines: dict[Place, Stated] = {}
    for said, value in stated:
        one = lines.get(said.line.place, Stated(said, value, value))
        least = min(one.least, value, key=lambda given: given.most)
        greatest = max(one.greatest, value, key=lambda given: given.least)
        lines[said.line.place] = Stated(one.said, least, greatest)
    return list(lines.values())


def _contradicting(pairs: Iterable[tuple[Stated, Stated]]) -> Iterator[tuple[Stated, Stated]]:
    return ((one, other) for one, other in pairs if one.contradicts(other))
