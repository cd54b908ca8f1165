"""What a bulk load has freed goes back to the system."""

import os
import platform
import sqlite3
from pathlib import Path

import pytest

from morenashi.server import heap

_MB = 1_000_000
_FILL = """
WITH numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
INSERT INTO pages SELECT zeroblob(3900) FROM numbers
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library keeps memory in its own way")
def test_memory_that_was_freed_below_what_lives_is_given_back() -> None:
    freed, kept = _database(), _database()
    for _ in range(100):
        freed.execute(_FILL, (100,))
        kept.execute(_FILL, (1,))
    freed.close()
    before = _resident_bytes()
    heap.give_back()
    assert before - _resident_bytes() > 20 * _MB
    kept.close()


def _database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE pages (content BLOB)")
    return connection


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
