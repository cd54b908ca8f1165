"""The client of a `morenashi serve`: whole lines on stdin and stdout, and stderr. The standard library alone."""

import os
import select
import stat
import time

from morenashi.server.edge.daemon.hello import MOST_LINE_BYTES
from morenashi.server.standard_error import write_line

from .link import CHUNK_BYTES, MOST_WAITING_BYTES, take_lines

STDIN, STDOUT = 0, 1


class Client:
    """What the client says, and what waits to be said to it."""

    def __init__(self) -> None:
        self._incoming = bytearray()
        self._is_too_long = False
        self._outgoing = bytearray()
        self._left_since: float | None = None
        # What can be written without blocking once stdout is said to be ready: to a pipe, no more.
        is_socket = stat.S_ISSOCK(os.fstat(STDOUT).st_mode)
        self._bytes_at_once = CHUNK_BYTES if is_socket else select.PIPE_BUF

    @property
    def has_left(self) -> bool:
        """Whether stdin has ended."""
        return self._left_since is not None

    @property
    def is_owed(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._outgoing)

    @property
    def takes_more(self) -> bool:
        """Whether not too much waits already."""
        return len(self._outgoing) < MOST_WAITING_BYTES

    def has_left_for(self, seconds: float) -> bool:
        """Whether stdin ended longer ago than that."""
        return self._left_since is not None and time.monotonic() - self._left_since > seconds

    def read(self) -> list[bytes]:
        """The lines that have come to their end, without one that is too long; none if stdin has ended."""
        chunk = os.read(STDIN, CHUNK_BYTES)
        if not chunk:
            self._left_since = time.monotonic()
        lines = take_lines(self._incoming, chunk)
        if lines and self._is_too_long:
            del lines[0]
            self._is_too_long = False
        if len(self._incoming) > MOST_LINE_BYTES:
            self._incoming.clear()
            if not self._is_too_long:
                say(f"a message of more than {MOST_LINE_BYTES} bytes is passed over and not answered")
            self._is_too_long = True
        return lines

    def put(self, lines: list[bytes]) -> None:
        """Let lines wait to be written."""
        self._outgoing += b"".join(lines)

    def write(self) -> None:
        """Write what waits, as far as the client takes it. Raises `BrokenPipeError` if there is none."""
        stdout = select.poll()
        stdout.register(STDOUT, select.POLLOUT)
        while self._outgoing and stdout.poll(0):
            try:
                written = os.write(STDOUT, bytes(self._outgoing[: self._bytes_at_once]))
            except BlockingIOError:
                return
            del self._outgoing[:written]


def say(text: str) -> None:
    """To whoever reads stderr; if nobody does, the client is served all the same."""
    write_line(f"morenashi: {text}")
