"""The C library's heap: one for all threads of a server, and no larger than what lives in it."""

import contextlib
import ctypes

_M_ARENA_MAX = -8
"""Of glibc's malloc.h."""


def share_one_heap() -> None:
    """Have all threads allocate from one heap. To be called before there is a second thread.

    glibc gives each thread its own: what one search has freed, the next, in another thread, asks the system for again,
    which comes to 20 MB. It is done for threads that allocate at the same time; those of Python hardly do.
    """
    _ask_glibc("mallopt", _M_ARENA_MAX, 1)


def give_back() -> None:
    """Give what was freed back to the system (`malloc_trim(3)`); takes milliseconds.

    glibc keeps what lies below anything that lives: 70 MB after 65 MB of manuals were indexed, 20 MB more after some
    searches, for as long as the server runs.
    """
    _ask_glibc("malloc_trim", 0)


def _ask_glibc(function: str, *arguments: int) -> None:
    """Nothing happens where there is another C library, or, as on Windows, none without a name."""
    with contextlib.suppress(AttributeError, TypeError):
        getattr(ctypes.CDLL(None), function)(*arguments)
