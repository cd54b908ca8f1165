"""The `reindex` command.

Exit codes: 0 done, or nothing differs; 1 `--check` found a difference; 2 wrong usage or settings;
3 another process writes this workspace's index; 4 the database is of a newer version,
or this SQLite cannot hold an index; 130 interrupted
(the index holds whole documents; run it again to go on).
"""

import argparse
import contextlib
import json
import sqlite3
import sys
from typing import Any

from tqdm import tqdm

from .check import CheckReport, check_index
from .collections import Collection, CollectionKind, collection_of, collections_of
from .config import Config, ConfigError
from .database import UnsupportedSqliteError, may_pass, open_writer
from .dictionaries import load_dictionaries
from .files import DiskFile, Key
from .listing import RootMissingError
from .presence import is_folder
from .salvage import is_damage, set_aside
from .schema import DatabaseTooNewError
from .sync import Observer, Summary, Synchroniser
from .terminal import (
    BUSY,
    DIFFERENT,
    DONE,
    INTERRUPTED,
    TOO_NEW,
    USAGE,
    fail,
    notice,
    refuse_closed,
    show,
    where_manuals_are,
)
from .write_ahead_log import WriteAheadLog
from .writer_lock import WorkspaceBusyError, WorkspaceUnwritableError, hold_writer_lock

_WARNINGS_SHOWN = 20


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Run `reindex`; the summary goes to stdout, everything else to stderr."""
    try:
        if not is_folder(config.manuals):
            raise RootMissingError(f"{config.manuals} is no folder; {where_manuals_are(config.manuals_root)}")
        if arguments.check:
            return _check(config, as_json=arguments.json)
        return _reindex(config, full=arguments.full, as_json=arguments.json)
    except (ConfigError, RootMissingError, WorkspaceUnwritableError) as error:
        return fail(str(error), USAGE)
    except PermissionError as error:
        return refuse_closed(error)
    except sqlite3.DatabaseError as error:
        if not may_pass(error):
            raise
        if arguments.check:
            return fail(f"the index cannot be examined: {error}", USAGE)
        return fail(f"the index cannot be written: {error}; it is consistent, run reindex again to go on", USAGE)
    except WorkspaceBusyError as error:
        advice = "end it first: `morenashi stop`" if arguments.full else "while a server runs it does this by itself"
        return fail(f"{error}; {advice}", BUSY)
    except (DatabaseTooNewError, UnsupportedSqliteError) as error:
        return fail(str(error), TOO_NEW)
    except KeyboardInterrupt:
        return fail("interrupted; the index is consistent, run reindex again to go on", INTERRUPTED)


def _reindex(config: Config, *, full: bool, as_json: bool) -> int:
    collections = list(collections_of(config))
    summaries = {collection.kind: synchronise(config, collection.kind, full=full) for collection in collections}
    for remark in load_dictionaries(config.dictionaries).remarks:
        notice(remark)
    if as_json:
        show(json.dumps(_joined({kind: summary.as_json() for kind, summary in summaries.items()}), ensure_ascii=False))
    else:
        for collection in collections:
            show(_describe(summaries[collection.kind], collection))
    return DONE


def synchronise(config: Config, kind: CollectionKind, *, full: bool) -> Summary:
    """Bring one index up to date, with a bar on a terminal; what was salvaged or backed up goes to stderr.

    Raises `WorkspaceBusyError`, `RootMissingError`, `DatabaseTooNewError` or `UnsupportedSqliteError`.
    """
    database = collection_of(config, kind).database
    with hold_writer_lock(database):
        try:
            return _synchronise(config, kind, full=full)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            # Pages of which SQLite says nothing wrong may hold text that is none any more: that shows when it is read.
            set_aside(database)
            return _synchronise(config, kind, full=full)


def _synchronise(config: Config, kind: CollectionKind, *, full: bool) -> Summary:
    connection, notices = open_writer(collection_of(config, kind).database)
    for text in notices:
        notice(text)
    with contextlib.closing(connection), contextlib.closing(_ProgressBar()) as bar:
        synchroniser = Synchroniser(config, connection, load_dictionaries(config.dictionaries), kind)
        summary = synchroniser.synchronise(full=full, observer=bar)
        # If others have the database open, closing it here leaves the log as long as it has grown.
        WriteAheadLog(connection, most_bytes=0).shorten()
    return summary


def _check(config: Config, *, as_json: bool) -> int:
    reports = {collection.kind: check_index(config, collection.kind) for collection in collections_of(config)}
    is_clean = all(report.is_clean for report in reports.values())
    if as_json:
        joined = _joined({kind: report.as_json() for kind, report in reports.items()})
        show(json.dumps(joined | {"clean": is_clean}, ensure_ascii=False))
    else:
        for kind, report in reports.items():
            show(_describe_check(report, kind))
    return DONE if is_clean else DIFFERENT


def _joined(reports: dict[CollectionKind, dict[str, Any]]) -> dict[str, Any]:
    """What is reported of the manuals, with that of the vault beside it."""
    vault = reports.get("vault")
    return reports["manuals"] | ({"vault": vault} if vault else {})


class _ProgressBar(Observer):
    """A bar on a terminal, nothing in a pipe."""

    def __init__(self) -> None:
        self._bar = tqdm(total=0, unit="B", unit_scale=True, disable=None, leave=False, file=sys.stderr)

    def started(self, files: list[DiskFile], gone: list[Key]) -> None:
        self._bar.total = sum(file.size_bytes for file in files)

    def committed(self, keys: list[Key], size_bytes: int) -> None:
        self._bar.update(size_bytes)

    def close(self) -> None:
        self._bar.close()


def _describe(summary: Summary, collection: Collection) -> str:
    what = "notes" if collection.kind == "vault" else "documents"
    lines = [
        f"{what} {summary.documents}, sections {summary.sections}, lines {summary.lines} in {collection.database}",
        f"added {summary.added}, changed {summary.changed}, removed {summary.removed}, unchanged {summary.unchanged}",
        f"{summary.bytes_indexed / 1e6:.1f} MB in {summary.elapsed_seconds:.1f} s "
        f"({summary.bytes_per_second / 1e6:.1f} MB/s), warnings {len(summary.warnings)}",
    ]
    lines += [f"  {warning.reason}: {warning.path}" for warning in summary.warnings[:_WARNINGS_SHOWN]]
    if len(summary.warnings) > _WARNINGS_SHOWN:
        lines.append(f"  and {len(summary.warnings) - _WARNINGS_SHOWN} more (--json shows all)")
    if summary.other_formats:
        formats = ", ".join(f"{suffix} ({files})" for suffix, files in summary.other_formats.items())
        lines.append(f"neither Markdown nor JSON, not read: {formats}")
    return "\n".join(lines)


def _describe_check(report: CheckReport, kind: CollectionKind) -> str:
    groups = (
        ("new", report.new),
        ("changed", report.changed),
        ("gone", report.gone),
        ("fault", report.faults),
    )
    found = [f"{label}: {name}" for label, names in groups for name in names]
    where = "vault: " if kind == "vault" else ""
    return "\n".join(where + line for line in found or ["the index equals the disk"])
