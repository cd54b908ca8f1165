"""Sections that English text names by where they stand: the preceding section, the next chapter. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from morenashi.indexer.markdown import Section
from morenashi.indexer.text import normalise

from .named_places import NamedPlace
from .reference import Reference, each_target_once, lines_with, places_of

# The following section may be one to type in, and the next section of something is not of this document.
_CITATION = re.compile(
    r"\b[Tt]he (?:immediately )?(?:(preceding|previous|foregoing)|next) (section|chapter|article)\b(?! of)", re.I
)
_TRIGGERS = tuple(
    f"{word} {kind}" for word in ("ding", "ious", "oing", "next") for kind in ("sec", "Sec", "cha", "Cha", "art", "Art")
)


def find_nearby_sections(
    text: str, lines: Sequence[str], sections: Sequence[Section], places: Sequence[NamedPlace]
) -> Iterator[Reference]:
    """The references of a document to what stands before or after the section that says so, on its level.

    `lines` are those of `text`, `places` all that the document names. What has no neighbour refers to nothing.
    """
    to_read = lines_with(text, places_of(text, _TRIGGERS))
    if not to_read:
        return
    starts = [section.start_line for section in sections]
    names = {place.section: place.name for place in reversed(places) if place.line == starts[place.section]}
    for line in to_read:
        here = bisect_right(starts, line) - 1
        yield from each_target_once(_on_line(line, lines[line - 1], here, sections, names))


def _on_line(
    line: int, text: str, here: int, sections: Sequence[Section], names: Mapping[int, str]
) -> Iterator[Reference]:
    for match in _CITATION.finditer(text):
        kind = match[2].lower()
        around = here if kind == "section" else _around(sections, names, here, kind)
        near = None if around is None else _neighbour(sections, around, -1 if match[1] else 1)
        if near is not None and (name := names.get(near)):
            yield Reference(line, match.start(), "relative", None, normalise(match[0]), None, name)


def _around(sections: Sequence[Section], names: Mapping[int, str], here: int, kind: str) -> int | None:
    """The position of the chapter or article that a section is or stands in."""
    position: int | None = here
    while position is not None and not names.get(position, "").startswith(f"{kind} "):
        position = sections[position].parent
    return position


def _neighbour(sections: Sequence[Section], here: int, step: int) -> int | None:
    """The position of the section before or after one, below the same heading."""
    position = here + step
    while 0 <= position < len(sections) and sections[position].level >= sections[here].level:
        if sections[position].level == sections[here].level:
            return position
        position += step
    return None
