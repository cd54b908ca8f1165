"""Where a text says "except", "only if", "not in this case": expressions with their kind and scope. Pure.

Expressions come from the dictionary (`exception_entries`), what they govern from the text's layout
(`exception_scope`). Seed 004 §3, stage 2.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from .exception_entries import (
    ExceptionEntry,
    ExceptionKind,
    Pattern,
    compile_patterns,
    is_latin,
    spell_out_false_friends,
)
from .exception_scope import Layout
from .fixed_strings import FixedStrings

# Before and after a Latin word that stands in a path, an option, a call or an assignment: code, no prose.
_CODE_BEFORE, _CODE_AFTER = frozenset("_/$@#:|"), frozenset("_/(=")
_QUOTES = frozenset("'\"")
_MARKS, _BLANKS = frozenset("*_'\""), frozenset(" \n>")
_LINE_BREAK = re.compile(r" ?\n ?(?:> ?)*")
# What opens a block may stand before a word: ::: warning.
_BLOCK_MARKS = ":!?+/< "
_MOST_MARKS = 8
_MOST_LABEL = 16
JSON_CELL = 100
"""Characters: a line of JSON may be a whole file. It is taken as cells of so many."""


class ExceptionTerm(NamedTuple):
    """An expression: its line (1-based), its 0-based column there, and the lines that it governs, itself included.

    `term` is the expression as found, normalised.
    """

    line: int
    column: int
    term: str
    kind: ExceptionKind
    first_line: int
    last_line: int


class ExceptionFinder:
    """Finds the expressions of a dictionary, the longest of those that overlap.

    Each part is made ready when there is something to search, which few starts of the server have.
    """

    def __init__(self, entries: Iterable[ExceptionEntry]) -> None:
        self._entries = tuple(entries)

    def find(self, text: str, layout: Layout | None = None) -> Iterator[ExceptionTerm]:
        """The expressions of a normalised text in order, each once a line.

        `layout` is that of the text as it was before normalisation; without one (JSON) an
        expression governs its line, and is found once in each `JSON_CELL` of it.
        """
        line = position = line_start = end = 0
        seen: set[tuple[str, int]] = set()
        for start, negative_end, pattern in self._matches(text):
            if start < end or not (pattern.is_own or self._is_meant(text, start, -negative_end)):
                continue
            if passed := text.count("\n", position, start):
                line, line_start = line + passed, text.rindex("\n", position, start) + 1
                seen.clear()
            position, end = start, -negative_end
            term = _LINE_BREAK.sub(" ", text[start:end])
            once = term, 0 if layout else (start - line_start) // JSON_CELL
            if once in seen or (
                layout and not pattern.is_own and _is_word(term.lstrip(_BLOCK_MARKS)) and layout.is_code(line)
            ):
                continue
            seen.add(once)
            first, last = line, line
            if layout:
                first, last = layout.governed_lines(
                    line, pattern.kind, starts_line=_starts_line(text, line_start, start)
                )
            yield ExceptionTerm(line + 1, start - line_start, term, pattern.kind, first + 1, last + 1)

    def _matches(self, text: str) -> list[tuple[int, int, Pattern]]:
        """(start, -end, pattern), ordered: of two with one start the longer first, of two alike the user's own."""
        matches = []
        places = self._heads.find(text)
        for head, patterns in self._by_head.items():
            for at in places.get(head, ()):
                for pattern in patterns:
                    span = _match(pattern, text, at)
                    if span:
                        matches.append((span[0], -span[1], pattern))
        return sorted(matches, key=lambda match: (*match[:2], not match[2].is_own))

    def _is_meant(self, text: str, start: int, end: int) -> bool:
        """Whether it is neither the name of a thing nor part of a false friend."""
        if _is_word(text[start:end]) and _is_mention(text, start, end):
            return False
        friends, longest = self._false_friends
        near = friends.finditer(text, max(start - longest + 1, 0), end + longest - 1)
        return not any(friend.end() > start and friend.start() < end for friend in near)

    @cached_property
    def _by_head(self) -> dict[str, list[Pattern]]:
        by_head: dict[str, list[Pattern]] = {}
        for pattern in compile_patterns(self._entries):
            by_head.setdefault(pattern.head, []).append(pattern)
        return by_head

    @cached_property
    def _heads(self) -> FixedStrings:
        return FixedStrings(self._by_head)

    @cached_property
    def _false_friends(self) -> tuple[re.Pattern[str], int]:
        """What matches a false friend, and how long the longest is."""
        friends = spell_out_false_friends(self._entries)
        return re.compile("|".join(map(re.escape, friends)) or r"(?!)"), max(map(len, friends), default=0)


def _match(pattern: Pattern, text: str, at: int) -> tuple[int, int] | None:
    rest = pattern.rest.match(text, at)
    if rest is None:
        return None
    start = at
    if pattern.before:
        begin = max(at - pattern.before_characters, 0)
        before = pattern.before.search(text[begin:at])
        if before is None:
            return None
        start = begin + before.start()
    if not pattern.is_exact and _continues_word(text, start):
        return None
    if pattern.begins_phrase and not _begins_phrase(text, start):
        return None
    return start, rest.end()


def _continues_word(text: str, start: int) -> bool:
    return start > 0 and is_latin(text[start]) and (is_latin(text[start - 1]) or text[start - 1] == "_")


def _begins_phrase(text: str, start: int) -> bool:
    """Whether no letter goes before, marks passed over; before a Latin phrase blanks are, too, in one paragraph."""
    passed = _MARKS | _BLANKS if text[start].isascii() else _MARKS
    place = start
    while place and start - place < _MOST_MARKS and text[place - 1] in passed:
        place -= 1
    return place == 0 or not text[place - 1].isalpha() or _begins_paragraph(text, place, start)


def _begins_paragraph(text: str, before: int, start: int) -> bool:
    """Whether what stands after `before` is another paragraph: after a blank line or a heading, or newly quoted."""
    between = text[before:start]
    breaks = between.count("\n")
    if breaks != 1:
        return breaks > 1
    begins = text[text.rfind("\n", 0, before) + 1]
    return begins == "#" or (">" in between and begins != ">")


def _starts_line(text: str, line_start: int, start: int) -> bool:
    return start - line_start <= _MOST_LABEL and not any(map(str.isalpha, text[line_start:start]))


def _is_word(term: str) -> bool:
    return term.isascii() and " " not in term and "\n" not in term


def _is_mention(text: str, start: int, end: int) -> bool:
    """Whether a single Latin word is a name: quoted on its own, or part of code."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in _QUOTES and after in _QUOTES:
        return True
    if text[start] in _BLOCK_MARKS:
        return False
    # Between two hyphens it is a word of an address: #skip-tests-unless-asked-for.
    if before in _CODE_BEFORE or after in _CODE_AFTER or before == after == "-":
        return True
    # A member, as in filter.except, or an option; an ellipsis or a single dash is prose.
    return (before == "." and text[max(start - 2, 0)].isalnum()) or text[max(start - 2, 0) : start] == "--"
