"""The JSONL mirror: a line whole or not at all, where it may be, and never in the way of a search."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from morenashi.server.mirror import MAX_BYTES, StatisticsMirror

from ..workspaces import WorkspaceFolder, eventually
from .library import fill
from .serving import ask_database, serving_indexed

RECORD = {"ts": "2026-04-01T00:00:00+00:00", "candidates": 3, "cutoff_reason": None}
LINE = b'{"ts":"2026-04-01T00:00:00+00:00","candidates":3,"cutoff_reason":null}\n'


@pytest.fixture
def stats(workspace: WorkspaceFolder) -> Path:
    """The default place, in a vault that is there."""
    (workspace.root / "vault").mkdir()
    return workspace.root / "vault" / ".system" / "adaptive_stats.jsonl"


def logged(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [json.loads(line)["error"] for line in capsys.readouterr().err.splitlines()]


def test_each_record_is_a_line(workspace: WorkspaceFolder, stats: Path) -> None:
    mirror = StatisticsMirror(workspace.config())
    mirror.append(RECORD)
    mirror.append(RECORD)
    assert stats.read_bytes() == LINE * 2
    assert stats.stat().st_mode & 0o777 == 0o600


def test_a_line_that_was_torn_takes_no_other_with_it(workspace: WorkspaceFolder, stats: Path) -> None:
    stats.parent.mkdir(parents=True)
    stats.write_text('{"torn', "utf-8")
    StatisticsMirror(workspace.config()).append(RECORD)
    assert stats.read_bytes() == b'{"torn\n' + LINE


def test_without_a_vault_none_is_made(workspace: WorkspaceFolder, capsys: pytest.CaptureFixture[str]) -> None:
    StatisticsMirror(workspace.config()).append(RECORD)
    assert not (workspace.root / "vault").exists()
    assert logged(capsys) == []


def test_the_vault_may_lie_elsewhere(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    StatisticsMirror(workspace.config(VAULT_ROOT=str(tmp_path / "notes"))).append(RECORD)
    assert (tmp_path / "notes" / ".system" / "adaptive_stats.jsonl").read_bytes() == LINE


def test_a_configured_path_is_relative_to_the_workspace(workspace: WorkspaceFolder) -> None:
    StatisticsMirror(workspace.config(ADAPTIVE_STATS_PATH="stats.jsonl")).append(RECORD)
    assert (workspace.root / "stats.jsonl").read_bytes() == LINE


def test_no_folder_is_made_for_a_configured_path(
    workspace: WorkspaceFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror = StatisticsMirror(workspace.config(ADAPTIVE_STATS_PATH="no/such/stats.jsonl"))
    mirror.append(RECORD)
    assert not (workspace.root / "no").exists()
    assert logged(capsys) == ["ENOENT"]


def test_a_failure_is_logged_once_until_it_works_again(
    workspace: WorkspaceFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror = StatisticsMirror(workspace.config(ADAPTIVE_STATS_PATH="later/stats.jsonl"))
    mirror.append(RECORD)
    mirror.append(RECORD)
    assert logged(capsys) == ["ENOENT"]
    (workspace.root / "later").mkdir()
    mirror.append(RECORD)
    assert (workspace.root / "later" / "stats.jsonl").read_bytes() == LINE
    (workspace.root / "later" / "stats.jsonl").unlink()
    (workspace.root / "later").rmdir()
    mirror.append(RECORD)
    assert logged(capsys) == ["ENOENT"]


@pytest.mark.parametrize("name", [".system", ".system/adaptive_stats.jsonl"])
def test_a_link_inside_the_vault_is_not_followed(workspace: WorkspaceFolder, stats: Path, name: str) -> None:
    outside = workspace.root / "outside"
    outside.mkdir()
    link = workspace.root / "vault" / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside if name == ".system" else outside / "stats.jsonl")
    StatisticsMirror(workspace.config()).append(RECORD)
    assert list(outside.iterdir()) == []


def test_a_pipe_does_not_hold_the_writer_up(
    workspace: WorkspaceFolder, stats: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stats.parent.mkdir()
    os.mkfifo(stats)
    StatisticsMirror(workspace.config()).append(RECORD)
    reader = os.open(stats, os.O_RDONLY | os.O_NONBLOCK)
    try:
        StatisticsMirror(workspace.config()).append(RECORD)
        assert os.read(reader, 100) == b""
    finally:
        os.close(reader)
    assert logged(capsys) == ["EINVAL", "EINVAL"]


def test_a_line_that_does_not_fit_is_left_out_whole(workspace: WorkspaceFolder, stats: Path) -> None:
    # In a process of its own: the limit holds for all that it writes.
    command = [sys.executable, "-c", _WITHOUT_ROOM, str(workspace.root), str(len(LINE) + 10)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert stats.read_bytes() == LINE
    assert [json.loads(line)["error"] for line in run.stderr.splitlines()] == ["ENOSPC"]


_WITHOUT_ROOM = f"""
import resource, sys
from morenashi.indexer.config import read_config
from morenashi.server.mirror import StatisticsMirror

mirror = StatisticsMirror(read_config({{"WORKSPACE_ROOT": sys.argv[1]}}))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
mirror.append({RECORD})
mirror.append({RECORD})
"""


def test_a_file_that_has_grown_large_is_put_aside(workspace: WorkspaceFolder, stats: Path) -> None:
    stats.parent.mkdir()
    old = stats.with_name("adaptive_stats.jsonl.1")
    old.write_bytes(b"older")
    stats.write_bytes(b"x" * (MAX_BYTES - len(LINE) - 1) + b"\n")
    mirror = StatisticsMirror(workspace.config())
    mirror.append(RECORD)
    assert stats.stat().st_size == MAX_BYTES
    mirror.append(RECORD)
    assert stats.read_bytes() == LINE
    assert old.stat().st_size == MAX_BYTES


def test_a_mirror_that_fails_costs_no_search_and_no_record(workspace: WorkspaceFolder) -> None:
    with serving_indexed(fill(workspace), ADAPTIVE_STATS_PATH="no/such/stats.jsonl") as manuals:
        for _ in range(3):
            assert manuals.find("申請").summary["candidates"] > 0
        count = "SELECT count(*) FROM adaptive_statistics"
        assert eventually(lambda: ask_database(workspace, count) == [(3,)])
