"""Turns at writing: the threads of this process write to a database in the order in which they asked.

SQLite lets those who wait for its lock ask again after pauses. Whoever writes one transaction after the other leaves
gaps that nobody hits, and the others wait until that one has ended. Between processes it stays so.
"""

import contextlib
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator


class _Line:
    """Those who write to one file: the first has the turn, the others wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._tickets: deque[object] = deque()
        self._holder = 0

    @contextlib.contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        if self._holder == threading.get_ident():
            yield
            return
        ticket = object()
        with self._changed:
            self._tickets.append(ticket)
            try:
                if not self._changed.wait_for(lambda: self._tickets[0] is ticket, seconds):
                    raise _locked()
            except BaseException:
                self._leave(ticket)
                raise
            self._holder = threading.get_ident()
        try:
            yield
        finally:
            with self._changed:
                self._holder = 0
                self._leave(ticket)

    def _leave(self, ticket: object) -> None:
        self._tickets.remove(ticket)
        self._changed.notify_all()


_LINES: dict[str, _Line] = {}


@contextlib.contextmanager
def turn(file: str, seconds: float) -> Iterator[None]:
    """Have the turn at a database file, by its absolute path; a thread that has it already goes on.

    Raises what SQLite raises if that takes longer than `seconds`.
    """
    # Not a defaultdict: two threads that ask at once would each get a line of their own.
    with _LINES.setdefault(file, _Line()).turn(seconds):
        yield


def _locked() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return error
