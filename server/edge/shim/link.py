"""A client's connection with a server, as whole lines each way; nothing here waits. The standard library alone."""

import contextlib
import socket
import time
from collections import deque

CHUNK_BYTES = 65_536
"""How much is read at once."""

MOST_WAITING_BYTES = 4 * 1024 * 1024
"""Of what waits to be passed on: with so much, no more is read."""


class Link:
    """A connection to a server. `is_open` says that both sides speak MCP. `opening` are the lines that this server, and
    no other one, is to hear before those of the client.
    """

    def __init__(self, connection: socket.socket, greeting: bytes = b"") -> None:
        self.connection = connection
        self.is_open = not greeting
        self.opening = b""
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


class Backlog:
    """Lines that wait for a server, in their order."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._bytes = 0

    def __bool__(self) -> bool:
        return bool(self._lines)

    @property
    def takes_more(self) -> bool:
        """Whether not too much waits already."""
        return self._bytes < MOST_WAITING_BYTES

    @property
    def first(self) -> bytes:
        """The line that is next, where there is one."""
        return self._lines[0]

    def put(self, lines: list[bytes]) -> None:
        """Let lines wait behind the others."""
        self._lines.extend(lines)
        self._bytes += sum(map(len, lines))

    def put_first(self, lines: list[bytes]) -> None:
        """Let lines wait before the others."""
        self._lines.extendleft(reversed(lines))
        self._bytes += sum(map(len, lines))

    def drop_first(self) -> None:
        """The line that was next is under way."""
        self._bytes -= len(self._lines.popleft())


def take_lines(buffer: bytearray, chunk: bytes) -> list[bytes]:
    """Add what was read to what was left of the last line; the whole lines, each with its newline."""
    buffer += chunk
    if b"\n" not in chunk:
        return []
    *lines, rest = bytes(buffer).split(b"\n")
    buffer[:] = rest
    return [line + b"\n" for line in lines]
