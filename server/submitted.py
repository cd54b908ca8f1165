"""Records that wait to be committed together: traces, statistics, what was delivered."""

import sqlite3
import time

from morenashi.indexer import database

from .keeper_jobs import Submission
from .log import log_event

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
        """Commit all in one transaction. What a full disk or a lock keeps from it waits on; other errors lose it."""
        submitted, self._waiting = self._waiting, []
        if not submitted:
            return
        try:
            with database.transaction(connection):
                for job, _ in submitted:
                    job(connection)
        except sqlite3.OperationalError as error:
            log_event("error", "keeper", ok=False, error=str(error))
            if database.may_pass(error):
                self._waiting = submitted
                self._due = time.monotonic() + _RETRY_SECONDS
                self.drop_oldest()
            return
        for _, done in submitted:
            done()
