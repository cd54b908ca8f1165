"""Sections by their number: Chapter 4, Appendix B, 3.2 Settings, and clauses and lines that are no headings. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from morenashi.indexer.markdown import Section, section_at

from .named_places import NamedPlace
from .numbered_items import numbered_items, numbers_cited
from .place_keys import ENGLISH_DIVISIONS

_ENGLISH_HEADING = re.compile(
    rf"(?:({ENGLISH_DIVISIONS}) +([0-9]+(?:\.[0-9]+)*|[ivx]{{2,5}}|[a-z])\b"
    r"|((?:[0-9]+|[a-z])(?:\.[0-9]+)+)(?=[.:) ]|$)|([0-9]+|[ivx]{2,5}|[a-z])[.:)])"
)
# 5 Procedure: a number alone, if those beside it count up.
_COUNTED_HEADING = re.compile(r"([0-9]{1,2}) (?=[^\W\d])")
# Headings of a text without markup, each alone between blank lines: 3.2.  GOAWAY, 2.1.　SFTP. Not those of a table of
# contents, which end with a page after dots.
_NUMBERED_LINE = re.compile(
    r" {0,3}([0-9]{1,3}(?:\.[0-9]{1,3}){0,5})\.?[ \u3000\t]{1,8}[^\s.,。、](?![^\n]{0,90}\. ?\.)[^。\n]{0,90}$"
)

# Below a heading 2. Services, its paragraphs: 2.1 The supplier shall ..., **2.2** ....
_NUMBERED_PARAGRAPH = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3}){1,5})[.):*_]{0,3}[ \u3000\t]")
_BEFORE_NUMBER = " \u3000*_-"
# Where no heading has a number: **2. Service**. Text, 2.1 Text, 1. ## Service, which is a heading in a list.
_CLAUSE = re.compile(
    r"[ \u3000\t]{0,8}(?:(?:[-*] )?[*_]{0,2}([0-9]{1,3}(?:\.[0-9]{1,3}){1,5})[.):*_]{0,3}[ \u3000\t]"
    r"|(?:\*\*|__)([0-9]{1,3})[.)][ \u3000\t]|([0-9]{1,3})[.)][ \u3000\t]{1,4}(?:#{1,6}[ \t]|\*\*|__))"
)

# In a licence without any markup, the paragraphs: 4. Redistribution. You may reproduce copies of the Work ...
_COUNTED_PARAGRAPH = re.compile(r" {0,3}([0-9]{1,2})\.[ \t]{1,8}(?=[^\W\d])")
_CITES = re.compile(r"(?:[Ss]ections?|[Cc]lauses?) [0-9]")


def numbered_places(lines: Sequence[str], sections: Sequence[Section], titles: Sequence[str]) -> Iterator[NamedPlace]:
    """The names that numbers in headings give. `lines` are as in the file, `titles` the plain ones of the sections.

    A bare number that occurs twice means no place.
    """
    bare: defaultdict[str, list[NamedPlace]] = defaultdict(list)
    numbers: dict[int, str] = {}
    counted = _counted_headings(sections, titles)
    for position, (section, title) in enumerate(zip(sections, titles, strict=True)):
        match = _ENGLISH_HEADING.match(title)
        if match is None and position not in counted:
            continue
        if match and match[1]:
            numbers[position] = match[2]
            yield NamedPlace(f"{match[1]} {match[2]}", position, section.start_line)
            continue
        number = (match[3] or match[4]) if match else counted[position]
        above = numbers.get(section.parent) if section.parent is not None else None
        own = [f"{above}.{number}", number] if above and "." not in number else [number]
        numbers[position] = own[0]
        for name in (f"section {number}" for number in own):
            bare[name].append(NamedPlace(name, position, section.start_line))
    for place in _unheaded(lines, sections, has_numbers=bool(numbers)):
        bare[place.name].append(place)
    for position, number in numbers.items():
        for place in _numbered_paragraphs(lines, position, sections[position], number):
            # One with a heading of its own is only listed here.
            if place.name not in bare or bare[place.name][0].section == position:
                bare[place.name].append(place)
    cited = numbers_cited(lines).difference(name.removeprefix("section ") for name in bare) if numbers else frozenset()
    for number, position, line in numbered_items(lines, sections, numbers, cited):
        bare[f"section {number}"].append(NamedPlace(f"section {number}", position, line))
    yield from (places[0] for places in bare.values() if len(places) == 1)


def _counted_headings(sections: Sequence[Section], titles: Sequence[str]) -> dict[int, str]:
    """The numbers of headings that a blank follows, by position, where those of one level are 1, 2, 3 and so on."""
    by_level: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for position, title in enumerate(titles):
        if match := _COUNTED_HEADING.match(title):
            by_level[sections[position].level][position] = str(int(match[1]))
    counted: dict[int, str] = {}
    for numbers in by_level.values():
        if len(numbers) > 1 and list(map(int, numbers.values())) == list(range(1, len(numbers) + 1)):
            counted |= numbers
    return counted


def _numbered_paragraphs(lines: Sequence[str], position: int, section: Section, number: str) -> Iterator[NamedPlace]:
    """The lines of a section's own that begin with a number below its own."""
    if not number[0].isdigit():
        return
    for line in range(section.start_line + 1, min(section.own_end_line, len(lines)) + 1):
        text = lines[line - 1].lstrip(_BEFORE_NUMBER)
        if text.startswith(f"{number}.") and (match := _NUMBERED_PARAGRAPH.match(text)):
            yield NamedPlace(f"section {match[1]}", position, line)


