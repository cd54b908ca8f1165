"""A damaged database: set it aside, carry its side tables over row by row, say what was lost."""

import contextlib
import hashlib
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from . import schema
from .first_page import image_without_first_page
from .log_frames import image_with_whole_log, is_cut, is_emptied
from .presence import is_there
from .private_files import create_private, keep_mode
from .strayed_rows import NO_ANSWER, STORED, StrayedRows

_DAMAGE = (
    "malformed",
    "not a database",
    "disk image",
    "corrupt",
    "vtable constructor failed",
    "could not decode",
    "unsupported file format",
)
# Python adds what it could not decode: text of a document, or of a question.
_QUOTED = re.compile(" with text '.*", re.S)
COMPANIONS = ("-wal", "-shm")
"""The ends of the names of the files that SQLite keeps beside a database."""
# What a process that was killed may leave beside a copy that it had not finished.
_JOURNAL = "-journal"


class Salvaged(NamedTuple):
    """What a table was filled from: the files that gave rows, and the one that gave all that it has."""

    notice: str
    used: list[Path]
    whole_in: Path | None


class Reading(NamedTuple):
    """A file to salvage from, the connection to it or to what is read in its place, and what SQLite does not reach."""

    source: Path
    damaged: sqlite3.Connection
    strayed: StrayedRows


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether SQLite says that the file itself is broken, not that the call was."""
    return any(word in str(error).lower() for word in _DAMAGE)


def describe(error: sqlite3.DatabaseError) -> str:
    """What is wrong, for messages and logs: without text from the file."""
    return _QUOTED.sub("", str(error))


def set_aside_and_salvage(database: Path) -> list[str]:
    """Rename the file with its WAL, make a new one with the side rows that can be read. Returns notices.

    The new one gets its name last: a process that is killed before leaves that to `finish_salvage`. The caller holds
    the writer lock.
    """
    set_aside(database)
    return finish_salvage(database)


def set_aside(database: Path) -> None:
    """Rename the file with its WAL, and leave the rest to `finish_salvage`."""
    draft = _draft_of(database)
    create_private(draft)
    draft.touch()
    keep_mode(database, draft)
    _rename(database, database.with_name(f"{database.name}.damaged-{time_stamp()}"))


def is_unfinished(database: Path) -> bool:
    """Whether something is left to `finish_salvage`."""
    return is_there(_draft_of(database))


def finish_salvage(database: Path) -> list[str]:
    """Make a new file from the one that was set aside, if that is still to be done. Returns notices."""
    draft = _draft_of(database)
    if not is_unfinished(database):
        return []
    if is_there(database):
        # The file had not been set aside yet, or somebody has put a sound one in its place.
        draft.unlink()
        return []
    notices, damaged = [], None
    if asides := set_aside_of(database):
        damaged = asides[-1]
        # A process may have been killed between two names.
        _rename(database, damaged)
        notices = [f"the database was damaged; it was set aside as {damaged.name} and is rebuilt from the files"]
    # What a killed process had written; without its journal, from which SQLite would bring it back.
    draft.with_name(f"{draft.name}{_JOURNAL}").unlink(missing_ok=True)
    os.truncate(draft, 0)
    notices += _fill(draft, damaged, backups_of(database)[::-1])
    draft.rename(database)
    return notices


def backups_of(database: Path) -> list[Path]:
    """The copies of a database that were made before it was changed, the oldest first."""
    return _kept_beside(database, "backup")


def set_aside_of(database: Path) -> list[Path]:
    """The damaged files that once had a database's name, the oldest first."""
    return _kept_beside(database, "damaged")


def time_stamp() -> str:
    """The present moment, for the name of a file that no other one may have."""
    seconds, ns = divmod(time.time_ns(), 1_000_000_000)
    return time.strftime("%Y%m%dT%H%M%S", time.gmtime(seconds)) + f".{ns:09}"


def side_tables() -> list[str]:
    """The tables that cannot be rebuilt, those that others refer to first."""
    return re.findall(r"^CREATE TABLE (\w+)", schema.schema_part("side"), re.M)


def _draft_of(database: Path) -> Path:
    """The new file while it is filled. Where there is one, something is to be salvaged."""
    return database.with_name(f"{database.name}.salvaging")


