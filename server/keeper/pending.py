"""Documents that differ on disk from what the index says, as far as its keeper knows."""

import threading
from collections.abc import Iterable

from morenashi.indexer.watch import Change


class Pending:
    """A set of documents, changed by the keeper and by writing tools, asked by every search."""

    def __init__(self) -> None:
        self._changes: set[Change] = set()
        # Of those, what was heard of while the disk could not be listed: pending until it can be.
        self._unsettled: set[Change] = set()
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

    def add_unsettled(self, changes: Iterable[Change]) -> None:
        """These may differ, which nobody can tell until the disk can be listed."""
        with self._lock:
            self._unsettled.update(changes)
            self._changes |= self._unsettled

    def settle_unsettled(self) -> None:
        """The disk was listed: what differed then was told by `add`, and is settled."""
        with self._lock:
            self._changes -= self._unsettled
            self._unsettled.clear()
