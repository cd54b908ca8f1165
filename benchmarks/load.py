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
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil

from morenashi.server.commands.policy import default_policy

from . import gold
from .lab import Lab, reindex
from .load_clients import NOTES, SHARES, MixedClient
from .load_surroundings import Changer, Sample, Sampler
from .one_server import Connection, OneServer, one_server
from .plot import Line, draw
from .report import Figure, Report, Row, at_least, at_most, percentile

NAME = "load"
_FINDERS, _LEAST_FINDS, _MOST_FIND_MS = 8, 120, 150
_CLIENTS = 16
_NOTE_LINES = 40
_MOST_GROWTH = 0.1
_PAUSE_SECONDS, _PATIENCE_SECONDS = 0.1, 300.0
_SEED = 1


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
            connections[0].answer("manual_find", query=query)
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
        connection.answer("manual_find", query=queries[place % len(queries)])
        times.append((time.perf_counter() - started) * 1000)
        place += 1
    return times


def _measure_mix(lab: Lab, report: Report) -> None:
    root = _workspace(lab)
    seconds = lab.sizes.load_seconds
    with one_server(root, lab.log(NAME)) as server:
        connections = [server.connect() for _ in range(_CLIENTS)]
        _wait_until_indexed(connections[0])
        connections[0].answer("pce_memory_policy_apply", yaml=default_policy())
        clients = [MixedClient(one, number, root) for number, one in enumerate(connections)]
        with Sampler(server, root, clients) as sampler, Changer(root) as changer:
            _in_parallel(clients, lambda one, _: one.run(seconds))
    _summarise(report, clients, sampler.samples, changer, seconds)


def _workspace(lab: Lab) -> Path:
    """Manuals of their own, which are changed, and a vault."""
    root = lab.workspace(NAME)
    shutil.copytree(lab.corpus(lab.sizes.loaded).manuals, root / "manuals")
    chance, words = random.Random(_SEED), gold.read_query_mix()
    (root / "vault").mkdir()
    for number in range(NOTES):
        lines = [f"# 覚え{number}", *(" ".join(chance.choices(words, k=3)) for _ in range(_NOTE_LINES))]
        (root / "vault" / f"{number}.md").write_text("\n".join(lines) + "\n", "utf-8")
    for number in range(_CLIENTS):
        (root / "vault" / f"client{number}.md").write_text("", "utf-8")
    reindex(root)
    return root


def growth(samples: list[Sample], name: str) -> float:
    """What a straight line through the second half gains over that half, as a share of the half's mean."""
    half = samples[len(samples) // 2 :]
    seconds, values = [one.seconds for one in half], [float(getattr(one, name)) for one in half]
    if len(half) < 2 or not statistics.fmean(values):
        return 0.0
    slope = statistics.linear_regression(seconds, values).slope
    return slope * (seconds[-1] - seconds[0]) / statistics.fmean(values)


def _summarise(
    report: Report, clients: list[MixedClient], samples: list[Sample], changer: Changer, seconds: float
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
    for tool in SHARES:
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
        time.sleep(_PAUSE_SECONDS)
