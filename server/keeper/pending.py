"""Documents that differ on disk from what the index says, as far as its keeper knows."""

import threading
from collections.abc import Iterable

from morenashi.indexer.watch import Change


class Pending:
    """A set of documents, changed by the keeper and by writing tools, asked by every search.

    `build` is that of the index which was compared with the disk; `None` before. Of one that was made anew since, as
    another process may do it, it is not known what differs.
    """

    def __init__(self) -> None:
        self.build: str | None = None
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

    def note_compared(self, build: str) -> None:
        """All that differs from the index of this build was added."""
        self.build = build

    def settle(self, changes: Iterable[Change]) -> None:
        """The index has these as they are."""
        with self._lock:
            self._changes.difference_update(changes)

    def replace(self, changes: Iterable[Change], build: str | None) -> None:
        """These differ and no others: everything was compared with the index of this build."""
        with self._lock:
            self._changes = set(changes)
        self.build = build
