"""The records in the pages of a database file, read without SQLite (its "Database File Format", 1.6 and 2).

What SQLite calls malformed as a whole is mostly one page; what stands on the others can be read all the same.
"""

import struct
from collections.abc import Iterator

PAGE_BYTES = 4_096
"""SQLite's own choice, which is kept; a page has no bytes reserved."""
TABLE_LEAF = 0x0D
TABLE_INTERIOR = 0x05
INDEX_LEAF = 0x0A
INDEX_INTERIOR = 0x02
INTERIORS = frozenset({TABLE_INTERIOR, INDEX_INTERIOR})
B_TREE_PAGES = frozenset({TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR})
UNREADABLE = (IndexError, ValueError, struct.error)
"""What reading a page raises that is none, or a broken one."""
_OVERFLOW_BYTES = PAGE_BYTES - 4
# How much of a record stands on its page, if it is too long for that: of a table's, and of an index's.
_MOST_OF_TABLE = PAGE_BYTES - 35
_MOST_OF_INDEX = (PAGE_BYTES - 12) * 64 // 255 - 23
_LEAST_LOCAL = (PAGE_BYTES - 12) * 32 // 255 - 23
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)
_REAL = 7
_MOST_COLUMNS = 100

Value = int | float | str | bytes | None


def kind_of_page(data: bytes, page: int) -> int:
    """The byte that says what a page is, if it is one of a table or an index. Pages count from 1."""
    return data[(page - 1) * PAGE_BYTES + _header_offset(page)]


def children_of(data: bytes, page: int) -> Iterator[int]:
    """The pages below one. Raises one of `UNREADABLE`."""
    if kind_of_page(data, page) in INTERIORS:
        for cell in cells_of(data, page):
            yield _number(data, cell)
        yield _number(data, (page - 1) * PAGE_BYTES + _header_offset(page) + 8)


def has_room_for_cells(data: bytes, page: int) -> bool:
    """Whether a page can have as many cells as it says."""
    count, pointers = _cells(data, page)
    return count <= len(pointers)


def cells_of(data: bytes, page: int) -> Iterator[int]:
    """Where the cells of a page begin in the file; as many as a page has room for at most."""
    count, pointers = _cells(data, page)
    for pointer in pointers[:count]:
        yield (page - 1) * PAGE_BYTES + int.from_bytes(data[pointer : pointer + 2], "big")


def _cells(data: bytes, page: int) -> tuple[int, range]:
    """How many cells a page says that it has, and where pointers to them may stand."""
    header = (page - 1) * PAGE_BYTES + _header_offset(page)
    first = header + (12 if data[header] in INTERIORS else 8)
    return int.from_bytes(data[header + 3 : header + 5], "big"), range(first, page * PAGE_BYTES - 1, 2)


def record_at(data: bytes, cell: int, kind: int) -> tuple[int | None, list[Value]]:
    """The rowid, `None` in an index, and the columns of a cell on a page of a kind. Raises one of `UNREADABLE`."""
    at = cell + 4 if kind in INTERIORS else cell
    size, at = _variable_number(data, at)
    rowid = None
    if kind == TABLE_LEAF:
        rowid, at = _variable_number(data, at)
        rowid -= (rowid >> 63) << 64
    most = _MOST_OF_TABLE if kind == TABLE_LEAF else _MOST_OF_INDEX
    return rowid, _columns(_payload(data, at, size, most))


def _header_offset(page: int) -> int:
    """The file's own header stands before that of the first page."""
    return 100 if page == 1 else 0


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _payload(data: bytes, at: int, size: int, most: int) -> bytes:
    """The bytes of a record: on its page, and on a chain of others if it is long."""
    if size > len(data):
        raise ValueError("longer than the file")
    here = size
    if size > most:
        here = _LEAST_LOCAL + (size - _LEAST_LOCAL) % _OVERFLOW_BYTES
        here = here if here <= most else _LEAST_LOCAL
    pieces, left, link = [data[at : at + here]], size - here, at + here
    while left > 0:
        page = _number(data, link)
        if not 2 <= page <= len(data) // PAGE_BYTES:
            raise ValueError("the chain ends early")
        link = (page - 1) * PAGE_BYTES
        pieces.append(data[link + 4 : link + 4 + min(_OVERFLOW_BYTES, left)])
        left -= _OVERFLOW_BYTES
    return b"".join(pieces)


def _columns(payload: bytes) -> list[Value]:
    end, at = _variable_number(payload, 0)
    types = []
    while at < end:
        kind, at = _variable_number(payload, at)
        types.append(kind)
        if len(types) > _MOST_COLUMNS:
            raise ValueError("no record")
    values: list[Value] = []
    for kind in types:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError("not as long as it says")
    return values


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind < len(_INTEGER_BYTES):
        end = at + _INTEGER_BYTES[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind == _REAL:
        return struct.unpack_from(">d", payload, at)[0], at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind < 12:
        raise ValueError("no type of a column")
    end = at + (kind - 12) // 2
    return (payload[at:end] if kind % 2 == 0 else payload[at:end].decode("utf-8")), end


def _variable_number(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, seven bits in each but the ninth, and where the next thing begins."""
    number = 0
    for length in range(8):
        byte = data[at + length]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + length + 1
    return number << 8 | data[at + 8], at + 9
