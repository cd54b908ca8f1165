"""A call's time budget, its cancellation from another thread, and how far it is."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_STEPS_BETWEEN_LOOKS = 20_000

Tell = Callable[[int, int], None]
"""Takes how much is done, and of how much."""


class CallCancelledError(Exception):
    """Nobody waits for the answer any more."""


class Deadline:
    """Over when `time_ms` have passed, when `cancel` was called, or with the `outer` one. Starts at once.

    `told` hears how far the call is, in the call's own thread.
    """

    def __init__(self, time_ms: float, outer: "Deadline | None" = None, told: Tell | None = None) -> None:
        self._outer = outer
        self._told = told
        self._started = time.perf_counter()
        self._end = self._started + time_ms / 1000
        self._cancelled = False

    def cancel(self) -> None:
        """End it now; the caller no longer waits for the answer."""
        self._cancelled = True

    def tell(self, done: int, total: int) -> None:
        """Say that of `total` passages, files or the like, `done` have been looked at."""
        if self._told is not None:
            self._told(done, total)
        elif self._outer is not None:
            self._outer.tell(done, total)

    def stop_if_cancelled(self) -> None:
        """Raise `CallCancelledError` once it was cancelled: for work that is done whole or for nobody."""
        if self._cancelled:
            raise CallCancelledError

    def stop_if_over(self) -> None:
        """Raise `TimeoutError` once it is over: between the parts of work that is no SQL."""
        if self.is_over:
            raise TimeoutError

    @property
    def is_over(self) -> bool:
        if self._outer is not None and self._outer.is_over:
            return True
        return self._cancelled or time.perf_counter() >= self._end

    @property
    def elapsed_ms(self) -> float:
        return (time.perf_counter() - self._started) * 1000

    @property
    def remaining_ms(self) -> float:
        """Never below 0."""
        return 0.0 if self._cancelled else max((self._end - time.perf_counter()) * 1000, 0.0)

    @contextmanager
    def interrupting(self, connection: sqlite3.Connection) -> Iterator[None]:
        """SQL on this connection raises `sqlite3.OperationalError` ("interrupted") once it is over."""
        with _stopping(connection, lambda: self.is_over):
            yield

    @contextmanager
    def letting_go(self, connection: sqlite3.Connection) -> Iterator[None]:
        """The same only once it was cancelled: for work that has bounds of its own, and is done whole."""
        with _stopping(connection, lambda: self._cancelled):
            yield


def is_interruption(error: sqlite3.OperationalError) -> bool:
    """Whether the error says that a deadline ended the statement."""
    return "interrupted" in str(error)


@contextmanager
def _stopping(connection: sqlite3.Connection, is_over: Callable[[], bool]) -> Iterator[None]:
    connection.set_progress_handler(lambda: int(is_over()), _STEPS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)
