"""The daemon's log: a file that does not grow for ever, and what its end says."""

import contextlib
import json
import os
import stat
from pathlib import Path
from typing import Any

MOST_BYTES = 4 * 1024 * 1024
"""At this size the log becomes `NAME.log.1`, in place of an older one."""

_TAIL_BYTES = 65_536
_STDERR = 2


def bound_log(log: str, most_bytes: int = MOST_BYTES) -> None:
    """Where stderr goes to a file that has become too long, begin a new one at `log`."""
    with contextlib.suppress(OSError):
        status = os.fstat(_STDERR)
        if not stat.S_ISREG(status.st_mode) or status.st_size < most_bytes:
            return
        # Where no new one could be begun the last time, there is nothing to rename.
        with contextlib.suppress(FileNotFoundError):
            Path(log).replace(f"{log}.1")
        fresh = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        os.dup2(fresh, _STDERR)
        os.close(fresh)


def last_errors(log: Path) -> list[dict[str, Any]]:
    """The lines of the level `error` near the log's end, the newest last; none if there is no log."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            lines = file.read().split(b"\n")
    except OSError:
        return []
    records = []
    for line in lines:
        with contextlib.suppress(ValueError):
            record = json.loads(line)
            if isinstance(record, dict) and record.get("level") == "error":
                records.append(record)
    return records
