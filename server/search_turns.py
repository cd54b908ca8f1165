"""Whose turn it is to search: of searches that come at once, one computes.

A search goes into SQLite and out of it thousands of times, and each time gives up the interpreter's lock and takes it
again. Eight threads that do so at once spend a third of the processor's time on handing it over
(docs/decisions/0020-one-search-computes-at-a-time.md).
"""

import math
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from .deadline import Deadline

_SECONDS = 0.2


class SearchTurns:
    """Lets searches begin one after the other, first come, first served.

    One that has computed for 200 ms goes on beside the next: a search that runs long holds up nobody else.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._waiting: deque[object] = deque()
        self._holder: object | None = None
        self._until = 0.0

    @contextmanager
    def take(self, deadline: Deadline) -> Iterator[None]:
        """Wait for a turn, and hold it for what is done within. Once the deadline is over there is no waiting."""
        turn = object()
        with self._changed:
            self._wait(turn, deadline)
            self._holder, self._until = turn, time.monotonic() + _SECONDS
        try:
            yield
        finally:
            with self._changed:
                if self._holder is turn:
                    self._holder = None
                    self._changed.notify_all()

    def _wait(self, turn: object, deadline: Deadline) -> None:
        self._waiting.append(turn)
        try:
            while not deadline.is_over and (seconds := self._seconds_until_free(turn)) > 0:
                self._changed.wait(min(seconds, deadline.remaining_ms / 1000))
        finally:
            self._waiting.remove(turn)
            self._changed.notify_all()

    def _seconds_until_free(self, turn: object) -> float:
        """At most how long it takes until this turn can begin, as far as can be said now."""
        if self._waiting[0] is not turn:
            return math.inf
        return 0 if self._holder is None else self._until - time.monotonic()
