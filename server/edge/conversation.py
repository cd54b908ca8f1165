"""One client's messages and the server's, over any transport, until the client goes or the server has to.

The library serves a connection in the era of the protocol that its first request belongs to. Some clients ask
`server/discover`, which belongs to the new one, and then shake hands in the old: for them a second connection is
begun on the same lines.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import mcp.types as t
from mcp.server.lowlevel import Server
from mcp.shared._context_streams import ContextReceiveStream, create_context_streams
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from .refusals import refuse

Received = SessionMessage | Exception | None
"""A message, what is wrong with it, or the end."""

FINISH_SECONDS = 10.0
"""How long calls that are under way may still take when the server has to end."""

_LOOK_SECONDS = 0.01


class Conversation:
    """Serves one client; `server` is for this one alone."""

    def __init__(
        self,
        server: Server[Any],
        receive: Callable[[], Awaitable[Received]],
        send: Callable[[SessionMessage], Awaitable[None]],
    ) -> None:
        self._server = server
        self._receive = receive
        self._send = send
        self._calls: set[t.RequestId] = set()
        self._stopping = anyio.Event()
        self._reading: anyio.CancelScope | None = None

    async def run(self) -> None:
        """Until the client goes, and then its calls are cancelled; or until `finish`."""
        opening = await self._next()
        while opening is not None:
            opening = await self._serve_era(opening)

    def finish(self) -> None:
        """Take no further messages; end when the calls that are under way have been answered.

        What is still under way then is not answered: the client's process asks the next server, or says what was lost.
        """
        self._stopping.set()
        if self._reading is not None:
            self._reading.cancel()

    async def _serve_era(self, opening: Received) -> Received:
        """Serve from the opening message on. Returns the one that opens another era; `None` if there is none."""
        to_server, incoming = create_context_streams[SessionMessage | Exception](0)
        outgoing, from_server = create_context_streams[SessionMessage](0)
        options = self._server.create_initialization_options()
        message, has_only_asked = opening, True
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._send_all, from_server)
            tasks.start_soon(self._server.run, incoming, outgoing, options)
            async with to_server:
                while message is not None:
                    if message is not opening and has_only_asked and _asks("initialize", message):
                        break
                    has_only_asked = has_only_asked and _asks("server/discover", message)
                    self._note_request(message)
                    await to_server.send(message)
                    message = await self._next()
                if self._stopping.is_set():
                    await self._finish_calls()
        return message

    async def _next(self) -> Received:
        if self._stopping.is_set():
            return None
        with anyio.CancelScope() as self._reading:
            received = await self._receive()
            while isinstance(received, ValidationError) and (refusals := refuse(received)):
                for refusal in refusals:
                    await self._send(refusal)
                received = await self._receive()
            return received
        return None

    async def _send_all(self, messages: ContextReceiveStream[SessionMessage]) -> None:
        async with messages:
            async for message in messages:
                if self._stopping.is_set() and _is_farewell(message):
                    continue
                await self._send(message)
                if isinstance(message.message, t.JSONRPCResponse | t.JSONRPCError) and message.message.id is not None:
                    self._calls.discard(message.message.id)

    def _note_request(self, message: SessionMessage | Exception) -> None:
        """Keep the calls of tools that have to be finished. One that the client cancels is not answered."""
        content = None if isinstance(message, Exception) else message.message
        if isinstance(content, t.JSONRPCRequest) and content.method == "tools/call":
            self._calls.add(content.id)
        elif isinstance(content, t.JSONRPCNotification) and content.method == "notifications/cancelled":
            request_id = (content.params or {}).get("requestId")
            # What else stands there names no call.
            if isinstance(request_id, str | int):
                self._calls.discard(request_id)

    async def _finish_calls(self) -> None:
        with anyio.move_on_after(FINISH_SECONDS):
            while self._calls:
                await anyio.sleep(_LOOK_SECONDS)


def _is_farewell(message: SessionMessage) -> bool:
    """Whether the library answers so a request that it has given up, as its connection ends."""
    content = message.message
    return isinstance(content, t.JSONRPCError) and content.error.code == t.CONNECTION_CLOSED


def _asks(method: str, message: Received) -> bool:
    """Whether a message is a request of this method."""
    content = message.message if isinstance(message, SessionMessage) else None
    return isinstance(content, t.JSONRPCRequest) and content.method == method
