"""Saving: milliseconds from before a file is written until a reader finds what was added.

A line with a new number is appended to small and large Markdown files by turns while the server's
workspace is open and watching. A read-only connection asks the index every 2 ms; afterwards, not
timed, `manual_find` has to find the number too.
"""

import contextlib
import random
import sqlite3
import time
from pathlib import Path

from .calls import Calls, open_calls, read_only
from .lab import Corpus, Lab
from .report import Figure, Report, Row, at_least, at_most, percentile

NAME = "saving"
_SMALL_BYTES, _LARGE_BYTES = 100_000, 500_000
_POLL_SECONDS, _PATIENCE_SECONDS = 0.002, 10.0
_MOST_MS = 300
_SEED = 1


def measure(lab: Lab, report: Report) -> None:
    """Save on the main corpus; the files are put back afterwards."""
    corpus = lab.indexed(lab.sizes.main)
    chance = random.Random(_SEED)
    files = _choose(corpus, chance, lab.sizes.saves)
    contents = {path: path.read_bytes() for path in files}
    rows: list[Row] = []
    try:
        with open_calls(corpus.root) as calls, contextlib.closing(read_only(corpus.database)) as reader:
            for path in files:
                rows.append(_save(path, f"{chance.randrange(10**17, 10**18)}", reader, calls))
                # Saves come at any moment of the watcher's rhythm.
                time.sleep(chance.uniform(0.3, 0.6))
    finally:
        for path, content in contents.items():
            path.write_bytes(content)
    report.rows[NAME] = rows
    _summarise(report, rows, lab.sizes.main)


def _summarise(report: Report, rows: list[Row], megabytes: float) -> None:
    times = [float(row["ms"]) for row in rows]
    what = f"{len(rows)} saves, {megabytes:g} MB: saved to findable"
    report.add(Figure(f"{what}, p95", percentile(times, 0.95), "ms", at_most(_MOST_MS)))
    report.add(Figure(f"{what}, p50", percentile(times, 0.5), "ms"))
    for label, is_large in (("large files", True), ("small files", False)):
        some = [float(row["ms"]) for row in rows if (row["bytes"] >= _LARGE_BYTES) == is_large]
        if some:
            report.add(Figure(f"{what}, {label}, slowest", max(some), "ms"))
    answered = sum(row["matched_lines"] == 1 for row in rows) / len(rows)
    report.add(Figure(f"{what}, then answered by manual_find", answered, "", at_least(1)))


def _choose(corpus: Corpus, chance: random.Random, count: int) -> list[Path]:
    """Small and large files by turns."""
    files = sorted(corpus.manuals.rglob("*.md"))
    small = [path for path in files if path.stat().st_size < _SMALL_BYTES]
    large = [path for path in files if path.stat().st_size >= _LARGE_BYTES] or small
    return [chance.choice(large if turn % 2 else small) for turn in range(count)]


def _save(path: Path, number: str, reader: sqlite3.Connection, calls: Calls) -> Row:
    size = path.stat().st_size
    line = f"\n{number}\n".encode()
    started = time.perf_counter()
    with path.open("ab") as file:
        file.write(line)
    while not _is_indexed(reader, number):
        if time.perf_counter() - started > _PATIENCE_SECONDS:
            raise TimeoutError(f"{path.name}: what was saved is not in the index after {_PATIENCE_SECONDS:g} s")
        time.sleep(_POLL_SECONDS)
    elapsed_ms = (time.perf_counter() - started) * 1000
    matched_lines = calls.find(number)["summary"]["completeness"]["lines"]["matched"]
    return {"path": path.name, "bytes": size, "ms": elapsed_ms, "matched_lines": matched_lines}


def _is_indexed(reader: sqlite3.Connection, number: str) -> bool:
    return reader.execute(_HELD, (f'"{number}"',)).fetchone() is not None


_HELD = "SELECT rowid FROM words WHERE words MATCH ? LIMIT 1"
