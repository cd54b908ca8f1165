"""What the stages found, by section: hits, exceptions, references. Ranking and judgement work on this."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .findings import Findings, PassageHit

SectionPlace = tuple[str, str, int]
"""Manual, path and first line of a section."""


class SectionInfo(NamedTuple):
    """A section as a candidate refers to it, with its title as written. Lines are 1-based and inclusive."""

    document_id: int
    manual_id: str
    path: str
    file_type: str
    start_line: int
    end_line: int
    title: str

    @property
    def place(self) -> SectionPlace:
        """Where it is, whatever its id."""
        return self.manual_id, self.path, self.start_line


class Clause(NamedTuple):
    """An exception: its line, its kind, and the lines that it governs.

    `section_id` is the section it bears on. It stands there, or in another one that refers to it.
    """

    section_id: int
    manual_id: str
    path: str
    line: int
    kind: str
    first_line: int
    last_line: int


class Denial(NamedTuple):
    """A line of another section that says that a section, or part of it, does not apply.

    `denied` are the lines of what does not apply: of the article, or of its heading and the paragraphs that are named.
    Where articles have no headings, a section holds several.
    """

    section_id: int
    source_id: int
    manual_id: str
    path: str
    line: int
    denied: tuple[range, ...]


GOVERNED_BY = "governed_by"


class Link(NamedTuple):
    """A reference from a line of one section to another; `text` is what a link calls its target.

    `depth` is 1 for a reference in a section that was found, 2 for one in a section so reached. Of kind
    GOVERNED_BY it is none that is written: the target holds for all that stands beside it.
    """

    source_id: int
    line: int
    kind: str
    text: str
    target_id: int
    target_line: int
    depth: int


class OpenEnd(NamedTuple):
    """A reference whose target is not in the index, and what that is called in the keys of `section_names`.

    `is_elsewhere`: it names another document than its own.
    """

    manual_id: str
    path: str
    line: int
    kind: str
    name: str
    is_elsewhere: bool


@dataclass(slots=True)
class Evidence:
    """All that was found. `sections` has every section that hits or links name. `links` has each reference once, in the
    order in which they were followed.

    `hits` are those of the `findings` by section, without what the cap drops; `titled` has the positions of the terms
    that the title of each section with hits has, `above` those that only headings above it have; `supplementary` are
    those of the sections with hits that are supplementary provisions.
    """

    findings: Findings
    hits: dict[int, list[PassageHit]]
    sections: dict[int, SectionInfo]
    clauses: dict[int, list[Clause]] = field(default_factory=dict)
    denials: dict[int, list[Denial]] = field(default_factory=dict)
    links: dict[int, dict[Link, None]] = field(default_factory=dict)
    open_ends: list[OpenEnd] = field(default_factory=list)
    titled: dict[int, frozenset[int]] = field(default_factory=dict)
    above: dict[int, frozenset[int]] = field(default_factory=dict)
    supplementary: frozenset[int] = frozenset()

    def share_of(self, held: Collection[int]) -> float:
        """The share (0..1) of the question's terms that these positions are, each by how rare it is."""
        rarities = self.findings.rarities
        whole = sum(rarities)
        return sum(rarities[position] for position in held) / whole if whole else len(held) / len(self.findings.terms)

    def add_link(self, link: Link) -> None:
        """Once: a search in the manual that was asked for may have followed it before the one in all of them."""
        self.links.setdefault(link.target_id, {}).setdefault(link)

    def take_links(self, other: "Evidence") -> None:
        """Have the links of another search, which goes on with its own."""
        self.links = {target: dict(links) for target, links in other.links.items()}

    def keep_known_links(self) -> None:
        """Drop the links with an end that was not read: what made them ended half-way."""
        known = self.sections.keys()
        links = {
            target: {link: None for link in links if link.source_id in known} for target, links in self.links.items()
        }
        self.links = {target: kept for target, kept in links.items() if kept and target in known}

    def all_hits(self) -> list[PassageHit]:
        """The hits of all sections."""
        return [hit for hits in self.hits.values() for hit in hits]


def by_section(hits: Sequence[PassageHit]) -> dict[int, list[PassageHit]]:
    """Hits by the section they are in, sections in order of their first hit."""
    sections: defaultdict[int, list[PassageHit]] = defaultdict(list)
    for hit in hits:
        sections[hit.passage.section_id].append(hit)
    return dict(sections)
