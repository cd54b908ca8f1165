"""Who has asked for something over HTTP lately, where most clients are not connected between two calls."""

import threading
from collections import Counter

from morenashi.server.clients import Client
from morenashi.server.newest import Newest

_RECENT_SECONDS = 300.0
_MOST_KEPT = 10_000


class RecentClients:
    """Sessions that asked for something within five minutes. `now` in seconds of a clock that never goes back."""

    def __init__(self) -> None:
        self._last_seen = Newest[str, tuple[str, float]](_MOST_KEPT)
        self._lock = threading.Lock()

    def see(self, client: Client, now: float) -> None:
        """It asks for something."""
        with self._lock:
            self._last_seen.put(client.session_id, (client.name, now))
            self._forget(now)

    def count(self, now: float) -> dict[str, int]:
        """How many sessions of each name there are."""
        with self._lock:
            self._forget(now)
            return dict(Counter(name for name, _ in self._last_seen.values()))

    def _forget(self, now: float) -> None:
        while self._last_seen and next(iter(self._last_seen.values()))[1] < now - _RECENT_SECONDS:
            self._last_seen.popitem(last=False)
