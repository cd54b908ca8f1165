"""The facts about the index as a whole, in the table `index_state`: a key, and a text for each."""

import sqlite3


def read_fact(connection: sqlite3.Connection, key: str) -> str | None:
    """What is kept under a key; `None` if nothing is."""
    row = connection.execute("SELECT value FROM index_state WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else None


def keep_fact(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Keep this, in place of what was kept under the key, inside the caller's transaction."""
    connection.execute(_KEEP, {"key": key, "value": value})


def read_generation(connection: sqlite3.Connection) -> int:
    """Which generation of the index a connection sees; every batch that changes something makes the next one.

    Raises `sqlite3.DatabaseError` if it is of none: somebody has lost the row, or what it said.
    """
    value = read_fact(connection, "generation") or ""
    if not value.isdecimal():
        raise sqlite3.DatabaseError("the database is malformed: the index is of no generation")
    return int(value)


_KEEP = """
INSERT INTO index_state (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""
