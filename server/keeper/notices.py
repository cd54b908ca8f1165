"""What the writer was told of and has not dealt with yet: in its queue or in its hands, it must not be forgotten."""

import contextlib
import threading

from morenashi.indexer.watch import Change


class Notices:
    """Batches of changed documents, shared by the threads that tell of them, deal with them and ask."""

    def __init__(self) -> None:
        self._open: list[frozenset[Change]] = []
        self._until_compared: list[frozenset[Change]] = []
        self._is_comparison_open = False
        self._is_disk_being_listed = False
        self._lock = threading.Lock()

    def ask_to_compare(self, named: frozenset[Change]) -> bool:
        """Ask for a comparison of everything. False: one that has not begun yet was asked for, and serves both.

        What is named counts as changed until a comparison that begins from now on has ended.
        """
        with self._lock:
            self._until_compared += [named] if named else []
            was_open, self._is_comparison_open = self._is_comparison_open, True
        return not was_open

    def begin_comparison(self) -> int:
        """One begins: it does not see all that happens from now on. How many batches it will have seen, to `end` it."""
        with self._lock:
            self._is_comparison_open, self._is_disk_being_listed = False, True
            return len(self._until_compared)

    def note_listed(self) -> None:
        """The one that began knows what differs; it goes on to index that."""
        with self._lock:
            self._is_disk_being_listed = False

    def end_comparison(self, batches: int) -> None:
        """It has seen them."""
        with self._lock:
            self._is_disk_being_listed = False
            del self._until_compared[:batches]

    def add(self, changes: frozenset[Change]) -> None:
        """Remember a batch until it is settled."""
        with self._lock:
            self._open.append(changes)

    def settle(self, changes: frozenset[Change]) -> None:
        """It was dealt with."""
        with self._lock, contextlib.suppress(ValueError):
            self._open.remove(changes)

    @property
    def are_without_names(self) -> bool:
        """Whether something may differ that nobody has named yet: a comparison was asked for, as after a folder came,
        or has begun, and has not listed the disk.
        """
        with self._lock:
            return self._is_comparison_open or self._is_disk_being_listed

    @property
    def changes(self) -> frozenset[Change]:
        """All documents that are named."""
        with self._lock:
            return frozenset[Change]().union(*self._open, *self._until_compared)
