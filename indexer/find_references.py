"""A document's names and references, of all kinds. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .english_citations import find_english_citations, lines_to_read
from .japanese_citations import JapaneseCitations
from .links import find_links, reference_label
from .markdown import Blocks, Section
from .references import Reference, each_target_once
from .section_names import NamedPlace, NamedSections, name_sections


@dataclass(frozen=True, slots=True)
class FoundReferences:
    """`titles`: what others may call the document; `names`: what they may call its places; both normalised."""

    titles: list[str] = field(default_factory=list)
    names: list[NamedPlace] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)


def find_references(path: str, text: str, sections: Sequence[Section], blocks: Blocks) -> FoundReferences:
    """What a Markdown document is called and what it refers to, by line. Code is not read."""
    lines = text.split("\n")
    for first, last in blocks.code:
        lines[first - 1 : last] = [""] * len(lines[first - 1 : last])
    names = name_sections(path, lines, sections)
    references = [*_japanese(text, lines, sections, names), *_english(text, lines, names)]
    if "](" in text or "[[" in text or blocks.definitions:
        definitions = {reference_label(label): place for label, place in blocks.definitions.items()}
        references += find_links(path, "\n".join(lines), definitions)
    references.sort(key=lambda reference: reference[:2])
    return FoundReferences(names.titles, names.places, references)


def _japanese(
    text: str, lines: Sequence[str], sections: Sequence[Section], names: NamedSections
) -> Iterator[Reference]:
    citations = JapaneseCitations(names)
    if not citations.may_be_in(text):
        return
    for section, standing in zip(sections, names.standings, strict=True):
        citations.enter(standing)
        if standing.is_named:
            yield from citations.find(section.start_line, _caption(lines[section.start_line - 1]))
        for number in range(section.start_line + standing.is_named, min(section.own_end_line, len(lines)) + 1):
            if lines[number - 1]:
                yield from citations.find(number, lines[number - 1])


def _caption(heading: str) -> str:
    """A heading without the number that it gives its section, its columns kept."""
    opened = min((place for bracket in "（(" if (place := heading.find(bracket)) >= 0), default=len(heading))
    return " " * opened + heading[opened:]


def _english(text: str, lines: Sequence[str], names: NamedSections) -> Iterator[Reference]:
    known = {place.name for place in names.places}
    titles = frozenset(names.titles)
    for number in lines_to_read(text):
        yield from each_target_once(find_english_citations(number, lines[number - 1], known, titles))
