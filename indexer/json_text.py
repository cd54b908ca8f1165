"""JSON as text: is it valid, and which value stands at a place (RFC 8259, RFC 6901). Pure."""

import json
import re
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.S)


@dataclass(slots=True)
class _Container:
    """An object or array that is open at the current token."""

    is_array: bool
    key: str = ""
    index: int = 0

    @property
    def step(self) -> str:
        return str(self.index) if self.is_array else self.key


def is_valid(text: str) -> bool:
    """Whether Python's JSON parser accepts the text; nesting beyond its depth counts as invalid."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def pointer_at(text: str, offset: int) -> str | None:
    """The JSON Pointer of the value at a character offset of a valid JSON text.

    An offset inside a member's name belongs to the member. White space and punctuation belong to
    the value or member before them, or to the container that has just opened. `None` if the text
    is not JSON that far.
    """
    containers: list[_Container] = []
    at_name = just_opened = False
    for match in _TOKEN.finditer(text):
        if match.start() > offset:
            break
        token = match[0]
        just_opened = token in "{["
        if just_opened:
            containers.append(_Container(is_array=token == "["))
            at_name = token == "{"
        elif token in "}]":
            if not containers:
                return None
            containers.pop()
            at_name = False
        elif token == "," and containers:
            containers[-1].index += 1
            at_name = not containers[-1].is_array
        elif at_name and token[0] == '"':
            containers[-1].key = _name(token)
            at_name = False
    return _pointer(containers[:-1] if just_opened else containers)


def _pointer(containers: list[_Container]) -> str:
    steps = [container.step for container in containers]
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _name(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token[1:-1]
