"""The `reindex` command as a script calls it: output, exit codes, nothing else."""

import contextlib
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from morenashi.indexer.database import open_reader
from morenashi.indexer.writer_lock import hold_writer_lock

from ..workspaces import WorkspaceFolder, age, clean_environment
from .indexes import index, open_index
from .memories import add_memories
from .test_database import make_newer
from .traces import TRACE_TABLES, add_traces, count_rows


@pytest.fixture
def filled(workspace: WorkspaceFolder) -> WorkspaceFolder:
    workspace.write("旅費/規程.md", "# 一\n本文\n## 二\n")
    workspace.write("b/y.json", "{")
    age(workspace.manuals)
    return workspace


def test_the_summary_says_what_was_done(filled: WorkspaceFolder) -> None:
    done = filled.run("reindex")
    first, second, third, *rest = done.stdout.splitlines()
    assert done.returncode == 0
    assert first == f"documents 2, sections 3, lines 4 in {filled.database}"
    assert second == "added 2, changed 0, removed 0, unchanged 0"
    assert third.endswith("warnings 1")
    assert rest == ["  invalid_json: b/y.json"]


def test_a_second_run_says_that_nothing_changed(filled: WorkspaceFolder) -> None:
    filled.run("reindex")
    done = filled.run("reindex")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1] == "added 0, changed 0, removed 0, unchanged 2"


def test_the_summary_is_json_when_asked(filled: WorkspaceFolder) -> None:
    done = filled.run("reindex", "--json")
    summary = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert (summary["documents"], summary["sections"], summary["lines"], summary["added"]) == (2, 3, 4, 2)
    assert [warning["path"] for warning in summary["warnings"]] == ["b/y.json"]


def test_there_is_no_progress_bar_in_a_pipe(filled: WorkspaceFolder) -> None:
    done = filled.run_program("reindex")
    assert "\r" not in done.stderr
    assert "%" not in done.stderr
    assert "it/s" not in done.stderr


def test_there_is_a_progress_bar_on_a_terminal(filled: WorkspaceFolder) -> None:
    ours, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    done = subprocess.run(
        filled.command("reindex"), env=clean_environment(), stdout=subprocess.PIPE, stderr=terminal, check=True
    )
    os.close(terminal)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert done.stdout.decode().startswith("documents 2,")
    assert "B/s]" in shown
    # It is taken away at the end.
    assert shown.rpartition("\r")[0].endswith(" ")


def test_a_full_run_rebuilds_everything_and_keeps_traces(filled: WorkspaceFolder) -> None:
    with open_index(filled) as opened:
        opened.synchronise()
        add_traces(opened.connection, 2)
    done = filled.run("reindex", "--full", "--json")
    assert (done.returncode, json.loads(done.stdout)["added"]) == (0, 2)
    with open_index(filled) as opened:
        assert count_rows(opened.connection) == dict.fromkeys(TRACE_TABLES, 2)


def test_the_log_is_empty_at_the_end_also_if_others_have_the_database_open(filled: WorkspaceFolder) -> None:
    assert filled.run("reindex").returncode == 0
    filled.write("a/new.md", "# 新\n")
    with contextlib.closing(open_reader(filled.database)) as reader:
        reader.execute("SELECT count(*) FROM documents").fetchone()
        assert filled.run("reindex").returncode == 0
        assert filled.database.with_name(f"{filled.database.name}-wal").stat().st_size == 0


