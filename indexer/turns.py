"""Turns at writing: the threads of this process write to a database in the order in which they asked.

SQLite lets those who wait for its lock ask again after pauses. Whoever writes one transaction after the other leaves
gaps that nobody hits, and the others wait until that one has ended. Between processes it stays so.
"""

import contextlib
import sqlite3
import threading
from collections import defaultdict, deque
from collections.abc import Iterator


class _Line:
    """Those who write to one file: the first has the turn, the others wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._tickets: deque[object] = deque()

    @contextlib.contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        ticket = object()
        with self._changed:
            self._tickets.append(ticket)
            try:
                if not self._changed.wait_for(lambda: self._tickets[0] is ticket, seconds):
                    raise _locked()
            except BaseException:
                self._leave(ticket)
                raise
        try:
            yield
        finally:
            with self._changed:
                self._leave(ticket)

    def _leave(self, ticket: object) -> None:
        self._tickets.remove(ticket)
        self._changed.notify_all()


_LINES: defaultdict[str, _Line] = defaultdict(_Line)
_MAIN = "SELECT file FROM pragma_database_list WHERE name = 'main'"


@contextlib.contextmanager
def turn(connection: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Have the turn at the connection's database. Raises what SQLite raises if that takes longer than `seconds`."""
    (file,) = connection.execute(_MAIN).fetchone()
    with _LINES[file].turn(seconds) if file else contextlib.nullcontext():
        yield


def _locked() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return error
