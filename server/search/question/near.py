"""Terms that are asked for near each other: `name~truncated|"63 bytes"`. Pure.

A word alone may stand in every section, and two words in any order, with anything between them, are no phrase. Who has
`grep` writes `name.{0,60}truncated` then; an index can do better than to read everything for that.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from morenashi.indexer.tokens import squeeze

from .pieces import normal_text, without_punctuation

FURTHEST = 160
"""How many columns may lie between the beginnings of what stands near each other: two lines, or a long sentence. A
Japanese character takes two."""

_ONE = r'(?:"[^"]*"|[^\s"~|]+)'
_ONE_SIDE = rf"{_ONE}(?:\|{_ONE})*"
# In the question as it was written: normalised, 10～20 has the same tilde. In a quoted phrase, or
# behind a slash (/~user), it is a character.
_NEAR = re.compile(rf'(?<!\S)(?P<asked>{_ONE_SIDE}(?P<near>(?:(?<!/)~{_ONE_SIDE})*))(?!\S)|"[^"]+"')
_SIDE, _WORD, _ONE_WORD = re.compile(_ONE_SIDE), re.compile(_ONE), re.compile(r"[^\s~|]+")

# Quotes as typography has them, which are one sign once the question is normalised.
_DRAWN_QUOTE = re.compile("[“”„‟«»〝〞〟＂]")

_WIDE_FROM = "\u2e80"
# Where a paragraph ends: an empty line, or one that begins an item, a row, a heading or a quotation.
_END_OF_PARAGRAPH = re.compile("\n ?(?:\n|[-*+#|>・]|[0-9]+[.)])")


class Near(NamedTuple):
    """Words that are asked for near each other: of each side one of its words, normalised. `text` reads as the same."""

    text: str
    sides: tuple[tuple[str, ...], ...]


class Place(NamedTuple):
    """Where a word of a side begins in a text."""

    start: int
    side: int


def take_near(question: str) -> tuple[str, list[Near]]:
    """The question without what it asks for near each other, and that. Words between which there are bars alone, as if
    they were a side of it, stay as words.
    """
    found = []

    def take(match: re.Match[str]) -> str:
        if match["near"] and (sides := _read_sides(match["asked"])):
            found.append(Near(near_text(sides), sides))
            return " "
        return " ".join(_alternatives(match[0])) if match["near"] == "" else match[0]

    return _NEAR.sub(take, _DRAWN_QUOTE.sub('"', question)), found


def _alternatives(written: str) -> list[str]:
    """The words that bars part, as they are written; a|b is one."""
    words = _WORD.findall(written)
    return words if all(len(squeeze(normal_text(word.strip('"')))) > 1 for word in words) else [written]


def _read_sides(written: str) -> tuple[tuple[str, ...], ...]:
    """The words of each side; nothing if one has but a letter or a digit, as HEAD~1, or a word is none."""
    sides = [[_bare(word) for word in _WORD.findall(side)] for side in _SIDE.findall(written)]
    if not all(squeeze(word) for words in sides for word in words):
        return ()
    if any(all(len(word) == 1 and word.isascii() for word in words) for words in sides):
        return ()
    return tuple(tuple(dict.fromkeys(words)) for words in sides)


def near_text(sides: Iterable[Iterable[str]]) -> str:
    """How it is written from what was read: a term is known by it, and `begins_of` reads it again."""
    return "~".join("|".join(word if _is_bare(word) else f'"{word}"' for word in words) for words in sides)


def _is_bare(word: str) -> bool:
    """Whether it is the same word without quotes."""
    return bool(_ONE_WORD.fullmatch(word)) and _bare(word) == word


def _bare(word: str) -> str:
    """A word as it is asked for, normalised: what is not quoted goes without the punctuation at its ends."""
    return normal_text(word[1:-1]) if word[0] == '"' else without_punctuation(normal_text(word))


def begins_of(term: str, text: str) -> list[int]:
    """Where a term, as it is named, begins in a normalised text, or what it asks for near each other: nowhere, if it is
    not found as it is normalised.
    """
    _, asked = take_near(term)
    if not asked:
        return [found.start() for found in re.finditer(re.escape(term), text)]
    sides = asked[0].sides
    words = [(word, side) for side, words in enumerate(sides) for word in words]
    places = [Place(found.start(), side) for word, side in words for found in re.finditer(re.escape(word), text)]
    return near_each_other(text, places, len(sides))


def near_each_other(text: str, places: Iterable[Place], sides: int) -> list[int]:
    """Where in a text those words begin that have one of every other side near: all of them begin within 160 columns of
    one another, in one paragraph.
    """
    ordered = sorted(places)
    found: set[int] = set()
    for first in range(len(ordered)):
        together = _together(text, ordered, first)
        if len({other.side for other in together}) == sides:
            found.update(other.start for other in together)
    return sorted(found)


def _together(text: str, ordered: Sequence[Place], first: int) -> list[Place]:
    """The places from this one on that lie within the distance of it."""
    together = [ordered[first]]
    columns = 0
    for number in range(first + 1, len(ordered)):
        place = ordered[number]
        between = text[together[-1].start : place.start]
        columns += len(between) + sum(character >= _WIDE_FROM for character in between[:FURTHEST])
        if columns > FURTHEST or _END_OF_PARAGRAPH.search(between):
            break
        together.append(place)
    return together
