"""A connection over HTTP. Who connects and asks for nothing, or does not come to the end of what is asked, is not kept:
only so many have room, and a token is asked for with the request.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

IDLE_SECONDS = 5.0
"""A connection on which no request is under way has so long, at least, to send the whole head of the next one."""

BODY_SECONDS = 60.0
"""And so long, at least, for the body: the longest is 4 MiB, and most are a few hundred bytes."""


class Connection(H11Protocol):
    """The library's, which waits for ever for a first request, and for the rest of one, refused or not."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._last_seen: object = None
        self._unfinished: object = None
        self._unfinished_since = 0.0
        self._next_look: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look at it now and then."""
        super().connection_made(transport)
        self._next_look = self.loop.call_later(IDLE_SECONDS, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """End that."""
        if self._next_look is not None:
            self._next_look.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        is_idle = self.cycle is None or self.cycle.response_complete
        if (is_idle and self.cycle is self._last_seen) or self._is_body_late():
            self.transport.close()
            return
        # Its answer may only just have gone out.
        self._last_seen = self.cycle if is_idle else self
        self._next_look = self.loop.call_later(IDLE_SECONDS, self._look)

    def _is_body_late(self) -> bool:
        """Whether the body of the request under way has been coming for too long."""
        if self.conn.their_state is not h11.SEND_BODY:
            return False
        if self.cycle is not self._unfinished:
            self._unfinished, self._unfinished_since = self.cycle, self.loop.time()
        return self.loop.time() - self._unfinished_since >= BODY_SECONDS
