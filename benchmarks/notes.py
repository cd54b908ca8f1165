"""Notes: milliseconds that `vault_read`, `vault_scan` and a durable append take inside the server, p50.

Files of three sizes are read from random lines, after one call for each. An append waits for the disk and for the
index; the share of it that is spent in fsync is stated, for it is the disk's. Needs no corpus.
"""

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from morenashi.indexer.config import read_config
from morenashi.server.deadline import Deadline
from morenashi.server.edge.registry import TOOLS
from morenashi.server.edge.validate import parse_arguments
from morenashi.server.workspace import Workspace

from .lab import Lab
from .report import Figure, Report, at_most, percentile

NAME = "notes"
_LINE = "申請は、所定の書面によって行うものとする。\n"
_SIZES = ((4_096, "4 KB", 0.5), (1_000_000, "1 MB", 2), (10_000_000, "10 MB", 5))
_CALLS, _APPENDS, _MOST_APPEND_MS = 200, 100, 10
_CHUNK_LINES, _DEADLINE_MS, _SEED = 80, 60_000, 1


def measure(lab: Lab, report: Report) -> None:
    """Read and scan files of all sizes, then append to the smallest."""
    root = lab.workspace(NAME)
    vault = root / "vault"
    vault.mkdir()
    (root / "manuals").mkdir()
    for size_bytes, label, _ in _SIZES:
        (vault / f"{label}.md").write_text(_LINE * (size_bytes // len(_LINE.encode())), "utf-8")
    report.rows[NAME] = []
    workspace = Workspace(read_config({"WORKSPACE_ROOT": str(root)}))
    try:
        for _, label, _ in _SIZES:
            workspace.vault_written(f"{label}.md")
        for size_bytes, label, most_ms in _SIZES:
            _measure_reads(workspace, report, label, size_bytes // len(_LINE.encode()), most_ms)
        _measure_appends(workspace, report)
    finally:
        workspace.close()


def _measure_reads(workspace: Workspace, report: Report, label: str, lines: int, most_ms: float) -> None:
    chance = random.Random(_SEED)
    path = f"{label}.md"
    for tool in ("vault_read", "vault_scan"):
        _call(workspace, tool, path=path, **_from_line(tool, 1, lines))
        times = [
            _call(workspace, tool, path=path, **_from_line(tool, chance.randint(1, lines), lines))
            for _ in range(_CALLS)
        ]
        report.add(Figure(f"{tool}, {label}: p50", percentile(times, 0.5), "ms", at_most(most_ms)))
        report.rows[NAME] += [{"tool": tool, "size": label, "ms": elapsed_ms} for elapsed_ms in times]


def _measure_appends(workspace: Workspace, report: Report) -> None:
    path = f"{_SIZES[0][1]}.md"
    with _timed_fsync() as synchronised:
        times = [_call(workspace, "vault_write", path=path, content=_LINE, mode="append") for _ in range(_APPENDS)]
    report.add(Figure("vault_write append, durable: p50", percentile(times, 0.5), "ms", at_most(_MOST_APPEND_MS)))
    report.add(Figure("vault_write append, durable: share of fsync", sum(synchronised) / sum(times)))
    report.rows[NAME] += [{"tool": "vault_write", "ms": elapsed_ms} for elapsed_ms in times]


def _from_line(tool: str, line: int, lines: int) -> dict[str, Any]:
    if tool == "vault_scan":
        return {"start_line": line, "chunk_lines": _CHUNK_LINES}
    return {"range": {"start_line": line, "end_line": min(line + _CHUNK_LINES, lines)}}


def _call(workspace: Workspace, name: str, **arguments: Any) -> float:
    """Milliseconds of a call, its arguments parsed as the protocol does."""
    tool = TOOLS[name]
    started = time.perf_counter()
    tool.run(workspace, parse_arguments(tool.input, arguments), Deadline(_DEADLINE_MS))
    return (time.perf_counter() - started) * 1000


@contextmanager
def _timed_fsync() -> Iterator[list[float]]:
    """The milliseconds of each `os.fsync` of this process meanwhile; SQLite's own are not among them."""
    times: list[float] = []
    fsync = os.fsync

    def timed(descriptor: int) -> None:
        started = time.perf_counter()
        fsync(descriptor)
        times.append((time.perf_counter() - started) * 1000)

    os.fsync = timed  # type: ignore[assignment]
    try:
        yield times
    finally:
        os.fsync = fsync
