"""Documents that differ on disk from what the index says, as far as its keeper knows."""

import threading
from collections.abc import Iterable

from morenashi.indexer.watch import Change


class Pending:
    """A set of documents, changed by the keeper and by writing tools, asked by every search."""

    def __init__(self) -> None:
        self._changes: set[Change] = set()
        self._lock = threading.Lock()

    @property
    def changes(self) -> frozenset[Change]:
        """All of them."""
        with self._lock:
            return frozenset(self._changes)

    def add(self, changes: Iterable[Change]) -> None:
        """These differ."""
        with self._lock:
            self._changes.update(changes)

    def settle(self, changes: Iterable[Change]) -> None:
        """The index has these as they are."""
        with self._lock:
            self._changes.difference_update(changes)

    def replace(self, changes: Iterable[Change]) -> None:
        """These differ and no others: everything was compared."""
        with self._lock:
            self._changes = set(changes)
