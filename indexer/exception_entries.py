"""The notation of the exception dictionary, and the patterns it stands for. Pure.

    [kind]     the kind of the entries below
    a{b|c}d    alternatives; an empty one means that the part may be absent
    ^a  a$     where a phrase begins; where nothing but a bracket, a colon or the line's end follows
    "a"        these characters as they are, inside a longer word too
    !a         a false friend

A blank also matches a line break with the marks of a quotation. Latin words are whole words.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Literal, get_args

from .text import normalise

ExceptionKind = Literal["proviso", "exclusion", "non_application", "condition", "override", "caution"]

_KIND = re.compile(r"\[([^\]]*)\]")
_GROUP = re.compile(r"\{([^{}]*)\}")
_BLANK = r"(?: ?\n ?(?:> ?)*| )"
_NOT_IN_WORD = "(?![0-9a-z_])"
# The anchor of a heading may follow; the text of a link, which normalises to (a)(b), is no label.
_LABEL_ENDS = r"(?=[*_]{0,3} ?(?:[:!]|\)(?!\()|(?<= )\((?:#|/\*)|$))"
# Each bracket of a false friend multiplies them.
_MOST_SPELLINGS = 1_000
# Blank, line break and marks of a quotation: what a blank can become at most, in characters.
_BLANK_CHARACTERS = 5


@dataclass(frozen=True, slots=True)
class ExceptionEntry:
    """A line of the dictionary. False friends begin with an exclamation mark."""

    kind: ExceptionKind
    notation: str
    is_own: bool
    """Whether it stands in the user's own file."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression. `head` is looked for first; `before` then has to end, and `rest` to begin there."""

    kind: ExceptionKind
    head: str
    rest: re.Pattern[str]
    before: re.Pattern[str] | None
    before_characters: int
    begins_phrase: bool
    is_exact: bool
    is_own: bool


def read_entries(lines: Iterable[str], *, is_own: bool) -> list[ExceptionEntry]:
    """The entries of one file without its comments. What stands under no known kind is an exclusion."""
    kind: ExceptionKind = "exclusion"
    entries = []
    for line in lines:
        if heading := _KIND.fullmatch(line):
            kind = next((known for known in get_args(ExceptionKind) if known == heading[1]), "exclusion")
        else:
            entries.append(ExceptionEntry(kind, line, is_own))
    return entries


def is_well_formed(line: str) -> bool:
    """Whether a line without its comment is a known kind, or an entry that stands for something."""
    if heading := _KIND.fullmatch(line):
        return heading[1] in get_args(ExceptionKind)
    entries = read_entries([line], is_own=True)
    is_closed = not set("{}") & set(_GROUP.sub("", line))
    return is_closed and bool(compile_patterns(entries) or spell_out_false_friends(entries))


def compile_patterns(entries: Iterable[ExceptionEntry]) -> list[Pattern]:
    """The expressions among the entries, those that are blank after normalisation left out."""
    patterns = []
    for entry in entries:
        if not entry.notation.startswith("!"):
            patterns += _compile(entry)
    return patterns


def spell_out_false_friends(entries: Iterable[ExceptionEntry]) -> list[str]:
    """Every spelling of the false friends among the entries, normalised; none of one that has very many."""
    told = (_split(entry.notation[1:]) for entry in entries if entry.notation.startswith("!"))
    few = (parts for parts in told if prod(map(len, parts)) <= _MOST_SPELLINGS)
    friends = {"".join(spelling) for parts in few for spelling in product(*parts)}
    return sorted(filter(str.strip, friends), key=lambda friend: (-len(friend), friend))


def _compile(entry: ExceptionEntry) -> list[Pattern]:
    notation = entry.notation
    is_exact = len(notation) > 2 and notation[0] == notation[-1] == '"'
    if is_exact:
        literal = normalise(notation[1:-1])
        return [_pattern(entry, None, [(literal,)], is_exact=True)] if literal.strip() else []
    parts = _split(notation.removeprefix("^").removesuffix("$"))
    before = parts.pop(0) if notation.startswith("{") and len(parts) > 1 else None
    # A blank alone cannot be looked for: what follows it begins with it.
    while len(parts) > 1 and any(map(str.isspace, parts[0])):
        parts[:2] = [tuple(first + word for first, word in product(*parts[:2]))]
    if not parts or "" in parts[0]:
        return []
    # Each alternative of the first part is looked for on its own.
    return [_pattern(entry, *_lead(before, word, parts[1:])) for word in parts[0] if word.strip()]


def _lead(
    before: tuple[str, ...] | None, first: str, rest: list[tuple[str, ...]]
) -> tuple[tuple[str, ...] | None, list[tuple[str, ...]]]:
    """What stands before, and from the first word on: a blank between them goes with what is before, as it cannot be
    looked for.
    """
    if first[0] == " ":
        before = tuple(f"{word} " for word in before or ("",))
    return before, [(first.lstrip(" "),), *rest]


def _split(notation: str) -> list[tuple[str, ...]]:
    """A notation as parts, each a tuple of its alternatives, the longest first."""
    pieces = _GROUP.split(notation)
    parts = []
    for position, piece in enumerate(pieces):
        words = {normalise(word) for word in (piece.split("|") if position % 2 else [piece])}
        if words != {""}:
            parts.append(tuple(sorted(words, key=lambda word: (-len(word), word))))
    return parts


def _pattern(
    entry: ExceptionEntry, before: tuple[str, ...] | None, rest: list[tuple[str, ...]], *, is_exact: bool = False
) -> Pattern:
    # A blank may be a line break, so that only a first word can be looked for as it stands.
    head = rest[0][0] if is_exact else rest[0][0].split(" ")[0]
    ends = "" if is_exact else _end(entry, rest[-1])
    return Pattern(
        kind=entry.kind,
        head=head,
        rest=re.compile("".join(map(_as_regex, rest)) + ends, re.M),
        before=re.compile(f"{_as_regex(before)}\\Z") if before else None,
        before_characters=max(len(word) + word.count(" ") * _BLANK_CHARACTERS for word in before) if before else 0,
        begins_phrase=entry.notation.startswith("^"),
        is_exact=is_exact,
        is_own=entry.is_own,
    )


def _as_regex(words: tuple[str, ...]) -> str:
    alternatives = "|".join(_BLANK.join(map(re.escape, word.split(" "))) for word in words)
    return f"(?:{alternatives})"


def _end(entry: ExceptionEntry, last: tuple[str, ...]) -> str:
    if entry.notation.endswith("$"):
        return _LABEL_ENDS
    return _NOT_IN_WORD if all(not word or is_latin(word[-1]) for word in last) else ""


def is_latin(character: str) -> bool:
    """Whether it is a letter or digit of a Latin word."""
    return character.isascii() and character.isalnum()
