"""The database file that is kept, which others may delete or replace."""

from pathlib import Path

from morenashi.indexer import database


class KeptFile:
    """Known by its inode number from `opened` on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inode: int | None = None

    @property
    def present(self) -> int | None:
        """The inode number of the file that has the name now; `None` if there is none."""
        return database.inode_of(self._path)

    @property
    def is_replaced(self) -> bool:
        """Whether the file that was opened is deleted, or another one has its name."""
        # It may have been deleted before its number was read: then there is none to compare with.
        present = self.present
        return present is None or self._inode not in (None, present)

    def is_other_than(self, inode: int) -> bool:
        """Whether the file that was opened is another than one that had the name before."""
        return self._inode != inode

    def forget(self) -> None:
        """It is about to be opened anew: until then it cannot be replaced, but deleted."""
        self._inode = None

    def opened(self) -> None:
        """It was opened just now."""
        self._inode = self.present
