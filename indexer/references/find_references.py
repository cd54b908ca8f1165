"""A document's names and references, of all kinds. Pure."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate
from operator import itemgetter

from morenashi.indexer.markdown import Blocks, Section

from . import (
    bare_numbers,
    caption_citations,
    document_codes,
    english_citations,
    numbered_citations,
    titled_citations,
    whole_documents,
)
from .bare_numbers import find_bare_numbers
from .caption_citations import find_caption_citations
from .chapters import is_chapter, is_part_of_book
from .citing_document import CitingDocument
from .document_codes import find_coded_documents
from .document_titles import document_titles
from .english_citations import find_english_citations
from .japanese_citations import find_japanese_citations, may_cite
from .links import destinations_by_label, find_links, find_shown, leads_out, read_links, reference_label
from .named_places import NamedPlace, NamedSections
from .nearby_sections import find_nearby_sections
from .numbered_citations import find_numbered_citations
from .place_keys import anchor_key
from .reference import Reference, each_target_once, lines_with
from .section_names import name_sections
from .titled_citations import by_title, find_titled_citations
from .whole_documents import find_whole_documents

# Where a link leads: behind what it shows, and before it in a wiki link.
_DESTINATION = re.compile(
    r"(?<=\])\((?:<[^<>\n]{0,500}>|[^()\s]{1,500})(?:\s\"[^\"\n]{0,200}\")?\)|\[\[[^\[\]|\n]{1,300}"
)
# What a tag says of its element, in a tip or instead of a picture: <a href="ch02.html" title="第2章">.
_TAG = re.compile(r"<[a-zA-Z][\w:-]{0,40}\s[^<>=\n]{0,200}=[^<>\n]{0,3000}>")
_DEFINITION = re.compile(r" {0,3}\[([^\[\]]{1,500})\]:")


@dataclass(frozen=True, slots=True)
class FoundReferences:
    """`titles`: what others may call the document; `names`: what they may call its places; both normalised.

    `general` are the positions of sections that hold for all beside them, as if that referred to them.
    """

    titles: list[str] = field(default_factory=list)
    names: list[NamedPlace] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    general: frozenset[int] = frozenset()


def find_references(path: str, text: str, sections: Sequence[Section], blocks: Blocks) -> FoundReferences:
    """What a Markdown document is called and what it refers to, by line. Code is not read."""
    lines = text.split("\n")
    for first, last in blocks.code:
        lines[first - 1 : last] = [""] * len(lines[first - 1 : last])
    titles = list(document_titles(path, lines, sections))
    own = frozenset(titles)
    names = name_sections(lines, sections, titles, is_chapter=is_chapter(own))
    definitions = destinations_by_label(blocks.definitions)
    words = _without_destinations(text, lines, definitions)
    references = [
        *_japanese(text, words, sections, names, titles),
        *_by_words(text, words, sections, names, own),
    ]
    if "](" in text or "[[" in text or "href" in text or definitions:
        linked = "\n".join(lines)
        links, page_titles = read_links(linked, definitions), [*map(anchor_key, titles)]
        if references:
            references = list(_not_shown_by_links(references, lines, find_shown(links), names.known))
        references += (_without_page_title(one, names.known, page_titles) for one in find_links(path, linked, links))
    references.sort(key=lambda reference: reference[:2])
    return FoundReferences(titles, names.places, references, names.general)


def _without_destinations(text: str, lines: Sequence[str], definitions: Mapping[str, str]) -> Sequence[str]:
    """The lines with blanks in place of tags and of where links lead: 甲法.md#第三条 is no article of this document."""
    if "=" in text and "<" in text:
        lines = [_TAG.sub(_blanks, line) if "<" in line else line for line in lines]
    if "](" not in text and "[[" not in text and not definitions:
        return lines
    return [_without_destination(line, definitions) if "[" in line else line for line in lines]


