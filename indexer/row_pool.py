"""Which stored rows of a document stay, and which ids new ones get."""

import sqlite3
from collections import defaultdict, deque
from collections.abc import Hashable, Iterable


class RowPool:
    """Stored rows by what they say; each can be taken once, in order."""

    def __init__(self, rows: Iterable[tuple[Hashable, int]]) -> None:
        self._rows: dict[Hashable, deque[int]] = defaultdict(deque)
        for key, row_id in rows:
            self._rows[key].append(row_id)

    def take(self, key: Hashable) -> int | None:
        """The id of a row that says this, if one is left."""
        rows = self._rows.get(key)
        return rows.popleft() if rows else None

    def left(self) -> list[int]:
        """The ids of the rows that nobody took."""
        return [row_id for rows in self._rows.values() for row_id in rows]


def next_id(connection: sqlite3.Connection, table: str) -> int:
    """The id after the highest one of a table with ids."""
    query = f"SELECT coalesce(max(id), 0) + 1 FROM {table}"  # noqa: S608 - our own tables
    return int(connection.execute(query).fetchone()[0])
