"""What the disk says otherwise than an index: by time stamps first, then by content."""

import contextlib
from collections.abc import Iterable

from morenashi.indexer import database
from morenashi.indexer.collections import Collection, Kind, collection_of
from morenashi.indexer.config import Config
from morenashi.indexer.files import content_hash
from morenashi.indexer.sync import find_difference
from morenashi.indexer.watch import Change


def changed_on_disk(config: Config, manual_id: str | None = None, kind: Kind = "manuals") -> frozenset[Change]:
    """The documents, of one manual or of all, that differ on disk from the index: by time stamp, then by content."""
    collection = collection_of(config, kind)
    with contextlib.closing(database.open_reader(collection.database)) as reader:
        reader.execute("BEGIN")
        difference = find_difference(reader, collection.list(manual_id), manual_id)
        known = {file.key: reader.execute(_HASH, file.key).fetchone()[0] for file in difference.changed}
    changed = [file for file in difference.changed if content_hash(collection.root, file) != known[file.key]]
    return frozenset([*(file.key for file in difference.new + changed), *difference.gone])


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


_HASH = "SELECT sha256 FROM documents WHERE manual_id = ? AND path = ?"
