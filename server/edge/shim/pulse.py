"""Whether a daemon still lives, by what it says to a client's process. The standard library alone."""

MOST_SILENT_SECONDS = 10.0
"""So long a daemon that owes an answer may be silent. One that works says every two seconds that it lives."""

# What a process counts at most between two looks: it may have been stopped itself, and the daemon with it.
_MOST_COUNTED_SECONDS = 1.5


class Pulse:
    """Counts the seconds of silence while something is expected."""

    def __init__(self, now: float) -> None:
        self._silent_seconds = 0.0
        self._looked = now

    def felt(self) -> None:
        """The daemon said something."""
        self._silent_seconds = 0.0

    def has_stopped(self, now: float, *, is_missed: bool) -> bool:
        """Whether the silence has lasted too long; asked about once a second. `is_missed`: an answer is expected.

        `now` in seconds of a clock that never goes back.
        """
        passed, self._looked = min(now - self._looked, _MOST_COUNTED_SECONDS), now
        self._silent_seconds = self._silent_seconds + passed if is_missed else 0.0
        return self._silent_seconds > MOST_SILENT_SECONDS
