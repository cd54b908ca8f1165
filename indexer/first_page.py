"""A database file whose first page is broken: what the other pages still say of its tables. Nothing is written.

The first page is the one that every transaction writes. SQLite calls a file without it no database at all, though of
ours it only says where the pages of the schema are, and these say where each table is (SQLite's "Database File
Format", 1.6 and 2).
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .page_records import B_TREE_PAGES, PAGE_BYTES, TABLE_LEAF, UNREADABLE, cells_of, kind_of_page, record_at

_COLUMNS = 5


class Entry(NamedTuple):
    """A row of `sqlite_schema`: a table or an index, and the page that it begins on."""

    kind: str
    name: str
    table: str
    root: int
    sql: str | None


def image_without_first_page(source: Path, tables: frozenset[str]) -> bytes | None:
    """The file with a first page that knows of these tables what other pages say of them; `None` if they say nothing.

    It is for `Connection.deserialize`, and without what stands in the file's log. Takes a few times as much memory
    as the file has bytes.
    """
    data = source.read_bytes()
    entries = {entry.name: entry for entry in _find_entries(data) if entry.table in tables}
    if not entries:
        return None
    pages = len(data) // PAGE_BYTES
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        try:
            connection.deserialize(_empty_first_page(pages) + data[PAGE_BYTES : pages * PAGE_BYTES])
            connection.execute("PRAGMA writable_schema = ON")
            connection.executemany("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", entries.values())
            return connection.serialize()
        except sqlite3.DatabaseError:
            return None


def _empty_first_page(pages: int) -> bytes:
    """That of a database without tables, of so many pages, none of which is free."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("PRAGMA user_version = 0")
        connection.execute("VACUUM")
        page = bytearray(connection.serialize())
    # The size holds if the counter at 24 is the one that is noted at 92.
    page[28:32] = pages.to_bytes(4, "big")
    page[92:96] = page[24:28]
    return bytes(page[:PAGE_BYTES])


def _find_entries(data: bytes) -> Iterator[Entry]:
    """What looks like a row of the schema, wherever it stands. Later ones are not more likely to hold."""
    for page in range(2, len(data) // PAGE_BYTES + 1):
        start = (page - 1) * PAGE_BYTES
        if kind_of_page(data, page) == TABLE_LEAF and data.find(b"CREATE ", start, start + PAGE_BYTES) > 0:
            for cell in cells_of(data, page):
                # Of a page that is broken, or none of a schema, anything may follow.
                with contextlib.suppress(*UNREADABLE):
                    entry = _read_entry(data, cell)
                    if entry and kind_of_page(data, entry.root) in B_TREE_PAGES:
                        yield entry


def _read_entry(data: bytes, cell: int) -> Entry | None:
    """The row in a cell; `None` if it is none of a table or an index. Raises one of `UNREADABLE`."""
    _, columns = record_at(data, cell, TABLE_LEAF)
    if len(columns) != _COLUMNS:
        return None
    kind, name, table, root, sql = columns
    if kind not in ("table", "index") or not isinstance(name, str) or not isinstance(table, str):
        return None
    if not isinstance(root, int) or root < 2 or not isinstance(sql, str | None):
        return None
    return Entry(str(kind), name, table, root, sql)
