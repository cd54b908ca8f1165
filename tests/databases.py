"""Databases: an empty one, made once and copied, as to make one takes as long as most tests; what is open of one."""

import contextlib
import functools
import tempfile
from pathlib import Path

from morenashi.indexer.database import open_writer


def put_empty(database: Path) -> None:
    """Where there is no database yet: one of the current schema, with no document in it."""
    if not database.exists():
        database.parent.mkdir(parents=True, exist_ok=True)
        database.write_bytes(_empty())


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
