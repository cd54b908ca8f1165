"""References between the sections of a Markdown file: its links to itself, also by its own name. Pure.

A link is returned if the section it leads to, or one inside that, links back. A link within one and the same chain of
sections needs no return, nor do those of a table of contents, which are for finding one's way: they only have to lead
somewhere.
"""

from pathlib import PurePosixPath

from morenashi.indexer.markdown import Blocks, Section, section_at, sections_under
from morenashi.indexer.references.links import destinations_by_label, find_links, link_target, read_links
from morenashi.indexer.references.section_names import name_sections
from morenashi.indexer.text import normalise

from .contents import contents_lines
from .model import Element, Reference, Structure, Target


def parse_sections(path: str, text: str, blocks: Blocks) -> Structure | None:
    """The links of a Markdown text (line breaks `\\n`) to its own sections; `None` without any."""
    sections = sections_under(blocks.headings, text)
    lines = text.split("\n")
    for first, last in blocks.code:
        lines[first - 1 : last] = [""] * len(lines[first - 1 : last])
    definitions = destinations_by_label(blocks.definitions)
    starts = [section.start_line for section in sections]
    places = {place.name: place.section for place in name_sections(lines, sections).places}
    contents = contents_lines(lines)
    text_without_code = "\n".join(lines)
    own_names = _own_names(path)
    links = [
        (link.line, link.name)
        for link in find_links(path, text_without_code, read_links(text_without_code, definitions))
        if link.called in own_names and link.name and (link.line not in contents or link.name not in places)
    ]
    if not links:
        return None
    ids = _section_ids(sections)
    references, pairs = [], set()
    for line, name in links:
        origin, target = section_at(starts, line), places.get(name)
        if target is None:
            references.append(Reference(ids[origin], Target("missing", name.lstrip("~")), line))
        elif target not in (origin, *_chain(sections, origin)) and origin not in _chain(sections, target):
            references.append(Reference(ids[origin], Target("element", ids[target]), line))
            pairs.add((origin, target))
    elements = tuple(Element(ids[n], section.start_line) for n, section in enumerate(sections))
    returns = frozenset(
        (ids[above_origin], ids[above_target])
        for origin, target in pairs
        for above_origin in (origin, *_chain(sections, origin))
        for above_target in (target, *_chain(sections, target))
    )
    return Structure("sections", elements, references=tuple(references), returns=returns)


def _own_names(path: str) -> set[str | None]:
    """What a link to this file calls it: nothing, its path, or, a wiki link, its name."""
    file = PurePosixPath(path)
    itself = link_target(path, file.name)
    return {None, normalise(file.stem), itself[0] if itself else None}


def _chain(sections: list[Section], position: int) -> list[int]:
    """The sections around a section, inmost first."""
    chain = []
    parent = sections[position].parent
    while parent is not None:
        chain.append(parent)
        parent = sections[parent].parent
    return chain


def _section_ids(sections: list[Section]) -> list[str]:
    ids: list[str] = []
    taken: set[str] = set()
    for section in sections:
        title = section.title or "(no heading)"
        ids.append(title if title not in taken else f"{title} (line {section.start_line})")
        taken.add(ids[-1])
    return ids
