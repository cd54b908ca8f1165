"""Writes to memory: short transactions of their own, committed before the caller is answered.

They do not wait for the keeper, which gathers its records and may be indexing, and work the same in a process that
only follows another one's index. SQLite's lock orders them; the workspace's writer lock guards the derived tables of
documents, which no job here touches.
"""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from morenashi.indexer.database import inode_of, prepared, transaction
from morenashi.indexer.schema import is_ours
from morenashi.indexer.turns import turn

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]

_BUSY_MS = 8_000.0
_ATTEMPTS = 3


class MemoryWriter:
    """One connection, opened when first needed, used by one thread at a time."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._inode: int | None = None

    def write(self, job: Job[T], *, durable: bool = True, wait_ms: float = _BUSY_MS) -> T:
        """Run a job in a transaction and give its result once it is committed; `durable`: also if the power fails.

        A job may run again: if the file was set aside as damaged meanwhile, it is run on the new one. What the job
        raises undoes it. Raises `sqlite3.OperationalError` if others write for longer than `wait_ms`.
        """
        wait_ms = min(wait_ms, _BUSY_MS)
        # In line before the lock: those who wait together then write one after the other, with no batch of the keeper
        # between them.
        with turn(str(self._database), wait_ms / 1000), self._lock:
            for _ in range(_ATTEMPTS):
                connection = self._open()
                connection.execute(f"PRAGMA busy_timeout = {int(wait_ms)}")
                # Without it a commit in WAL mode waits for no disk.
                connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
                with transaction(connection, wait_ms):
                    if not is_ours(connection):
                        raise sqlite3.OperationalError("another version of the program keeps the database")
                    result = job(connection)
                if self._is_present():
                    return result
        raise _replaced()

    def close(self) -> None:
        """Close the connection, when the last job has ended."""
        with self._lock:
            self._close()

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._is_present():
            return self._connection
        self._close()
        for _ in range(_ATTEMPTS):
            # Before it is opened, and compared afterwards: what is opened must not be taken for another that has come.
            inode = inode_of(self._database)
            with prepared(self._database, "rw", _BUSY_MS) as connection:
                # What is deleted is overwritten: a claim that is forgotten leaves no text in free pages.
                connection.execute("PRAGMA secure_delete = ON")
            self._connection, self._inode = connection, inode
            if self._is_present():
                return connection
            self._close()
        raise _replaced()

    def _is_present(self) -> bool:
        """Whether the file that was opened still has the name."""
        return self._inode is not None and inode_of(self._database) == self._inode

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _replaced() -> sqlite3.OperationalError:
    return sqlite3.OperationalError("the database was replaced while it was written")
