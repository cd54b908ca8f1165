"""One heap for all threads of a server."""

import contextlib
import ctypes

_M_ARENA_MAX = -8
"""Of glibc's malloc.h."""


def share_one_heap() -> None:
    """Have all threads allocate from one heap. To be called before there is a second thread.

    glibc gives each thread its own: what one search has freed, the next, in another thread, asks the system for again,
    which comes to 20 MB. It is done for threads that allocate at the same time; those of Python hardly do. Other
    systems' libraries have no such setting.
    """
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
