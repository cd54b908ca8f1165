"""The folder of the workspace, in which the index is made: not in one that is just being put in its place."""

import time
from pathlib import Path

from morenashi.indexer.presence import identity_of

_SETTLED_SECONDS = 3.0
"""Longer than a daemon with no call under way takes to notice that its workspace is another one, and to end."""


class Home:
    """Known by its device and inode number. Another folder of its name may be a copy that is not complete yet: what is
    made there would stand in the way of its own. It is taken for the workspace once it has been there for a while.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known = self._seen = identity_of(self._folder)
        self._seen_since = time.monotonic()

    @property
    def is_settled(self) -> bool:
        """Whether the folder that has the name now is the one that it was, or has been there for a while.

        Where there is none, nothing can be made too early.
        """
        present = identity_of(self._folder)
        if present is None:
            return True
        if present != self._seen:
            self._seen, self._seen_since = present, time.monotonic()
        if time.monotonic() - self._seen_since > _SETTLED_SECONDS:
            self._known = present
        return present == self._known
