"""What commands write, where nobody reads to the end."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..workspaces import WorkspaceFolder, clean_environment

PROGRAM = """
from morenashi.indexer.terminal import show
for number in range(100_000):
    show(f"line {number}")
"""

# Ctrl-C at the moment when a module is imported. Whoever runs the tests in the background has made them ignore it.
INTERRUPTED = """
import os, signal, sys
module, *arguments = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)

class CtrlC:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, CtrlC())
from morenashi.server.entry import main
sys.exit(main(arguments))
"""


def test_a_reader_that_has_enough_ends_the_command_quietly() -> None:
    command, pipe = [sys.executable, "-c", PROGRAM], subprocess.PIPE
    with subprocess.Popen(command, text=True, stdout=pipe, stderr=pipe) as process:
        assert process.stdout
        assert process.stdout.readline() == "line 0\n"
        process.stdout.close()
        assert process.stderr
        assert process.stderr.read() == ""
    assert process.returncode == 141


@pytest.mark.parametrize("line", ["--help", "--version", "serve --help", "trace show --help"])
def test_help_that_nobody_reads_ends_as_quietly(line: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "morenashi", *line.split()]
    # An empty one counts as not set; with it, argparse is told at once, and keeps that to itself.
    environment = clean_environment() | {"PYTHONUNBUFFERED": ""}
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


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


def test_nothing_that_is_shown_is_a_command_to_the_terminal(workspace: WorkspaceFolder) -> None:
    """Manuals come from elsewhere, questions from agents. In JSON the character stays what it is."""
    name = "規則/a\x1b]0;b\x07\x9b31m\rc.md"
    workspace.run("reindex")
    workspace.write(name, "# 届出\n")
    shown = workspace.run("status").stdout
    assert "manuals: 1 differ on disk: 規則/a\\u001b]0;b\\u0007\\u009b31m\\u000dc.md\n" in shown
    assert json.loads(workspace.run("status", "--json").stdout)["collections"]["manuals"]["differing_names"] == [name]
    assert "there is no trace \\u001b[31m" in workspace.run("trace", "show", "\x1b[31m").stderr


def test_names_are_utf8_whatever_the_locale_says(workspace: WorkspaceFolder) -> None:
    """As with ja_JP.eucJP, which not every machine has."""
    name = workspace.root.with_name("仕事場")
    workspace.root.rename(name)
    folder = WorkspaceFolder(name)
    folder.write("規則/届出.md", "# 届出\n")
    done = folder.run_program("reindex", "--json", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert (json.loads(done.stdout)["documents"], json.loads(done.stdout)["warnings"]) == (1, [])
    assert json.loads(folder.run_program("reindex", "--json").stdout)["unchanged"] == 1


@pytest.mark.parametrize("line", ["trace show", "explain-miss m/a.md:1", "init --workspace", "reindex --workspace"])
def test_what_is_no_utf8_is_refused(workspace: WorkspaceFolder, line: str) -> None:
    done = workspace.run_program(*line.split(), os.fsdecode(bytes(workspace.root / "x") + b"\xff"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("morenashi: what is given")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("socket", "serve"),
        ("morenashi.server.cli", "doctor"),
        ("morenashi.server.commands.status", "status"),
        ("morenashi.indexer.cli", "reindex"),
        ("morenashi.server.edge.stdio", "serve --standalone"),
        ("morenashi.server.edge.daemon.daemon", "daemon"),
    ],
)
def test_ctrl_c_while_a_command_starts_is_no_traceback(workspace: WorkspaceFolder, module: str, line: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED, module, *line.split(), "--workspace", str(workspace.root)]
    done = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), check=False)
    assert (done.stdout, done.stderr) == ("", "morenashi: interrupted\n")
    assert done.returncode == 130


@pytest.mark.parametrize("given", ["-5", "nan", "soon"])
def test_a_time_that_is_none_is_refused(workspace: WorkspaceFolder, given: str) -> None:
    done = workspace.run("daemon", f"--idle-seconds={given}")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--idle-seconds: expected a number of seconds" in done.stderr


@pytest.mark.parametrize(
    ("line", "what"),
    [("serve", "Serve over MCP"), ("doctor", "Find what is wrong"), ("trace diff", "Which files changed since")],
)
def test_the_help_of_a_command_begins_with_what_it_does(workspace: WorkspaceFolder, line: str, what: str) -> None:
    told = workspace.run_program(*line.split(), "--help")
    assert told.returncode == 0
    assert told.stdout.split("\n\n")[1].startswith(what)
    assert "--workspace FOLDER" in told.stdout


def test_without_a_verb_all_verbs_are_told() -> None:
    told = subprocess.run([sys.executable, "-m", "morenashi"], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (2, "")
    assert all(f"\n    {verb}" in told.stderr for verb in ("init", "doctor", "serve", "reindex"))
