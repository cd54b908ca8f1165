"""The daemon's log does not grow for ever, and no line of it is lost on the way."""

import subprocess
import sys
from pathlib import Path

import pytest

from ..workspaces import clean_environment

MOST_BYTES = 100
# Fifty lines, each followed by a look; in the middle, no file can be opened for a while.
_PROGRAM = f"""
import resource, sys
from morenashi.server.edge.daemon.log import bound_log

limit = resource.getrlimit(resource.RLIMIT_NOFILE)
for number in range(50):
    if sys.argv[2] == "without descriptors" and number in (10, 30):
        resource.setrlimit(resource.RLIMIT_NOFILE, (0 if number == 10 else limit[0], limit[1]))
    sys.stderr.write(f"line {{number:02}}\\n")
    sys.stderr.flush()
    bound_log(sys.argv[1], {MOST_BYTES})
"""


@pytest.mark.parametrize("state", ["as usual", "without descriptors"])
def test_a_log_that_has_become_long_is_begun_anew_and_the_last_one_kept(tmp_path: Path, state: str) -> None:
    log, last = tmp_path / "x.log", tmp_path / "x.log.1"
    with log.open("ab") as stderr:
        command = [sys.executable, "-c", _PROGRAM, str(log), state]
        subprocess.run(command, stderr=stderr, env=clean_environment(), check=True)
    lines = (last.read_text("ascii") + log.read_text("ascii")).splitlines()
    assert lines == [f"line {number:02}" for number in range(50 - len(lines), 50)]
    assert log.stat().st_size < MOST_BYTES
    assert last.stat().st_size >= MOST_BYTES
