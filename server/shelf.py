"""The index of one collection, as the server uses it: its keeper, its connections, its searches."""

import os
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from morenashi.indexer.collections import CollectionKind, collection_of
from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import Dictionaries
from morenashi.indexer.files import Key
from morenashi.indexer.index_state import read_fact
from morenashi.indexer.salvage import describe

from .announcements import Announcements
from .deadline import Deadline
from .errors import ToolError
from .keeper.keeper import Keeper
from .log import log_event
from .meaning import make_meaning
from .readers import CONNECTIONS, Readers
from .search.adaptation.adaptive import read_thresholds, tuning_of
from .search.find import Search
from .search.index.passages import InconsistentIndexError
from .search.outcome import Answer, Outcome
from .search.request import FindRequest
from .search.scope import ScopeCache
from .search.traces import Trace
from .search_turns import SearchTurns

_START_SECONDS = 30.0
_KNOWN_SECONDS = 5.0
T = TypeVar("T")


class Shelf:
    """Opens the index of a collection and keeps it true until `close`. `search_type` is how it is searched."""

    def __init__(
        self,
        config: Config,
        dictionaries: Dictionaries,
        kind: CollectionKind,
        search_type: type[Search],
        announcements: Announcements,
    ) -> None:
        self.collection = collection_of(config, kind)
        self.keeper = Keeper(config, dictionaries, announcements, kind)
        self._search_type = search_type
        self._tuning = tuning_of(config)
        self._readers = Readers(self.collection.database)
        self.meaning = make_meaning(config, self.keeper.submit) if kind == "manuals" else None
        self._scopes = ScopeCache()
        self._turns = SearchTurns()
        self._completions = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="trace")

    def finish_traces(self) -> None:
        """Wait until what was answered is complete; nothing can be searched afterwards."""
        self._completions.shutdown()

    def close(self) -> None:
        """Commit what is waiting and let go of the index."""
        if self.meaning:
            self.meaning.close()
        # Whoever closes the database last empties its log, if it may write.
        self._readers.close()
        self.keeper.stop()

    def wait_until_ready(self) -> None:
        """Wait for the database to be readable, which it is before the first indexing has ended."""
        if not self.keeper.ready.wait(_START_SECONDS):
            raise ToolError("conflict", "the index is still being opened; ask again in a moment")
        if self.keeper.failure is not None:
            raise ToolError("conflict", f"the index cannot be used: {self.keeper.failure}")

    def wait_until_known(self, path: str) -> None:
        """Wait until the index holds a note as it is on disk, for five seconds at most. What is no note need not be."""
        self.wait_until_ready()
        if key := self.collection.key(tuple(path.split("/"))):
            self.keeper.wait_until_known(key, _KNOWN_SECONDS)

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Put a question to the index, on a connection of its own."""
        connection = self._borrow()
        try:
            return question(connection)
        except sqlite3.DatabaseError as error:
            raise self._unusable(error, self._readers.inode(connection)) from error
        finally:
            self._readers.give_back(connection)

    def search(
        self, request: FindRequest, deadline: Deadline, completed: Callable[[Trace, Answer], None]
    ) -> tuple[Answer, Future[Trace]]:
        """Answer a search when its turn has come. Its trace is completed afterwards, and handed to `completed`."""
        with self._turns.take(deadline):
            return self._search_in_turn(request, deadline, completed)

    def _search_in_turn(
        self, request: FindRequest, deadline: Deadline, completed: Callable[[Trace, Answer], None]
    ) -> tuple[Answer, Future[Trace]]:
        connection = self._borrow()
        try:
            outcome = self._search(connection, request, deadline)
            deadline.stop_if_cancelled()
        except BaseException as error:
            inode = self._readers.inode(connection)
            self._readers.give_back(connection)
            if isinstance(error, sqlite3.DatabaseError):
                raise self._unusable(error, inode) from error
            raise
        answer, elapsed_ms = outcome.answer, outcome.elapsed_ms
        if answer.failure is not None:
            reason = f"stage 2 or 3: {describe(answer.failure)}"
            log_event("warn", request.tool, ok=False, elapsed_ms=elapsed_ms, error=reason)
            self.keeper.report(answer.failure, self._readers.inode(connection))
        if answer.escalation_reasons:
            counts, reasons = answer.summary["signal_coverage"], answer.escalation_reasons
            fields = {"escalation_reasons": reasons, "counts_by_signal": counts}
            log_event("warn", request.tool, ok=True, elapsed_ms=elapsed_ms, **fields)
        return answer, self._complete_later(connection, request.tool, outcome, completed)

    def _complete_later(
        self, connection: sqlite3.Connection, tool: str, outcome: Outcome, completed: Callable[[Trace, Answer], None]
    ) -> Future[Trace]:
        """Complete the trace of a search on its connection, which is then given back."""
        # What the executor refuses for want of a thread it runs all the same, later (CPython 3.11): who takes this
        # first ends the loan.
        ending = threading.Lock()

        def complete() -> Trace:
            if not ending.acquire(blocking=False):
                raise CancelledError
            inode = self._readers.inode(connection)
            try:
                try:
                    trace = outcome.complete(self.meaning.rescore if self.meaning else None)
                finally:
                    self._readers.give_back(connection)
                completed(trace, outcome.answer)
            except Exception as error:
                self._tell_of_lost_trace(tool, error, inode)
                raise
            return trace

        try:
            return self._completions.submit(complete)
        except RuntimeError:
            # The system has no thread left for it.
            if ending.acquire(blocking=False):
                self._readers.give_back(connection)
            raise

    def _search(self, connection: sqlite3.Connection, request: FindRequest, deadline: Deadline) -> Outcome:
        """Search; before anything is said to be absent, look whether disk and index deserve it.

        Look at the disk, too, if the index was made anew since it was asked what is pending: it may hold little yet.
        """
        if self._search_type.adapts:
            request = replace(request, thresholds=read_thresholds(connection, self._tuning))
        build = read_fact(connection, "build")
        pending = self.keeper.pending_before_search(connection, request.only_manual)
        outcome = self._search_once(connection, request, deadline, pending)
        while (is_absent := _says_absent(outcome)) or outcome.found.index.build != build:
            build = outcome.found.index.build
            changed = self.keeper.look_again(connection, request.only_manual) - pending
            if not changed and not (is_absent and self._is_index_wrong(outcome)):
                break
            connection.rollback()
            pending |= changed
            outcome = self._search_once(connection, request, deadline, pending)
        return outcome

    def _search_once(
        self,
        connection: sqlite3.Connection,
        request: FindRequest,
        deadline: Deadline,
        pending: frozenset[Key],
    ) -> Outcome:
        """Search with the full-text tables; without them if they are, or turn out to be, not to be relied on."""
        try:
            degraded_build = self.keeper.degraded_build
            return self._search_type(connection, self._scopes, pending, degraded_build).run(request, deadline)
        except InconsistentIndexError as error:
            self.keeper.doubt(error.args[0])
            return self._search_type(connection, self._scopes, pending, error.args[0]).run(request, deadline)

    def _is_index_wrong(self, outcome: Outcome) -> bool:
        if not outcome.index_misses_something():
            return False
        self.keeper.doubt(outcome.found.index.build)
        return True

    def _tell_of_lost_trace(self, tool: str, error: Exception, inode: int) -> None:
        """Nobody may ever ask for the trace, and see the error."""
        reason = type(error).__name__
        if isinstance(error, sqlite3.DatabaseError):
            reason = describe(error)
            self.keeper.report(error, inode)
        log_event("error", tool, ok=False, error=f"the trace could not be completed: {reason}")

    def _borrow(self) -> sqlite3.Connection:
        self.wait_until_ready()
        try:
            return self._readers.borrow()
        except FileNotFoundError:
            self.keeper.look()
            raise ToolError("conflict", "the index is being made anew; ask again in a moment") from None
        except OSError as error:
            raise ToolError("conflict", f"the index cannot be used: {os.strerror(error.errno or 0)}") from None
        except sqlite3.DatabaseError as error:
            raise self._unusable(error, None) from error

    def _unusable(self, error: sqlite3.DatabaseError, inode: int | None) -> ToolError:
        self.keeper.report(error, inode)
        return ToolError("conflict", "the index cannot be read just now; it is being repaired, ask again in a moment")


def _says_absent(outcome: Outcome) -> bool:
    return bool(outcome.answer.summary["completeness"]["status"] == "absent")
