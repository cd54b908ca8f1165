"""How far a call is, told to the client that asked for it (MCP: `notifications/progress`)."""

import time
from typing import Any

import anyio
from anyio.from_thread import run
from mcp.server.context import ServerRequestContext

from morenashi.server.deadline import Tell

_SECONDS_BETWEEN = 0.1


def progress_of(context: ServerRequestContext[Any]) -> Tell | None:
    """What takes the progress of a call in its thread; `None` if the client gave no token to tell it by."""
    return _Progress(context).take if (context.meta or {}).get("progress_token") is not None else None


class _Progress:
    """A call may look through several lists, one after the other: what is told counts them together, and only grows."""

    def __init__(self, context: ServerRequestContext[Any]) -> None:
        self._session = context.session
        self._before = self._done = self._told = 0
        self._due = time.monotonic() + _SECONDS_BETWEEN

    def take(self, done: int, total: int) -> None:
        """Tell the client if it is time to, or if a list is at its end. The call goes on when that is sent."""
        if done < self._done:
            self._before += self._done
        self._done = done
        progress = self._before + done
        if progress <= self._told or (done < total and time.monotonic() < self._due):
            return
        self._told, self._due = progress, time.monotonic() + _SECONDS_BETWEEN
        run(self._tell, progress, self._before + total)

    async def _tell(self, progress: int, total: int) -> None:
        """A client that does not read is not waited for: the call holds what others need, a connection above all."""
        with anyio.move_on_after(_SECONDS_BETWEEN):
            await self._session.report_progress(progress, total)
