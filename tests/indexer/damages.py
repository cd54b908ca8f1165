"""Ways in which somebody with a connection of his own breaks the full-text tables without SQLite noticing."""

import contextlib
import sqlite3
from collections.abc import Callable

from morenashi.indexer.tokens import pair_tokens, word_tokens

from ..workspaces import WorkspaceFolder

Damage = Callable[[sqlite3.Connection], object]


def lose_rows(connection: sqlite3.Connection) -> None:
    """Every passage's pairs are deleted as the writer deletes them, one after the other."""
    for passage_id, text in connection.execute("SELECT id, text FROM passage_texts").fetchall():
        lose_row(connection, passage_id, text)


def lose_row(connection: sqlite3.Connection, passage_id: int, text: str) -> None:
    connection.execute(
        "INSERT INTO pairs (pairs, rowid, tokens) VALUES ('delete', ?, ?)", (passage_id, pair_tokens(text))
    )


def lose_everything(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO pairs (pairs) VALUES ('delete-all')")


def lose_the_term_index(connection: sqlite3.Connection) -> None:
    """Rows of a shadow table: FTS5 then looks for every term on the first page of a segment."""
    connection.execute("DELETE FROM pairs_idx")


def swap_rows(connection: sqlite3.Connection) -> None:
    """Wrong rows: each passage has the pairs of another one."""
    rows = connection.execute("SELECT id, text FROM passage_texts ORDER BY id").fetchall()
    lose_rows(connection)
    for (passage_id, _), (_, text) in zip(rows, rows[1:] + rows[:1], strict=True):
        connection.execute("INSERT INTO pairs (rowid, tokens) VALUES (?, ?)", (passage_id, pair_tokens(text)))


def invent_rows(connection: sqlite3.Connection) -> None:
    """Wrong rows beside the right ones: of passages that do not exist."""
    rows = connection.execute("SELECT id, text FROM passage_texts").fetchall()
    for passage_id, text in rows:
        values = (passage_id + 1_000_000, pair_tokens(text), word_tokens(text))
        connection.execute("INSERT INTO pairs (rowid, tokens) VALUES (?, ?)", values[:2])
        connection.execute("INSERT INTO words (rowid, tokens) VALUES (?, ?)", values[::2])


SILENT: dict[str, Damage] = {
    damage.__name__: damage for damage in (lose_rows, lose_everything, lose_the_term_index, swap_rows, invent_rows)
}
"""Those that SQLite's and FTS5's own checks call sound, or may."""


def break_index(folder: WorkspaceFolder, damage: Damage) -> None:
    """Do the damage to a folder's database, in one transaction of a connection of its own."""
    with contextlib.closing(sqlite3.connect(folder.database, timeout=20, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        damage(connection)
        connection.execute("COMMIT")
