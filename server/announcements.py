"""What changed in the indexes, told to whoever listens once it is committed."""

import sqlite3
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from morenashi.indexer.collections import CollectionKind
from morenashi.indexer.files import Key

Contents = dict[Key, bytes | None]
"""What documents hold, by their digest, empty for one that cannot be read; `None` for one that is not there."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Documents of one index that have another text now, came or went; and whether any came or went."""

    kind: CollectionKind
    documents: frozenset[Key]
    is_list_changed: bool


Listener = Callable[[Changes], None]
"""Called in the thread of a writer: it must not wait for anything, nor raise."""


class Announcements:
    """The listeners of a workspace. Listeners come and go in any thread."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()

    @property
    def are_wanted(self) -> bool:
        """Whether anybody listens. Otherwise nobody need look what changes."""
        return bool(self._listeners)

    def listen(self, listener: Listener) -> None:
        """Tell this listener from now on."""
        with self._lock:
            self._listeners.append(listener)

    def leave(self, listener: Listener) -> None:
        """Tell it no more."""
        with self._lock:
            self._listeners.remove(listener)

    def announce(self, kind: CollectionKind, before: Contents, after: Contents) -> None:
        """Tell what differs between two states of the same documents of an index, if anything does."""
        differing = frozenset(key for key, content in before.items() if after[key] != content)
        if not differing:
            return
        is_list_changed = any((before[key] is None) != (after[key] is None) for key in differing)
        self.tell(Changes(kind, differing, is_list_changed))

    def tell(self, changes: Changes) -> None:
        """Tell the listeners of these changes."""
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener(changes)


def read_contents(connection: sqlite3.Connection, keys: Iterable[Key]) -> Contents:
    """What the index holds of these documents."""
    return {key: row[0] if (row := connection.execute(_HASH, key).fetchone()) else None for key in keys}


_HASH = "SELECT coalesce(sha256, x'') FROM documents WHERE manual_id = ? AND path = ?"
