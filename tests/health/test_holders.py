"""Who holds a lock, and who should not: locks end with their process."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from morenashi.server.health.holders import find_holders, is_held

from ..locks import HOLD, held_elsewhere
from ..server.serving import serving
from ..workspaces import WorkspaceFolder, eventually, suspend
from .doctoring import codes, doctor, found


def test_who_keeps_the_index_is_named_and_no_reason_to_worry(healthy: WorkspaceFolder) -> None:
    with serving(healthy) as server:
        server.workspace.wait_until_ready()
        report = doctor(healthy)
    assert (report["code"], codes(report)) == (0, {"lock_held"})
    assert all(f"process {os.getpid()} (" in finding["what"] for finding in report["findings"])


def test_a_keeper_that_is_stopped_is_named(healthy: WorkspaceFolder) -> None:
    healthy.write("m/new.md", "# 新\n")
    with held_elsewhere(healthy.database.with_suffix(".lock")) as process:
        suspend(process)
        report = doctor(healthy)
    assert report["code"] == 1
    assert codes(report, "warning") == {"lock_stopped", "drift"}
    assert f"kill -CONT {process}" in found(report, "lock_stopped")["advice"]


def test_of_a_long_command_the_words_behind_the_interpreter_are_shown_and_where_they_are_cut(
    healthy: WorkspaceFolder, tmp_path: Path
) -> None:
    deep = tmp_path / ("interpreter-" * 10)
    deep.mkdir()
    (deep / "python").symlink_to(sys.executable)
    lock = healthy.database.with_suffix(".lock")
    with held_elsewhere(lock, str(deep / "python"), "-c", HOLD):
        (holder,) = find_holders(lock)
    assert holder.command.startswith("python -c \nimport fcntl")
    assert holder.command.endswith("…")


def test_a_write_to_the_vault_that_is_stopped_is_named(healthy: WorkspaceFolder) -> None:
    lock = healthy.root / "vault" / ".system" / "write.lock"
    lock.parent.mkdir()
    lock.touch()
    with held_elsewhere(lock) as process:
        assert doctor(healthy)["code"] == 0
        suspend(process)
        report = doctor(healthy)
    assert (report["code"], codes(report)) == (1, {"lock_stopped"})
    assert "write to the vault" in found(report, "lock_stopped")["why"]


INHERIT = """
import fcntl, os, subprocess, sys
lock = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
fcntl.flock(lock, fcntl.LOCK_EX)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=[lock])
print(child.pid, flush=True)
os._exit(0)
"""


def test_a_lock_that_outlived_its_process_is_found_with_its_heir(healthy: WorkspaceFolder) -> None:
    lock = healthy.database.with_suffix(".lock")
    with subprocess.Popen([sys.executable, "-c", INHERIT, str(lock)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        heir = int(process.stdout.readline())
    try:
        assert [holder.pid for holder in find_holders(lock)] == [heir]
        report = doctor(healthy)
        assert report["code"] == 1
        assert found(report, "lock_stale")["advice"] == f"end it: kill {heir}"
    finally:
        os.kill(heir, signal.SIGKILL)
    assert eventually(lambda: not is_held(lock))
    assert doctor(healthy)["code"] == 0
