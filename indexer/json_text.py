"""JSON as text: is it valid, and which value stands at a place (RFC 8259, RFC 6901). Pure."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_NO_POINTER = re.compile("~(?![01])")
# A string that nothing closes is the rest of the text: that is read once, and not from each of its quotes on.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}\[\],:]|[^\s{}\[\],:"]+', re.S)
# All that goes on to the next bracket: tokens are five times as many.
_TO_BRACKET = re.compile(r'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+[{}\[\]]', re.S)
_COMMA_OR_STRING = re.compile(r',|"(?:[^"\\]++|\\.)*+"', re.S)


def is_valid(text: str) -> bool:
    """Whether Python's JSON parser accepts the text; nesting beyond its depth counts as invalid."""
    try:
        # No number is wanted, and Python makes none of more than 4,300 digits.
        json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def pointers_at(text: str, offsets: Sequence[int]) -> list[str | None]:
    """The JSON Pointers of the values at character offsets, in ascending order, of a valid JSON text.

    An offset inside a member's name belongs to the member. White space and punctuation belong to
    the value or member before them, or to the container that has just opened. `None` where the text
    is not JSON that far.
    """
    place = _Place()
    found: list[str | None] = []
    at = 0
    for offset in offsets:
        at = place.skip(text, at, offset)
        while (match := _TOKEN.search(text, at)) and match.start() <= offset:
            if not place.advance(match[0]):
                return found + [None] * (len(offsets) - len(found))
            at = match.end()
        found.append(place.pointer)
    return found


def offset_of(text: str, pointer: str) -> int | None:
    """Where the member or value of a JSON Pointer starts, or `None` if there is none."""
    if not pointer:
        return 0
    if not pointer.startswith("/") or _NO_POINTER.search(pointer):
        return None
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/")]
    place = _Place()
    at, may_pass = 0, True
    while match := _TOKEN.search(text, at):
        token, at = match[0], match.end()
        if not place.advance(token):
            return None
        if token not in "}],:" and place.is_at(steps):
            return match.start()
        if token in "{[" and may_pass and not place.leads_to(steps):
            if end := _behind_brackets(text, at):
                place.close()
                at = end
            may_pass = end is not None
    return None


def _behind_brackets(text: str, at: int) -> int | None:
    """Where the object or array ends that has opened before `at`; `None` if nothing closes it."""
    depth = 1
    while depth and (match := _TO_BRACKET.match(text, at)):
        at = match.end()
        depth += 1 if text[at - 1] in "{[" else -1
    return None if depth else at


def end_of(text: str, start: int) -> int:
    """Where the object or array ends that starts at an offset, alone or as a member's value. After anything else: where
    what holds it ends, since a value alone says little.
    """
    end, depth, is_among_others = start, 0, False
    for match in _TOKEN.finditer(text, start):
        token = match[0]
        depth += (token in "{[") - (token in "}]")
        if depth < 0:
            break
        end = match.end()
        is_among_others |= depth == 0 and token == ","
        if depth == 0 and token in "}]" and not is_among_others:
            break
    return end


def value_end_of(text: str, start: int) -> int:
    """Where the value ends that starts at an offset, alone or as a member's value."""
    tokens = _TOKEN.finditer(text, start)
    value = next(tokens, None)
    if value and (colon := next(tokens, None)) and colon[0] == ":":
        value = next(tokens, None)
    if value is None:
        return start
    return (_behind_brackets(text, value.end()) or len(text)) if value[0] in "{[" else value.end()


