"""Latency: milliseconds that `manual_find` takes inside the server, warm; p50 and p95, by size of the corpus.

One pass over the queries to warm up, then the measured pass, one query after the other without a
pause: what the last search left to be written is written while the next one runs. The peers answer
the same queries on the same corpus, the scan by reading all files, the others with their best 50; the scan takes as
long for any query, and answers the first ten.
Growth is the p50 on one corpus divided by that on a smaller one, both asked by turns.
"""

import random
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial

from . import gold
from .calls import open_calls
from .lab import Lab
from .peers import scan
from .report import Figure, Report, Row, at_most, below, percentile

NAME = "latency"
_BEST, _SCANNED_QUERIES, _ABSENT_QUERIES = 50, 10, 20
_SEED = 1
_MAIN_P50_MS, _MAIN_P95_MS = 10, 40
_SMALL_P50_MS, _SMALL_P95_MS = 3, 8
_MOST_GROWTH = 5


def measure(lab: Lab, report: Report) -> None:
    """Time all sizes; peers on the main and the small corpus."""
    queries = gold.read_query_mix()
    report.rows[NAME] = []
    sizes = lab.sizes
    _measure_size(lab, report, queries, sizes.main, _MAIN_P50_MS, _MAIN_P95_MS)
    _measure_absent(lab, report, sizes.main)
    _measure_size(lab, report, queries, sizes.small, _SMALL_P50_MS, _SMALL_P95_MS)
    low, high = (percentile(times, 0.5) for times in _time_by_turns(lab, report, sizes.growth, queries))
    report.add(Figure(f"manual_find, {sizes.growth[0]:g} MB: p50", low, "ms"))
    report.add(Figure(f"manual_find, {sizes.growth[1]:g} MB: p50", high, "ms"))
    what = f"manual_find: growth of p50, {sizes.growth[0]:g} to {sizes.growth[1]:g} MB"
    report.add(Figure(what, high / low, "x", below(_MOST_GROWTH)))


def _measure_size(
    lab: Lab, report: Report, queries: Sequence[str], megabytes: float, p50_ms: float, p95_ms: float
) -> None:
    ours = _time_ours(lab, report, megabytes, queries)
    theirs = _time_peers(lab, megabytes, queries)
    for label, share, most in (("p50", 0.5, p50_ms), ("p95", 0.95, p95_ms)):
        peers = {name: percentile(times, share) for name, times in theirs.items()}
        what = f"manual_find, {megabytes:g} MB, {len(queries)} queries: {label}"
        report.add(Figure(what, percentile(ours, share), "ms", at_most(most), peers, has_ratio=True))


def _measure_absent(lab: Lab, report: Report, megabytes: float) -> None:
    """Numbers that stand nowhere: before saying so the server looks at the disk."""
    chance = random.Random(_SEED)
    numbers = [str(chance.randrange(10**17, 10**18)) for _ in range(_ABSENT_QUERIES)]
    times = _time_ours(lab, report, megabytes, numbers)
    what = f"manual_find, {megabytes:g} MB, {_ABSENT_QUERIES} words that are nowhere: p50"
    report.add(Figure(what, percentile(times, 0.5), "ms"))


def _time_ours(lab: Lab, report: Report, megabytes: float, queries: Sequence[str]) -> list[float]:
    with open_calls(lab.indexed(megabytes).root) as calls:
        for query in queries:
            calls.find(query)
        times = [calls.time_find(query)[0] for query in queries]
    report.rows[NAME] += _rows("alone", megabytes, queries, times)
    return times


def _time_by_turns(lab: Lab, report: Report, sizes: Sequence[float], queries: Sequence[str]) -> list[list[float]]:
    """Each query to every corpus, one after the other: what else the machine does slows all alike.

    A search has ended with all that follows it before the next corpus is asked.
    """
    roots = [lab.indexed(megabytes).root for megabytes in sizes]
    times: list[list[float]] = []
    with ExitStack() as stack:
        opened = [stack.enter_context(open_calls(root)) for root in roots]
        for _ in ("warm up", "measure"):
            times = [[] for _ in sizes]
            for query in queries:
                for calls, own in zip(opened, times, strict=True):
                    elapsed_ms, answer = calls.time_find(query)
                    own.append(elapsed_ms)
                    calls.trace(answer)
    for megabytes, own in zip(sizes, times, strict=True):
        report.rows[NAME] += _rows("by turns", megabytes, queries, own)
    return times


def _rows(how: str, megabytes: float, queries: Sequence[str], times: Sequence[float]) -> list[Row]:
    return [
        {"how": how, "megabytes": megabytes, "query": query, "ms": elapsed_ms}
        for query, elapsed_ms in zip(queries, times, strict=True)
    ]


def _time_peers(lab: Lab, megabytes: float, queries: Sequence[str]) -> dict[str, list[float]]:
    """Milliseconds a query of each peer."""
    manuals = lab.corpus(megabytes).manuals
    times = {
        f"scan of {_SCANNED_QUERIES} queries": _timed(lambda query: scan(manuals, query), queries[:_SCANNED_QUERIES])
    }
    for built in lab.peers(megabytes):
        search = built.peer.search
        for query in queries:
            search(query, _BEST)
        times[built.peer.name] = _timed(partial(search, limit=_BEST), queries)
    return times


def _timed(ask: Callable[[str], object], queries: Sequence[str]) -> list[float]:
    times = []
    for query in queries:
        started = time.perf_counter()
        ask(query)
        times.append((time.perf_counter() - started) * 1000)
    return times
