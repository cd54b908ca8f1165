"""The write-ahead log, kept short also while somebody always reads.

SQLite begins the log anew when a writer meets no reader that still uses it. Where searches follow each other without a
gap that moment never comes, and the log grows with every commit. Then the writer has to wait for the readers of a
moment ago; those that come meanwhile read the database itself, and keep nobody waiting.
"""

import contextlib
import sqlite3
import time
from pathlib import Path

from .database import BUSY_TIMEOUT_MS, main_file
from .turns import turn

_MOST_BYTES = 16_000_000
_WAIT_MS = 1_000
_PAUSE_SECONDS = 5.0


class WriteAheadLog:
    """That of one database, whose only writer calls."""

    def __init__(self, connection: sqlite3.Connection, most_bytes: int = _MOST_BYTES) -> None:
        self._connection = connection
        self._most_bytes = most_bytes
        self._database = main_file(connection)
        self._log = Path(f"{self._database}-wal")
        self._not_before = 0.0

    def shorten(self) -> None:
        """Empty the log if it has grown long; after an attempt in vain not again for some seconds."""
        if time.monotonic() < self._not_before or self._size_bytes() <= self._most_bytes:
            return
        with contextlib.suppress(sqlite3.OperationalError), turn(self._database, _WAIT_MS / 1000):
            self._connection.execute(f"PRAGMA busy_timeout = {_WAIT_MS}")
            try:
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                self._connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        if self._size_bytes() > self._most_bytes:
            self._not_before = time.monotonic() + _PAUSE_SECONDS

    def _size_bytes(self) -> int:
        try:
            return self._log.stat().st_size
        except FileNotFoundError:
            return 0
