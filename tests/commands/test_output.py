"""What commands write, where nobody reads to the end."""

import subprocess
import sys

PROGRAM = """
from morenashi.indexer.terminal import show
for number in range(100_000):
    show(f"line {number}")
"""


def test_a_reader_that_has_enough_ends_the_command_quietly() -> None:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", PROGRAM], text=True, **pipes) as process:
        assert process.stdout
        assert process.stdout.readline() == "line 0\n"
        process.stdout.close()
        assert process.stderr
        assert process.stderr.read() == ""
    assert process.returncode == 141
