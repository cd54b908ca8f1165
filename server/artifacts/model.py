"""What every kind of artifact is parsed into: elements, branches, references. Lines are 1-based."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

TargetKind = Literal["element", "terminal", "file", "missing"]
"""A terminal is an end that needs no element of its own; a file is another document, where the flow goes on."""


class SourceLines(NamedTuple):
    """Lines that an element names, as written, right or wrong; `file` is what it calls the file that they are of."""

    first: int
    last: int
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Element:
    """A node, step or item. `sources` are the lines that it rests on.

    A mark is a mere beginning or end: it says nothing that could rest on a source.
    """

    id: str
    line: int
    sources: tuple[SourceLines, ...] = ()
    names: tuple[str, ...] = ()
    is_start: bool = False
    is_mark: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """Where a branch or reference leads: an element's id, a file's path, or what is written there instead."""

    kind: TargetKind
    name: str


@dataclass(frozen=True, slots=True)
class Branch:
    """From an element to what follows it. Two-way branches can be walked in both directions."""

    origin: str
    target: Target
    line: int
    is_two_way: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """One element, or one section, names another, which is expected to name it in turn."""

    origin: str
    target: Target
    line: int


@dataclass(frozen=True, slots=True)
class Structure:
    """One flowchart, table, list or graph. Ids are its own: the same id in another structure is another element.

    `returns` are (from, to) that count as naming each other beside the references themselves: of sections, by what
    stands in their subsections. The elements of `sections` are headings, which need no source.
    """

    kind: Literal["flowchart", "table", "list", "graph", "sections"]
    elements: tuple[Element, ...]
    branches: tuple[Branch, ...] = ()
    references: tuple[Reference, ...] = ()
    starts: frozenset[str] = frozenset()
    unread_lines: tuple[int, ...] = ()
    returns: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Artifact:
    """All structures of a file, in the order in which they stand there, and the lines that are `cited` beside them;
    what was `copied` from lines of the source, as it was then.
    """

    structures: tuple[Structure, ...]
    cited: tuple[SourceLines, ...] = ()
    copied: Mapping[SourceLines, Sequence[str]] = field(default_factory=dict)

    @property
    def sources(self) -> list[SourceLines]:
        """All lines that elements name, then those that are cited beside them alone."""
        named = [span for structure in self.structures for element in structure.elements for span in element.sources]
        known = set(named)
        return named + [span for span in dict.fromkeys(self.cited) if span not in known]
