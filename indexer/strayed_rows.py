"""Rows that SQLite does not reach any more: a page that leads to them is broken, or the one before. Nothing is written.

SQLite reads a table page after page, and stops at the first that is broken, from either end: what stands between two
such is not read, and nothing at all where the page is broken that leads to all others.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from .page_records import (
    B_TREE_PAGES,
    INDEX_INTERIOR,
    INDEX_LEAF,
    PAGE_BYTES,
    TABLE_INTERIOR,
    TABLE_LEAF,
    UNREADABLE,
    Value,
    cells_of,
    children_of,
    has_room_for_cells,
    kind_of_page,
    record_at,
)

STORED: dict[str, tuple[type, ...]] = {"INTEGER": (int, float), "REAL": (int, float), "TEXT": (str,), "BLOB": (bytes,)}
"""What a column of a type holds. A row with anything else in it is another table's, or has a flipped bit."""
NO_ANSWER = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What asking a damaged database raises; the second where Python can make no text of a message that quotes the file."""
_FREELIST = 32
_OF_TABLES, _OF_INDEXES = (TABLE_LEAF, TABLE_INTERIOR), (INDEX_LEAF, INDEX_INTERIOR)
_TABLES = "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
_INDEXES = "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND rootpage > 0"
_MAIN_FILE = "SELECT file FROM pragma_database_list WHERE name = 'main' AND file <> ''"
_WITHOUT_ROWID = "SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'"

Row = dict[str, Value]


@dataclass(frozen=True)
class Shape:
    """What the records of a table look like: the columns in the order in which they are stored."""

    names: tuple[str, ...]
    kinds: tuple[tuple[type, ...], ...]
    required: tuple[bool, ...]
    key: tuple[str, ...]
    rowid_column: str | None
    has_rowid: bool

    def row(self, rowid: int | None, values: list[Value]) -> Row | None:
        """The columns by name; `None` if the record is none of this table."""
        missing = len(self.names) - len(values)
        # A row from before a migration that added columns ends where they begin: to SQLite they are NULL. No table
        # without rowids has got any, and the records of those are too much alike.
        if self.has_rowid == (rowid is None) or missing < 0 or (missing and not self.has_rowid):
            return None
        row = dict(zip(self.names, [*values, *[None] * missing], strict=True))
        if self.rowid_column is not None:
            row[self.rowid_column] = rowid
        fits = all(
            isinstance(value, kinds) if value is not None else not required
            for value, kinds, required in zip(row.values(), self.kinds, self.required, strict=True)
        )
        return row if fits else None


class StrayedRows:
    """The pages of a damaged database, with what stands in its log; read when they are first asked for.

    `sound` is a database of the present schema: what it says of a table counts where the damaged one does not know it.
    Takes a few times as much memory as the file has bytes.
    """

    def __init__(self, damaged: sqlite3.Connection, sound: sqlite3.Connection) -> None:
        self._damaged = damaged
        self._sound = sound

    def of(self, table: str) -> Iterator[Row]:
        """The rows of a table on pages that can be read, in no order; also those that SQLite reaches."""
        shape = self._shapes.get(table)
        if not shape:
            return
        for page in (*self._walks[table][0], *self._orphans.get(table, ())):
            yield from filter(None, self._rows(page, shape))

    def order_of(self, table: str) -> tuple[str, ...]:
        """The columns by which the rows of a table lie: its key, if it has no rowid."""
        shape = self._shapes.get(table)
        return shape.key if shape and not shape.has_rowid else ("rowid",)

    @cached_property
    def _data(self) -> bytes:
        try:
            data = self._damaged.serialize()
        except (sqlite3.Error, MemoryError):
            return b""
        # The first page says how many there are. Where it says too few, the file still has the rest.
        for (file,) in _readable(self._damaged, _MAIN_FILE):
            with contextlib.suppress(OSError), Path(file).open("rb") as whole:
                whole.seek(len(data))
                return data + whole.read()
        return data

    @cached_property
    def _shapes(self) -> dict[str, Shape]:
        """Of each table, also of those that the damaged file does not know any more."""
        shapes = {table: _shape_of(self._damaged, table) for table in self._roots}
        shapes |= {
            table: _shape_of(self._sound, table)
            for table, _ in _readable(self._sound, _TABLES)
            if not shapes.get(table)
        }
        return {table: shape for table, shape in shapes.items() if shape}

    @cached_property
    def _roots(self) -> dict[str, int]:
        return dict(_readable(self._damaged, _TABLES))

    @cached_property
    def _walks(self) -> dict[str, tuple[list[int], bool]]:
        """The pages that each table leads to, and whether it leads to one that is none: there may be others then."""
        return {table: self._walk(self._roots.get(table, 0)) for table in {*self._roots, *self._shapes}}

    @cached_property
    def _orphans(self) -> dict[str, list[int]]:
        """The pages that nothing leads to, by the only one of the broken tables whose records they can be."""
        owned = {page for pages, _ in self._walks.values() for page in pages} | self._free()
        broken = [table for table, (_, is_whole) in self._walks.items() if not is_whole]
        # What is said to hold anything could be any page; what it holds is none of a table that says its types.
        broken = [table for table in broken if table in self._shapes and (object,) not in self._shapes[table].kinds]
        owned.update(page for (root,) in _readable(self._damaged, _INDEXES) for page in self._walk(root)[0])
        orphans: dict[str, list[int]] = {}
        for page in range(2, len(self._data) // PAGE_BYTES + 1):
            if page not in owned and kind_of_page(self._data, page) in B_TREE_PAGES - {TABLE_INTERIOR}:
                fitting = [table for table in broken if self._fits(page, self._shapes[table])]
                if len(fitting) == 1:
                    orphans.setdefault(fitting[0], []).append(page)
        return orphans

    def _fits(self, page: int, shape: Shape) -> bool:
        if shape.has_rowid != (kind_of_page(self._data, page) == TABLE_LEAF):
            return False
        rows = self._rows(page, shape)
        return next(rows, None) is not None and None not in rows

    def _rows(self, page: int, shape: Shape) -> Iterator[Row | None]:
        """Those on a page; a `None` for each record that is broken or another table's."""
        kind = kind_of_page(self._data, page)
        if kind == TABLE_INTERIOR:
            return
        for cell in cells_of(self._data, page):
            try:
                yield shape.row(*record_at(self._data, cell, kind))
            except UNREADABLE:
                yield None

    def _walk(self, root: int) -> tuple[list[int], bool]:
        """The pages of a table or an index, and whether each place leads to one of its kind."""
        found, is_whole, left, seen = [], True, [root], set[int]()
        kinds: tuple[int, int] | None = None
        while left:
            page = left.pop()
            if page in seen or not 1 <= page <= len(self._data) // PAGE_BYTES:
                is_whole = False
                continue
            seen.add(page)
            kind = kind_of_page(self._data, page)
            kinds = kinds or (_OF_TABLES if kind in _OF_TABLES else _OF_INDEXES)
            if kind not in kinds:
                is_whole = False
                continue
            is_whole = is_whole and has_room_for_cells(self._data, page)
            found.append(page)
            left.extend(children_of(self._data, page))
        return found, is_whole

    def _free(self) -> set[int]:
        """The pages that are not in use: what they hold was deleted."""
        data, free = self._data, set[int]()
        trunk = int.from_bytes(data[_FREELIST : _FREELIST + 4], "big")
        while 1 < trunk <= len(data) // PAGE_BYTES and trunk not in free:
            free.add(trunk)
            start = (trunk - 1) * PAGE_BYTES
            count = min(int.from_bytes(data[start + 4 : start + 8], "big"), PAGE_BYTES // 4 - 2)
            leaves = range(start + 8, start + 8 + 4 * count, 4)
            free.update(int.from_bytes(data[at : at + 4], "big") for at in leaves)
            trunk = int.from_bytes(data[start : start + 4], "big")
        return free


def _shape_of(damaged: sqlite3.Connection, table: str) -> Shape | None:
    """What SQLite knows of a table's columns; `None` if it knows nothing."""
    columns = list(_readable(damaged, f"PRAGMA table_info({table})"))
    if not columns:
        return None
    has_rowid = not any(without for (without,) in _readable(damaged, _WITHOUT_ROWID, table))
    key = sorted((column for column in columns if column[5]), key=lambda column: int(column[5]))
    rowid_column = key[0][1] if has_rowid and len(key) == 1 and key[0][2].upper() == "INTEGER" else None
    if not has_rowid:
        columns = key + [column for column in columns if not column[5]]
    return Shape(
        names=tuple(column[1] for column in columns),
        kinds=tuple(STORED.get(column[2].upper(), (object,)) for column in columns),
        required=tuple(bool(column[3]) for column in columns),
        key=tuple(column[1] for column in key),
        rowid_column=rowid_column,
        has_rowid=has_rowid,
    )


def _readable(damaged: sqlite3.Connection, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
    """The rows of an answer, as far as they can be read."""
    try:
        yield from damaged.execute(query, values)
    except NO_ANSWER:
        return
