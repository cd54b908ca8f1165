"""`morenashi memory`: moves claims as JSON lines, and forgets one for good.

Exit codes as `reindex`; `forget` gives 1 if a file that cannot be cleared still holds the text.
"""

import argparse
import contextlib
import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from morenashi.indexer.config import Config
from morenashi.indexer.database import WorkspaceBusyError, hold_writer_lock, open_writer
from morenashi.indexer.terminal import DIFFERENT, DONE, notice, show
from morenashi.server.errors import ToolError
from morenashi.server.memory import audit_log
from morenashi.server.memory.claims import Claim
from morenashi.server.memory.forgetting import clear_files, forget
from morenashi.server.memory.policies import load_current
from morenashi.server.memory.transfer import export_claims, import_claims
from morenashi.server.memory.writer import MemoryWriter

from .opening import open_stored_index


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Run an action; what fails is raised as `ToolError`."""
    if arguments.action == "export":
        return _export(config, arguments.file)
    if arguments.action == "import":
        return _import(config, arguments.file)
    return _forget(config, arguments.id)


def _export(config: Config, file: str) -> int:
    with open_stored_index(config) as connection:
        connection.execute("BEGIN")
        lines = export_claims(connection)
        _write(lines, file)
        count = connection.execute("SELECT count(*) FROM claims").fetchone()[0]
    notice(f"{count} claims written")
    return DONE


def _write(lines: Iterator[str], file: str) -> None:
    if file == "-":
        for line in lines:
            show(line)
        return
    try:
        with Path(file).open("w", encoding="utf-8", newline="\n") as target:
            target.writelines(f"{line}\n" for line in lines)
    except OSError:
        raise ToolError("forbidden", f"{file} cannot be written") from None


def _import(config: Config, file: str) -> int:
    with _writing(config) as writer, _lines(file) as lines:

        def take(connection: sqlite3.Connection) -> tuple[int, int]:
            applied = load_current(connection)
            if applied is None:
                raise ToolError("POLICY_MISSING", "no policy is in force: run `morenashi policy init` first")
            counts = import_claims(connection, lines, applied.policy)
            audit_log.append(connection, audit_log.by_command("memory import", applied.version))
            return counts

        new, known = writer.write(take)
    notice(f"{new} claims taken, {known} were there already")
    return DONE


def _forget(config: Config, claim_id: str) -> int:
    with _writing(config) as writer:

        def take(connection: sqlite3.Connection) -> Claim:
            claim = forget(connection, claim_id)
            if claim is None:
                raise ToolError("UNKNOWN_CLAIM", "there is no such claim")
            applied = load_current(connection)
            version = applied.version if applied else "0.0.0"
            audit_log.append(connection, audit_log.by_command("memory forget", version, claim_id))
            return claim

        claim = writer.write(take)
    receipt = clear_files(config.database, claim)
    shown = {"forgotten": claim_id, "searched_bytes": receipt.searched, "still_in": receipt.still_in}
    show(json.dumps(shown | {"said_elsewhere": receipt.is_said_elsewhere}))
    if receipt.still_in:
        notice(f"still in {', '.join(receipt.still_in)}: delete these files")
        return DIFFERENT
    return DONE


@contextlib.contextmanager
def _writing(config: Config) -> Iterator[MemoryWriter]:
    """The memory's writer; where no server keeps the database, it is brought to the present schema first."""
    with contextlib.suppress(WorkspaceBusyError), hold_writer_lock(config.database):
        connection, notices = open_writer(config.database)
        connection.close()
        for text in notices:
            notice(text)
    writer = MemoryWriter(config.database)
    try:
        yield writer
    finally:
        writer.close()


@contextlib.contextmanager
def _lines(file: str) -> Iterator[Iterator[str]]:
    if file == "-":
        yield iter(sys.stdin)
        return
    with contextlib.ExitStack() as stack:
        try:
            # What is no UTF-8 is no JSON, and refused with its line.
            source = stack.enter_context(Path(file).open(encoding="utf-8", errors="surrogateescape"))
        except OSError:
            raise ToolError("not_found", f"{file} cannot be read") from None
        yield iter(source)
