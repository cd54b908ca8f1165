"""What becomes of an index that another process writes, seen from one look to the next and announced."""

import sqlite3

from morenashi.indexer.collections import CollectionKind
from morenashi.indexer.files import Key
from morenashi.indexer.index_state import read_generation
from morenashi.server.announcements import Announcements, Changes


class Followed:
    """One index. Looked at every second or so by its keeper's thread, as long as that one does not write."""

    def __init__(self, announcements: Announcements, kind: CollectionKind) -> None:
        self._announcements = announcements
        self._kind = kind
        self._generation: int | None = None
        self._contents: dict[Key, bytes] | None = None

    def look(self, connection: sqlite3.Connection) -> None:
        """Announce what is another content since the last look, if anybody listens."""
        # First, so that what is committed in between is seen once more.
        generation = read_generation(connection)
        has_moved = self._generation not in (None, generation)
        self._generation = generation
        if not self._announcements.are_wanted:
            self._contents = None
            return
        if self._contents is not None and not has_moved:
            return
        before, self._contents = self._contents, _read_all(connection)
        if before is not None:
            keys = before.keys() | self._contents.keys()
            self._announcements.announce(
                self._kind,
                {key: before.get(key) for key in keys},
                {key: self._contents.get(key) for key in keys},
            )
        elif has_moved:
            # Somebody began to listen since the last look, and something changed: before that or after it.
            self._announcements.tell(Changes(self._kind, frozenset(self._contents), is_list_changed=True))

    def forget(self) -> None:
        """From now on this process writes, and announces what it writes."""
        self._generation = self._contents = None


def _read_all(connection: sqlite3.Connection) -> dict[Key, bytes]:
    return {(manual_id, path): content for manual_id, path, content in connection.execute(_CONTENTS)}


_CONTENTS = "SELECT manual_id, path, coalesce(sha256, x'') FROM documents"
