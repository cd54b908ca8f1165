"""Whether two short texts contradict each other by what they say, below no headings that tell them apart. Pure."""

from collections.abc import Callable, Iterable

from .claims import Claim, Marks
from .negations import read_assertions, read_denials
from .values import read_given


def contradicted_by(text: str) -> Callable[[str], bool]:
    """What says of another text whether it gives something another value than this one, or one of them denies what the
    other one says. Both are normalised.
    """
    values, denials = list(read_given(text)), list(read_denials(text))

    def contradicts(other: str) -> bool:
        return (
            any(
                given.quantity == another.quantity and given.value.contradicts(another.value)
                for another in (read_given(other) if values else ())
                for given in values
            )
            or _deny(denials, other)
            or _deny(list(read_denials(other)), text)
        )

    return contradicts


def _deny(denials: list[Claim], text: str) -> bool:
    said = read_assertions(text, Marks(denial.marks for denial in denials)) if denials else ()
    return not _senses(denials).isdisjoint(_senses(said))


def _senses(claims: Iterable[Claim]) -> set[tuple[str, str]]:
    return {(claim.rest, sense) for claim in claims for sense in claim.senses}
