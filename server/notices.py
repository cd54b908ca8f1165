"""What the writer was told of and has not dealt with yet: neither in its queue nor in its hands may it be forgotten."""

import contextlib
import threading
from collections.abc import Iterator

from morenashi.indexer.watch import Change

Notice = frozenset[Change] | None
"""Changed documents, or `None`: whatever a comparison with the disk finds."""


class Notices:
    """A bag of notices, shared by the threads that give them, deal with them and ask."""

    def __init__(self) -> None:
        self._open: list[Notice] = []
        self._lock = threading.Lock()

    def add(self, notice: Notice) -> None:
        """Remember it until it is settled."""
        with self._lock:
            self._open.append(notice)

    def settle(self, notice: Notice) -> None:
        """It was dealt with."""
        with self._lock, contextlib.suppress(ValueError):
            self._open.remove(notice)

    @contextlib.contextmanager
    def comparing(self) -> Iterator[None]:
        """For the time of a comparison, its outcome is not known."""
        self.add(None)
        try:
            yield
        finally:
            self.settle(None)

    @property
    def changes(self) -> frozenset[Change]:
        """The documents that are named."""
        with self._lock:
            return frozenset[Change]().union(*filter(None, self._open))

    @property
    def has_comparison(self) -> bool:
        """Whether more may have changed than is named."""
        with self._lock:
            return None in self._open
