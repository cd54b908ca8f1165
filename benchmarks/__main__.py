"""Measure everything, beside peers in the same run: `python -m benchmarks [--only NAME,...] [--quick]`.

One table on stdout; the figures, and the rows behind them, as JSON in benchmarks/results/. Exit
codes: 0 measured, whatever the figures are; 1 a measurement broke off; 2 wrong usage.
"""

import argparse
import compileall
import contextlib
import os
import platform
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import morenashi.indexer
import morenashi.server

from . import (
    answers,
    building,
    daemon,
    exceptions,
    extras,
    following,
    gold,
    latency,
    listing,
    load,
    memory,
    notes,
    questions,
    redaction,
    references,
    saving,
    sections,
    serving,
    sufficiency,
    terms,
    vault_searching,
)
from .clock import Clock
from .corpus import DEVSET
from .lab import FULL, QUICK, Lab
from .report import Report, Row

RESULTS = Path(__file__).parent / "results"
_VERSIONS = ("morenashi", "mcp", "tantivy")


@dataclass(frozen=True, slots=True)
class Measurement:
    """One of the names of `--only`. Graded ones are left out where the graded material is absent.

    Those that take as long as all others together are measured only if they are named.
    """

    measure: Callable[[Lab, Report], None]
    is_graded: bool = False
    is_long: bool = False


# In this order: `building` leaves the index that those after it use, `saving` changes files.
MEASUREMENTS = {
    questions.NAME: Measurement(questions.measure, is_graded=True),
    extras.MORPHOLOGY: Measurement(extras.measure_morphology, is_graded=True),
    extras.MEANING: Measurement(extras.measure_meaning, is_graded=True, is_long=True),
    terms.NAME: Measurement(terms.measure, is_graded=True),
    sections.NAME: Measurement(sections.measure, is_graded=True),
    exceptions.NAME: Measurement(exceptions.measure, is_graded=True),
    references.NAME: Measurement(references.measure, is_graded=True),
    following.NAME: Measurement(following.measure, is_graded=True),
    sufficiency.NAME: Measurement(sufficiency.measure, is_graded=True),
    redaction.NAME: Measurement(redaction.measure),
    memory.NAME: Measurement(memory.measure),
    building.NAME: Measurement(building.measure),
    latency.NAME: Measurement(latency.measure),
    answers.NAME: Measurement(answers.measure),
    listing.NAME: Measurement(listing.measure),
    serving.NAME: Measurement(serving.measure),
    daemon.NAME: Measurement(daemon.measure),
    vault_searching.NAME: Measurement(vault_searching.measure),
    saving.NAME: Measurement(saving.measure),
    notes.NAME: Measurement(notes.measure),
    load.NAME: Measurement(load.measure),
}


def main() -> int:
    """Run what was asked for, print the table, write the results."""
    options = _parser().parse_args()
    started = datetime.now(UTC)
    about: Row = {"date": started.isoformat(timespec="seconds"), "machine": _machine(), "quick": options.quick}
    about |= {"material": "devset" if gold.is_present() else "the project's own samples"}
    report = Report()
    sizes = QUICK if options.quick else FULL
    stamp = started.strftime("%Y%m%dT%H%M%SZ")
    broken = False
    _write_bytecode()
    with contextlib.ExitStack() as stack:
        folder = options.work or stack.enter_context(tempfile.TemporaryDirectory(prefix="morenashi-bench-"))
        for has_ended in _run(options.only, Lab(Path(folder).resolve(), sizes), report):
            broken = broken or not has_ended
            # After each, so that a run which is ended early leaves what it has.
            paths = report.write(RESULTS, stamp, about)
    print(_heading(about, report))
    print(report.table())
    print("\n".join(f"written: {path}" for path in paths))
    return 1 if broken else 0


def _write_bytecode() -> None:
    """As installing does. In a checkout, every start would otherwise be measured with the compiler."""
    for package in (morenashi.indexer, morenashi.server):
        compileall.compile_dir(Path(package.__path__[0]).resolve(), quiet=1)


def _run(names: list[str], lab: Lab, report: Report) -> Iterator[bool]:
    """Measure, one after the other; for each, whether it came to its end."""
    for name in names:
        if MEASUREMENTS[name].is_graded and not gold.is_present():
            reason = f"the graded material is not at {DEVSET}; MORENASHI_DEVSET names another place"
            report.left_out.append(f"{name}: {reason}")
            yield True
            continue
        clock, elsewhere_seconds = Clock(), report.elsewhere_seconds
        has_ended = True
        try:
            MEASUREMENTS[name].measure(lab, report)
        except Exception as error:  # noqa: BLE001 - a long run keeps what it has; the exit code tells
            traceback.print_exc()
            report.left_out.append(f"{name}: broke off with {type(error).__name__}: {error}")
            has_ended = False
        report.seconds[name] = round(clock.elapsed_seconds, 1)
        report.used_by_others[name] = round(clock.used_by_others(report.elsewhere_seconds - elsewhere_seconds), 3)
        print(f"{name}: {report.seconds[name]:g} s", file=sys.stderr, flush=True)
        yield has_ended


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure, beside peers.")
    usual = [name for name, measurement in MEASUREMENTS.items() if not measurement.is_long]
    names = ", ".join(MEASUREMENTS)
    parser.add_argument("--only", type=_names, default=usual, metavar="NAME[,NAME]", help=f"only these: {names}")
    parser.add_argument("--quick", action="store_true", help="small corpora, few rows: does it run at all?")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep corpora and indexes here, and use them again")
    return parser


def _names(value: str) -> list[str]:
    names = value.split(",")
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no measurement is called {', '.join(unknown)}")
    return [name for name in MEASUREMENTS if name in names]


def _machine() -> Row:
    """What the figures depend on besides the code."""
    return {
        "cpus": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "versions": {name: version(name) for name in _VERSIONS},
    }


def _heading(about: Row, report: Report) -> str:
    machine = about["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    others = ", ".join(f"{name} {share:.0%}" for name, share in report.used_by_others.items())
    lines = [
        f"{about['date']}; {machine['cpus']} cpus, Python {machine['python']}, SQLite {machine['sqlite']}, {versions}",
        f"corpora are made of {about['material']}",
        f"of the cpus, other processes used: {others or '-'}",
    ]
    if about["quick"]:
        lines.append("quick: the corpora are smaller than those that the targets are for")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
