"""The disk and what lies about on it: room, permissions, leftovers of what was killed."""

import fcntl

from morenashi.indexer.cli import synchronise
from morenashi.indexer.vault_names import TEMPORARY_NAME
from morenashi.server.health.storage import space_findings

from ..workspaces import WorkspaceFolder, without_permission
from .doctoring import codes, doctor, found, overwrite_page


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


def test_a_link_to_data_that_are_not_there_is_named(workspace: WorkspaceFolder) -> None:
    """As of a disk that is not mounted."""
    workspace.database.parent.symlink_to(workspace.root / "disk" / "data")
    report = doctor(workspace)
    assert (report["code"], codes(report, "error")) == (1, {"data_gone"})
    done = workspace.run("reindex")
    assert (done.returncode, done.stderr) == (2, "morenashi: what data/ is a link to is not there\n")


def test_a_lock_that_may_not_be_written_is_named(ordinary_workspace: WorkspaceFolder) -> None:
    """As when it was made under sudo: the folder of the database is not what stands in the way."""
    ordinary_workspace.database.parent.mkdir()
    lock = ordinary_workspace.database.with_suffix(".lock")
    lock.touch()
    with without_permission(lock):
        report = doctor(ordinary_workspace)
        done = ordinary_workspace.run("reindex")
    assert (report["code"], codes(report, "error")) == (1, {"data_read_only"})
    assert found(report, "data_read_only")["what"].startswith("morenashi.lock in ")
    assert (done.returncode, done.stderr) == (2, "morenashi: morenashi.lock cannot be written: Permission denied\n")


def test_looking_at_a_backup_leaves_nothing_beside_it(healthy: WorkspaceFolder) -> None:
    backup = healthy.database.with_name("morenashi.db.backup-20260101")
    backup.write_bytes(healthy.database.read_bytes())
    assert doctor(healthy)["code"] == 0
    assert list(healthy.database.parent.glob("*.backup-*")) == [backup]


def test_a_backup_that_is_damaged_is_named(healthy: WorkspaceFolder) -> None:
    backup = healthy.database.with_name("morenashi.db.backup-20260101")
    backup.write_bytes(healthy.database.read_bytes())
    overwrite_page(backup, "sections")
    report = doctor(healthy, fix=True)
    assert (report["code"], codes(report)) == (1, {"backup_damaged"})
    assert backup.exists()


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


def test_data_that_is_a_file_and_no_folder_is_an_error(workspace: WorkspaceFolder) -> None:
    (workspace.root / "data").write_text("no folder")
    report = doctor(workspace)
    assert "data is no folder that can be written" in found(report, "data_read_only")["what"]


def test_a_vault_that_may_not_be_written_is_named(ordinary_workspace: WorkspaceFolder) -> None:
    vault = ordinary_workspace.root / "vault"
    vault.mkdir()
    assert "vault_read_only" not in codes(doctor(ordinary_workspace))
    vault.chmod(0o500)
    assert str(vault) in found(doctor(ordinary_workspace), "vault_read_only")["what"]


def test_a_link_to_a_vault_that_is_not_there_is_named(healthy: WorkspaceFolder) -> None:
    (healthy.root / "notes").symlink_to(healthy.root / "disk" / "notes")
    report = doctor(healthy, VAULT_ROOT="notes")
    assert "vault_gone" in codes(report, "warning")
    assert "vault_gone" not in codes(doctor(healthy, VAULT_ROOT="new"))


def test_a_vault_that_is_a_file_and_was_never_indexed_is_an_error(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "# 題\n")
    (workspace.root / "vault").write_text("no folder")
    report = doctor(workspace)
    assert (report["code"], codes(report, "error")) == (1, {"no_vault"})


def test_links_beside_the_databases_that_lead_nowhere_are_in_nobodys_way(healthy: WorkspaceFolder) -> None:
    healthy.database.with_name("old.db").symlink_to("nowhere")
    healthy.database.with_name("morenashi.db.damaged-20260101").symlink_to("nowhere")
    report = doctor(healthy)
    assert (report["code"], codes(report)) == (0, {"damage_kept"})
