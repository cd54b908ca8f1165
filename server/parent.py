"""The process that started this one, which ends with it. The standard library alone: clients' processes import this."""

import os

_STARTED_BY = os.getppid()


def has_ended() -> bool:
    """Whether it has, since this was imported: then another process has taken this one in."""
    return os.getppid() != _STARTED_BY
