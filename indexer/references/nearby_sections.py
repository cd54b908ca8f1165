"""Sections that text names by where they stand: the preceding section, the next chapter, 前節. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from morenashi.indexer.markdown import Section, section_at
from morenashi.indexer.text import normalise

from .named_places import NamedPlace
from .reference import Reference, each_target_once, lines_with

# The following section may be one to type in, and the next section of something is not of this document.
_ENGLISH = re.compile(
    r"\bthe (?:immediately )?(?:(preceding|previous|foregoing)|next) (section|chapter|article)\b(?! of)", re.I
)
# Where neither 第2節 nor an article is named: beside an article stands an article. But 以前節約した.
_JAPANESE = re.compile("(?<![以事直従空])(?:(前)|次)(節)(?![約電制減税水目操句度])")
_TRIGGERS = ("next ", "evious ", "eceding ", "regoing ", "前節", "次節")
_IS_DIVISION = re.compile("[編章節款目0-9-]*節[0-9-]+")


def find_nearby_sections(
    text: str, lines: Sequence[str], sections: Sequence[Section], places: Sequence[NamedPlace]
) -> Iterator[Reference]:
    """The references of a document to what stands before or after the section that says so, on its level.

    `lines` are those of `text`, `places` all that the document names. What has no neighbour refers to nothing.
    """
    to_read = lines_with(text, _TRIGGERS)
    if not to_read:
        return
    starts = [section.start_line for section in sections]
    names = {place.section: place.name for place in reversed(places) if place.line == starts[place.section]}
    near = _neighbours(sections)
    has_others = any(place.article is not None or _IS_DIVISION.fullmatch(place.name) for place in places)
    patterns = (_ENGLISH,) if has_others else (_ENGLISH, _JAPANESE)
    for line in to_read:
        around = _around(sections, names, section_at(starts, line))
        yield from each_target_once(_on_line(line, _said(patterns, lines[line - 1]), around, near, names))


def _on_line(
    line: int,
    said: Iterable[re.Match[str]],
    around: Mapping[str, int],
    near: Mapping[int, tuple[int | None, int | None]],
    names: Mapping[int, str],
) -> Iterator[Reference]:
    for match in said:
        before, after = near.get(around.get(match[2].lower(), -1), (None, None))
        position = before if match[1] else after
        if position is not None and (name := names.get(position)):
            yield Reference(line, match.start(), "relative", None, normalise(match[0]), None, name)


def _said(patterns: Iterable[re.Pattern[str]], text: str) -> Iterator[re.Match[str]]:
    for pattern in patterns:
        yield from pattern.finditer(text)


def _around(sections: Sequence[Section], names: Mapping[int, str], here: int) -> dict[str, int]:
    """The positions of a section, and of the chapter, the article and what 節 means, 3.2, that it is or stands in."""
    around = {"section": here}
    position: int | None = here
    while position is not None:
        kind, _, number = names.get(position, "").partition(" ")
        if kind in ("chapter", "article"):
            around.setdefault(kind, position)
        elif kind == "section" and number.count(".") == 1:
            around.setdefault("節", position)
        position = sections[position].parent
    around.setdefault("節", here)
    return around


def _neighbours(sections: Sequence[Section]) -> dict[int, tuple[int | None, int | None]]:
    """The positions of what stands before and after each section, below the same heading and on its level."""
    beside: defaultdict[tuple[int | None, int], list[int]] = defaultdict(list)
    for position, section in enumerate(sections):
        beside[section.parent, section.level].append(position)
    return {
        here: (before, after)
        for group in beside.values()
        for before, here, after in zip([None, *group], group, [*group[1:], None], strict=False)
    }