def test_check_ends_with_zero_where_index_and_disk_agree(filled: WorkspaceFolder) -> None:
    filled.run("reindex")
    done = filled.run("reindex", "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "the index equals the disk\n", "")


def test_check_ends_with_one_and_names_what_differs(filled: WorkspaceFolder) -> None:
    filled.run("reindex")
    filled.write("旅費/規程.md", "# 改正\n")
    filled.write("c/new.md", "# 新\n")
    done = filled.run("reindex", "--check")
    assert done.returncode == 1
    assert done.stdout.splitlines() == ["new: c/new.md", "changed: 旅費/規程.md"]


def test_check_gives_json_when_asked(filled: WorkspaceFolder) -> None:
    done = filled.run("reindex", "--check", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["clean"]) == (1, False)
    assert sorted(report["new"]) == ["b/y.json", "旅費/規程.md"]
    assert not filled.database.exists()


def test_check_works_while_another_process_writes(filled: WorkspaceFolder) -> None:
    index(filled)
    with hold_writer_lock(filled.database):
        assert filled.run("reindex", "--check").returncode == 0


def test_check_and_full_exclude_each_other(filled: WorkspaceFolder) -> None:
    done = filled.run("reindex", "--check", "--full")
    assert (done.returncode, done.stdout) == (2, "")


def test_an_unknown_option_is_wrong_usage(filled: WorkspaceFolder) -> None:
    assert filled.run("reindex", "--fast").returncode == 2


def test_a_workspace_without_manuals_ends_with_two(filled: WorkspaceFolder) -> None:
    filled.manuals.rename(filled.root / "away")
    done = filled.run("reindex")
    assert (done.returncode, done.stdout) == (2, "")
    assert str(filled.manuals) in done.stderr


def test_a_bad_setting_ends_with_two_and_is_named(filled: WorkspaceFolder) -> None:
    done = filled.run("reindex", HARD_MAX_CHARS="many")
    assert (done.returncode, done.stdout) == (2, "")
    assert "HARD_MAX_CHARS" in done.stderr


def test_a_locked_workspace_ends_with_three(filled: WorkspaceFolder) -> None:
    with hold_writer_lock(filled.database):
        done = filled.run("reindex")
    assert (done.returncode, done.stdout) == (3, "")
    assert "another process" in done.stderr


def test_who_wants_a_rebuild_is_told_to_end_the_server_which_makes_none_by_itself(filled: WorkspaceFolder) -> None:
    with hold_writer_lock(filled.database):
        done = filled.run("reindex", "--full")
    assert (done.returncode, done.stdout) == (3, "")
    assert "morenashi stop" in done.stderr
    assert "by itself" not in done.stderr


@pytest.mark.parametrize("options", [(), ("--full",), ("--check",)])
def test_a_newer_database_ends_with_four(filled: WorkspaceFolder, options: tuple[str, ...]) -> None:
    index(filled)
    make_newer(filled.database)
    before = filled.database.read_bytes()
    done = filled.run("reindex", *options)
    assert (done.returncode, done.stdout) == (4, "")
    assert "newer" in done.stderr
    assert filled.database.read_bytes() == before


def test_a_damaged_database_is_rebuilt_and_said(filled: WorkspaceFolder) -> None:
    index(filled)
    filled.database.write_bytes(b"no database" * 500)
    done = filled.run("reindex", "--json")
    assert (done.returncode, json.loads(done.stdout)["documents"]) == (0, 2)
    assert "damaged" in done.stderr


def test_a_database_that_turns_out_damaged_while_indexing_is_rebuilt(filled: WorkspaceFolder) -> None:
    break_a_page_that_indexing_reads(filled)
    done = filled.run("reindex", "--json")
    assert "Traceback" not in done.stderr
    assert (done.returncode, json.loads(done.stdout)["documents"]) == (0, 2)


@pytest.mark.parametrize("options", [("--full",), ()])
def test_a_claim_that_is_no_text_any_more_is_left_out_and_said_nowhere(
    filled: WorkspaceFolder, options: tuple[str, ...]
) -> None:
    index(filled)
    with open_index(filled) as opened:
        add_memories(opened.connection, 3)
        opened.connection.execute("UPDATE claims SET text = CAST('WORD' || x'ff' AS TEXT) WHERE number = 2")
        # As an older version leaves it.
        opened.connection.execute("UPDATE index_state SET value = '0:older' WHERE key = 'layout'")
    done = filled.run("reindex", "--json", *options)
    assert (done.returncode, json.loads(done.stdout)["documents"]) == (0, 2)
    assert "WORD" not in done.stderr
    assert "claims: 2 rows salvaged" in done.stderr
    assert "claim_evidence: 1 of these rows are let go" in done.stderr


def test_check_of_a_damaged_database_ends_with_one_and_says_so(filled: WorkspaceFolder) -> None:
    break_a_page_that_indexing_reads(filled)
    done = filled.run("reindex", "--check")
    assert "Traceback" not in done.stderr
    assert done.returncode == 1
    assert "malformed" in done.stdout + done.stderr


def test_the_workspace_may_come_from_the_environment(filled: WorkspaceFolder) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "morenashi", "reindex", "--json"],
        env={**clean_environment(), "WORKSPACE_ROOT": str(filled.root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(done.stdout)["documents"] == 2


def break_a_page_that_indexing_reads(workspace: WorkspaceFolder) -> None:
    """Overwrite the first page of the table of documents."""
    index(workspace)
    with open_index(workspace) as opened:
        size = opened.value("PRAGMA page_size")
        page = opened.value("SELECT rootpage FROM sqlite_master WHERE name = 'documents'")
        opened.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with contextlib.closing(workspace.database.open("r+b")) as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)
