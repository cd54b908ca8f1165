"""Load: many clients of one server at once, each with a connection of its own.

First `manual_find` alone, from eight clients on the main corpus: calls a second, milliseconds, and milliseconds of
cpu that the server used for a call. Then sixteen clients with mixed calls for ten minutes while fifty files a second
change: the same, and every second the server's resident memory, its write-ahead logs and its databases, in MB (10^6
bytes). Growth is what a straight line through the second half of these gains over that half. What is written to
memory and vault stays, so the databases may grow.
"""

import random
import shutil
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped, unused-ignore]

from morenashi.server.commands.policy import default_policy

from . import gold
from .lab import Lab, reindex
from .one_server import Connection, OneServer, one_server
from .plot import Line, draw
from .report import Figure, Report, Row, at_least, at_most, percentile

NAME = "load"
_FINDERS, _LEAST_FINDS, _MOST_FIND_MS = 8, 120, 150
_CLIENTS, _CHANGES_A_SECOND = 16, 50
_NOTES, _NOTE_LINES = 400, 40
_LARGEST_CHANGED = 40_000
_MOST_GROWTH = 0.1
_SETTLE_SECONDS, _PATIENCE_SECONDS = 1.0, 300.0
_SEED = 1
_MB = 1e6
_AT = {"at": "2026-01-02T03:04:05Z"}
_SHARES = {
    "manual_find": 30,
    "manual_hits": 10,
    "manual_read": 10,
    "manual_toc": 5,
    "vault_find": 10,
    "vault_search": 5,
    "vault_read": 10,
    "vault_write": 5,
    "pce_memory_search": 10,
    "pce_memory_upsert": 5,
}
"""How often a client calls which tool, of a hundred calls."""


def measure(lab: Lab, report: Report) -> None:
    """Finds at once, then everything for long."""
    report.rows[NAME] = []
    _measure_finds(lab, report)
    _measure_mix(lab, report)


def _measure_finds(lab: Lab, report: Report) -> None:
    corpus = lab.indexed(lab.sizes.main)
    queries = gold.read_query_mix()
    with one_server(corpus.root, lab.log(NAME)) as server:
        connections = [server.connect() for _ in range(_FINDERS)]
        _wait_until_indexed(connections[0])
        for query in queries:
            connections[0].call("manual_find", query=query)
        before = _cpu_ms(server)
        times = _in_parallel(connections, lambda one, turn: _timed_finds(one, queries, turn, lab.sizes.find_seconds))
        used_ms = _cpu_ms(server) - before
    flat = [ms for part in times for ms in part]
    what = f"manual_find from {_FINDERS} clients at once, {lab.sizes.main:g} MB"
    report.add(Figure(what, len(flat) / lab.sizes.find_seconds, "/s", at_least(_LEAST_FINDS)))
    report.add(Figure(f"{what}: p50", percentile(flat, 0.5), "ms"))
    report.add(Figure(f"{what}: p95", percentile(flat, 0.95), "ms", at_most(_MOST_FIND_MS)))
    report.add(Figure(f"{what}: cpu a call", used_ms / len(flat), "ms"))


def _cpu_ms(server: OneServer) -> float:
    """Milliseconds of cpu that the server has used."""
    times = psutil.Process(server.pid).cpu_times()
    return float(times.user + times.system) * 1000


def _timed_finds(connection: Connection, queries: list[str], turn: int, seconds: float) -> list[float]:
    """Milliseconds of each search; every client begins at another query."""
    times = []
    end = time.perf_counter() + seconds
    place = turn * len(queries) // _FINDERS
    while (started := time.perf_counter()) < end:
        result = connection.call("manual_find", query=queries[place % len(queries)])
        if result.get("isError"):
            raise RuntimeError(f"manual_find failed: {result['structuredContent']}")
        times.append((time.perf_counter() - started) * 1000)
        place += 1
    return times


def _measure_mix(lab: Lab, report: Report) -> None:
    root = _workspace(lab)
    seconds = lab.sizes.load_seconds
    with one_server(root, lab.log(NAME)) as server:
        connections = [server.connect() for _ in range(_CLIENTS)]
        _wait_until_indexed(connections[0])
        connections[0].call("pce_memory_policy_apply", yaml=default_policy())
        clients = [MixedClient(one, number, root) for number, one in enumerate(connections)]
        with _Sampler(server, root, clients) as sampler, _Changer(root) as changer:
            _in_parallel(clients, lambda one, _: one.run(seconds))
    _summarise(report, clients, sampler.samples, changer, seconds)


