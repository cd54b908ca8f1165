"""`morenashi doctor` over real workspaces with real damage."""

import argparse
import contextlib
import fcntl
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from morenashi.indexer.cli import synchronise
from morenashi.indexer.vault_names import TEMPORARY_NAME
from morenashi.server.cli import main
from morenashi.server.commands.doctor import run
from morenashi.server.health.holders import find_holders, is_held
from morenashi.server.health.storage import space_findings
from morenashi.server.health.watching import watch_findings

from ..indexer.damages import Damage, break_index, invent_rows, lose_rows
from ..server.memory.remembering import remembering
from ..server.serving import ask_database, serving
from ..workspaces import WorkspaceFolder, age, clean_environment, eventually, make_workspace, without_permission

Report = dict[str, Any]


def doctor(folder: WorkspaceFolder, *, fix: bool = False, **settings: str) -> Report:
    """The report as JSON, with the exit code as `code`."""
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(io.StringIO()):
        code = run(argparse.Namespace(fix=fix, json=True), folder.config(**settings))
    return json.loads(written.getvalue()) | {"code": code}


def codes(report: Report, *severities: str) -> set[str]:
    return {each["code"] for each in report["findings"] if not severities or each["severity"] in severities}


def found(report: Report, code: str) -> dict[str, Any]:
    (finding,) = (each for each in report["findings"] if each["code"] == code)
    return finding


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceFolder:
    """A workspace with a manual, a note, a policy and a claim, indexed."""
    folder = make_workspace(tmp_path_factory.mktemp("model") / "workspace")
    folder.write("m/x.md", "".join(f"# 申請 {number}\n\n期限は{number}月末とする。\n" for number in range(40)))
    (folder.root / "vault").mkdir()
    (folder.root / "vault" / "note.md").write_text("# 覚え\n\n三月末\n", "utf-8")
    with remembering(folder) as memory:
        memory.remember("締切は三月末")
    age(folder.root)
    for kind in ("manuals", "vault"):
        synchronise(folder.config(), kind, full=False)
    return folder


@pytest.fixture
def healthy(model: WorkspaceFolder, tmp_path: Path) -> WorkspaceFolder:
    """A copy of it."""
    return WorkspaceFolder(Path(shutil.copytree(model.root, tmp_path / "workspace")))


def test_of_a_healthy_workspace_nothing_is_wrong(healthy: WorkspaceFolder) -> None:
    report = doctor(healthy)
    assert (report["code"], report["findings"], report["healthy"]) == (0, [], True)


def test_looking_changes_nothing(healthy: WorkspaceFolder) -> None:
    def content() -> dict[str, bytes]:
        files = [path for path in healthy.root.rglob("*") if path.is_file()]
        # SQLite makes and leaves these beside a database that is only read.
        return {str(path): path.read_bytes() for path in files if not path.name.endswith(("-wal", "-shm"))}

    before = content()
    doctor(healthy)
    assert content() == before


def test_a_new_workspace_is_not_ill(workspace: WorkspaceFolder) -> None:
    report = doctor(workspace)
    assert report["code"] == 0
    assert codes(report) == {"not_indexed"}
    assert not workspace.database.exists()


