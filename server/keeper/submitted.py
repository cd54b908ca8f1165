"""Records that wait to be committed together: traces, statistics, what was delivered."""

import sqlite3
import time

from morenashi.indexer import database, salvage
from morenashi.server.log import log_event

from .jobs import Submission

# Every commit empties the page caches of all readers, which costs the next search milliseconds.
_COMMIT_SECONDS = 0.25
_RETRY_SECONDS = 1.0
# If a disk stays full, what waits does not fill the memory as well.
_MOST_WAITING = 1_000


class Submitted:
    """The submissions of a keeper, in its thread. They are due a moment after the first of them came."""

    def __init__(self) -> None:
        self._waiting: list[Submission] = []
        self._due = 0.0

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def seconds_left(self) -> float:
        """How long they may still wait."""
        return max(self._due - time.monotonic(), 0)

    @property
    def is_due(self) -> bool:
        """Whether there are any that may not wait longer."""
        return bool(self._waiting) and not self.seconds_left

    def add(self, submission: Submission) -> None:
        """Take one up."""
        if not self._waiting:
            self._due = time.monotonic() + _COMMIT_SECONDS
        self._waiting.append(submission)

    def drop_oldest(self) -> None:
        """Keep the newest, as many as may wait for a database that cannot be written."""
        del self._waiting[:-_MOST_WAITING]

    def commit(self, connection: sqlite3.Connection) -> None:
        """Commit all in one transaction. What a full disk or a lock keeps from it waits on; a job that fails otherwise
        is dropped, alone.

        Does nothing while a transaction is open, as that of a rebuild: nobody would see yet what is called done.
        Raises `sqlite3.DatabaseError` if the file is damaged; all wait on.
        """
        if connection.in_transaction:
            return
        together = len(self._waiting)
        while self._waiting:
            try:
                submitted = self._commit_first(connection, together)
            except Exception as error:
                if isinstance(error, sqlite3.DatabaseError) and salvage.is_damage(error):
                    raise
                if isinstance(error, sqlite3.DatabaseError) and database.may_pass(error):
                    self._wait_on(error)
                    return
                if together == 1:
                    log_event("error", "keeper", ok=False, error=f"a record was lost: {type(error).__name__}")
                    del self._waiting[0]
                # One after the other: a savepoint for each would cost every commit what only a failing job asks for.
                together = 1
            else:
                for _, done in submitted:
                    done()

    def _commit_first(self, connection: sqlite3.Connection, count: int) -> list[Submission]:
        submitted = self._waiting[:count]
        with database.transaction(connection):
            for job, _ in submitted:
                job(connection)
        del self._waiting[:count]
        return submitted

    def _wait_on(self, error: sqlite3.DatabaseError) -> None:
        log_event("error", "keeper", ok=False, error=salvage.describe(error))
        self._due = time.monotonic() + _RETRY_SECONDS
        self.drop_oldest()
