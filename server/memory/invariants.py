"""Rules of a policy: small expressions over what is about to happen, parsed here and evaluated without `eval`.

`dataset.origin != 'prod' || data.masked == true` and the like: booleans, numbers, texts, names with dots, lists of
values, `== != > >= < <= && || !`, parentheses, `in`, `notin`. A name that is not known is false. What is neither
true nor false is an error, which refuses (fail closed).
"""

import functools
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from .tags import Tags, has_tag

Scalar: TypeAlias = bool | int | float | str
Value: TypeAlias = "Scalar | tuple[Scalar, ...] | Tags"
Facts: TypeAlias = Mapping[str, Value]
Evaluate: TypeAlias = Callable[[Facts], Value]

MAX_RULE_CHARS = 1_000
MAX_DEPTH = 50

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>-?[0-9]{1,18}(?:\.[0-9]{1,18})?(?![\w.]))
  | (?P<text>"[^"\n]*"|'[^'\n]*')
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
  | (?P<sign>==|!=|>=|<=|&&|\|\||[><!(),\[\]])
    )""",
    re.VERBOSE,
)
_WORDS: dict[str, Scalar] = {"true": True, "false": False}


class RuleError(ValueError):
    """A rule that is none, or that has no answer for these facts. The message says where and what was expected."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A parsed rule. `names` are those that it asks for, in their order, each once; `compared`, names with texts that
    they are compared with.
    """

    evaluate: Evaluate
    names: tuple[str, ...]
    compared: tuple[tuple[str, str], ...]

    def holds(self, facts: Facts) -> bool:
        """Whether the rule is true of the facts. Raises `RuleError` where it is neither true nor false."""
        return _boolean(self.evaluate(facts))


@functools.lru_cache(maxsize=512)
def parse_rule(text: str) -> Rule:
    """Parse a rule. Raises `RuleError`."""
    if len(text) > MAX_RULE_CHARS:
        raise RuleError(f"a rule may have {MAX_RULE_CHARS} characters at most")
    parser = _Parser(text)
    evaluate = parser.either(0)
    parser.expect_end()
    return Rule(evaluate, tuple(parser.names), tuple(parser.compared))


class _Parser:
    """Recursive descent, from what binds least to what binds most."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._position = 0
        self.names: dict[str, None] = {}
        self.compared: list[tuple[str, str]] = []

    def either(self, depth: int) -> Evaluate:
        if depth > MAX_DEPTH:
            self._refuse("fewer parentheses")
        parts = [self._both(depth)]
        while self._take("||"):
            parts.append(self._both(depth))
        return parts[0] if len(parts) == 1 else lambda facts: any(_boolean(part(facts)) for part in parts)

    def expect_end(self) -> None:
        if self._peek()[1]:
            self._refuse("an operator or the end")

    def _both(self, depth: int) -> Evaluate:
        parts = [self._negated(depth)]
        while self._take("&&"):
            parts.append(self._negated(depth))
        return parts[0] if len(parts) == 1 else lambda facts: all(_boolean(part(facts)) for part in parts)

    def _negated(self, depth: int) -> Evaluate:
        if not self._take("!"):
            return self._compared(depth)
        if depth > MAX_DEPTH:
            self._refuse("fewer negations")
        part = self._negated(depth + 1)
        return lambda facts: not _boolean(part(facts))

    def _compared(self, depth: int) -> Evaluate:
        start = self._position
        left = self._operand(depth)
        middle = self._position
        kind, sign = self._peek()
        compare = _COMPARISONS.get(sign) if kind in ("sign", "name") else None
        if compare is None:
            return left
        self._position += 1
        right = self._operand(depth)
        sides = self._tokens[start:middle], self._tokens[middle + 1 : self._position]
        self.compared += [*_texts_beside(*sides), *_texts_beside(*sides[::-1])]
        return lambda facts: compare(left(facts), right(facts))

    def _operand(self, depth: int) -> Evaluate:
        if self._take("("):
            inner = self.either(depth + 1)
            if not self._take(")"):
                self._refuse("a closing parenthesis")
            return inner
        if self._take("["):
            return self._list()
        return self._single()

    def _list(self) -> Evaluate:
        values: list[Scalar] = []
        while not self._take("]"):
            if values and not self._take(","):
                self._refuse("a comma or a closing bracket")
            kind, _ = self._peek()
            value = self._single()({})
            if kind not in ("number", "text") or not isinstance(value, Scalar):
                self._refuse("numbers and texts in a list")
            values.append(value)
        found = tuple(values)
        return lambda _: found

    def _single(self) -> Evaluate:
        kind, text = self._peek()
        value: Scalar
        if kind == "number":
            value = float(text) if "." in text else int(text)
        elif kind == "text":
            value = text[1:-1]
        elif kind == "name" and text in _WORDS:
            value = _WORDS[text]
        elif kind == "name" and text not in _COMPARISONS:
            self._position += 1
            self.names[text] = None
            return lambda facts: facts.get(text, False)
        else:
            self._refuse("a value or a name")
        self._position += 1
        return lambda _: value

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._position]

    def _take(self, sign: str) -> bool:
        if self._peek() != ("sign", sign):
            return False
        self._position += 1
        return True

    def _refuse(self, expected: str) -> NoReturn:
        raise RuleError(f"token {self._position + 1}: expected {expected}")


def _texts_beside(one: list[tuple[str, str]], other: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """A name that is all of one side, with each text on the other."""
    if [kind for kind, _ in one] != ["name"]:
        return []
    return [(one[0][1], text[1:-1]) for kind, text in other if kind == "text"]


def _tokens(text: str) -> list[tuple[str, str]]:
    """(kind, text) of each token, and an empty one at the end."""
    found: list[tuple[str, str]] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise RuleError(f"token {len(found) + 1}: expected a value, a name or an operator")
        found.append((match.lastgroup, match[match.lastgroup]))
        position = match.end()
    return [*found, ("end", "")]


def _boolean(value: Value) -> bool:
    if not isinstance(value, bool):
        raise RuleError("expected true or false where the rule has another value")
    return value


def _equal(left: Value, right: Value) -> bool:
    """Equal, and of one kind: true is not 1."""
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def _member(left: Value, right: Value) -> bool:
    if isinstance(right, frozenset):
        return isinstance(left, str) and has_tag(right, left)
    if isinstance(right, tuple):
        return any(_equal(left, value) for value in right)
    if right is False:  # a name that is not known: a list without anything in it
        return False
    raise RuleError("expected a list after in, notin")


def _ordered(compare: Callable[[float, float], bool]) -> Callable[[Value, Value], bool]:
    def between(left: Value, right: Value) -> bool:
        numbers = [side for side in (left, right) if isinstance(side, (int, float)) and not isinstance(side, bool)]
        if len(numbers) < 2:
            raise RuleError("expected numbers on both sides of > >= < <=")
        return compare(numbers[0], numbers[1])

    return between


_COMPARISONS: dict[str, Callable[[Value, Value], bool]] = {
    "==": _equal,
    "!=": lambda left, right: not _equal(left, right),
    ">": _ordered(operator.gt),
    ">=": _ordered(operator.ge),
    "<": _ordered(operator.lt),
    "<=": _ordered(operator.le),
    "in": _member,
    "notin": lambda left, right: not _member(left, right),
}