def _without_destination(line: str, definitions: Mapping[str, str]) -> str:
    if definitions and (defined := _DEFINITION.match(line)) and reference_label(defined[1]) in definitions:
        return ""
    return _DESTINATION.sub(_blanks, line)


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _not_shown_by_links(
    found: Sequence[Reference], lines: Sequence[str], shown: Sequence[tuple[int, int, str]], known: Set[str]
) -> Iterator[Reference]:
    """Those without the words that a link shows, which so says what place they mean: out of the manual, or one that the
    document itself does not have, be it in its book. The previous section is the one that it leads to.
    """
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for reference in found:
        place = starts[reference.line - 1] + reference.column
        before = bisect_right(shown, place, key=itemgetter(0)) - 1
        is_guess = not reference.called or is_part_of_book(reference.called) or reference.kind == "document"
        if before >= 0 and place < shown[before][1] and is_guess:
            is_known = reference.kind != "relative" and reference.name in known
            if not is_known or leads_out(shown[before][2]):
                continue
        yield reference


def _without_page_title(link: Reference, known: Set[str], titles: Sequence[str]) -> Reference:
    """The same with the anchor as the document has it, if one of the titles, as anchors, goes before it: #Page-Heading,
    as Confluence exports anchors.
    """
    if link.called is None and link.name not in known:
        for title in titles:
            if link.name.startswith(title) and (inside := "~" + link.name[len(title) :]) in known:
                return link._replace(name=inside)
    return link


def _japanese(
    text: str, lines: Sequence[str], sections: Sequence[Section], names: NamedSections, titles: Sequence[str]
) -> Iterator[Reference]:
    if not may_cite(text):
        return
    document = CitingDocument(names, titles)
    for section, standing in zip(sections, names.standings, strict=True):
        document.enter(standing)
        if standing.is_named:
            yield from find_japanese_citations(document, section.start_line, _caption(lines[section.start_line - 1]))
        for number in range(section.start_line + standing.is_named, min(section.own_end_line, len(lines)) + 1):
            words = lines[number - 1]
            if number in names.inside:
                inside, label = names.inside[number]
                document.enter(inside)
                words = " " * label + words[label:]
            if words:
                yield from find_japanese_citations(document, number, words)


def _caption(heading: str) -> str:
    """A heading without the number that it gives its section, its columns kept."""
    opened = min((place for bracket in "（(" if (place := heading.find(bracket)) >= 0), default=len(heading))
    return " " * opened + heading[opened:]


def _by_words(
    text: str, lines: Sequence[str], sections: Sequence[Section], names: NamedSections, titles: Set[str]
) -> Iterator[Reference]:
    """What words name by a number or a title, each line read by itself that has a sign of it (`MAY_CITE`)."""
    known = names.known
    places = {(place.line, place.name) for place in names.places}
    numbered = _on_lines(text, lines, numbered_citations.MAY_CITE, find_numbered_citations, known, titles)
    yield from _unless_at(places, numbered)
    yield from _on_lines(text, lines, titled_citations.MAY_CITE, find_titled_citations, by_title(known))
    yield from _on_lines(text, lines, english_citations.MAY_CITE, find_english_citations, known, titles)
    if any(name.startswith("section ") and "." in name for name in known):
        yield from _on_lines(text, lines, bare_numbers.MAY_CITE, find_bare_numbers, known)
    yield from find_nearby_sections(text, lines, sections, names.places)
    captioned = _on_lines(text, lines, caption_citations.MAY_CITE, find_caption_citations, known, titles)
    yield from _unless_at(places, captioned)
    yield from _on_lines(text, lines, whole_documents.MAY_CITE, find_whole_documents, titles)
    yield from _on_lines(text, lines, document_codes.MAY_CITE, find_coded_documents, titles)


def _unless_at(places: Set[tuple[int, str]], references: Iterable[Reference]) -> Iterator[Reference]:
    """Those that are no heading (1章 概要) or caption, by line and name, which they lead to."""
    return (cited for cited in references if cited.called or (cited.line, cited.name) not in places)


def _on_lines(
    text: str,
    lines: Sequence[str],
    signs: re.Pattern[str] | Iterable[str],
    find: Callable[..., Iterator[Reference]],
    *known: object,
) -> Iterator[Reference]:
    """What is found on the lines with these signs, by what the document has and is called: each target once a line."""
    for number in lines_with(text, signs):
        yield from each_target_once(find(number, lines[number - 1], *known))
