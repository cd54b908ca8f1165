"""What the disk says otherwise than an index: by time stamps first, then by content."""

import contextlib
import sqlite3
from collections.abc import Iterable

from morenashi.indexer import database
from morenashi.indexer.collections import Collection
from morenashi.indexer.files import DiskFile, content_hash
from morenashi.indexer.listing import RootMissingError
from morenashi.indexer.sync import find_difference
from morenashi.indexer.watch import Change

# More are being indexed, and an answer says so.
_MOST_LOOKED_AT = 20


def changed_on_disk(collection: Collection) -> frozenset[Change]:
    """The documents that differ on disk from the index as it is now."""
    with contextlib.closing(database.open_reader(collection.database)) as reader:
        return changed_since(reader, collection)


def changed_since(
    reader: sqlite3.Connection, collection: Collection, manual_id: str | None = None
) -> frozenset[Change]:
    """The documents, of one manual or of all, that differ on disk from the index as a connection sees it.

    By time stamp first, then by content. Raises `RootMissingError`.
    """
    difference = find_difference(reader, collection.list(manual_id), manual_id)
    changed = [file for file in difference.changed if not _is_same(reader, collection, file)]
    return frozenset([*(file.key for file in difference.new + changed), *difference.gone])


def changed_as_far_as_known(
    reader: sqlite3.Connection, collection: Collection, manual_id: str | None = None
) -> frozenset[Change]:
    """The same; where the disk cannot be listed, all documents that the index has."""
    try:
        return changed_since(reader, collection, manual_id)
    except RootMissingError:
        return indexed_documents(reader, manual_id)


def indexed_documents(reader: sqlite3.Connection, manual_id: str | None = None) -> frozenset[Change]:
    """All documents, of one manual or of all, that the index has."""
    return frozenset(reader.execute(_INDEXED, {"manual_id": manual_id}))


def differing(collection: Collection, changes: Iterable[Change]) -> frozenset[Change]:
    """Those of the documents that the index holds otherwise than the disk, by content."""
    found = set()
    with contextlib.closing(database.open_reader(collection.database)) as reader:
        for change in changes:
            row, file = reader.execute(_HASH, change).fetchone(), collection.list_one(change)
            is_there, is_known = file is not None, row is not None
            if is_there != is_known or (file and row and content_hash(collection.root, file) != row[0]):
                found.add(change)
    return frozenset(found)


def still_differing(collection: Collection, pending: frozenset[Change]) -> frozenset[Change]:
    """The same of documents that wait: all of them where that cannot be told, or where there are many."""
    if not 0 < len(pending) <= _MOST_LOOKED_AT:
        return pending
    try:
        return differing(collection, pending)
    except (OSError, sqlite3.DatabaseError):
        return pending


def _is_same(reader: sqlite3.Connection, collection: Collection, file: DiskFile) -> bool:
    """Whether the index has the content that a file has now."""
    row = reader.execute(_HASH, file.key).fetchone()
    return row is not None and content_hash(collection.root, file) == row[0]


_HASH = "SELECT sha256 FROM documents WHERE manual_id = ? AND path = ?"

_INDEXED = "SELECT manual_id, path FROM documents WHERE :manual_id IS NULL OR manual_id = :manual_id"
