"""What the places of a document are called: 第二十八条第二項, 別表第一, chapter 4, #anchor. Pure.

Names are short keys, the same for every notation:

    条28-2          article 28 of the main body, branch 2; 条28-2項3 its third paragraph
    附則2条1        article 1 of the second block of supplementary provisions; 附則2 the block
    章2節1, 編1章2  chapters by their way from the top
    別表1, 様式3-2  appendices and forms; 付録b where they have letters
    section 3.2     numbered headings in English; also chapter 4, appendix b
    図2-1, table 3  figures and tables that have a caption; also 表3, figure 2-1
    ~slug           anchors and headings by their letters and digits alone, as no two slug rules agree
    (empty)         the document, from its title on
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from morenashi.indexer.general_provisions import is_general
from morenashi.indexer.markdown import Section

from .anchors import anchor_places
from .captioned_places import captioned_places
from .named_places import NamedSections
from .numbered_chapters import are_articles, numbered_chapters
from .numbered_places import numbered_places
from .part_lines import name_part_lines
from .part_names import PartNamer
from .place_keys import ARTICLE, ARTICLE_HEADING, between, branched, plain_titles

_MOST_JOINED = 500
_JOINED = re.compile(rf"(?:(から|[~-])|及び|並びに|および|ならびに|、|,|・| )+{ARTICLE}")
_SUPPLEMENT_HEADING = re.compile("附 ?則")
_HEADING_CAPTION = re.compile(r" ?\((.+)\)$")


def name_sections(
    lines: Sequence[str], sections: Sequence[Section], called: Iterable[str] = (), *, is_chapter: bool = False
) -> NamedSections:
    """Name the sections of a Markdown document. `lines` are as in the file, `called` is what others call it; a chapter
    of a book has no chapters inside.

    A name that occurs twice means its first place; a bare number that does means none. Lines that begin as articles do
    are articles where no heading is one.
    """
    titles = plain_titles(section.title for section in sections)
    chapters = {} if is_chapter else numbered_chapters(sections, titles)
    found = _name_parts(lines, sections, titles, chapters, are_articles=bool(chapters) and are_articles(lines, called))
    captions = captioned_places(lines, sections)
    for place in chain(numbered_places(lines, sections, titles), anchor_places(lines, sections, titles), captions):
        found.add(place.name, place.section, place.line)
    found.general = frozenset(position for position, title in enumerate(titles) if is_general(title))
    whole = _first_to_read(sections)
    found.add("", whole, sections[whole].start_line)
    return found


def _name_parts(
    lines: Sequence[str],
    sections: Sequence[Section],
    titles: Sequence[str],
    chapters: Mapping[int, str],
    *,
    are_articles: bool,
) -> NamedSections:
    has_headings = any(map(ARTICLE_HEADING.match, titles))
    namer = PartNamer(lines)
    standings = namer.found.standings
    for position, (section, title) in enumerate(zip(sections, titles, strict=True)):
        namer.end_block(section.level)
        own_names = _name_part(namer, title, position, section)
        if position in chapters:
            namer.begin_numbered_division("章", chapters[position], position, section.start_line)
            if are_articles and not own_names:
                own_names = _name_article(namer, chapters[position], position, section)
        standing = namer.standing(own_names, is_named=bool(own_names))
        parent = standings[section.parent] if section.parent is not None else None
        if not own_names and parent is not None and parent.block == standing.block:
            standing = namer.standing(parent.names)
        standings.append(standing)
        if not standing.names and not has_headings:
            name_part_lines(namer, lines, position, section)
    return namer.found


def _name_part(namer: PartNamer, title: str, position: int, section: Section) -> tuple[str, ...]:
    """Name what a heading begins. Its names if that is an article, several if joint, an appendix or a form."""
    line = section.start_line
    if _SUPPLEMENT_HEADING.match(title):
        namer.begin_supplement(title, section.level, position, line, namer.last_line(section))
        return ()
    names = _name_articles(namer, title, position, section) or namer.begin_back_matter(title, position, line)
    if not names:
        namer.begin_division(title, position, line)
    return names


def _name_articles(namer: PartNamer, title: str, position: int, section: Section) -> tuple[str, ...]:
    match = ARTICLE_HEADING.match(title)
    number = branched(match[1], match[2]) if match else ""
    if match is None or not number:
        return ()
    numbers = [number]
    joined = _JOINED.match(title, match.end())
    while joined and len(numbers) < _MOST_JOINED:
        if last := branched(joined[2], joined[3]):
            numbers += [*(between(numbers[-1], last, "-", _MOST_JOINED) if joined[1] else ()), last]
        joined = _JOINED.match(title, joined.end())
    names = tuple(
        name for name in map(namer.article_name, numbers) if namer.begin_article(name, position, section.start_line)
    )
    if len(names) == 1:
        namer.name_paragraphs(names[0], position, section.start_line + 1, namer.last_line(section))
        if caption := _HEADING_CAPTION.match(title, match.end()):
            namer.found.captions[names[0]] = caption[1]
    return names or (namer.article_name(number),)


def _name_article(namer: PartNamer, number: str, position: int, section: Section) -> tuple[str, ...]:
    """Name an article that a heading begins by its number alone."""
    name = namer.article_name(number)
    if namer.begin_article(name, position, section.start_line):
        namer.name_paragraphs(name, position, section.start_line + 1, namer.last_line(section))
    return (name,)


def _first_to_read(sections: Sequence[Section]) -> int:
    """The section that who is sent to the document should see: its title, not what stands before that."""
    return int(sections[0].level == 0 and len(sections) > 1 and sections[1].level == 1)
