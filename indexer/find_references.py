"""A document's names and references, of all kinds. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from .english_citations import find_english_citations
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
    references = _citations(lines, sections, names)
    if "](" in text or "[[" in text or blocks.definitions:
        definitions = {reference_label(label): place for label, place in blocks.definitions.items()}
        references += find_links(path, "\n".join(lines), definitions)
        references.sort()
    return FoundReferences(names.titles, names.places, references)


def _citations(lines: Sequence[str], sections: Sequence[Section], names: NamedSections) -> list[Reference]:
    japanese = JapaneseCitations(names)
    known = japanese.known
    titles = frozenset(names.titles)
    found: list[Reference] = []
    for section, standing in zip(sections, names.standings, strict=True):
        japanese.enter(standing)
        for number in range(section.start_line, min(section.own_end_line, len(lines)) + 1):
            line = lines[number - 1]
            if line:
                found += japanese.find(number, line)
                found += each_target_once(find_english_citations(number, line, known, titles))
    return found
