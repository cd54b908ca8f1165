"""A client's connection with a server, as whole lines each way; nothing here waits. The standard library alone."""

import contextlib
import socket
import time

CHUNK_BYTES = 65_536
"""How much is read at once."""


class Link:
    """A connection to a server. `is_open` says that both sides speak MCP."""

    def __init__(self, connection: socket.socket, greeting: bytes = b"") -> None:
        self.connection = connection
        self.is_open = not greeting
        self.since = time.monotonic()
        # A line may have 64 MB, and goes in pieces: to cut one off the front of a bytearray copies nothing.
        self._outgoing = bytearray(greeting)
        self._incoming = bytearray()

    @property
    def is_sending(self) -> bool:
        """Whether something waits to be sent."""
        return bool(self._outgoing)

    def send(self, line: bytes = b"") -> bool:
        """Send what waits, and then a line; whether nothing waits any more. A loss shows when the link is read."""
        self._outgoing += line
        try:
            del self._outgoing[: self.connection.send(self._outgoing)]
        except OSError:
            return False
        return not self._outgoing

    def end(self) -> None:
        """Tell the other end that nothing more is sent."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)

    def receive(self) -> list[bytes] | None:
        """The whole lines that have come; `None` if the other end is gone. What it had not finished is nothing."""
        try:
            chunk = self.connection.recv(CHUNK_BYTES)
        except BlockingIOError:
            return []
        except OSError:
            return None
        return take_lines(self._incoming, chunk) if chunk else None


def take_lines(buffer: bytearray, chunk: bytes) -> list[bytes]:
    """Add what was read to what was left of the last line; the whole lines, each with its newline."""
    buffer += chunk
    if b"\n" not in chunk:
        return []
    *lines, rest = bytes(buffer).split(b"\n")
    buffer[:] = rest
    return [line + b"\n" for line in lines]
