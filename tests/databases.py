"""An empty database, made once and copied: to make one takes as long as most tests."""

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


@functools.cache
def _empty() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "empty.db"
        connection, _ = open_writer(database)
        # The last connection leaves one file.
        with contextlib.closing(connection):
            pass
        return database.read_bytes()