def _workspace(lab: Lab) -> Path:
    """Manuals of their own, which are changed, and a vault."""
    root = lab.workspace(NAME)
    shutil.copytree(lab.corpus(lab.sizes.loaded).manuals, root / "manuals")
    chance, words = random.Random(_SEED), gold.read_query_mix()
    (root / "vault").mkdir()
    for number in range(_NOTES):
        lines = [f"# 覚え{number}", *(" ".join(chance.choices(words, k=3)) for _ in range(_NOTE_LINES))]
        (root / "vault" / f"{number}.md").write_text("\n".join(lines) + "\n", "utf-8")
    for number in range(_CLIENTS):
        (root / "vault" / f"client{number}.md").write_text("", "utf-8")
    reindex(root)
    return root


class MixedClient:
    """Calls tools by their shares, one after the other, and notes how long each took."""

    def __init__(self, connection: Connection, number: int, root: Path) -> None:
        self._connection = connection
        self._number = number
        self._chance = random.Random(number)
        self._queries = gold.read_query_mix()
        self._trace_id: str | None = None
        self._manual_id = sorted(path.name for path in (root / "manuals").iterdir())[0]
        self._ref: dict[str, Any] | None = None
        self.times: list[tuple[str, float]] = []
        self.refusals: Counter[str] = Counter()

    def run(self, seconds: float) -> None:
        """Call until the time is over."""
        end = time.perf_counter() + seconds
        tools, weights = list(_SHARES), list(_SHARES.values())
        while time.perf_counter() < end:
            tool = self._chance.choices(tools, weights)[0]
            arguments = self._arguments(tool)
            if arguments is not None:
                self._call(tool, arguments)

    def _call(self, tool: str, arguments: dict[str, Any]) -> None:
        started = time.perf_counter()
        result = self._connection.call(tool, **arguments)
        self.times.append((tool, (time.perf_counter() - started) * 1000))
        body = result["structuredContent"]
        if result.get("isError"):
            self.refusals[f"{tool}: {body.get('code') or body['error']['code']}"] += 1
        elif tool == "manual_find":
            self._trace_id = body["trace_id"]
        elif tool == "manual_hits" and body["items"]:
            self._ref = body["items"][0]["ref"]

    def _arguments(self, tool: str) -> dict[str, Any] | None:
        """What to call a tool with; `None` for one that needs the answer of another first."""
        query = self._chance.choice(self._queries)
        note = f"{self._chance.randrange(_NOTES)}.md"
        own = f"client{self._number}.md"
        calls: dict[str, Callable[[], dict[str, Any] | None]] = {
            "manual_find": lambda: {"query": query},
            "manual_hits": lambda: {"trace_id": self._trace_id} if self._trace_id else None,
            "manual_read": lambda: {"ref": self._ref} if self._ref else None,
            "manual_toc": lambda: {"manual_id": self._manual_id},
            "vault_find": lambda: {"query": query},
            "vault_search": lambda: {"query": query, "mode": "plain"},
            "vault_read": lambda: {"path": note, "full": True},
            "vault_write": lambda: {"path": own, "content": f"{query}\n", "mode": "append"},
            "pce_memory_search": lambda: {"query": query},
            "pce_memory_upsert": lambda: {"text": f"{query} {self._chance.random()}", "provenance": _AT},
        }
        return calls[tool]()


class _Background:
    """Does something again and again while a `with` block runs."""

    def __init__(self, pause_seconds: float) -> None:
        self._pause_seconds = pause_seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Any:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        due = time.monotonic()
        while not self._stop.wait(max(due - time.monotonic(), 0)):
            self.step()
            due += self._pause_seconds

    def step(self) -> None:
        raise NotImplementedError


class _Changer(_Background):
    """Changes fifty files a second: two in three among the manuals, the others notes."""

    def __init__(self, root: Path) -> None:
        super().__init__(1 / _CHANGES_A_SECOND)
        manuals = [path for path in root.glob("manuals/**/*.md") if path.stat().st_size < _LARGEST_CHANGED]
        self._folders = [sorted(manuals), sorted((root / "vault").glob("[0-9]*.md"))]
        self._originals = {path: path.read_bytes() for files in self._folders for path in files}
        self._chance = random.Random(_SEED)
        self.changes = 0

    def step(self) -> None:
        files = self._folders[self.changes % 3 == 0]
        path = self._chance.choice(files)
        # The same size, give or take a line, however often it is changed.
        path.write_bytes(self._originals[path] + f"\n変更{self.changes}\n".encode())
        self.changes += 1


