"""The `reindex` command.

Exit codes: 0 done, or nothing differs; 1 `--check` found a difference; 2 wrong usage or settings;
3 another process writes this workspace's index; 4 the database is of a newer version,
or this SQLite cannot hold an index; 130 interrupted
(the index holds whole documents; run it again to go on).
"""

import argparse
import contextlib
import json
import sys
from pathlib import Path

from tqdm import tqdm

from .check import CheckReport, check_index
from .config import Config
from .database import UnsupportedSqliteError, WorkspaceBusyError, hold_writer_lock, open_writer
from .dictionaries import load_dictionaries
from .files import DiskFile, RootMissingError
from .schema import DatabaseTooNewError
from .sync import Observer, Summary, Synchroniser
from .terminal import BUSY, DIFFERENT, DONE, INTERRUPTED, TOO_NEW, USAGE, fail, notice, show

_WARNINGS_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi reindex`."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--full", action="store_true", help="rebuild the whole index, seen whole or not at all")
    how.add_argument("--check", action="store_true", help="compare index and disk, repair nothing; 1 if they differ")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Run `reindex`; the summary goes to stdout, everything else to stderr."""
    try:
        if arguments.check:
            return _check(config, as_json=arguments.json)
        return _reindex(config, full=arguments.full, as_json=arguments.json)
    except RootMissingError as error:
        return fail(str(error), USAGE)
    except WorkspaceBusyError as error:
        return fail(f"{error}; while a server runs it does this by itself", BUSY)
    except (DatabaseTooNewError, UnsupportedSqliteError) as error:
        return fail(str(error), TOO_NEW)
    except KeyboardInterrupt:
        return fail("interrupted; the index is consistent, run reindex again to go on", INTERRUPTED)


def _reindex(config: Config, *, full: bool, as_json: bool) -> int:
    if not config.manuals.is_dir():
        raise RootMissingError(f"{config.manuals} is no folder; a workspace has its manuals in manuals/<manual_id>/")
    with hold_writer_lock(config.database):
        connection, notices = open_writer(config.database)
        with contextlib.closing(connection), contextlib.closing(_ProgressBar()) as bar:
            synchroniser = Synchroniser(config, connection, load_dictionaries(config.dictionaries))
            summary = synchroniser.synchronise(full=full, observer=bar)
    for text in notices:
        notice(text)
    show(json.dumps(summary.as_json(), ensure_ascii=False) if as_json else _describe(summary, config.database))
    return DONE


def _check(config: Config, *, as_json: bool) -> int:
    report = check_index(config.database, config.manuals)
    show(json.dumps(report.as_json(), ensure_ascii=False) if as_json else _describe_check(report))
    return DONE if report.is_clean else DIFFERENT


class _ProgressBar(Observer):
    """A bar on a terminal, nothing in a pipe."""

    def __init__(self) -> None:
        self._bar = tqdm(total=0, unit="B", unit_scale=True, disable=None, leave=False, file=sys.stderr)

    def started(self, files: list[DiskFile], gone: list[tuple[str, str]]) -> None:
        self._bar.total = sum(file.size_bytes for file in files)

    def committed(self, keys: list[tuple[str, str]], size_bytes: int) -> None:
        self._bar.update(size_bytes)

    def close(self) -> None:
        self._bar.close()


def _describe(summary: Summary, database: Path) -> str:
    lines = [
        f"{summary.documents} documents, {summary.sections} sections, {summary.lines} lines in {database}",
        f"added {summary.added}, changed {summary.changed}, removed {summary.removed}, unchanged {summary.unchanged}",
        f"{summary.bytes_indexed / 1e6:.1f} MB in {summary.elapsed_seconds:.1f} s "
        f"({summary.bytes_per_second / 1e6:.1f} MB/s), warnings {len(summary.warnings)}",
    ]
    lines += [f"  {warning.reason}: {warning.path}" for warning in summary.warnings[:_WARNINGS_SHOWN]]
    if len(summary.warnings) > _WARNINGS_SHOWN:
        lines.append(f"  and {len(summary.warnings) - _WARNINGS_SHOWN} more (--json shows all)")
    return "\n".join(lines)


def _describe_check(report: CheckReport) -> str:
    if report.is_clean:
        return "the index equals the disk"
    groups = (
        ("new", report.new),
        ("changed", report.changed),
        ("gone", report.gone),
        ("fault", report.faults),
    )
    return "\n".join(f"{label}: {name}" for label, names in groups for name in names)
