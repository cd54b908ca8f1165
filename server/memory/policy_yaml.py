"""YAML as policies use it: mappings, lists and scalars of one document, and nothing that YAML can do besides.

Anchors, aliases, tags, merge keys, dates and numbers to the base of sixty have no use in a policy; the first are
how a few lines become gigabytes. A key that stands twice is refused: one of the two would be dropped unseen.
"""

import re
from typing import NoReturn, TypeAlias

import yaml

from morenashi.indexer.files import is_storable
from morenashi.server.whole_characters import EXPECTED

Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | None"

Lines: TypeAlias = dict[tuple[str, ...], int]
"""By path, the line in which a name or an element of a list stands, counted from 1."""

MAX_BYTES = 128 * 1024
MAX_DEPTH = 16

_WORDS: dict[str, bool | None] = dict.fromkeys(["", "~", "null", "Null", "NULL"])
_WORDS |= dict.fromkeys(["true", "True", "TRUE"], True) | dict.fromkeys(["false", "False", "FALSE"], False)
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT = re.compile(r"[-+]?(?:[0-9]{1,18}\.[0-9]{0,18}|\.[0-9]{1,18}|[0-9]{1,18}(?=[eE]))(?:[eE][-+]?[0-9]{1,2})?")
# Versions are no numbers: 0.10 is not 0.1.
_AS_WRITTEN = frozenset({("version",)})


class YamlError(ValueError):
    """The text is no YAML of this kind. The message names the line, counted from 1."""


def read_yaml(text: str, lines: Lines | None = None) -> Value:
    """The document's value. The root's `version` stays text, as it is written. Raises `YamlError`.

    `lines` is told where everything stands.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise YamlError(f"a policy may have {MAX_BYTES} bytes at most")
    try:
        return _Reader(text, {} if lines is None else lines).read()
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise YamlError(f"{line}{error.problem or 'not YAML'}") from None
    except yaml.YAMLError:
        raise YamlError("the text holds characters that YAML does not admit") from None


class _Reader:
    """Builds the value while the events come, so that a bomb is refused before it is built."""

    def __init__(self, text: str, lines: Lines) -> None:
        self._lines = lines
        self._events = yaml.parse(text, Loader=yaml.SafeLoader)

    def read(self) -> Value:
        self._next()  # the stream starts
        if isinstance(self._next(), yaml.StreamEndEvent):
            raise YamlError("the text is empty")
        value = self._value(self._next(), ())
        self._next()  # the document ends
        if not isinstance(event := self._next(), yaml.StreamEndEvent):
            _refuse(event, "one document, not several")
        return value

    def _next(self) -> yaml.Event:
        return next(self._events)

    def _value(self, event: yaml.Event, path: tuple[str, ...]) -> Value:
        _check(event, path)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path)
        assert isinstance(event, yaml.ScalarEvent)
        return event.value if event.style or path in _AS_WRITTEN else _plain(event.value)

    def _mapping(self, path: tuple[str, ...]) -> dict[str, Value]:
        found: dict[str, Value] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            _check(event, path)
            if not isinstance(event, yaml.ScalarEvent):
                _refuse(event, "names that are text")
            if event.value in found:
                _refuse(event, f"each name once: {'.'.join((*path, event.value))} stands twice")
            self._lines[(*path, event.value)] = _line_of(event)
            found[event.value] = self._value(self._next(), (*path, event.value))
        return found

    def _sequence(self, path: tuple[str, ...]) -> list[Value]:
        found: list[Value] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            self._lines[(*path, str(len(found)))] = _line_of(event)
            found.append(self._value(event, (*path, str(len(found)))))
        return found


def _check(event: yaml.Event, path: tuple[str, ...]) -> None:
    if len(path) > MAX_DEPTH:
        _refuse(event, f"at most {MAX_DEPTH} levels")
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
        _refuse(event, "no anchors and aliases: write the value out")
    if getattr(event, "tag", None) is not None:
        _refuse(event, "no tags")
    if isinstance(event, yaml.ScalarEvent) and not is_storable(event.value):
        _refuse(event, EXPECTED)


def _plain(text: str) -> bool | int | float | str | None:
    """What a scalar without quotes means (YAML 1.2, core schema, decimal numbers)."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _line_of(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _refuse(event: yaml.Event, expected: str) -> NoReturn:
    raise YamlError(f"line {_line_of(event)}: expected {expected}")
