"""MCP on a byte stream: a message a line."""

import anyio
import mcp.types as t
from anyio.abc import ByteStream
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.shared.message import SessionMessage

from .daemon.hello import MOST_LINE_BYTES

_MORE_THAN_PASSES = MOST_LINE_BYTES + 1024 * 1024
"""A client's process lets no line pass that is so long (shim.py)."""


class Lines:
    """Lines of bytes over a stream.

    While a line cannot be sent, none is received: who does not read answers gets no further ones made.
    """

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._sending = anyio.Lock(fast_acquire=True)
        self._incoming = BufferedByteReceiveStream(stream)

    async def receive(self, most_bytes: int = _MORE_THAN_PASSES) -> bytes | None:
        """The next line, without its newline; `None` at the end, or if it is longer. What has no newline is no line."""
        async with self._sending:
            pass
        try:
            return await self._incoming.receive_until(b"\n", most_bytes)
        except (
            anyio.DelimiterNotFound,
            anyio.IncompleteRead,
            anyio.BrokenResourceError,
            anyio.ClosedResourceError,
        ):
            return None

    async def send(self, line: bytes) -> None:
        """Send a line, which has its newline; to nobody if the other end is gone."""
        async with self._sending:
            try:
                await self._stream.send(line)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return


class Messages:
    """The messages of MCP that these lines are."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    async def receive(self) -> SessionMessage | Exception | None:
        """The next message, or what is wrong with it; `None` at the end."""
        line = await self._lines.receive()
        if line is None:
            return None
        try:
            # As the library reads stdin: a byte that is no UTF-8 costs its character, not the message.
            return SessionMessage(
                t.jsonrpc_message_adapter.validate_json(line.decode("utf-8", "replace"), by_name=False)
            )
        except ValueError as error:
            return error

    async def send(self, message: SessionMessage) -> None:
        """Send a message."""
        line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
        await self._lines.send(line.encode() + b"\n")
