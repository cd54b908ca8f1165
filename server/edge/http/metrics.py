"""`/metrics` in Prometheus' format: calls, clients, the indexes, memory, the process. Names and numbers, no text."""

import sqlite3
import time
from collections.abc import Iterator
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from morenashi.server.clients import current_client
from morenashi.server.edge.registry import find_tool
from morenashi.server.errors import ToolError
from morenashi.server.shelf import Shelf
from morenashi.server.workspace import Workspace

from .clients import RecentClients

_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60)


class Metrics:
    """What is counted while requests are answered, and what is measured when somebody asks."""

    def __init__(self, workspace: Workspace, clients: RecentClients) -> None:
        self._workspace = workspace
        self._clients = clients
        self._registry = CollectorRegistry()
        self._calls = Counter(
            "morenashi_calls",
            "Calls of tools, by outcome: ok, or an error's code.",
            ["tool", "code"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "morenashi_call_seconds", "How long calls took.", ["tool"], buckets=_BUCKETS, registry=self._registry
        )
        self._running = Gauge("morenashi_calls_in_progress", "Calls of tools under way.", registry=self._registry)
        ProcessCollector(registry=self._registry)
        self._registry.register(self)

    def exposition(self) -> bytes:
        """Everything, as Prometheus reads it. Asks the databases: not for the event loop."""
        return generate_latest(self._registry)

    async def observe(self, ctx: ServerRequestContext[Any], call_next: CallNext) -> HandlerResult:
        """Count what passes (a middleware of an MCP server)."""
        self._clients.see(current_client(), time.monotonic())
        if ctx.method != "tools/call":
            return await call_next(ctx)
        started, code = time.perf_counter(), "cancelled"
        try:
            with self._running.track_inprogress():
                result = await call_next(ctx)
            code = _code(result)
            return result
        except MCPError:
            code = "protocol_error"
            raise
        finally:
            tool = find_tool(str((ctx.params or {}).get("name")))
            # What clients make up is no name of a series.
            name = tool.name if tool else "unknown"
            self._calls.labels(name, code).inc()
            self._seconds.labels(name).observe(time.perf_counter() - started)

    def collect(self) -> Iterator[Metric]:
        """What is measured now (a collector of `prometheus_client`)."""
        documents = GaugeMetricFamily("morenashi_index_documents", "Documents in the index.", labels=["index"])
        pending = GaugeMetricFamily(
            "morenashi_index_pending_files", "Files that differ from what the index says.", labels=["index"]
        )
        for shelf in self._workspace.shelves:
            pending.add_metric([shelf.collection.kind], len(shelf.keeper.pending))
            if (count := _count(shelf, _DOCUMENTS)) is not None:
                documents.add_metric([shelf.collection.kind], count)
        claims = GaugeMetricFamily("morenashi_memory_claims", "Claims that memory holds.")
        if (count := _count(self._workspace.manuals, _CLAIMS)) is not None:
            claims.add_metric([], count)
        clients = GaugeMetricFamily("morenashi_clients", "Sessions that asked for something within five minutes.")
        clients.add_metric([], sum(self._clients.count(time.monotonic()).values()))
        yield from (documents, pending, claims, clients)


def _code(result: HandlerResult) -> str:
    """Of an answer as it goes out. Errors of memory lie in an envelope."""
    if not isinstance(result, dict) or not result.get("isError"):
        return "ok"
    body = result["structuredContent"]
    return str(body["error"]["code"] if "error" in body else body["code"])


def _count(shelf: Shelf, query: str) -> int | None:
    """The number that a query gives; `None` as long as the index cannot be asked."""

    def ask(connection: sqlite3.Connection) -> int:
        return int(connection.execute(query).fetchone()[0])

    try:
        return shelf.ask(ask) if shelf.keeper.ready.is_set() else None
    except ToolError:
        return None


_DOCUMENTS = "SELECT count(*) FROM documents"

_CLAIMS = "SELECT count(*) FROM claims"
