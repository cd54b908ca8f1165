"""Databases: an empty one, made once and copied, as to make one takes as long as most tests; what is open of one."""

import contextlib
import functools
import sqlite3
import tempfile
from pathlib import Path

from morenashi.indexer.database import open_writer, prepared


def put_empty(database: Path) -> None:
    """Where there is no database yet: one of the current schema, with no document in it."""
    if not database.exists():
        database.parent.mkdir(parents=True, exist_ok=True)
        database.write_bytes(_empty())


def open_or_put_empty(database: Path) -> sqlite3.Connection:
    """A connection for writing. An empty database is not looked at first, nor waited for until it is on the disk."""
    if database.exists():
        return open_writer(database, look_through=False)[0]
    put_empty(database)
    with prepared(database, "rw") as connection:
        connection.execute("PRAGMA synchronous = OFF")
    return connection


def open_files(database: Path) -> list[str]:
    """What this process has open of a database, also of one that was deleted."""
    names = []
    for descriptor in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            names.append(str(descriptor.readlink()))
    return [name for name in names if name.startswith(str(database))]


@functools.cache
def _empty() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "empty.db"
        connection, _ = open_writer(database)
        # The last connection leaves one file.
        with contextlib.closing(connection):
            pass
        return database.read_bytes()
