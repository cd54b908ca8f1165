"""Lines on stderr, whose reader is not waited for. The standard library alone: clients' processes import this."""

import contextlib
import os
import select
import sys


def write_line(text: str) -> None:
    """Write a line, which gets its newline here.

    What nobody takes is lost: the reader is gone or does not read, or its disk is full.
    """
    with contextlib.suppress(OSError, ValueError):
        try:
            descriptor = sys.stderr.fileno()
        except (OSError, ValueError):
            # No file of the system's, as in a test.
            sys.stderr.write(text + "\n")
            return
        line = (text + "\n").encode("utf-8", "backslashreplace")
        # A pipe that takes anything takes so much at once. Past the stream's own buffer: there it would stay if nobody
        # takes it, which from Python 3.14 on makes 120 of the exit code.
        for start in range(0, len(line), select.PIPE_BUF):
            if not _takes_more(descriptor):
                return
            os.write(descriptor, line[start : start + select.PIPE_BUF])


def _takes_more(descriptor: int) -> bool:
    """Whether a piece can be written without waiting: a client may hold a pipe's other end and never read it."""
    poll = select.poll()
    try:
        poll.register(descriptor, select.POLLOUT)
        return bool(poll.poll(0))
    except OSError:
        # A process that has no descriptors left may not even ask.
        return True
