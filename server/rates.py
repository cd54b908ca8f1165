"""Rate limits, a caller at a time: a bucket that refills steadily (seed 002 §4)."""

import math
import threading
from dataclasses import dataclass

from .errors import ToolError
from .newest import Newest

_CALLERS_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left to a caller: the three headers `X-RateLimit-*` over HTTP. `reset_seconds` until it is full again."""

    limit: int
    remaining: int
    reset_seconds: int


class RateLimitError(ToolError):
    """A caller has no call left for `retry_after` seconds."""

    def __init__(self, allowance: Allowance, retry_after: int) -> None:
        self.allowance = allowance
        self.retry_after = retry_after
        super().__init__(
            "RATE_LIMIT",
            f"too many calls: wait {retry_after} s, then go on with pauses that grow",
            retry_after=retry_after,
            limit=allowance.limit,
            remaining=allowance.remaining,
            reset=allowance.reset_seconds,
        )


class RateLimiter:
    """`a_minute` calls a minute for each caller, all of them at once if need be."""

    def __init__(self, a_minute: int) -> None:
        self._limit = a_minute
        self._left: Newest[str, tuple[float, float]] = Newest(_CALLERS_KEPT)
        self._lock = threading.Lock()

    def take(self, caller: str, now: float) -> Allowance:
        """Count a call; `now` in seconds of a clock that never goes back. Raises `RateLimitError`."""
        with self._lock:
            left, then = self._left.get(caller, (float(self._limit), now))
            left = min(left + (now - then) * self._limit / 60, self._limit)
            is_allowed = left >= 1
            left -= 1 if is_allowed else 0
            self._left.put(caller, (left, now))
        allowance = Allowance(self._limit, int(left), self._seconds(self._limit - left))
        if not is_allowed:
            raise RateLimitError(allowance, self._seconds(1 - left))
        return allowance

    def _seconds(self, calls: float) -> int:
        return math.ceil(calls * 60 / self._limit)
