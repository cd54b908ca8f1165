"""How long something took, and how much of the machine others had meanwhile."""

import os
import time

import psutil


class Clock:
    """Runs from when it is made. Child processes count as this one's from when they have ended."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._busy, self._own = _busy_seconds(), _own_seconds()

    @property
    def elapsed_seconds(self) -> float:
        """Seconds of wall time."""
        return time.perf_counter() - self._started

    def used_by_others(self, elsewhere_seconds: float) -> float:
        """The share (0..1) of all cpu time that other processes used.

        `elsewhere_seconds`: cpu time of processes that belong to this one and are not its children.
        """
        others = (_busy_seconds() - self._busy) - (_own_seconds() - self._own) - elsewhere_seconds
        return max(others, 0.0) / (self.elapsed_seconds * (os.cpu_count() or 1))


def _busy_seconds() -> float:
    """Cpu seconds of all processes since the machine started."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0))


def _own_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
