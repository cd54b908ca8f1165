"""Regular expressions that take linear time: RE2 over the bytes of UTF-8 text.

Nothing backtracks, so no expression can stall the server, and other threads run meanwhile. What needs
backtracking (lookaround, backreferences) is refused. docs/decisions/0013 has the measurements.
"""

from typing import Protocol, cast

import re2


class PatternError(ValueError):
    """RE2 does not take the expression. The message is RE2's own."""


class Match(Protocol):
    """Where a pattern matches, in bytes."""

    def start(self) -> int: ...

    def end(self) -> int: ...


class LinearPattern(Protocol):
    """A compiled expression."""

    def search(self, text: bytes, pos: int = 0, endpos: int | None = None) -> Match | None: ...

    def fullmatch(self, text: bytes) -> Match | None: ...


def compile_linear(expression: str, *, within_lines: bool = False) -> LinearPattern:
    """Compile an expression for UTF-8 bytes. `within_lines` keeps a match from crossing a line feed.

    Raises `PatternError`.
    """
    options = re2.Options()
    options.log_errors = False
    options.never_nl = within_lines
    try:
        # Bytes with RE2's default encoding are UTF-8 to it: characters stay characters, offsets are bytes.
        return cast(LinearPattern, re2.compile(expression.encode(), options))
    except re2.error as error:
        raise PatternError(reason_of(error)) from None


def reason_of(error: Exception) -> str:
    """What RE2 says of an expression that it does not take."""
    said = error.args[0] if error.args else ""
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)


def escape(text: str) -> str:
    """An expression that matches this text alone."""
    return str(re2.escape(text))
