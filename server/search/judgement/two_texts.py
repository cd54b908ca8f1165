"""Whether two short texts contradict each other by what they say, below no headings that tell them apart. Pure."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from .alike import read_values
from .claims import Claim, Marks
from .frequencies import may_say_how_often
from .measures import may_measure, spell_out
from .negations import read_assertions, read_denials
from .reworded import read_reworded
from .sentences import outside_tables
from .statements import read_statements


def contradicted_by(text: str) -> Callable[[str], bool]:
    """What says of another text whether it gives something another value than this one, or one of them denies what the
    other one says. Both are normalised.
    """
    values, denials = list(_values(text)), list(read_denials(text))

    def contradicts(other: str) -> bool:
        return (
            any(
                quantity == another and value.contradicts(differing)
                for another, differing in (_values(other) if values else ())
                for quantity, value in values
            )
            or _deny(denials, other)
            or _deny(list(read_denials(other)), text)
        )

    return contradicts


def _values(text: str) -> Iterator[tuple[Hashable, Any]]:
    """What a text gives values, by all in which two have to agree."""
    text = spell_out(text)
    if not may_measure(text) and not may_say_how_often(text):
        return
    yield from ((statement.quantity, statement.measure) for statement in read_statements(text))
    parted = outside_tables(text)
    yield from ((alike.rest, alike) for alike in read_values(parted))
    yield from ((anew.quantity, anew) for anew in read_reworded(parted))


def _deny(denials: list[Claim], text: str) -> bool:
    said = read_assertions(text, Marks(denial.marks for denial in denials)) if denials else ()
    return not _senses(denials).isdisjoint(_senses(said))


def _senses(claims: Iterable[Claim]) -> set[tuple[str, str]]:
    return {(claim.rest, sense) for claim in claims for sense in claim.senses}
