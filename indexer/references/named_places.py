"""The places of a document by their names: the values. Pure."""

from dataclasses import dataclass, field
from typing import NamedTuple


class NamedPlace(NamedTuple):
    """A name with its place: a position in the list of sections, and a line (1-based).

    `article` counts the articles of the document from 0; `None` for other names.
    """

    name: str
    section: int
    line: int
    article: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a section stands: what 前条, 次章 and the like count from.

    `block` is empty in the main body, 附則N in the supplementary provisions. `names` are those of the section or the
    one around it: of its article, several for a joint heading, of its appendix or form. `is_named`: its own.
    """

    block: str = ""
    names: tuple[str, ...] = ()
    division: str = ""
    is_named: bool = False


@dataclass(slots=True)
class NamedSections:
    """All names of a document: `known`, and with their places. `articles` are those of each block, in order; `captions`
    stand behind them in brackets.

    `inside` has the lines inside sections from which on text stands elsewhere, with the length of the number that they
    begin with: articles without headings. `amending_blocks` are supplementary provisions that an amending law brought.
    `general` are the positions of sections that hold for all that stands beside them.
    """

    known: set[str] = field(default_factory=set)
    places: list[NamedPlace] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)
    inside: dict[int, tuple[Standing, int]] = field(default_factory=dict)
    articles: dict[str, list[str]] = field(default_factory=dict)
    captions: dict[str, str] = field(default_factory=dict)
    amending_blocks: set[str] = field(default_factory=set)
    general: frozenset[int] = frozenset()

    def add(self, name: str, section: int, line: int, article: int | None = None) -> bool:
        """Take a name with its place; false if the document has it already: its first place is the one."""
        if name in self.known:
            return False
        self.known.add(name)
        self.places.append(NamedPlace(name, section, line, article))
        return True
