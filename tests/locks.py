"""Locks that another process holds."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HOLD = """
import fcntl, sys, time
lock = open(sys.argv[-1])
fcntl.flock(lock, fcntl.LOCK_EX)
print(flush=True)
time.sleep(600)
"""


@contextlib.contextmanager
def held_elsewhere(lock: Path, *command: str) -> Iterator[int]:
    """The id of a process that holds a lock meanwhile; `command` is what it runs `HOLD` by, if not by `python -c`."""
    runs = command or (sys.executable, "-c", HOLD)
    with subprocess.Popen([*runs, str(lock)], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout
            process.stdout.readline()
            yield process.pid
        finally:
            process.kill()
