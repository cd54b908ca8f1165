"""The names of anchors: of headings, what HTML sets as `id` or `name`, and what a note sets behind a block. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from morenashi.indexer.markdown import Section, section_at

from .named_places import NamedPlace
from .place_keys import anchor_key, title_key

_HTML_ANCHOR = re.compile(r"<[a-zA-Z][a-zA-Z0-9]{0,9}\s[^<>]{0,200}?(?<=\s)(?:id|name)\s*=\s*[\"']?([^\"'<>\s]{1,200})")
# Of a block of a note, as Obsidian and Foam have it: the text ^its-name.
_BLOCK_NAME = re.compile(r"(?:^|\s)\^([a-zA-Z0-9-]{1,100})\s*$")
# What a heading shows of a code span, of a wiki link, of a link by its destination or by its label; of a tag nothing.
# `arr[i][j]` is no link, and what a backslash goes before is no tag.
_TITLE_MARKUP = re.compile(
    r"`([^`]{1,300})`|\[\[(?:[^\[\]|]{0,200}\|)?([^\[\]|]{0,200})\]\]|!?\[([^\[\]]{0,300})\]\([^()]{0,500}\)"
    r"|(?<![\w\]])\[([^\[\]]{1,300})\]\[[^\[\]]{1,300}\]|(?<!\\)</?[a-zA-Z!][^<>]{0,300}>"
)
_MARKUP_STARTS = frozenset("`[<")
_IN_ANGLES = re.compile(r"<[^<>]{0,300}>")


def anchor_places(lines: Sequence[str], sections: Sequence[Section], titles: Sequence[str]) -> Iterator[NamedPlace]:
    """The anchors of a document. `lines` are as in the file, `titles` the plain ones of the sections.

    Of those of one name the first counts: what the text itself sets goes before what follows from headings.
    """
    for position, section in enumerate(sections):
        if section.level and section.anchor:
            yield NamedPlace(anchor_key(section.anchor), position, section.start_line)
    yield from _html_anchors(lines, sections)
    yield from _slugs(sections, titles)
    yield from _block_names(lines, sections)


def _slugs(sections: Sequence[Section], titles: Sequence[str]) -> list[NamedPlace]:
    slugs: list[NamedPlace] = []
    short_slugs: list[NamedPlace] = []
    copies: Counter[str] = Counter()
    for position, (section, title) in enumerate(zip(sections, titles, strict=True)):
        shown = section.title
        has_markup = not _MARKUP_STARTS.isdisjoint(shown)
        if has_markup:
            shown = _TITLE_MARKUP.sub(lambda match: match[match.lastindex] if match.lastindex else "", shown)
        key = anchor_key(shown) if has_markup else title_key(title)
        if not section.level or key == "~":
            continue
        # As GitHub numbers headings of the same text: title, title-1, title-2.
        number = copies[key]
        copies[key] += 1
        slugs.append(NamedPlace(key + (str(number) if number else ""), position, section.start_line))
        # Who links to Map<Key> by hand may leave out what stands in the brackets.
        if "<" in shown and (short := anchor_key(_IN_ANGLES.sub("", shown))) not in (key, "~"):
            short_slugs.append(NamedPlace(short, position, section.start_line))
    return slugs + short_slugs


def _block_names(lines: Sequence[str], sections: Sequence[Section]) -> Iterator[NamedPlace]:
    starts = [section.start_line for section in sections]
    for line, text in enumerate(lines, 1):
        if "^" in text and (match := _BLOCK_NAME.search(text)):
            yield NamedPlace(anchor_key(match[1]), section_at(starts, line), line)


def _html_anchors(lines: Sequence[str], sections: Sequence[Section]) -> Iterator[NamedPlace]:
    starts = [section.start_line for section in sections]
    for line, text in enumerate(lines, 1):
        if "<" not in text:
            continue
        for match in _HTML_ANCHOR.finditer(text):
            position = section_at(starts, line)
            following = position + 1
            is_above = line != starts[position] and following < len(starts)
            if is_above and _stands_above(lines, line, starts[following]):
                yield NamedPlace(anchor_key(match[1]), following, starts[following])
            else:
                yield NamedPlace(anchor_key(match[1]), position, max(line, starts[position]))


def _stands_above(lines: Sequence[str], line: int, heading: int) -> bool:
    """Whether at most a blank line or two lie between an anchor and a heading."""
    return heading - line <= 3 and not any(map(str.strip, lines[line : heading - 1]))
