"""What a line has to hold if a regular expression is to match it, so that the index can rule files out. Pure.

Reads the syntax of RE2, and gives up rather than guess: too few texts cost time, a wrong one would hide a match.
"""

import re
from collections.abc import Sequence

from morenashi.indexer.text import normalise

Alternatives = list[list[str]]
"""One of them has to hold, and of that all texts, normalised; each stands within one line."""

_REPETITION = re.compile(r"\{(\d+)(?:,\d*)?\}")
_CLASS = re.compile(r"\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]", re.S)
# Escapes that stand for themselves alone, and take no digits or names after them.
_SIMPLE_ESCAPES = frozenset("dDwWsSbBAzafnrtv")
_ZERO_WIDTH_OR_ANY = frozenset(".^$")
# Characters whose normal form depends on nothing around them ...
_STABLE = re.compile("[0-9A-Za-z\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]+")
# ... but for these, which a combining mark may follow.
_COMPOSES = re.compile("[A-Za-z\u3041-\u3096\u30a1-\u30fa]$")
_ESCAPED = re.compile("^[0-9a-z]{1,5}")
_LEAST = 2


class _GiveUpError(Exception):
    """Something that this does not understand."""


def texts_of_expression(expression: str) -> Alternatives | None:
    """What a line must hold for the expression to match it; `None` if that cannot be told."""
    try:
        return _stable([_literals(branch) for branch in _branches(expression)])
    except _GiveUpError:
        return None


def texts_of_literal(text: str) -> Alternatives | None:
    """The same for a text that is searched as it is. Of one of several lines, the longest has to do."""
    return _stable([[max(text.split("\n"), key=len)]])


def texts_in_json(alternatives: Alternatives) -> Alternatives | None:
    """The same for a JSON file, whose text is indexed without its escapes: of `\\u514dabc`, `abc` is left.

    So what Latin letters and digits a text begins with may have been part of an escape.
    """
    left = [[_ESCAPED.sub("", text) for text in texts] for texts in alternatives]
    left = [[text for text in texts if len(text) >= _LEAST] for texts in left]
    return left if all(left) else None


def _stable(branches: Sequence[list[str]]) -> Alternatives | None:
    """The parts of the literals that stand in the normalised text as well, whatever is around them."""
    alternatives = []
    for literals in branches:
        runs = [run for literal in literals for run in _STABLE.findall(literal)]
        whole = [_COMPOSES.sub("", run) for run in runs]
        texts = [normalise(run) for run in dict.fromkeys(whole) if len(run) >= _LEAST]
        if not texts:
            return None
        alternatives.append(texts)
    return alternatives


Atom = tuple[str | None, str]
"""A character that stands for itself, or `None` for anything else; and the repetition after it."""


def _branches(expression: str) -> list[list[Atom]]:
    branches: list[list[Atom]] = [[]]
    position = 0
    while position < len(expression):
        if expression[position] == "|":
            branches.append([])
            position += 1
            continue
        atom, position = _atom(expression, position)
        repetition, position = _repetition(expression, position)
        branches[-1].append((atom, repetition))
    return branches


def _literals(branch: list[Atom]) -> list[str]:
    """The runs of characters that every match of the branch holds."""
    runs = [""]
    for character, repetition in branch:
        if character is None or repetition == "optional":
            runs.append("")
            continue
        runs[-1] += character
        if repetition:
            runs.append("")
    return [run for run in runs if run]


def _atom(expression: str, position: int) -> tuple[str | None, int]:
    character = expression[position]
    if character == "\\":
        return _escaped(expression, position)
    if character == "[":
        if match := _CLASS.match(expression, position):
            return None, match.end()
        raise _GiveUpError
    if character == "(":
        return None, _end_of_group(expression, position)
    return (None if character in _ZERO_WIDTH_OR_ANY else character), position + 1


def _escaped(expression: str, position: int) -> tuple[str | None, int]:
    escaped = expression[position + 1 : position + 2]
    if escaped in _SIMPLE_ESCAPES:
        return None, position + 2
    if not escaped or escaped.isalnum():
        raise _GiveUpError
    return escaped, position + 2


def _end_of_group(expression: str, position: int) -> int:
    depth = 0
    while position < len(expression):
        character = expression[position]
        if character == "(":
            depth += 1
            position += 1
        elif character == ")":
            depth -= 1
            position += 1
            if not depth:
                return position
        else:
            _, position = _atom(expression, position)
    raise _GiveUpError


def _repetition(expression: str, position: int) -> tuple[str, int]:
    """`optional`, `repeated` or nothing, and where it ends."""
    kind = ""
    while position < len(expression):
        if expression[position] in "*?":
            # The second question mark of `+?` says nothing of how often.
            kind = kind or "optional"
            position += 1
        elif expression[position] == "+":
            kind = kind or "repeated"
            position += 1
        elif match := _REPETITION.match(expression, position):
            kind = kind or ("repeated" if int(match[1]) else "optional")
            position = match.end()
        else:
            break
    return kind, position