def blocks_in(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the objects and arrays begin and end that lie in a part of a text, inner ones first. It begins outside of
    strings, as every line of JSON does.
    """
    opened: list[int] = []
    at = start
    while match := _TO_BRACKET.match(text, at, end):
        at = match.end()
        if text[at - 1] in "{[":
            opened.append(at - 1)
        elif opened:
            yield opened.pop(), at


@dataclass(slots=True)
class Value:
    """Where a value or member starts, in characters, and those in it by their names or numbers.

    No pointers: those of a document with a long name and many values would fill any memory.
    """

    start: int
    inner: dict[str, "Value"] | None = None

    def at(self, step: str) -> "Value | None":
        """The value of this name or number in it."""
        return self.inner.get(step) if self.inner else None


def find_values(text: str) -> Value:
    """Where the values of a valid JSON text start."""
    root = Value(0)
    open_values: list[Value] = []
    place = _Place()
    for match in _TOKEN.finditer(text):
        token = match[0]
        if not place.advance(token):
            break
        if token in "}],:":
            continue
        value = root
        if place.depth:
            holder, step = open_values[place.depth - 1], place.step
            holder.inner = {} if holder.inner is None else holder.inner
            value = holder.inner.setdefault(step, Value(match.start()))
        if token in "{[":
            open_values[place.depth :] = [value]
    return root


@dataclass(slots=True)
class _Container:
    """An object or array that is open, with the member or element it has come to."""

    is_array: bool
    key: str = ""
    index: int = 0
    key_until: int = 0
    """Behind the name that is its key, if that was only passed."""

    @property
    def step(self) -> str:
        return str(self.index) if self.is_array else self.key

    def pass_to(self, text: str, at: int, bracket: int, *, after_comma: bool) -> None:
        """Come from a place in it to a bracket, over members or elements that are no objects or arrays."""
        has_strings = text.find('"', at, bracket) >= 0
        if not self.is_array:
            self.key_until = bracket if has_strings else self.key_until
        elif has_strings:
            self.index += after_comma + _COMMA_OR_STRING.findall(text, at, bracket).count(",")
        else:
            self.index += after_comma + text.count(",", at, bracket)

    def read_key(self, text: str) -> None:
        """Its key, if that was only passed: of all that are passed, few matter."""
        if self.key_until:
            self.key, self.key_until = _name(_last_string(text, self.key_until)), 0


class _Place:
    """Where in a JSON text one is, token by token."""

    def __init__(self) -> None:
        self._containers: list[_Container] = []
        self._just_opened = False
        self._after_comma = False
        self._at_name = False

    @property
    def depth(self) -> int:
        return len(self._containers) - self._just_opened

    @property
    def pointer(self) -> str:
        steps = [container.step for container in self._containers[: self.depth]]
        return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)

    @property
    def step(self) -> str:
        """The last step, where there is one."""
        return self._containers[self.depth - 1].step

    def is_at(self, steps: list[str]) -> bool:
        """Whether these steps lead here; the last is looked at first, as it tells most places apart."""
        if self.depth != len(steps):
            return False
        above = zip(self._containers[self.depth - 1 :: -1], steps[::-1], strict=True)
        return all(container.step == step for container, step in above)

    def leads_to(self, steps: list[str]) -> bool:
        """Whether what has just opened may hold what these steps lead to, as what holds it does."""
        above = len(self._containers) - 1
        return not above or (above <= len(steps) and self._containers[-2].step == steps[above - 1])

    def close(self) -> None:
        """Pass what has just opened, up to where it ends."""
        self._containers.pop()
        self._just_opened = self._at_name = False

    def skip(self, text: str, at: int, until: int) -> int:
        """Take all up to the last bracket before a place, without looking at each token; where that bracket ends.

        It stops before a bracket that closes what was never opened, and where a string has no end.
        """
        containers = self._containers
        while match := _TO_BRACKET.match(text, at, until):
            bracket = match.end() - 1
            if text[bracket] in "{[":
                if containers:
                    containers[-1].pass_to(text, at, bracket, after_comma=self._after_comma)
                containers.append(_Container(is_array=text[bracket] == "["))
            elif containers:
                containers.pop()
            else:
                break
            at = match.end()
            self._after_comma = False
            self._just_opened = text[bracket] in "{["
            self._at_name = text[bracket] == "{"
        for container in containers:
            container.read_key(text)
        return at

    def advance(self, token: str) -> bool:
        """Take the next token; false if it closes what was never opened."""
        self._just_opened = False
        if self._after_comma and self._containers:
            self._containers[-1].index += 1
            self._at_name = not self._containers[-1].is_array
        self._after_comma = token == ","
        if token in "{[":
            self._containers.append(_Container(is_array=token == "["))
            self._just_opened = True
            self._at_name = token == "{"
        elif token in "}]":
            if not self._containers:
                return False
            self._containers.pop()
            self._at_name = False
        elif self._at_name and token[0] == '"':
            self._containers[-1].key = _name(token)
            self._at_name = False
        return True


def _last_string(text: str, until: int) -> str:
    """The string that ends last before a place."""
    end = start = text.rindex('"', 0, until)
    is_inside = True
    while is_inside:
        start = behind = text.rindex('"', 0, start)
        while behind and text[behind - 1] == "\\":
            behind -= 1
        # A quote behind an odd number of backslashes.
        is_inside = (start - behind) % 2 == 1
    return text[start : end + 1]


def _name(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token[1:-1]
