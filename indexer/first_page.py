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

_PAGE_BYTES = 4_096
"""SQLite's own choice, which is kept; a page has no bytes reserved."""
_LEAF = 0x0D
_ROOTS = frozenset({0x02, 0x05, 0x0A, _LEAF})
_OVERFLOW_BYTES = _PAGE_BYTES - 4
_MOST_LOCAL = _PAGE_BYTES - 35
_LEAST_LOCAL = (_PAGE_BYTES - 12) * 32 // 255 - 23
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)
_COLUMNS = 5

Value = int | str | None


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
    pages = len(data) // _PAGE_BYTES
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        try:
            connection.deserialize(_empty_first_page(pages) + data[_PAGE_BYTES : pages * _PAGE_BYTES])
            connection.execute("PRAGMA writable_schema = ON")
            connection.executemany("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", entries.values())
            return connection.serialize()
        except sqlite3.DatabaseError:
            return None


def _empty_first_page(pages: int) -> bytes:
    """That of a database without tables, of so many pages, none of which is free."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        connection.execute("PRAGMA user_version = 0")
        connection.execute("VACUUM")
        page = bytearray(connection.serialize())
    # The size holds if the counter at 24 is the one that is noted at 92.
    page[28:32] = pages.to_bytes(4, "big")
    page[92:96] = page[24:28]
    return bytes(page[:_PAGE_BYTES])


def _find_entries(data: bytes) -> Iterator[Entry]:
    """What looks like a row of the schema, wherever it stands. Later ones are not more likely to hold."""
    for start in range(_PAGE_BYTES, len(data) - _PAGE_BYTES + 1, _PAGE_BYTES):
        if data[start] == _LEAF and data.find(b"CREATE ", start, start + _PAGE_BYTES) > 0:
            for cell in range(int.from_bytes(data[start + 3 : start + 5], "big")):
                pointer = start + 8 + 2 * cell
                # Of a page that is broken, or none of a schema, anything may follow.
                with contextlib.suppress(IndexError, ValueError):
                    entry = _read_entry(data, start + int.from_bytes(data[pointer : pointer + 2], "big"))
                    if entry and data[(entry.root - 1) * _PAGE_BYTES] in _ROOTS:
                        yield entry


def _read_entry(data: bytes, at: int) -> Entry | None:
    """The row in a cell; `None` if it is none of a table or an index. Raises `IndexError` or `ValueError`."""
    size, at = _read_number(data, at)
    _, at = _read_number(data, at)
    kind, name, table, root, sql = _read_record(_read_payload(data, at, size))
    if kind not in ("table", "index") or not isinstance(name, str) or not isinstance(table, str):
        return None
    if not isinstance(root, int) or root < 2 or isinstance(sql, int):
        return None
    return Entry(str(kind), name, table, root, sql)


def _read_payload(data: bytes, at: int, size: int) -> bytes:
    """The bytes of a record: on its page, and on a chain of others if it is long."""
    if size > len(data):
        raise ValueError("longer than the file")
    here = size
    if size > _MOST_LOCAL:
        here = _LEAST_LOCAL + (size - _LEAST_LOCAL) % _OVERFLOW_BYTES
        here = here if here <= _MOST_LOCAL else _LEAST_LOCAL
    payload, link = data[at : at + here], at + here
    while len(payload) < size:
        page = int.from_bytes(data[link : link + 4], "big")
        if not 2 <= page <= len(data) // _PAGE_BYTES:
            raise ValueError("the chain ends early")
        link = (page - 1) * _PAGE_BYTES
        payload += data[link + 4 : link + 4 + min(_OVERFLOW_BYTES, size - len(payload))]
    return payload


def _read_record(payload: bytes) -> list[Value]:
    """The columns of a row of the schema. Raises `IndexError` or `ValueError` if it is none."""
    end, at = _read_number(payload, 0)
    types = []
    while at < end:
        kind, at = _read_number(payload, at)
        types.append(kind)
    if len(types) != _COLUMNS:
        raise ValueError("not a row of the schema")
    values: list[Value] = []
    for kind in types:
        value, at = _read_value(payload, at, kind)
        values.append(value)
    return values


def _read_value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind < len(_INTEGER_BYTES):
        end = at + _INTEGER_BYTES[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind in (8, 9):
        return kind - 8, at
    if kind < 13 or kind % 2 == 0:
        raise ValueError("neither a number nor a text")
    end = at + (kind - 13) // 2
    return payload[at:end].decode("utf-8"), end


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, seven bits in each but the ninth, and where the next thing begins."""
    number = 0
    for length in range(8):
        byte = data[at + length]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + length + 1
    return number << 8 | data[at + 8], at + 9