def _kept_beside(database: Path, what: str) -> list[Path]:
    """Whole files, and not what SQLite keeps beside one that somebody has opened."""
    files = database.parent.glob(f"{database.name}.{what}-*")
    return sorted(path for path in files if not path.name.endswith((*COMPANIONS, _JOURNAL)))


def _rename(database: Path, target: Path) -> None:
    """Rename what there is of a database: the file itself first, for whoever goes on where this ended."""
    for companion in ("", *COMPANIONS):
        with contextlib.suppress(FileNotFoundError):
            database.with_name(database.name + companion).rename(target.with_name(target.name + companion))


def _fill(draft: Path, damaged_file: Path | None, backups: list[Path]) -> list[str]:
    notices: list[str] = []
    salvaged: dict[str, Salvaged] = {}
    with (
        contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as fresh,
        contextlib.ExitStack() as opened,
    ):
        schema.apply_schema(fresh)
        readings = []
        for source, damaged in _readable([damaged_file, *backups] if damaged_file else backups, notices):
            opened.callback(damaged.close)
            readings.append(Reading(source, damaged, StrayedRows(damaged, fresh)))
        for table in side_tables():
            salvaged[table] = _salvage_table(fresh, table, readings)
            notices.append(salvaged[table].notice)
            if lost := _let_go_of_the_lost(fresh, table):
                notices.append(f"{table}: {lost} of these rows are let go: what they belong to could not be read")
        # Where all is from a backup, what the policy of then allowed is what was kept then.
        is_mixed = any(damaged_file in each.used for each in salvaged.values())
        if is_mixed and salvaged["policies"].whole_in != damaged_file and _put_none_in_force(fresh):
            notices.append("policies: the latest may be lost; memory refuses everything until `morenashi policy apply`")
        # Empty as they are, but of a generation after those that the salvaged rows refer to.
        schema.recreate_derived(fresh)
    return notices


def _put_none_in_force(fresh: sqlite3.Connection) -> bool:
    """Where a policy may have been lost, none of those before it comes into force again: it may allow what that had
    forbidden. What stands in its place is no policy. Whether there was one at all.
    """
    row = {"yaml": _LOST_POLICY, "sha256": hashlib.sha256(_LOST_POLICY.encode()).hexdigest()}
    return fresh.execute(_LOSE_POLICY, row).rowcount > 0


def _let_go_of_the_lost(fresh: sqlite3.Connection, table: str) -> int:
    """Do to rows that refer to one that could not be salvaged what the schema says of one that is deleted.

    Returns how many are gone by that.
    """
    gone = 0
    for _, _, parent, column, key, _, on_delete, _ in fresh.execute(f"PRAGMA foreign_key_list({table})").fetchall():
        change = f"UPDATE {table} SET {column} = NULL" if on_delete == "SET NULL" else f"DELETE FROM {table}"  # noqa: S608 - as below
        changed = fresh.execute(f"{change} WHERE {column} NOT IN (SELECT {key} FROM {parent})")  # noqa: S608 - as below
        gone += 0 if on_delete == "SET NULL" else changed.rowcount
    return gone


def _salvage_table(fresh: sqlite3.Connection, table: str, readings: list[Reading]) -> Salvaged:
    """Take rows from the damaged file; what it does not give, from the backups, the newest first."""
    total = 0
    used: list[Path] = []
    for reading in readings:
        kept, complete = _copy_rows(fresh, table, reading)
        total += kept
        used += [reading.source] if kept and reading.source not in used else []
        names = " and ".join(source.name for source in used)
        if complete:
            return Salvaged(f"{table}: {total} rows salvaged from {names or reading.source.name}", used, reading.source)
    if not total:
        return Salvaged(f"{table}: nothing could be read; it starts empty", used, None)
    return Salvaged(f"{table}: {total} rows salvaged from {names}; some rows could not be read", used, None)


