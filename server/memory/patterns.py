"""Patterns that a policy brings: RE2, which never backtracks, within bounds of size and time.

A pattern from outside must not stall the server: its length and its program are bounded, and so is the time that
all patterns of a policy together may take over one text.
"""

import functools
import time
from collections.abc import Iterator

import re2

from morenashi.server.linear import reason_of

MAX_PATTERN_CHARS = 10_000
_MAX_PROGRAM = 4_000
_OPTIONS = re2.Options()
# Its default is to write to stderr.
_OPTIONS.log_errors = False
_MATCHES_BETWEEN_LOOKS = 256


class PolicyPatternError(ValueError):
    """A pattern that RE2 does not take, that is too large, or that finds nothing at all everywhere."""


class PatternTimeoutError(Exception):
    """The patterns of a policy took too long over a text."""


@functools.lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> "re2._Regexp":
    """A compiled pattern. Raises `PolicyPatternError`."""
    try:
        compiled = re2.compile(pattern, _OPTIONS)
    except re2.error as error:
        raise PolicyPatternError(
            f"not a pattern of RE2 (github.com/google/re2/wiki/Syntax): {reason_of(error)}"
        ) from None
    if compiled.programsize > _MAX_PROGRAM:
        raise PolicyPatternError("too large a pattern: count less, name smaller sets of characters")
    if compiled.search("") is not None:
        raise PolicyPatternError("expected a pattern that does not match the empty text")
    return compiled


class Patience:
    """The time, in seconds of this thread's work, that patterns have over one text."""

    def __init__(self, seconds: float) -> None:
        self._end = time.thread_time() + seconds

    def check(self) -> None:
        """Raises `PatternTimeoutError` when it is over."""
        if time.thread_time() > self._end:
            raise PatternTimeoutError


def find_all(pattern: str, text: str, patience: Patience) -> Iterator[tuple[int, int]]:
    """Where a pattern matches, from left to right. Raises `PatternTimeoutError`."""
    patience.check()
    for count, match in enumerate(compile_pattern(pattern).finditer(text), 1):
        if match.start() < match.end():
            yield match.start(), match.end()
        if count % _MATCHES_BETWEEN_LOOKS == 0:
            patience.check()
