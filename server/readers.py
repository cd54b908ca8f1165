"""Read-only connections, lent out one caller at a time."""

import contextlib
import queue
import sqlite3
from pathlib import Path

from morenashi.indexer.database import open_reader

CONNECTIONS = 8
"""How many questions are put to a database at the same time; further ones wait for a connection."""


class Readers:
    """A pool of connections to one database file, opened when first needed."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._idle: queue.LifoQueue[sqlite3.Connection | None] = queue.LifoQueue()
        self._inodes: dict[sqlite3.Connection, int] = {}
        for _ in range(CONNECTIONS):
            self._idle.put(None)

    def borrow(self) -> sqlite3.Connection:
        """A connection that nobody else uses until it is given back.

        Raises `OSError` if the file is not there or cannot be looked at, `sqlite3.DatabaseError` if it is not opened.
        """
        connection = self._idle.get()
        try:
            inode = self._database.stat().st_ino
            if connection is None or self._inodes[connection] != inode:
                # The file was set aside and made anew.
                self._forget(connection)
                connection = open_reader(self._database)
                self._inodes[connection] = inode
            return connection
        except BaseException:
            # Without a file, too: nothing that was read from the one before holds any more.
            self._forget(connection)
            self._idle.put(None)
            raise

    def inode(self, connection: sqlite3.Connection) -> int:
        """The inode number of the file that a borrowed connection reads."""
        return self._inodes[connection]

    def give_back(self, connection: sqlite3.Connection) -> None:
        """End a loan. An open transaction ends with it."""
        if connection.in_transaction:
            connection.rollback()
        self._idle.put(connection)

    def close(self) -> None:
        """Close the connections that are not lent out."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._forget(self._idle.get_nowait())

    def _forget(self, connection: sqlite3.Connection | None) -> None:
        if connection is not None:
            self._inodes.pop(connection, None)
            connection.close()
