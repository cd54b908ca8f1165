"""Ctrl-C during `reindex`: the index holds whole documents, and the next run goes on."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest

from morenashi.indexer.check import check_index

from ..workspaces import WorkspaceFolder, clean_environment, eventually
from .indexes import OpenIndex, content, index, open_index, reading

DOCUMENTS = 200


@pytest.fixture
def large(workspace: WorkspaceFolder) -> WorkspaceFolder:
    """Enough documents for a run of some batches."""
    for number in range(DOCUMENTS):
        body = "".join(f"## 第{n}条\n旅費規程{number}の宿泊料{n}を定める。\n" for n in range(60))
        workspace.write(f"a/{number % 20}/{number}.md", f"# {number}\n{body}")
    return workspace


# Whoever runs the tests in the background has made them, and so the command, ignore the signal.
COMMAND = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from morenashi.server.cli import main
sys.exit(main())
"""


def start(workspace: WorkspaceFolder, *arguments: str) -> subprocess.Popen[str]:
    """Start `reindex` as a shell does in the foreground: a group of its own that heeds Ctrl-C."""
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, "reindex", "--workspace", str(workspace.root), *arguments],
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def press_ctrl_c(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Interrupt the process and its children, as a terminal does. Returns exit code and stderr."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def count_documents(workspace: WorkspaceFolder) -> int:
    if not workspace.database.exists():
        return 0
    with reading(workspace) as reader:
        tables = reader.execute("SELECT count(*) FROM sqlite_master WHERE name = 'documents'").fetchone()[0]
        return int(reader.execute("SELECT count(*) FROM documents").fetchone()[0]) if tables else 0


def assert_holds_whole_documents(opened: OpenIndex) -> None:
    assert opened.rows("PRAGMA integrity_check") == [("ok",)]
    assert opened.rows("PRAGMA foreign_key_check") == []
    covered = opened.rows("SELECT manual_id, path, count(*) FROM lines GROUP BY manual_id, path")
    assert sorted(covered) == sorted(opened.rows("SELECT manual_id, path, lines FROM documents"))


def test_an_interrupted_run_leaves_whole_documents_and_the_next_goes_on(large: WorkspaceFolder) -> None:
    with start(large) as process:
        assert eventually(lambda: count_documents(large) > 0)
        code, errors = press_ctrl_c(process)
    assert code in (0, 130)
    if code == 130:
        assert "interrupted" in errors
    with open_index(large) as opened:
        assert_holds_whole_documents(opened)
        opened.synchronise()
        assert_holds_whole_documents(opened)
    assert check_index(large.config()).is_clean


def test_an_interrupted_full_run_leaves_the_index_as_it_was(workspace: WorkspaceFolder) -> None:
    for number in range(300):
        workspace.write(f"a/{number}.md", f"# {number}\n" + "旅費規程の宿泊料を定める。\n" * 400)
    index(workspace)
    with open_index(workspace) as opened:
        before = content(opened)
    with start(workspace, "--full") as process:
        assert eventually(lambda: workspace.database.with_name("morenashi.db-wal").exists())
        code, _ = press_ctrl_c(process)
    assert code in (0, 130)
    with open_index(workspace) as opened:
        assert content(opened) == before


def test_an_interruption_while_starting_is_no_traceback(large: WorkspaceFolder) -> None:
    with start(large) as process:
        assert eventually(lambda: large.database.with_suffix(".lock").exists())
        code, errors = press_ctrl_c(process)
    assert code in (0, 130)
    assert "Traceback" not in errors
