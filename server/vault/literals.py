"""What a line has to hold if a regular expression is to match it, so that the index can rule files out. Pure.

An expression is taken apart into the *ways* that lead through its groups and alternatives. On each of them, the two
characters of every pair have to follow each other in the line. Reads the syntax of RE2, and gives up rather than guess:
too few pairs cost time, a wrong one would hide a match.
"""

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from morenashi.indexer.text import normalise

Pairs = frozenset[str]
"""Pairs of normalised characters, of which a line must hold one, separators taken out."""

Alternatives = list[list[Pairs]]
"""Of one of the inner lists, a line must hold all."""

Characters = frozenset[str]
"""The characters that may stand at a place; none of them where anything may, or nothing."""

Way = tuple[Characters, ...]
_GAP: Characters = frozenset()

_MOST_WAYS, _MOST_GROUPS, _MOST_CHARACTERS, _MOST_PAIRS = 16, 50, 32, 128
_MOST_COPIES = 4
# A text of two characters says no more than its pair.
_MOST_TEXTS, _SHORTEST_TEXT = 4, 3

_REPETITION = re.compile(r"\{([0-9]+)(,[0-9]*)?\}")
_CLASS = re.compile(r"\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]", re.S)
# Classes of which all characters are named: no escapes, no negation, nothing nested.
_PLAIN_CLASS = re.compile(r"\[([^\]\[\\^][^\]\[\\]*)\]")
_NAMED = re.compile(r"(.)-(.)|(.)", re.S)
_OPENED = re.compile(r"\((?:\?(?:P?<\w+>|[imsU-]*:))?")
_FLAGS = re.compile(r"\(\?[imsU-]+\)")
_IGNORES_CASE = re.compile(r"\(\?[msU]*i")
# Escapes that stand for themselves alone, and take no digits or names after them.
_SIMPLE_ESCAPES = frozenset("DwWsSbBAzaftv")
_LINE_BREAKS = {"n": "\n", "r": "\r"}
_ZERO_WIDTH_OR_ANY = frozenset(".^$")
# Characters whose normal form depends on nothing around them ...
_STABLE = re.compile("[0-9A-Za-z\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]")
# ... but for these, which a combining mark may follow.
_COMPOSES = re.compile("[a-z\u3041-\u3096\u30a1-\u30fa]")
_DIGITS = frozenset(string.digits)
_OF_ESCAPES = frozenset(string.digits + string.ascii_lowercase)
_LONGEST_ESCAPE = 5


class _GiveUpError(Exception):
    """Something that this does not understand."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What lines must hold to match: as the index has other texts, as it has those of JSON, and as they are written.

    `None` where that cannot be told. Of the `texts`, which are normalised, the line holds one. `ascii` are characters
    that all stand in the line.
    """

    pairs: Alternatives | None = None
    texts: frozenset[str] | None = None
    pairs_in_json: Alternatives | None = None
    texts_in_json: frozenset[str] | None = None
    ascii: bytes = b""


def needs_of_expression(expression: str) -> Needs:
    """What a line must hold for the expression to match it."""
    if expression.count("(") > _MOST_GROUPS:
        return Needs()
    try:
        ways, end = _alternatives(expression, 0)
    except _GiveUpError:
        return Needs()
    # A bracket that closes nothing.
    if end < len(expression):
        return Needs()
    return _needs(ways, ignores_case=_IGNORES_CASE.search(expression) is not None)


def needs_of_literal(text: str) -> Needs:
    """The same for a text that is searched as it is. Of one of several lines, the longest has to do."""
    line = max(text.split("\n"), key=len)
    return _needs([tuple(frozenset(character) for character in line)], ignores_case=False)


def _needs(ways: list[Way], *, ignores_case: bool) -> Needs:
    held = frozenset.intersection(*map(_held_ascii, ways)) if ways else frozenset()
    if ignores_case:
        held = frozenset(character for character in held if not character.isalpha())
    return Needs(
        _all_or_none(_pairs(way, in_json=False) for way in ways),
        _texts(ways, in_json=False),
        _all_or_none(_pairs(way, in_json=True) for way in ways),
        _texts(ways, in_json=True),
        "".join(sorted(held)).encode(),
    )


def _all_or_none(alternatives: Iterable[list[Pairs]]) -> Alternatives | None:
    """Without a need in one of the alternatives, there is none at all."""
    listed = list(alternatives)
    return listed if listed and all(listed) else None


def _held_ascii(way: Way) -> frozenset[str]:
    return frozenset(only for place in way if len(place) == 1 and (only := min(place)).isascii())


def _pairs(way: Way, *, in_json: bool) -> list[Pairs]:
    """The pairs of a way that stand in the normalised text as well, whatever is around them."""
    needs: dict[Pairs, None] = {}
    for run in _known_runs(way, in_json=in_json):
        for left, right in pairwise(run):
            if len(left) * len(right) <= _MOST_PAIRS:
                needs[frozenset(one + other for one, other in product(left, right))] = None
    return list(needs)


def _texts(ways: list[Way], *, in_json: bool) -> frozenset[str] | None:
    """For each way the longest text that stands in the normalised line as it is."""
    texts = frozenset(max(_known_texts(way, in_json=in_json), key=len) for way in ways[: _MOST_TEXTS + 1])
    return texts if 0 < len(ways) <= _MOST_TEXTS and min(map(len, texts)) >= _SHORTEST_TEXT else None