def test_every_finding_says_what_why_and_what_to_do(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", b"\x81\x00\xff\xfe\x81" * 40)
    for finding in doctor(workspace)["findings"]:
        assert all(finding[part] for part in ("what", "why", "advice"))
    done = workspace.run("doctor")
    text = done.stdout
    assert done.returncode == 1
    assert "warning  manuals: 1 file cannot be decoded: m/x.md\n  why: " in text
    assert "\n  do:  " in text


def test_a_folder_without_manuals_is_an_error(workspace: WorkspaceFolder) -> None:
    workspace.manuals.rmdir()
    report = doctor(workspace)
    assert (report["code"], codes(report, "error")) == (1, {"no_manuals"})


def test_what_the_indexer_cannot_read_is_named_with_its_reason(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "# 題\n")
    workspace.write("outside.md", "# 題\n")
    workspace.write("m/bad.md", b"\x81\x00\xff\xfe\x81" * 40)
    (workspace.manuals / "m" / "link.md").symlink_to(workspace.manuals / "m" / "x.md")
    with open(os.fsencode(workspace.manuals) + b"/m/\xff.md", "wb"):
        pass
    report = doctor(workspace)
    assert codes(report, "warning") == {"encoding", "name_not_utf8"}
    assert codes(report, "note") >= {"symlink", "outside_a_manual"}
    assert found(report, "encoding")["what"].endswith("m/bad.md")


def test_files_and_folders_without_permission_are_named(ordinary_workspace: WorkspaceFolder) -> None:
    folder = ordinary_workspace
    closed = folder.write("m/closed/x.md", "# 題\n").parent
    secret = folder.write("m/secret.md", "# 題\n")
    with without_permission(closed), without_permission(secret):
        report = doctor(folder)
    assert codes(report, "warning") == {"unreadable_folder", "unreadable"}


def test_time_stamps_in_the_future_are_named(healthy: WorkspaceFolder) -> None:
    path, ahead = healthy.manuals / "m" / "x.md", time.time() + 86_400
    os.utime(path, (ahead, ahead))
    report = doctor(healthy)
    assert codes(report, "warning") == {"from_the_future"}


def test_a_dictionary_in_another_encoding_is_named_and_not_with_a_traceback(
    healthy: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (healthy.root / "dictionaries").mkdir()
    (healthy.root / "dictionaries" / "synonyms.txt").write_bytes("甲, 乙\n丙, 丁\n".encode("cp932"))
    report = doctor(healthy)
    assert codes(report) == {"dictionary_unreadable"}
    monkeypatch.setenv("WORKSPACE_ROOT", str(healthy.root))
    assert main(["reindex"]) == 2
    assert "synonyms.txt is not UTF-8 (line 1)" in capsys.readouterr().err


def test_files_that_changed_while_nobody_looked_are_a_note_and_can_be_indexed(healthy: WorkspaceFolder) -> None:
    healthy.write("m/new.md", "# 新\n")
    report = doctor(healthy)
    assert (report["code"], codes(report)) == (0, {"drift"})
    fixed = doctor(healthy, fix=True)
    assert (fixed["code"], codes(fixed), fixed["repairs"][0]["did"]) == (0, set(), "indexed 1 file, dropped 0")


@pytest.mark.parametrize("damage", [lose_rows, invent_rows])
def test_an_index_that_misses_something_is_found_and_rebuilt(healthy: WorkspaceFolder, damage: Damage) -> None:
    break_index(healthy, damage)
    report = doctor(healthy)
    assert (report["code"], codes(report, "error")) == (1, {"index_wrong"})
    fixed = doctor(healthy, fix=True)
    assert (fixed["code"], codes(fixed)) == (0, set())


def test_claims_that_cannot_be_found_are_an_error_of_the_index_and_come_back(healthy: WorkspaceFolder) -> None:
    break_index(healthy, lambda writer: writer.execute("INSERT INTO claim_tokens (claim_tokens) VALUES ('delete-all')"))
    report = doctor(healthy)
    assert "claim_tokens" in found(report, "index_wrong")["what"]
    assert codes(doctor(healthy, fix=True)) == set()
    assert ask_database(healthy, "SELECT count(*) FROM claims") == [(1,)]


def overwrite_page(database: Path, table: str) -> None:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    with database.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xa5" * size)


def test_a_damaged_database_is_set_aside_and_its_records_are_carried_over(healthy: WorkspaceFolder) -> None:
    overwrite_page(healthy.database, "sections")
    report = doctor(healthy)
    assert (report["code"], codes(report, "error")) == (1, {"database_damaged"})
    fixed = doctor(healthy, fix=True)
    assert (fixed["code"], codes(fixed)) == (0, {"damage_kept"})
    assert ask_database(healthy, "SELECT version FROM policies") == [("0.1.0",)]


def test_a_file_that_is_no_database_is_set_aside(healthy: WorkspaceFolder) -> None:
    healthy.database.write_bytes(b"no database" * 1000)
    assert codes(doctor(healthy), "error") == {"database_damaged"}
    assert doctor(healthy, fix=True)["code"] == 0


def test_the_database_of_the_vault_is_looked_at_too(healthy: WorkspaceFolder) -> None:
    database = healthy.config().vault_database
    overwrite_page(database, "documents")
    assert found(doctor(healthy), "database_damaged")["what"] == "vault.db is damaged"
    assert doctor(healthy, fix=True)["code"] == 0


def test_a_database_of_an_older_layout_is_a_note_and_can_be_brought_forward(healthy: WorkspaceFolder) -> None:
    break_index(healthy, lambda writer: writer.execute("UPDATE index_state SET value = '1:old' WHERE key = 'layout'"))
    report = doctor(healthy)
    assert (report["code"], codes(report)) == (0, {"database_older"})
    assert codes(doctor(healthy, fix=True)) == set()


def test_a_repair_that_fails_says_why_and_the_others_are_done(healthy: WorkspaceFolder) -> None:
    (healthy.root / "dictionaries").mkdir()
    (healthy.root / "dictionaries" / "exceptions.txt").write_bytes(b"\xff\xff")
    healthy.write("m/new.md", "# 新\n")
    (healthy.root / "vault" / TEMPORARY_NAME).touch()
    report = doctor(healthy, fix=True)
    assert report["code"] == 1
    assert {each["code"]: bool(each["did"]) for each in report["repairs"]} == {"write_unfinished": True, "drift": False}
    assert "is not UTF-8" in next(each["failed"] for each in report["repairs"] if each["failed"])


def test_a_database_of_a_newer_version_is_left_alone(healthy: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database, isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('morenashi', 'm9999', '')"
        )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = healthy.database.read_bytes()
    report = doctor(healthy, fix=True)
    assert (report["code"], codes(report, "error"), report["repairs"]) == (4, {"database_newer"}, [])
    assert healthy.database.read_bytes() == before


def test_who_keeps_the_index_is_named_and_no_reason_to_worry(healthy: WorkspaceFolder) -> None:
    with serving(healthy) as server:
        server.workspace.wait_until_ready()
        report = doctor(healthy)
    assert (report["code"], codes(report)) == (0, {"lock_held"})
    assert all(f"process {os.getpid()} (" in finding["what"] for finding in report["findings"])


HOLD = """
import fcntl, sys, time
lock = open(sys.argv[1])
fcntl.flock(lock, fcntl.LOCK_EX)
print(flush=True)
time.sleep(600)
"""


def test_a_keeper_that_is_stopped_is_named(healthy: WorkspaceFolder) -> None:
    healthy.write("m/new.md", "# 新\n")
    lock = healthy.database.with_suffix(".lock")
    with subprocess.Popen([sys.executable, "-c", HOLD, str(lock)], stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(signal.SIGSTOP)
        report = doctor(healthy)
        process.kill()
    assert report["code"] == 1
    assert codes(report, "warning") == {"lock_stopped", "drift"}
    assert f"kill -CONT {process.pid}" in found(report, "lock_stopped")["advice"]


def test_a_write_to_the_vault_that_is_stopped_is_named(healthy: WorkspaceFolder) -> None:
    lock = healthy.root / "vault" / ".system" / "write.lock"
    lock.parent.mkdir()
    lock.touch()
    with subprocess.Popen([sys.executable, "-c", HOLD, str(lock)], stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        assert doctor(healthy)["code"] == 0
        process.send_signal(signal.SIGSTOP)
        report = doctor(healthy)
        process.kill()
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


def test_what_another_process_keeps_is_not_repaired(healthy: WorkspaceFolder) -> None:
    with healthy.database.with_suffix(".lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        break_index(healthy, lose_rows)
        report = doctor(healthy, fix=True)
    assert report["code"] == 3
    assert "end it first" in report["repairs"][0]["failed"]
    assert codes(report, "error") == {"index_wrong"}


def test_leftovers_of_killed_writes_are_removed(healthy: WorkspaceFolder) -> None:
    left = [healthy.root / "vault" / folder / TEMPORARY_NAME for folder in ("", "deep")]
    (healthy.root / "vault" / "deep").mkdir()
    for path in left:
        path.write_text("half a no")
    report = doctor(healthy)
    assert (report["code"], codes(report)) == (1, {"write_unfinished"})
    fixed = doctor(healthy, fix=True)
    assert (fixed["code"], fixed["repairs"][0]["did"]) == (0, "removed 2 files")
    assert [path for path in left if path.exists()] == []
    assert (healthy.root / "vault" / "note.md").exists()


def test_a_write_that_is_under_way_is_no_leftover(healthy: WorkspaceFolder) -> None:
    (healthy.root / "vault" / TEMPORARY_NAME).write_text("half a no")
    lock = healthy.root / "vault" / ".system" / "write.lock"
    lock.parent.mkdir()
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert doctor(healthy)["code"] == 0


def test_a_backup_that_was_cut_short_is_removed_and_a_whole_one_is_kept(healthy: WorkspaceFolder) -> None:
    whole, cut = (healthy.database.with_name(f"morenashi.db.backup-2026{day}") for day in ("0101", "0102"))
    for path in (whole, cut):
        path.write_bytes(healthy.database.read_bytes())
    journal = cut.with_name(f"{cut.name}-journal")
    journal.write_bytes(b"\0" * 512)
    assert codes(doctor(healthy)) == {"backup_unfinished"}
    assert doctor(healthy, fix=True)["code"] == 0
    assert (whole.exists(), cut.exists(), journal.exists()) == (True, False, False)


def test_a_backup_that_is_damaged_is_named(healthy: WorkspaceFolder) -> None:
    backup = healthy.database.with_name("morenashi.db.backup-20260101")
    backup.write_bytes(healthy.database.read_bytes())
    overwrite_page(backup, "sections")
    report = doctor(healthy, fix=True)
    assert (report["code"], codes(report)) == (1, {"backup_damaged"})
    assert backup.exists()


def test_an_audit_log_that_was_changed_is_an_error_that_nothing_mends(healthy: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER audit_log_keeps_its_rows")
        connection.execute("UPDATE audit_log SET caller = 'x'")
    report = doctor(healthy, fix=True)
    assert (report["code"], codes(report), report["repairs"]) == (1, {"audit_broken"}, [])


def test_a_policy_that_this_version_does_not_take_is_an_error(healthy: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database, isolation_level=None)) as connection:
        connection.execute("UPDATE policies SET yaml = 'version: 1'")
    assert codes(doctor(healthy), "error") == {"policy_unusable"}


def test_keys_that_cannot_be_read_are_an_error(healthy: WorkspaceFolder) -> None:
    assert codes(doctor(healthy, POLICY_KEYS="none"), "error") == {"keys_unreadable"}


def test_records_from_the_future_are_named(healthy: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database, isolation_level=None)) as connection:
        connection.execute("UPDATE policies SET applied_at = '2999-01-01T00:00:00.000+00:00'")
    assert codes(doctor(healthy)) == {"records_from_the_future"}


ANOTHER_SQLITE = """
import sqlite3, sys

class Connection(sqlite3.Connection):
    def execute(self, sql, *parameters):
        if "fts5" in sql.lower():
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(sql, *parameters)

connect = sqlite3.connect
sqlite3.connect = lambda *arguments, **named: connect(*arguments, **({"factory": Connection} | named))
sqlite3.sqlite_version_info = (3, 39, 4)

from morenashi.server.cli import main
sys.exit(main())
"""


def test_a_python_whose_sqlite_cannot_hold_an_index_is_named(workspace: WorkspaceFolder) -> None:
    """Such a Python is made by taking FTS5 away from SQLite before anything of ours is imported."""
    command = [sys.executable, "-c", ANOTHER_SQLITE, "doctor", "--json", "--fix", "--workspace", str(workspace.root)]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert codes(json.loads(done.stdout)) >= {"sqlite_unusable", "sqlite_old"}


def test_too_few_inotify_watches_are_said_with_the_number_that_is_needed(workspace: WorkspaceFolder) -> None:
    for number in range(8):
        workspace.write(f"m/{number}/x.md", "# 題\n")
    limits = workspace.root / "proc" / "sys" / "fs" / "inotify"
    limits.mkdir(parents=True)
    (limits / "max_user_watches").write_text("9\n")

    def finding(most: int, mode: str = "auto") -> list[str]:
        (limits / "max_user_watches").write_text(f"{most}\n")
        system = workspace.root / "proc"
        return [each.code for each in watch_findings(workspace.manuals, mode, is_kept=False, system=system)]

    assert finding(9) == ["inotify_watches"]
    assert finding(10) == []
    assert finding(9, "polling") == []


def test_inotify_instances_that_are_used_up_are_said(workspace: WorkspaceFolder) -> None:
    """The kernel's own account of one process: three instances with two watches each."""
    system = workspace.root / "proc"
    for number in range(3):
        for folder, name in (("fd", str(number)), ("fdinfo", str(number))):
            (system / "77" / folder).mkdir(parents=True, exist_ok=True)
            if folder == "fd":
                (system / "77" / folder / name).symlink_to("anon_inode:inotify")
            else:
                (system / "77" / folder / name).write_text("pos: 0\ninotify wd:1 ino:1\ninotify wd:2 ino:2\n")
    limits = system / "sys" / "fs" / "inotify"
    limits.mkdir(parents=True)

    def finding(instances: int, watches: int) -> list[str]:
        (limits / "max_user_instances").write_text(f"{instances}\n")
        (limits / "max_user_watches").write_text(f"{watches}\n")
        return [each.code for each in watch_findings(workspace.manuals, "auto", is_kept=False, system=system)]

    assert finding(4, 7) == []
    assert finding(3, 7) == ["inotify_instances"]
    assert finding(4, 6) == ["inotify_watches"]


def test_a_file_system_without_events_is_a_note_and_a_warning_where_events_are_wanted(
    workspace: WorkspaceFolder,
) -> None:
    system = workspace.root / "proc"
    system.mkdir()
    (system / "mounts").write_text(f"server:/x {workspace.manuals} nfs4 rw 0 0\n")

    def severities(mode: str) -> list[str]:
        found = watch_findings(workspace.manuals, mode, is_kept=False, system=system)
        return [each.severity for each in found]

    assert severities("auto") == ["note"]
    assert severities("events") == ["warning"]


def test_a_disk_with_less_room_than_a_rebuild_takes_is_named(workspace: WorkspaceFolder) -> None:
    assert list(space_findings(workspace.root, 1)) == []
    (finding,) = space_findings(workspace.root, 1 << 80)
    assert finding.code in ("disk_low", "disk_full")


def test_a_folder_of_data_that_cannot_be_written_is_an_error(ordinary_workspace: WorkspaceFolder) -> None:
    ordinary_workspace.write("m/x.md", "# 題\n")
    synchronise(ordinary_workspace.config(), "manuals", full=False)
    data = ordinary_workspace.database.parent
    data.chmod(0o500)
    try:
        report = doctor(ordinary_workspace)
    finally:
        data.chmod(0o700)
    assert report["code"] == 1
    assert "data_read_only" in codes(report, "error")
    assert "index_wrong" not in codes(report)
