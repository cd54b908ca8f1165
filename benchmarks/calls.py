"""The product's tools, called inside this process the way its server calls them."""

import contextlib
import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from morenashi.indexer.config import read_config
from morenashi.server import asking
from morenashi.server.calls import inputs
from morenashi.server.deadline import Deadline
from morenashi.server.log import set_log_level
from morenashi.server.manuals import tools
from morenashi.server.search.adaptation.statistics import estimate_tokens
from morenashi.server.search.traces import Trace
from morenashi.server.workspace import Workspace

from .garbage import collecting_as_the_server

Answer = dict[str, Any]
_SETTLE_SECONDS, _PATIENCE_SECONDS = 1.0, 120.0


class Calls:
    """The tools over one open workspace. A search runs in a worker thread, as in the server."""

    def __init__(self, workspace: Workspace, worker: ThreadPoolExecutor) -> None:
        self._workspace = workspace
        self._worker = worker

    def find(self, query: str, manual_id: str | None = None) -> Answer:
        """`manual_find`."""
        call = inputs.ManualFind(query=query, manual_id=manual_id)
        deadline = Deadline(asking.DEFAULT_TIME_MS)
        return self._worker.submit(tools.manual_find, self._workspace, call, deadline).result()

    def time_find(self, query: str, manual_id: str | None = None) -> tuple[float, Answer]:
        """Milliseconds until `manual_find` has answered, the way into the thread and back included."""
        started = time.perf_counter()
        answer = self.find(query, manual_id)
        return (time.perf_counter() - started) * 1000, answer

    def best(self, answer: Answer, limit: int) -> list[Answer]:
        """`manual_hits` of the kind integrated_top: the refs of the best candidates, the best first."""
        call = inputs.ManualHits(trace_id=answer["trace_id"], kind="integrated_top", limit=limit)
        return [item["ref"] for item in tools.manual_hits(self._workspace, call)["items"]]

    def wait_for_vectors(self) -> None:
        """Until the model of the extra `vectors` has read what searches found."""
        meaning = self._workspace.manuals.meaning
        if meaning:
            meaning.wait_until_filled()

    def trace(self, answer: Answer) -> Trace:
        """All candidates and everything that was not examined."""
        return self._workspace.traces.find(answer["trace_id"])


@contextlib.contextmanager
def open_calls(root: Path, **settings: str) -> Iterator[Calls]:
    """Open a workspace with its writer and watcher, and wait until it has compared index and disk."""
    set_log_level("error")
    workspace = Workspace(read_config({"WORKSPACE_ROOT": str(root), **settings}))
    try:
        workspace.wait_until_ready()
        time.sleep(_SETTLE_SECONDS)
        patience = time.monotonic() + _PATIENCE_SECONDS
        while workspace.pending:
            if time.monotonic() > patience:
                raise TimeoutError(f"{root.name}: still not indexed after {_PATIENCE_SECONDS:g} s")
            time.sleep(_SETTLE_SECONDS / 10)
        with collecting_as_the_server(), ThreadPoolExecutor(1) as worker:
            yield Calls(workspace, worker)
    finally:
        workspace.close()


def tokens_of(value: Any) -> int:
    """What a client pays for a value: an estimate by the characters of its JSON, as the server makes it."""
    return estimate_tokens(len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))))


def read_only(database: Path) -> sqlite3.Connection:
    """A connection that sees what is committed and can write nothing."""
    return sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, isolation_level=None)


def generation(database: Path) -> int:
    """How often the index has changed: it grows with every batch of documents written."""
    with contextlib.closing(read_only(database)) as connection:
        row = connection.execute("SELECT value FROM index_state WHERE key = 'generation'").fetchone()
    return int(row[0])


class SectionLines:
    """The lines that the sections of an index have to themselves, subsections left out. 1-based, inclusive."""

    def __init__(self, database: Path) -> None:
        self.spans: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        """(first, last) of each section, by (manual_id, path), in order."""
        with contextlib.closing(read_only(database)) as connection:
            for manual_id, path, first, last in connection.execute(_SPANS):
                self.spans[manual_id, path].append((first, last))
        self._ends = {(*place, first): last for place, spans in self.spans.items() for first, last in spans}

    def own_lines(self, manual_id: str, path: str, start_line: int) -> tuple[int, int]:
        """(first, last) of the section that starts on this line."""
        return start_line, self._ends[manual_id, path, start_line]

    def start_line(self, manual_id: str, path: str, line: int) -> int:
        """The first line of the section that holds a line; 0 if none does."""
        held = (first for first, last in self.spans[manual_id, path] if first <= line <= last)
        return next(held, 0)


_SPANS = """
SELECT documents.manual_id, documents.path, sections.start_line, sections.own_end_line
FROM documents
JOIN sections ON sections.document_id = documents.id
ORDER BY documents.manual_id, documents.path, sections.start_line
"""
