"""A search's time budget, and its cancellation from another thread."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager

_STEPS_BETWEEN_LOOKS = 20_000


class Deadline:
    """Over when `time_ms` have passed or when `cancel` was called. Starts at once."""

    def __init__(self, time_ms: float) -> None:
        self._started = time.perf_counter()
        self._end = self._started + time_ms / 1000
        self._cancelled = False

    def cancel(self) -> None:
        """End it now; the caller no longer waits for the answer."""
        self._cancelled = True

    @property
    def is_over(self) -> bool:
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
        connection.set_progress_handler(lambda: int(self.is_over), _STEPS_BETWEEN_LOOKS)
        try:
            yield
        finally:
            connection.set_progress_handler(None, 0)


def is_interruption(error: sqlite3.OperationalError) -> bool:
    """Whether the error says that a deadline ended the statement."""
    return "interrupted" in str(error)
