"""How SQLite answers what our own code asks."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Explained(sqlite3.Connection):
    """Collects the steps by which each statement is answered, with the values that it is run with.

    A trace of statements has the values written out, and with them SQLite may do better than it really does.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.steps: list[str] = []

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        if sql.lstrip().startswith(("SELECT", "WITH")):
            self.steps += [row[3] for row in super().execute(f"EXPLAIN QUERY PLAN {sql}", parameters)]
        return super().execute(sql, parameters)


@contextlib.contextmanager
def explained(file: Path) -> Iterator[Explained]:
    """A connection to a database file that notes how it answers."""
    with contextlib.closing(sqlite3.connect(file, factory=Explained)) as connection:
        yield connection
