"""The daemon: what clients see of `morenashi serve` on the main corpus when one process serves them all.

Seconds from starting a client's process to the answer of its first search, with the daemon running and without one; MB
(10^6 bytes) of resident memory of that process; milliseconds that it adds to a call, as p50 through it minus p50
straight on the daemon's socket, both by turns in the same run.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import psutil

from morenashi.server.edge.daemon.control import ask_state
from morenashi.server.edge.daemon.place import DaemonPlace, find_place

from . import gold
from .lab import Corpus, Lab
from .one_server import Connection, connected
from .report import Figure, Report, at_most, percentile

NAME = "daemon"
_WARM_STARTS, _COLD_STARTS, _CALLS = 20, 5, 500
_MOST_WARM_SECONDS, _MOST_COLD_SECONDS, _MOST_RSS_MB, _MOST_OVERHEAD_MS = 0.05, 1, 15, 0.6


def measure(lab: Lab, report: Report) -> None:
    """Start clients' processes with and without a daemon, then call through one and past it."""
    corpus, query = lab.indexed(lab.sizes.main), gold.read_query_mix()[0]
    with _shared(corpus, lab.log(NAME)) as shared:
        cold = [shared.cold_start(query) for _ in range(_COLD_STARTS)]
        warm = [shared.first_answer(query) for _ in range(_WARM_STARTS)]
        rss_mb, through, straight = shared.by_turns(query)
    report.elsewhere_seconds += shared.daemon_seconds
    what = f"serve through the daemon, {lab.sizes.main:g} MB"
    first = "start to first answer"
    report.add(Figure(f"{what}: {first}, daemon running, p50", percentile(warm, 0.5), "s", at_most(_MOST_WARM_SECONDS)))
    report.add(Figure(f"{what}: {first}, cold, slowest of {_COLD_STARTS}", max(cold), "s", at_most(_MOST_COLD_SECONDS)))
    report.add(Figure(f"{what}: resident memory of a client's process", rss_mb, "MB", at_most(_MOST_RSS_MB)))
    overhead = percentile(through, 0.5) - percentile(straight, 0.5)
    report.add(Figure(f"{what}: added to a call, p50", overhead, "ms", at_most(_MOST_OVERHEAD_MS)))
    report.rows[NAME] = [{"start": "cold", "seconds": seconds} for seconds in cold]
    report.rows[NAME] += [{"start": "warm", "seconds": seconds} for seconds in warm]
    report.rows[NAME] += [
        {"through_ms": one, "straight_ms": other} for one, other in zip(through, straight, strict=True)
    ]


@dataclass(slots=True)
class _Shared:
    """A workspace whose daemons have their sockets in a folder of their own."""

    root: Path
    environment: dict[str, str]
    log: BinaryIO
    daemon_seconds: float = 0.0
    """Cpu seconds that the daemons used which have been stopped."""

    def cold_start(self, query: str) -> float:
        self.stop()
        return self.first_answer(query)

    def first_answer(self, query: str) -> float:
        """Seconds from before the process is started until it has answered a search."""
        started = time.perf_counter()
        with self._client() as (client, _):
            client.answer("manual_find", query=query)
            return time.perf_counter() - started

    def by_turns(self, query: str) -> tuple[float, list[float], list[float]]:
        """MB of the client's process after all calls; milliseconds of each call through it and past it."""
        with self._client() as (client, process), connected(self._place()) as direct:
            client.answer("manual_find", query=query)
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(_CALLS):
                for connection, own in zip((client, direct), times, strict=True):
                    started = time.perf_counter()
                    connection.answer("manual_list")
                    own.append((time.perf_counter() - started) * 1000)
            return int(psutil.Process(process).memory_info().rss) / 1e6, *times

    def stop(self) -> None:
        state = ask_state(Path(self._place().socket), str(self.root))
        if state is not None:
            used = psutil.Process(state["pid"]).cpu_times()
            self.daemon_seconds += used.user + used.system + used.children_user + used.children_system
        command = [sys.executable, "-m", "morenashi", "stop", "--workspace", str(self.root)]
        subprocess.run(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=self.log, check=True)

    @contextlib.contextmanager
    def _client(self) -> Iterator[tuple[Connection, int]]:
        command = [sys.executable, "-m", "morenashi", "serve", "--workspace", str(self.root)]
        with subprocess.Popen(
            command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, bufsize=0
        ) as process:
            assert process.stdin
            assert process.stdout
            client = Connection(process.stdin.write, os.fdopen(os.dup(process.stdout.fileno()), "rb"))
            with client.answers:
                client.initialise()
                yield client, process.pid

    def _place(self) -> DaemonPlace:
        return find_place(str(self.root), self.environment)


@contextlib.contextmanager
def _shared(corpus: Corpus, log: Path) -> Iterator[_Shared]:
    with tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp") as runtime, log.open("ab") as file:
        shared = _Shared(corpus.root, os.environ | {"XDG_RUNTIME_DIR": runtime}, file)
        try:
            yield shared
        finally:
            shared.stop()
