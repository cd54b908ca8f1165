"""`morenashi doctor`: finds what is wrong with a workspace, says why it matters and what to do.

Exit codes: 0 nothing is wrong (notes do not count); 1 something is; 3 what `--fix` could repair is kept by another
process; 4 the database is of a newer version, or this SQLite cannot hold an index; the others as `reindex`.
"""

import argparse
import contextlib
import json
import platform
import shlex
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import morenashi
from morenashi.indexer.collections import Collection, collection_of, collections_of
from morenashi.indexer.config import Config
from morenashi.indexer.database import open_reader
from morenashi.indexer.listing import RootMissingError
from morenashi.indexer.presence import current_folder, is_folder, is_there
from morenashi.indexer.salvage import is_unfinished
from morenashi.indexer.terminal import BUSY, DIFFERENT, DONE, NO_WORKSPACE, TOO_NEW, show
from morenashi.indexer.writer_lock import WorkspaceBusyError, writer_lock_of
from morenashi.server.health.databases import database_findings, is_readable
from morenashi.server.health.dictionaries import dictionary_findings
from morenashi.server.health.documents import document_findings
from morenashi.server.health.findings import Finding, counted
from morenashi.server.health.holders import is_held, lock_findings, write_lock_findings
from morenashi.server.health.memory import NO_POLICY, key_findings, memory_findings
from morenashi.server.health.overlooked import say_elsewhere
from morenashi.server.health.program import program_findings
from morenashi.server.health.servers import server_findings
from morenashi.server.health.settings import setting_findings
from morenashi.server.health.storage import storage_findings
from morenashi.server.health.watching import watch_findings
from morenashi.server.vault.locking import write_lock_of


@dataclass(frozen=True, slots=True)
class _Repair:
    """What became of a finding's repair: what was done, or why nothing was."""

    code: str
    what: str
    did: str | None
    failed: str | None = None
    is_busy: bool = False


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Examine; with `--fix`, repair and examine again. The report goes to stdout."""
    findings = list(_examine(config))
    repairs = [_repair(finding) for finding in findings if finding.repair] if arguments.fix else []
    if repairs:
        findings = list(_examine(config))
    if arguments.json:
        show(json.dumps(_as_json(config, findings, repairs), ensure_ascii=False))
    else:
        is_elsewhere = arguments.workspace is not None and config.root != current_folder()
        show(_as_text(config, findings, repairs, is_elsewhere=is_elsewhere))
    return _exit_code(findings, repairs)


def _examine(config: Config) -> Iterator[Finding]:
    """Everything that is found; nothing is changed by looking."""
    yield from program_findings()
    yield from storage_findings(config)
    yield from dictionary_findings(config.dictionaries)
    yield from key_findings(config)
    yield from setting_findings(config)
    yield from server_findings(str(config.root))
    yield from write_lock_findings(write_lock_of(config.vault))
    for collection in collections_of(config):
        yield from _collection_findings(config, collection)
    manuals = collection_of(config, "manuals")
    if not is_there(manuals.database) and not is_unfinished(manuals.database):
        yield NO_POLICY
    # Of a damaged database enough is said by now.
    with contextlib.suppress(sqlite3.DatabaseError):
        if is_readable(manuals):
            with contextlib.closing(open_reader(manuals.database)) as reader:
                yield from memory_findings(reader)


def _collection_findings(config: Config, collection: Collection) -> Iterator[Finding]:
    is_kept = is_held(writer_lock_of(collection.database))
    yield from lock_findings(collection)
    try:
        yield from document_findings(config, collection)
        yield from watch_findings(collection.root, config.watch, is_kept=is_kept)
        yield from database_findings(config, collection, is_kept=is_kept)
    except RootMissingError as error:
        is_closed = is_folder(collection.root)
        yield Finding(
            f"no_{collection.kind}",
            "error",
            str(error) + ("" if is_closed else say_elsewhere(config, "in the workspace")),
            "nothing can be indexed; what was indexed is kept and listed as changed",
            _ENTER if is_closed else _ELSEWHERE,
        )
    except sqlite3.OperationalError as error:
        yield Finding(
            "database_unusable",
            "error",
            f"{collection.database.name} cannot be examined: {error}",
            "it is locked for long, its folder cannot be written, or the disk fails",
            "look at what else uses the file, and at the disk, then run this again",
        )


def _repair(finding: Finding) -> _Repair:
    assert finding.repair is not None
    try:
        return _Repair(finding.code, finding.what, finding.repair())
    except WorkspaceBusyError as error:
        return _Repair(finding.code, finding.what, None, f"{error}; end it first", is_busy=True)
    except Exception as error:  # noqa: BLE001 - whatever was in its way is said, and the other repairs are done
        return _Repair(finding.code, finding.what, None, str(error))


def _exit_code(findings: list[Finding], repairs: list[_Repair]) -> int:
    codes = {finding.code for finding in findings if finding.severity != "note"}
    if codes & {"database_newer", "sqlite_unusable"}:
        return TOO_NEW
    if codes and any(repair.is_busy for repair in repairs):
        return BUSY
    return DIFFERENT if codes else DONE


def _as_json(config: Config, findings: list[Finding], repairs: list[_Repair]) -> dict[str, Any]:
    return {
        "workspace": str(config.root),
        "versions": _versions(),
        "healthy": all(finding.severity == "note" for finding in findings),
        "findings": [finding.as_json() for finding in findings],
        "repairs": [{"code": repair.code, "did": repair.did, "failed": repair.failed} for repair in repairs],
    }


def _as_text(config: Config, findings: list[Finding], repairs: list[_Repair], *, is_elsewhere: bool) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in _versions().items())
    lines = [f"{config.root} ({versions})"]
    for repair in repairs:
        lines += ["", f"repaired  {repair.what}", f"  did: {repair.did}"] if repair.did else []
        lines += ["", f"not repaired  {repair.what}", f"  why: {repair.failed}"] if repair.failed else []
    for finding in findings:
        lines += ["", f"{finding.severity}  {finding.what}", f"  why: {finding.why}", f"  do:  {finding.advice}"]
    # Run as they stand, they would be about the folder that this was run in.
    if is_elsewhere and any("`morenashi " in finding.advice for finding in findings):
        lines += ["", f"add to these commands: --workspace {shlex.quote(str(config.root))}"]
    return "\n".join([*lines, "", _verdict(findings)])


def _verdict(findings: list[Finding]) -> str:
    counts = [
        counted(number, severity)
        for severity in ("error", "warning", "note")
        if (number := sum(finding.severity == severity for finding in findings))
    ]
    if all(finding.severity == "note" for finding in findings):
        return " ".join(["nothing is wrong", *(f"({count})" for count in counts)])
    return ", ".join(counts)


def _versions() -> dict[str, str]:
    return {
        "morenashi": morenashi.__version__,
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
    }


_ENTER = "give the user who runs the server the right to read and enter it (chmod u+rx)"

_ELSEWHERE = (
    f"{NO_WORKSPACE}, with manuals/, where each manual has a folder of its own; "
    "MANUALS_ROOT and VAULT_ROOT name single folders"
)
