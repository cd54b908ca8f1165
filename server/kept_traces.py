"""The traces of searches, from their answers on: completed, committed, found again, with what is read after them."""

import sqlite3
import threading
from collections import OrderedDict
from concurrent.futures import Future

from morenashi.indexer.config import Config

from .clients import current_client
from .errors import ToolError
from .mirror import StatisticsMirror
from .newest import Newest
from .search.adaptation.adaptive import adapt, tuning_of
from .search.adaptation.reads import Read, store_read
from .search.adaptation.statistics import Usage, describe_search, store_statistics
from .search.traces import Tool, Trace, expire_traces, is_expired, read_trace, store_trace
from .shelf import Shelf

# Of so many clients at once the traces are kept in full.
_MOST_SHARES = 16
_SESSIONS_KEPT = 1_000


class KeptTraces:
    """Those of manuals and vault, all in the database of the manuals. Any thread may use it."""

    def __init__(self, config: Config, manuals: Shelf) -> None:
        self._config = config
        self._manuals = manuals
        self._keeper = manuals.keeper
        self._tuning = tuning_of(config)
        self._mirror = StatisticsMirror(config)
        # The latest search of each session, as the id of its trace; those longest without one are forgotten.
        self._latest: Newest[str, str] = Newest(_SESSIONS_KEPT)
        self._under_way: OrderedDict[str, Future[Trace]] = OrderedDict()
        self._lock = threading.Lock()

    def follow(self, trace_id: str, future: Future[Trace]) -> None:
        """From its answer on, a search can be asked about; it is the latest one of the client that calls."""
        with self._lock:
            self._latest.put(current_client().session_id, trace_id)
            self._under_way[trace_id] = future
            while len(self._under_way) > self._most:
                self._under_way.popitem(last=False)

    def record_read(self, read: Read) -> None:
        """Note what was read after the latest search of the client that calls. The writer does it; nobody waits."""
        with self._lock:
            trace_id = self._latest.get(current_client().session_id)
            future = self._under_way.get(trace_id) if trace_id else None
        if trace_id is None:
            return

        def submit(_: object = None) -> None:
            self._keeper.submit(lambda writer: store_read(writer, trace_id, read))

        # Not before the trace itself has been submitted.
        if future:
            future.add_done_callback(submit)
        else:
            submit()

    def find(self, trace_id: str, parameter: str = "trace_id", tool: Tool | None = None) -> Trace:
        """A trace of this or an earlier run of the server, of any tool or of the one that is named.

        Raises `not_found`; `conflict` if it could not be completed.
        """
        with self._lock:
            future = self._under_way.get(trace_id)
        trace = (
            self._completed(trace_id, future, parameter)
            if future
            else self._manuals.ask(lambda index: read_trace(index, trace_id))
        )
        toolsets = current_client().toolsets
        if (
            trace is None
            or is_expired(trace.created_at, self._config.trace_ttl_sec)
            or ("vault" if trace.tool == "vault_find" else "manual") not in toolsets
        ):
            finds = [tool] if tool else [f"{toolset}_find" for toolset in ("manual", "vault") if toolset in toolsets]
            message = f"{parameter}: there is no such trace, or it has expired; call {' or '.join(finds)} again"
            raise ToolError("not_found", message, parameter=parameter)
        if tool not in (None, trace.tool):
            message = f"{parameter}: this trace is of {trace.tool}; send it there"
            raise ToolError("not_found", message, parameter=parameter)
        return trace

    def keep(self, trace: Trace, usage: Usage | None) -> None:
        """Have a trace committed, which is followed until then; with `usage`, its statistics too."""
        record = describe_search(trace, usage) if usage else None

        def commit(writer: sqlite3.Connection) -> None:
            store_trace(writer, trace)
            if record:
                store_statistics(writer, record)
                adapt(writer, self._tuning, trace.created_at)
            expire_traces(writer, keep=self._most, ttl_seconds=self._config.trace_ttl_sec)

        def committed() -> None:
            self._forget(trace.id)
            if record:
                self._mirror.append(record)

        self._keeper.submit(commit, committed)

    def _completed(self, trace_id: str, future: Future[Trace], parameter: str) -> Trace:
        try:
            return future.result()
        except Exception:  # noqa: BLE001 - logged where it happened
            self._forget(trace_id)
            message = f"{parameter}: what this search left for its lists could not be read; search again"
            raise ToolError("conflict", message, parameter=parameter) from None

    @property
    def _most(self) -> int:
        """As many as the settings say for each client: what one may page must not depend on what others search."""
        return self._config.trace_max_keep * min(max(len(self._latest), 1), _MOST_SHARES)

    def _forget(self, trace_id: str) -> None:
        with self._lock:
            self._under_way.pop(trace_id, None)
