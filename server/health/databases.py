"""The two databases: damaged, of another version, at odds with the disk or with their own texts."""

import contextlib
import sqlite3
import time
from collections.abc import Iterator

from morenashi.indexer import salvage
from morenashi.indexer.check import CheckReport, check_index
from morenashi.indexer.cli import synchronise
from morenashi.indexer.collections import Collection
from morenashi.indexer.config import Config
from morenashi.indexer.database import open_reader, raise_if_damaged
from morenashi.indexer.presence import is_there
from morenashi.indexer.schema import DatabaseTooNewError, holds_nothing, is_ours, refuse_newer

from .findings import Finding, counted, listed

# A server that runs has seen a change after this time.
_PATIENCE_SECONDS = 2.0


def database_findings(config: Config, collection: Collection, *, is_kept: bool) -> Iterator[Finding]:
    """What is wrong with one database. `is_kept`: a server holds its lock. Raises `RootMissingError`."""
    if not is_there(collection.database):
        if not is_kept:
            is_unfinished = salvage.is_unfinished(collection.database)
            yield _half_salvaged(config, collection) if is_unfinished else _not_there(config, collection)
        return
    found = _state(config, collection, is_kept=is_kept)
    if found is not None:
        yield found
        return
    report = check_index(config, collection.kind)
    if is_kept and _drift(report):
        time.sleep(_PATIENCE_SECONDS)
        report = check_index(config, collection.kind)
    yield from _report_findings(config, collection, report, is_kept=is_kept)


def is_readable(collection: Collection) -> bool:
    """Whether questions can be put to the database: it is there, sound and of this version."""
    if not is_there(collection.database):
        return False
    try:
        with contextlib.closing(open_reader(collection.database)) as reader:
            return is_ours(reader)
    except sqlite3.DatabaseError:
        return False


def _state(config: Config, collection: Collection, *, is_kept: bool) -> Finding | None:
    """What forbids to look any closer."""
    try:
        with contextlib.closing(open_reader(collection.database)) as reader:
            refuse_newer(reader)
            raise_if_damaged(reader)
            is_present = is_ours(reader)
            is_empty = holds_nothing(reader)
    except DatabaseTooNewError as error:
        return Finding(
            "database_newer",
            "error",
            f"{collection.database.name}: {error}",
            "this program leaves it untouched and serves nothing from it",
            "install the newer version again, or use another workspace",
        )
    except sqlite3.DatabaseError as error:
        return _unusable(config, collection, error, is_kept=is_kept)
    if is_present:
        return None
    if is_empty and not is_kept:
        return _not_there(config, collection)
    return _kept_by_another_version(config, collection) if is_kept else _older(config, collection)


def _unusable(config: Config, collection: Collection, error: sqlite3.DatabaseError, *, is_kept: bool) -> Finding:
    if not salvage.is_damage(error):
        return Finding(
            "database_unusable",
            "error",
            f"{collection.database.name} cannot be opened: {error}",
            "nothing can be searched",
            "look at what else has the file open, and who may write it and its folder: SQLite keeps others beside it",
        )
    advice = "a server repairs it by itself; look again in a moment" if is_kept else _OR_FIX
    return Finding(
        "database_damaged",
        "error",
        f"{collection.database.name} is damaged",
        "searches may fail or miss something; traces and memory are in this file too",
        advice,
        lambda: _reindex(config, collection),
    )


def _kept_by_another_version(config: Config, collection: Collection) -> Finding:
    return Finding(
        "database_kept",
        "warning",
        f"{collection.database.name} is of an older version, and a server keeps it",
        "no server of this version can use it, unless that one is of this version and only now brings it forward",
        "look again in a moment; if it is still so, end that server: `morenashi stop`",
        lambda: _reindex(config, collection),
    )


def _older(config: Config, collection: Collection) -> Finding:
    return Finding(
        "database_older",
        "note",
        f"{collection.database.name} was written by an older version",
        "the next start makes a backup, brings it forward and indexes the files again",
        "nothing; or do it now: `morenashi reindex`",
        lambda: _reindex(config, collection),
    )


def _not_there(config: Config, collection: Collection) -> Finding:
    return Finding(
        "not_indexed",
        "note",
        f"{collection.kind}: there is no index yet",
        "a server makes it when it starts",
        "nothing; or make it now: `morenashi reindex`",
        lambda: _reindex(config, collection),
    )


def _half_salvaged(config: Config, collection: Collection) -> Finding:
    return Finding(
        "salvage_unfinished",
        "error",
        f"{collection.database.name} was damaged and set aside; what it held is not carried over yet",
        "a process was killed, or had no room, while it did that; traces and memory are in the file set aside",
        "leave `.damaged-*` where it is; the next server goes on, or do it now: `morenashi reindex`; `--fix` does",
        lambda: _reindex(config, collection),
    )


def _report_findings(
    config: Config, collection: Collection, report: CheckReport, *, is_kept: bool
) -> Iterator[Finding]:
    if drift := _drift(report):
        yield Finding(
            "drift",
            "warning" if is_kept else "note",
            f"{collection.kind}: {counted(len(drift), 'file')} otherwise on disk than in the index: {listed(drift)}",
            "the server should have followed by now; answers list them as `changed_since_index`"
            if is_kept
            else "they changed while no server ran; the next one indexes them when it starts",
            "end the server and start it anew; if that does not help, see its log"
            if is_kept
            else "nothing; or do it now: `morenashi reindex`",
            lambda: _reindex(config, collection),
        )
    if report.faults:
        yield Finding(
            "index_wrong",
            "error",
            f"{collection.database.name}: {listed(report.faults)}",
            "searches may miss something; a server that notices scans instead, which is slow",
            "rebuild it: `morenashi reindex --full`, with no server running; `--fix` does",
            lambda: _rebuild(config, collection),
        )


def _drift(report: CheckReport) -> list[str]:
    return [*report.new, *report.changed, *report.gone]


def _reindex(config: Config, collection: Collection) -> str:
    summary = synchronise(config, collection.kind, full=False)
    return f"indexed {counted(summary.added + summary.changed, 'file')}, dropped {summary.removed}"


def _rebuild(config: Config, collection: Collection) -> str:
    summary = synchronise(config, collection.kind, full=True)
    return f"rebuilt from {counted(summary.documents, 'file')}"


_OR_FIX = "`morenashi reindex` sets it aside, carries over what can be read and rebuilds the rest; `--fix` does"
