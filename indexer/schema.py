"""`schema.sql` in its four parts, and how a database gets to it."""

import hashlib
import re
import secrets
import sqlite3
from datetime import UTC, datetime
from functools import cache
from importlib import resources

from morenashi.migrations import names
from morenashi.migrations.scripts import split_statements

from . import claim_index
from .index_state import keep_fact, read_fact

INDEX_VERSION = 35
"""Raised when parsing, normalisation or tokens change: the derived tables are then rebuilt."""

_STEP = re.compile(r"m\d{4}\w*", re.ASCII)
_PART = re.compile(r"^-- part: (\w+)\n", re.M)


class OtherVersionError(Exception):
    """Another version of the program is at work on the database."""


class DatabaseTooNewError(OtherVersionError):
    """The database was written by a newer version of the program. It is left untouched."""


def schema_part(name: str) -> str:
    """The SQL of one part of `schema.sql`: `derived`, `side`, `steps` or `views`."""
    return _parts()[name]


@cache
def _parts() -> dict[str, str]:
    pieces = _PART.split((resources.files("morenashi") / "schema.sql").read_text("utf-8"))
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


@cache
def _derived_layout() -> str:
    """Names the layout of the derived tables. A database with another one is rebuilt."""
    return f"{INDEX_VERSION}:{_digest('derived')}"


def refuse_newer(connection: sqlite3.Connection) -> None:
    """Raise `DatabaseTooNewError` if steps were applied that this program does not know; `sqlite3.DatabaseError` if one
    is called as no version would call it.
    """
    if unknown := sorted(_applied(connection) - set(names.STEPS)):
        if not all(_STEP.fullmatch(name) for name in unknown):
            raise sqlite3.DatabaseError("the database is malformed: the names of its steps are none")
        raise DatabaseTooNewError(
            f"the database was written by a newer Morenashi (it knows the step {unknown[0]}); "
            "install that version, or point WORKSPACE_ROOT to another folder"
        )


def has_pending_migrations(connection: sqlite3.Connection) -> bool:
    """Whether an existing database has side tables of an older version."""
    return not _applied(connection).issuperset(names.STEPS)


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the database is as this version makes it, no older and no newer."""
    return _applied(connection) == set(names.STEPS) and _stored_state(connection, "layout") == _derived_layout()


def refuse_other_version(connection: sqlite3.Connection) -> None:
    """Raise `OtherVersionError` if another version has made this database; one that is being made is no version's."""
    refuse_newer(connection)
    if _stored_state(connection, "layout") is not None and not is_ours(connection):
        raise OtherVersionError(
            "another version of Morenashi keeps this index; it can be used when that has ended: `morenashi stop`"
        )


def apply_schema(connection: sqlite3.Connection) -> bool:
    """Bring a writable database to the current schema; say whether derived tables were made anew."""
    if holds_nothing(connection):
        _create_side(connection)
    elif has_pending_migrations(connection):
        _migrate(connection)
    if _stored_state(connection, "layout") == _derived_layout():
        _refresh_views(connection)
        return False
    recreate_derived(connection)
    return True


def holds_nothing(connection: sqlite3.Connection) -> bool:
    """Whether there is no table in the file, nor anything else."""
    return not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]


def _create_side(connection: sqlite3.Connection) -> None:
    """Make the side tables as all steps together would leave them, and keep that the steps are done."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        _create(connection, "side")
        _create(connection, "steps")
        now = str(datetime.now(UTC))
        connection.executemany(_NOTE_STEP, [(names.SET, name, now) for name in names.STEPS])


def recreate_derived(connection: sqlite3.Connection) -> None:
    """Drop and create the derived tables and the views, in one transaction."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        drop_and_create_derived(connection)


def drop_and_create_derived(connection: sqlite3.Connection) -> None:
    """The same inside the caller's transaction, so that a rebuild is seen whole or not at all.

    Generations go on where they were: traces and `document_versions` refer to them. `build` names this making.
    """
    generation = _next_generation(connection)
    _drop_views(connection)
    for table in reversed(re.findall(r"^CREATE (?:VIRTUAL )?TABLE (\w+)", schema_part("derived"), re.M)):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    _create(connection, "derived")
    _create(connection, "views")
    state = {"layout": _derived_layout(), "build": secrets.token_hex(8), "generation": str(generation)}
    for key, value in {**state, "views": _digest("views"), "passages": "0", "characters": "0"}.items():
        keep_fact(connection, key, value)
    claim_index.refill(connection)


def _next_generation(connection: sqlite3.Connection) -> int:
    """A generation of the index that nothing in the database has seen yet; 0 in a new one."""
    state = _GENERATION if _has_table(connection, "index_state") else "SELECT NULL"
    known = [connection.execute(query).fetchone()[0] for query in (state, _SEEN_GENERATION)]
    return max((int(generation) for generation in known if generation is not None), default=-1) + 1


def build(connection: sqlite3.Connection) -> str:
    """Which making of the derived tables this is; another one after every rebuild."""
    return _stored_state(connection, "build") or ""


def dictionary(connection: sqlite3.Connection) -> str | None:
    """The digest of the exception terms that the index was made with; None before the first ones."""
    return _stored_state(connection, "dictionary")


def note_dictionary(connection: sqlite3.Connection, digest: str) -> None:
    """Keep the digest of the exception terms that the index is made with."""
    keep_fact(connection, "dictionary", digest)


def _refresh_views(connection: sqlite3.Connection) -> None:
    """Make the views anew if they are those of another version."""
    if _stored_state(connection, "views") == _digest("views"):
        return
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        _drop_views(connection)
        _create(connection, "views")
        keep_fact(connection, "views", _digest("views"))


def _digest(part: str) -> str:
    return hashlib.sha256(schema_part(part).encode()).hexdigest()[:16]


def _drop_views(connection: sqlite3.Connection) -> None:
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
        quoted = name.replace('"', '""')
        connection.execute(f'DROP VIEW "{quoted}"')


def _create(connection: sqlite3.Connection, part: str) -> None:
    for statement in split_statements(schema_part(part)):
        connection.execute(statement)


def _migrate(connection: sqlite3.Connection) -> None:
    # Imported where it is needed: sqlite-utils takes a tenth of a second, and no start but the first of a new version
    # migrates.
    from sqlite_utils import Database

    from morenashi.migrations.steps import MIGRATIONS

    MIGRATIONS.apply(Database(connection))


def _applied(connection: sqlite3.Connection) -> set[str]:
    """The names of the steps that this database has been through. What is no text becomes one that is no name."""
    if not _has_table(connection, "_sqlite_migrations"):
        return set()
    return {str(name) for (name,) in connection.execute(_APPLIED, {"set": names.SET})}


def _stored_state(connection: sqlite3.Connection, key: str) -> str | None:
    """The same as `read_fact`, of any database."""
    return read_fact(connection, key) if _has_table(connection, "index_state") else None


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone())


_NOTE_STEP = "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)"

_APPLIED = "SELECT name FROM _sqlite_migrations WHERE migration_set = :set"

_GENERATION = "SELECT max(CAST(value AS INTEGER)) FROM index_state WHERE key = 'generation'"

_SEEN_GENERATION = """
SELECT max(generation)
FROM (
  SELECT index_generation AS generation FROM traces WHERE tool = 'manual_find'
  UNION ALL
  SELECT first_generation FROM document_versions
)
"""
