"""Sessions: which search a client's later calls belong to."""

import threading

from .newest import Newest

_SESSIONS_KEPT = 1_000


class Sessions:
    """The latest search of each session, as the id of its trace; those longest without one are forgotten."""

    def __init__(self) -> None:
        self._latest: Newest[str, str] = Newest(_SESSIONS_KEPT)
        self._lock = threading.Lock()

    def begin_search(self, session_id: str, trace_id: str) -> None:
        """From now on, what this session reads belongs to this search."""
        with self._lock:
            self._latest.put(session_id, trace_id)

    @property
    def searching(self) -> int:
        """How many sessions have searched."""
        with self._lock:
            return len(self._latest)

    def latest_search(self, session_id: str) -> str | None:
        """The trace's id, or `None` before the first search."""
        with self._lock:
            return self._latest.get(session_id)
