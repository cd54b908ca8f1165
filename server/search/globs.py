"""Patterns for paths: `*.md`, `projects/**/plan-?.md`. Pure.

`*` and `?` stand for characters of one name, `**` for any folders, `[a-z]` and `[!a-z]` for one character, `{a,b}` for
either. A pattern without a slash is about the name of the file, in whatever folder; one that ends with a slash names
a folder, and is about all that lies in it. With a `!` before it, it is about all other files.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from morenashi.indexer.files import to_nfc
from morenashi.server.linear import LinearPattern, PatternError, compile_linear, escape

_PIECE = re.compile(
    r"(?P<folders>(?:^|(?<=/))\*\*/)|(?P<rest>(?<=/)\*\*$|^\*\*$)|(?P<any>\*+)|(?P<one>\?)"
    r"|\[(?P<not>[!^]?)(?P<set>\]?[^\]/]*)\]|\{(?P<either>[^{}]*)\}|(?P<text>.)",
    re.S,
)

_NESTED = re.compile(r"\{[^{}]*\{[^{}]*\}")


class GlobError(ValueError):
    """This is no pattern. The message says what was expected."""


class Glob(NamedTuple):
    """A pattern that is ready to be asked. It takes time that grows with the path alone, whatever the pattern:
    `*a*a*a*…` would stall others.
    """

    expression: LinearPattern
    is_of_others: bool

    def holds(self, path: str) -> bool:
        """Whether a path, with slashes, is one of those that it is about."""
        return bool(self.expression.fullmatch(to_nfc(path).encode())) != self.is_of_others


@lru_cache(256)
def compile_glob(pattern: str) -> Glob:
    """Raises `GlobError`."""
    is_of_others = pattern.startswith("!")
    pattern = to_nfc(pattern.removeprefix("!")).removeprefix("./")
    if _NESTED.search(pattern):
        raise GlobError("a pattern without braces inside braces")
    if not pattern or pattern.startswith("/") or "\\" in pattern or ".." in pattern.split("/"):
        raise GlobError("a pattern for relative paths, with slashes")
    if pattern.endswith("/"):
        pattern += "**"
    expression = _expression(pattern if "/" in pattern else f"**/{pattern}")
    try:
        return Glob(compile_linear(expression), is_of_others)
    except PatternError:
        raise GlobError("a pattern such as *.md, projects/**, {a,b}/*.txt") from None


def _expression(pattern: str) -> str:
    parts = []
    for piece in _PIECE.finditer(pattern):
        if piece["folders"]:
            parts.append("(?:[^/]+/)*")
        elif piece["rest"]:
            parts.append(".+")
        elif piece["any"]:
            parts.append("[^/]*")
        elif piece["one"]:
            parts.append("[^/]")
        elif piece["set"]:
            parts.append(f"[{'^/' if piece['not'] else ''}{_members(piece['set'])}]")
        elif piece["either"] is not None:
            parts.append("(?:" + "|".join(map(_expression, piece["either"].split(","))) + ")")
        else:
            parts.append(escape(piece["text"] or piece[0]))
    return "(?s:" + "".join(parts) + ")"


def _members(inside: str) -> str:
    """The inside of a set, where a hyphen between two characters is a range and all else stands for itself."""
    between = range(1, len(inside) - 1)
    return "".join(
        character if character == "-" and at in between else escape(character) for at, character in enumerate(inside)
    )
