"""Of which content of a file each place, where an answer was cut, was given out last to each client.

A cursor need not say what content it is of: this does, while the server runs.
"""

import threading

from morenashi.server.clients import current_client
from morenashi.server.newest import Newest

from .delivered import Root

_REMEMBERED = 10_000


class _GivenPlaces:
    """Versions, by session and place; the oldest are forgotten."""

    def __init__(self) -> None:
        self._versions: Newest[tuple[str, Root, str, int], str] = Newest(_REMEMBERED)
        self._lock = threading.Lock()

    def remember(self, root: Root, path: str, char_offset: int, version: str) -> None:
        """A place is given to the client that calls."""
        place = current_client().session_id, root, path, char_offset
        with self._lock:
            self._versions.put(place, version)

    def recall(self, root: Root, path: str, char_offset: int) -> str | None:
        """The content that it was given of; `None` if it never was, or that is forgotten."""
        with self._lock:
            return self._versions.get((current_client().session_id, root, path, char_offset))


given_places = _GivenPlaces()