def _known_texts(way: Way, *, in_json: bool) -> list[str]:
    """The texts of a way of which every character is known."""
    texts = [""]
    for run in _known_runs(way, in_json=in_json):
        for place in run:
            if len(place) == 1:
                texts[-1] += min(place)
            else:
                texts.append("")
        texts.append("")
    return texts


def _known_runs(way: Way, *, in_json: bool) -> Iterator[Sequence[Characters]]:
    """The runs of a way that stand in the normalised text as they are, whatever is around them."""
    for run in _stable_runs(way):
        # The last character may be another one with a mark that follows.
        closed = run[:-1] if any(map(_COMPOSES.match, run[-1])) else run
        yield _without_escape(closed) if in_json else closed


def _stable_runs(way: Way) -> list[list[Characters]]:
    runs: list[list[Characters]] = [[]]
    for place in way:
        if place and all(map(_STABLE.match, place)):
            runs[-1].append(frozenset(map(normalise, place)))
        else:
            runs.append([])
    return [run for run in runs if run]


def _without_escape(run: Sequence[Characters]) -> Sequence[Characters]:
    """What is left of it in JSON, which is indexed without its escapes: of `\\u514dabc`, `abc` is."""
    length = 0
    while length < min(len(run), _LONGEST_ESCAPE) and run[length] & _OF_ESCAPES:
        length += 1
    return run[length:]


def _alternatives(expression: str, position: int) -> tuple[list[Way], int]:
    """The ways of all branches up to the end, or to the bracket that ends the group; and where that is."""
    ways: list[Way] = []
    branch: list[Way] = [()]
    while position < len(expression) and expression[position] != ")":
        if expression[position] == "|":
            ways += branch
            branch = [()]
            position += 1
            continue
        atom, position = _atom(expression, position)
        least, is_exact, position = _repetition(expression, position)
        branch = _joined(branch, _repeated(atom, least, is_exact=is_exact))
    return _few([*ways, *branch]), position


def _joined(before: list[Way], after: list[Way]) -> list[Way]:
    if len(before) * len(after) > _MOST_WAYS:
        after = [(_GAP,)]
    return [left + right for left, right in product(before, after)]


def _repeated(atom: list[Way], least: int, *, is_exact: bool) -> list[Way]:
    copies = min(least, _MOST_COPIES if len(atom) == 1 else 1)
    ways: list[Way] = [()]
    for _ in range(copies):
        ways = _joined(ways, atom)
    if is_exact and copies == least:
        return ways
    # The last copies may be the first as well: two runs of characters, for all that is known of them.
    return _joined(_joined(ways, [(_GAP,)]), ways if len(ways) == 1 else [(_GAP,)])


def _few(ways: list[Way]) -> list[Way]:
    return ways if len(ways) <= _MOST_WAYS else [(_GAP,)]


def _atom(expression: str, position: int) -> tuple[list[Way], int]:
    """What stands for one thing, as ways, and where it ends."""
    character = expression[position]
    if character == "\\":
        escaped, end = _escaped(expression, position)
        return [(escaped,)], end
    if character == "[":
        if match := _CLASS.match(expression, position):
            return [(_class(match[0]),)], match.end()
        raise _GiveUpError
    if character == "(":
        return _group(expression, position)
    return [(_GAP if character in _ZERO_WIDTH_OR_ANY else frozenset(character),)], position + 1


def _escaped(expression: str, position: int) -> tuple[Characters, int]:
    escaped = expression[position + 1 : position + 2]
    if escaped == "d":
        return _DIGITS, position + 2
    if escaped in _LINE_BREAKS:
        return frozenset(_LINE_BREAKS[escaped]), position + 2
    if escaped in _SIMPLE_ESCAPES:
        return _GAP, position + 2
    if not escaped or escaped.isalnum():
        raise _GiveUpError
    return frozenset(escaped), position + 2


def _class(text: str) -> Characters:
    """The characters of a class that names few of them."""
    plain = _PLAIN_CLASS.fullmatch(text)
    characters: set[str] = set()
    for first, last, single in _NAMED.findall(plain[1]) if plain else ():
        codes = [ord(single)] if single else range(ord(first), ord(last) + 1)
        if len(characters) + len(codes) > _MOST_CHARACTERS:
            return _GAP
        characters.update(map(chr, codes))
    return frozenset(characters)


def _group(expression: str, position: int) -> tuple[list[Way], int]:
    if flags := _FLAGS.match(expression, position):
        # What says how often is said, across flags, of what stands before them.
        if expression[flags.end() : flags.end() + 1] in ("?", "*", "+", "{"):
            raise _GiveUpError
        return [(_GAP,)], flags.end()
    opened = _OPENED.match(expression, position)
    if opened is None or expression[opened.end() : opened.end() + 1] == "?":
        raise _GiveUpError
    ways, end = _alternatives(expression, opened.end())
    if expression[end : end + 1] != ")":
        raise _GiveUpError
    return ways, end + 1


def _repetition(expression: str, position: int) -> tuple[int, bool, int]:
    """How often at least, whether not more often, and where it ends. Once, if nothing says otherwise."""
    least, is_exact, is_first = 1, True, True
    while position < len(expression):
        if expression[position] in "*?+":
            # The second question mark of `+?` says nothing of how often.
            if is_first:
                least, is_exact = int(expression[position] == "+"), False
            position += 1
        elif match := _REPETITION.match(expression, position):
            if is_first:
                least, is_exact = int(match[1]), match[2] is None
            position = match.end()
        else:
            break
        is_first = False
    return least, is_exact, position
