"""What commands write, where nobody reads to the end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..workspaces import WorkspaceFolder

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


def test_a_result_that_finds_no_room_is_said_to_be_lost(workspace: WorkspaceFolder) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(workspace.command("status"), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "morenashi: the output cannot be written: No space left on device\n")


def test_names_are_shown_whatever_the_terminal_can_write(workspace: WorkspaceFolder) -> None:
    name = workspace.root.with_name("仕事場")
    workspace.root.rename(name)
    done = WorkspaceFolder(name).run_program("status", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u4ed5\\u4e8b\\u5834" in done.stdout


@pytest.mark.parametrize("line", ["trace show", "explain-miss m/a.md:1", "init --workspace", "reindex --workspace"])
def test_what_is_no_utf8_is_refused(workspace: WorkspaceFolder, line: str) -> None:
    done = workspace.run_program(*line.split(), os.fsdecode(bytes(workspace.root / "x") + b"\xff"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("morenashi: what is given")
    assert "Traceback" not in done.stderr
