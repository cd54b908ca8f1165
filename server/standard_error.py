"""Lines on stderr, whose reader is not waited for. The standard library alone: clients' processes import this."""

import contextlib
import select
import sys

# What a pipe takes at once if it takes anything; a character is four bytes at most.
_PIECE_CHARACTERS = select.PIPE_BUF // 4


def write_line(text: str) -> None:
    """Write a line, which gets its newline here.

    What nobody takes is lost: the reader is gone or does not read, or its disk is full.
    """
    line = text + "\n"
    with contextlib.suppress(OSError, ValueError):
        for start in range(0, len(line), _PIECE_CHARACTERS):
            if not _takes_more():
                return
            sys.stderr.write(line[start : start + _PIECE_CHARACTERS])
            sys.stderr.flush()


def _takes_more() -> bool:
    """Whether a piece can be written without waiting: a client may hold a pipe's other end and never read it."""
    poll = select.poll()
    try:
        poll.register(sys.stderr.fileno(), select.POLLOUT)
        return bool(poll.poll(0))
    except (OSError, ValueError):
        # No file of the system's, as in a test; or a process that has no descriptors left may not even ask.
        return True