def _copy_rows(fresh: sqlite3.Connection, table: str, reading: Reading) -> tuple[int, bool]:
    kept = 0
    known = {row[1]: row[2] for row in fresh.execute(f"PRAGMA table_info({table})")}
    present = _columns_of(reading.damaged, table)
    # Where nothing says any more what the columns were, rows may be there all the same.
    columns = [name for name in known if name in present] or list(known)
    kinds = [STORED.get(known[name], (object,)) for name in columns]
    insert = (
        f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) "  # noqa: S608 - names from schema.sql
        f"VALUES ({', '.join('?' * len(columns))})"
    )
    is_first = not fresh.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").fetchone()[0]  # noqa: S608 - as above
    complete, strange = False, 0
    fresh.execute("BEGIN")
    for row in _readable_rows(reading, table, columns):
        if row is None:
            complete = True
        elif all(value is None or isinstance(value, kind) for value, kind in zip(row, kinds, strict=True)):
            added = fresh.execute(insert, row).rowcount
            kept += added
            # What another file has given is there already; of one alone, a row that is refused is none any more.
            strange += is_first and not added
        else:
            strange += 1
    fresh.execute("COMMIT")
    return kept, complete and not strange


def _open_damaged(source: Path, image: bytes | None = None) -> sqlite3.Connection:
    """A connection to a file of which SQLite would say no more than that it is malformed, or to an image of it.

    With `writable_schema` it reads what there is of one that is shorter than its first page says, and the tables that
    it knows by then where a page of the schema is broken: the first statement fails, those after it do not.
    """
    damaged = sqlite3.connect(":memory:" if image else source, isolation_level=None)
    if image:
        damaged.deserialize(image)
    with contextlib.suppress(*NO_ANSWER):
        damaged.execute("PRAGMA writable_schema = ON")
        damaged.execute("SELECT 1 FROM sqlite_schema").fetchone()
    return damaged


def _readable(sources: list[Path], notices: list[str]) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """Each file with its log as SQLite reads it, before that with what lies behind a broken place of the log; where it
    does not know of all side tables, also by other means. Notices of what no reading tells to be lost are added.
    """
    tables = frozenset(side_tables())
    for source in sources:
        image = image_with_whole_log(source) if is_emptied(source) else None
        damaged = _open_damaged(source)
        if image is None and is_cut(source):
            image = image_with_whole_log(source)
            # A table is whole all the same: with rows that it had before.
            notices.append(f"the log of {source.name} is broken in the middle; what only stood at that place is lost")
        if image:
            yield source, _open_damaged(source, image)
        yield source, damaged
        known = _tables_of(damaged)
        if not tables <= known and (image := image_without_first_page(source, tables - known)):
            yield source, _open_damaged(source, image)


def _tables_of(damaged: sqlite3.Connection) -> set[str]:
    """Those that SQLite could read the schema of."""
    known = set()
    for table in side_tables():
        with contextlib.suppress(*NO_ANSWER):
            if damaged.execute(f"PRAGMA table_info({table})").fetchone():
                known.add(table)
    return known


def _columns_of(damaged: sqlite3.Connection, table: str) -> frozenset[str]:
    try:
        return frozenset(row[1] for row in damaged.execute(f"PRAGMA table_info({table})"))
    except NO_ANSWER:
        return frozenset()


def _readable_rows(reading: Reading, table: str, columns: list[str]) -> Iterator[tuple[object, ...] | None]:
    """The rows from the front; a `None` if all were read.

    Past a broken page, those from the back until another one, then those of each page by itself, some a second time.
    """
    for direction in ("ASC", "DESC"):
        order = ", ".join(f"{column} {direction}" for column in reading.strayed.order_of(table))
        # Another order would be that of an index, which may be broken where the table is not.
        query = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED ORDER BY {order}"  # noqa: S608 - as above
        try:
            yield from reading.damaged.execute(query)
        except NO_ANSWER:
            continue
        if direction == "ASC":
            yield None
            return
    for row in reading.strayed.of(table):
        yield tuple(row.get(column) for column in columns)


# What is wrong with it is said to whoever asks why memory refuses.
_LOST_POLICY = "version: 0.0.0\nboundary_classes: {}\nlost_with_a_damaged_database: true\n"

# Where there was never one, memory refuses everything anyway.
_LOSE_POLICY = """
INSERT INTO policies (version, yaml, sha256, applied_at)
SELECT '0.0.0', :yaml, :sha256, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')
WHERE EXISTS (SELECT 1 FROM policies)
"""