@dataclass(frozen=True, slots=True)
class Sample:
    """The server at a moment: seconds since the start, MB, calls answered since the sample before."""

    seconds: float
    rss_mb: float
    wal_mb: float
    database_mb: float
    calls: int


class _Sampler(_Background):
    """Looks at the server every second."""

    def __init__(self, server: OneServer, root: Path, clients: list[MixedClient]) -> None:
        super().__init__(_SETTLE_SECONDS)
        self._process = psutil.Process(server.pid)
        self._data = root / "data"
        self._clients = clients
        self._started = time.monotonic()
        self._answered = 0
        self.samples: list[Sample] = []

    def step(self) -> None:
        answered = sum(len(client.times) for client in self._clients)
        self.samples.append(
            Sample(
                time.monotonic() - self._started,
                self._process.memory_info().rss / _MB,
                self._size("*.db-wal"),
                self._size("*.db"),
                answered - self._answered,
            )
        )
        self._answered = answered

    def _size(self, pattern: str) -> float:
        return sum(path.stat().st_size for path in self._data.glob(pattern)) / _MB


def growth(samples: list[Sample], name: str) -> float:
    """What a straight line through the second half gains over that half, as a share of the half's mean."""
    half = samples[len(samples) // 2 :]
    seconds, values = [one.seconds for one in half], [float(getattr(one, name)) for one in half]
    if len(half) < 2 or not statistics.fmean(values):
        return 0.0
    slope = statistics.linear_regression(seconds, values).slope
    return slope * (seconds[-1] - seconds[0]) / statistics.fmean(values)


def _summarise(
    report: Report, clients: list[MixedClient], samples: list[Sample], changer: _Changer, seconds: float
) -> None:
    times = [one for client in clients for one in client.times]
    refusals = sum((client.refusals for client in clients), Counter[str]())
    what = f"{_CLIENTS} clients, {seconds:g} s, {changer.changes / seconds:.0f} changes a second"
    report.add(Figure(f"{what}: calls", len(times) / seconds, "/s"))
    for label, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
        report.add(Figure(f"{what}: {label}", percentile([ms for _, ms in times], share), "ms"))
    report.add(Figure(f"{what}: calls refused", sum(refusals.values()), "", at_most(0)))
    report.add(Figure(f"{what}: resident memory, most", max(one.rss_mb for one in samples), "MB"))
    report.add(Figure(f"{what}: write-ahead logs, most", max(one.wal_mb for one in samples), "MB"))
    for label, name in (("resident memory", "rss_mb"), ("write-ahead logs", "wal_mb")):
        label = f"{what}: {label}, growth in the second half"
        report.add(Figure(label, growth(samples, name), "", at_most(_MOST_GROWTH)))
    report.rows[NAME] += [*_by_tool(times), *_as_rows(samples), {"refusals": dict(refusals)}]
    lines = [
        Line("resident memory, MB", [(one.seconds, one.rss_mb) for one in samples]),
        Line("write-ahead logs, MB", [(one.seconds, one.wal_mb) for one in samples]),
        Line("calls a second", [(one.seconds, float(one.calls)) for one in samples[1:]]),
    ]
    report.pictures[NAME] = draw(what, lines)


def _by_tool(times: list[tuple[str, float]]) -> list[Row]:
    rows = []
    for tool in _SHARES:
        own = [ms for name, ms in times if name == tool]
        if own:
            shares = {f"p{share:g}": percentile(own, share / 100) for share in (50, 95, 99)}
            rows.append({"tool": tool, "calls": len(own), **shares})
    return rows


def _as_rows(samples: list[Sample]) -> list[Row]:
    names = ("seconds", "rss_mb", "wal_mb", "database_mb", "calls")
    return [{name: getattr(one, name) for name in names} for one in samples]


def _in_parallel(ones: list[Any], work: Callable[[Any, int], Any]) -> list[Any]:
    """The work of each in a thread of its own."""
    with ThreadPoolExecutor(len(ones)) as threads:
        return list(threads.map(work, ones, range(len(ones))))


def _wait_until_indexed(connection: Connection) -> None:
    patience = time.monotonic() + _PATIENCE_SECONDS
    while True:
        body = connection.call("manual_find", query="申請")["structuredContent"]
        if "summary" in body and not body["summary"]["completeness"]["pending_files"]:
            return
        if time.monotonic() > patience:
            raise TimeoutError("the index is not up to date")
        time.sleep(_SETTLE_SECONDS / 10)
