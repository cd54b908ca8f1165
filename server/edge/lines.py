"""Messages from stdin, a line each. One that is longer than any message may be is passed over, never held whole."""

import fcntl
import os
from io import BufferedReader
from typing import IO, cast

from morenashi.server.log import log_event

from .daemon.hello import MOST_LINE_BYTES

_PIECE_BYTES = 1024 * 1024
_FIRST_FREE = 3


class BoundedLines:
    """Lines of bytes as text. Bytes that are no UTF-8 become U+FFFD, with which a message is refused or answered."""

    def __init__(self, stream: BufferedReader) -> None:
        self._stream = stream

    def readline(self) -> str:
        """The next line that is not too long; "" at the end."""
        while len(line := self._stream.readline(MOST_LINE_BYTES)) == MOST_LINE_BYTES and not line.endswith(b"\n"):
            del line
            self._pass_over()
            log_event(
                "warn", "serve", ok=False, notice="a message was too long and is not answered", most=MOST_LINE_BYTES
            )
        return line.decode("utf-8", "replace")

    def _pass_over(self) -> None:
        while (piece := self._stream.readline(_PIECE_BYTES)) and not piece.endswith(b"\n"):
            pass


def take_stdin() -> IO[str]:
    """The lines of stdin, for the protocol alone: what else reads there, as a worker process might, finds the end."""
    wire = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    # A thread may still wait on this descriptor when the server ends: it is never closed.
    return cast(IO[str], BoundedLines(BufferedReader(os.fdopen(wire, "rb", buffering=0, closefd=False))))