def _unheaded(lines: Sequence[str], sections: Sequence[Section], *, has_numbers: bool) -> list[NamedPlace]:
    """What has a number and is no heading; `has_numbers` says whether headings have any."""
    is_plain = all(section.level < 2 for section in sections)
    found = list(_numbered_lines(lines, sections)) if is_plain else []
    if has_numbers:
        return found
    names = {place.name for place in found}
    others = [*_clauses(lines, sections), *(_counted_paragraphs(lines, sections) if is_plain else ())]
    return found + [place for place in others if place.name not in names]


def _clauses(lines: Sequence[str], sections: Sequence[Section]) -> Iterator[NamedPlace]:
    starts = [section.start_line for section in sections]
    for line, text in enumerate(lines, 1):
        if match := _CLAUSE.match(text):
            number = match[1] or match[2] or match[3]
            yield NamedPlace(f"section {number}", section_at(starts, line), line)


def _counted_paragraphs(lines: Sequence[str], sections: Sequence[Section]) -> list[NamedPlace]:
    """The paragraphs that begin with a number, where these are 1, 2, 3 and so on, of a text that cites its sections."""
    starts = [section.start_line for section in sections]
    found = [
        NamedPlace(f"section {int(match[1])}", section_at(starts, line), line)
        for line, text in enumerate(lines, 1)
        if text[:5].lstrip(" ")[:1].isdigit() and (match := _COUNTED_PARAGRAPH.match(text))
        if line == 1 or not lines[line - 2].strip()
    ]
    counts_up = [place.name for place in found] == [f"section {number}" for number in range(1, len(found) + 1)]
    return found if len(found) > 1 and counts_up and any(map(_CITES.search, lines)) else []


def _numbered_lines(lines: Sequence[str], sections: Sequence[Section]) -> Iterator[NamedPlace]:
    starts = [section.start_line for section in sections]
    for line, text in enumerate(lines, 1):
        if not (text[:5].lstrip(" ")[:1].isdigit() and (match := _NUMBERED_LINE.match(text))):
            continue
        if not any(map(str.strip, (*lines[max(line - 2, 0) : line - 1], *lines[line : line + 1]))):
            yield NamedPlace(f"section {match[1]}", section_at(starts, line), line)
