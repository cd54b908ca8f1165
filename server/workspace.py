"""What the tools of one workspace share: settings, index, traces."""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import load_dictionaries

from .errors import ToolError
from .keeper import Keeper
from .log import log_event
from .memory.calls import Memory
from .memory.embedding import make_provider
from .mirror import StatisticsMirror
from .readers import CONNECTIONS, Readers
from .search.adaptive import adapt, read_thresholds, tuning_of
from .search.deadline import Deadline
from .search.find import Answer, FindRequest, Search
from .search.postings import InconsistentIndexError
from .search.reads import Read, store_read
from .search.scope import ScopeCache
from .search.statistics import Usage, describe_search, store_statistics
from .search.traces import Trace, expire_traces, is_expired, load_trace, store_trace
from .sessions import LOCAL_SESSION, Sessions

_START_SECONDS = 30.0
T = TypeVar("T")


class Workspace:
    """Opens the workspace's index and keeps it true until `close`."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.dictionaries = load_dictionaries(config.dictionaries)
        self.tuning = tuning_of(config)
        # Before the keeper starts: what is configured wrongly ends it all here.
        provider = make_provider(config)
        self._mirror = StatisticsMirror(config)
        self._sessions = Sessions()
        self._keeper = Keeper(config, self.dictionaries)
        self._readers = Readers(config.database)
        self._scopes = ScopeCache()
        self.memory = Memory(config, self.dictionaries, self, provider)
        self._completions = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="trace")
        self._traces: OrderedDict[str, Future[Trace]] = OrderedDict()
        self._traces_lock = threading.Lock()

    def close(self) -> None:
        """Commit what is waiting and let go of the index."""
        self._completions.shutdown()
        self.memory.close()
        self._keeper.stop()
        self._readers.close()

    def wait_until_ready(self) -> None:
        """Wait for the database to be readable, which it is before the first indexing has ended."""
        if not self._keeper.ready.wait(_START_SECONDS):
            raise ToolError("conflict", "the index is still being opened; ask again in a moment")
        if self._keeper.failure is not None:
            raise ToolError("conflict", f"the index cannot be used: {self._keeper.failure}")

    @property
    def pending(self) -> frozenset[tuple[str, str]]:
        """Documents, as (manual_id, path), that differ on disk from what the index says."""
        return self._keeper.pending

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
        self,
        request: FindRequest,
        deadline: Deadline,
        usage: Callable[[Answer], Usage],
        session_id: str = LOCAL_SESSION,
    ) -> Answer:
        """Answer a search; its trace is completed and committed afterwards."""
        connection = self._borrow()
        try:
            search, answer = self._search(connection, request, deadline)
        except BaseException as error:
            inode = self._readers.inode(connection)
            self._readers.give_back(connection)
            if isinstance(error, sqlite3.DatabaseError):
                raise self._unusable(error, inode) from error
            raise
        if answer.failure is not None:
            log_event("warn", "manual_find", ok=False, error=f"stage 2 or 3: {answer.failure}")
            self._keeper.report(answer.failure, self._readers.inode(connection))
        if answer.escalation_reasons:
            counts, reasons = answer.summary["signal_coverage"], answer.escalation_reasons
            log_event("warn", "manual_find", ok=True, escalation_reasons=reasons, counts_by_signal=counts)
        future = self._completions.submit(self._complete, search, connection, usage(answer))
        with self._traces_lock:
            self._traces[answer.trace_id] = future
            while len(self._traces) > self.config.trace_max_keep:
                self._traces.popitem(last=False)
        self._sessions.begin_search(session_id, answer.trace_id)
        return answer

    def record_read(self, read: Read, session_id: str = LOCAL_SESSION) -> None:
        """Note what was read after the session's latest search. The writer does it; nobody waits."""
        trace_id = self._sessions.latest_search(session_id)
        if trace_id is None:
            return

        def submit(_: object = None) -> None:
            self._keeper.submit(lambda writer: store_read(writer, trace_id, read))

        with self._traces_lock:
            future = self._traces.get(trace_id)
        # Not before the trace itself has been submitted.
        if future:
            future.add_done_callback(submit)
        else:
            submit()

    def _search(
        self, connection: sqlite3.Connection, request: FindRequest, deadline: Deadline
    ) -> tuple[Search, Answer]:
        """Search; before anything is said to be absent, look whether disk and index deserve it."""
        request = replace(request, thresholds=read_thresholds(connection, self.tuning))
        pending = self._keeper.pending_before_search(request.manual_id)
        search, answer = self._search_once(connection, request, deadline, pending)
        while answer.summary["completeness"]["status"] == "absent":
            changed = self._keeper.look_again(request.manual_id) - pending
            if not changed and not self._is_index_wrong(search):
                break
            connection.rollback()
            pending |= changed
            search, answer = self._search_once(connection, request, deadline, pending)
        return search, answer

    def _search_once(
        self,
        connection: sqlite3.Connection,
        request: FindRequest,
        deadline: Deadline,
        pending: frozenset[tuple[str, str]],
    ) -> tuple[Search, Answer]:
        """Search with the full-text tables; without them if they are, or turn out to be, not to be relied on."""
        search = Search(connection, self._scopes, pending, self._keeper.degraded_build)
        try:
            return search, search.answer(request, deadline)
        except InconsistentIndexError as error:
            self._keeper.doubt(error.args[0])
            search = Search(connection, self._scopes, pending, error.args[0])
            return search, search.answer(request, deadline)

    def _is_index_wrong(self, search: Search) -> bool:
        if not search.index_misses_something():
            return False
        self._keeper.doubt(search.build)
        return True

    def find_trace(self, trace_id: str, parameter: str = "trace_id") -> Trace:
        """A trace of this or an earlier run of the server. Raises `not_found`."""
        with self._traces_lock:
            future = self._traces.get(trace_id)
        trace = future.result() if future else self.ask(lambda c: load_trace(c, trace_id, self.config.trace_ttl_sec))
        if trace is None or is_expired(trace.created_at, self.config.trace_ttl_sec):
            message = f"{parameter}: there is no such trace, or it has expired; call manual_find again"
            raise ToolError("not_found", message, parameter=parameter)
        return trace

    def _complete(self, search: Search, connection: sqlite3.Connection, usage: Usage) -> Trace:
        try:
            trace = search.complete()
        finally:
            self._readers.give_back(connection)
        record = describe_search(trace, usage)

        def commit(writer: sqlite3.Connection) -> None:
            store_trace(writer, trace)
            store_statistics(writer, record)
            adapt(writer, self.tuning, trace.created_at)
            expire_traces(writer, keep=self.config.trace_max_keep, ttl_seconds=self.config.trace_ttl_sec)

        def committed() -> None:
            self._forget(trace.id)
            self._mirror.append(record)

        self._keeper.submit(commit, committed)
        return trace

    def _borrow(self) -> sqlite3.Connection:
        self.wait_until_ready()
        try:
            return self._readers.borrow()
        except FileNotFoundError:
            self._keeper.look()
            raise ToolError("conflict", "the index is being made anew; ask again in a moment") from None
        except sqlite3.DatabaseError as error:
            raise self._unusable(error, None) from error

    def _forget(self, trace_id: str) -> None:
        with self._traces_lock:
            self._traces.pop(trace_id, None)

    def _unusable(self, error: sqlite3.DatabaseError, inode: int | None) -> ToolError:
        self._keeper.report(error, inode)
        return ToolError("conflict", "the index cannot be read just now; it is being repaired, ask again in a moment")
