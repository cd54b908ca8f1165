"""Databases that are damaged, behind the disk, of another version, or hold the wrong things."""

import contextlib
import sqlite3

import pytest

from morenashi.indexer.salvage import set_aside
from morenashi.indexer.writer_lock import hold_writer_lock

from ..indexer.damages import Damage, break_index, invent_rows, lose_rows
from ..server.serving import ask_database
from ..workspaces import WorkspaceFolder
from .doctoring import codes, doctor, found, overwrite_page


def test_files_that_changed_while_nobody_looked_are_a_note_and_can_be_indexed(healthy: WorkspaceFolder) -> None:
    healthy.write("m/new.md", "# 新\n")
    report = doctor(healthy)
    assert (report["code"], codes(report)) == (0, {"drift"})
    fixed = doctor(healthy, fix=True)
    assert (fixed["code"], codes(fixed), fixed["repairs"][0]["did"]) == (0, set(), "indexed 1 file, dropped 0")


def test_of_a_database_that_cannot_be_opened_both_causes_are_named(healthy: WorkspaceFolder) -> None:
    """A lock of another program would do, but is waited for."""
    healthy.database.unlink()
    healthy.database.mkdir()
    advice = found(doctor(healthy), "database_unusable")["advice"]
    assert "what else has the file open" in advice
    assert "who may write it and its folder" in advice
    done = healthy.run("policy", "history")
    assert (done.returncode, done.stderr.startswith("morenashi: conflict: the database cannot be used: ")) == (2, True)


@pytest.mark.parametrize("damage", [lose_rows, invent_rows])
def test_an_index_that_misses_something_is_found_and_rebuilt(healthy: WorkspaceFolder, damage: Damage) -> None:
    break_index(healthy, damage)
    report = doctor(healthy)
    assert (report["code"], codes(report, "error")) == (1, {"index_wrong"})
    fixed = doctor(healthy, fix=True)
    assert (fixed["code"], codes(fixed)) == (0, set())


def test_a_database_that_was_emptied_is_damaged_and_comes_back_from_its_backup(healthy: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database)) as source:
        source.execute("VACUUM INTO ?", (f"{healthy.database}.backup-20260101T000000",))
    healthy.database.write_bytes(b"")
    assert codes(doctor(healthy), "error") == {"database_damaged"}
    assert codes(doctor(healthy, fix=True), "error") == set()
    assert ask_database(healthy, "SELECT version FROM policies") == [("0.1.0",)]


def test_a_text_that_is_no_utf_8_any_more_is_damage_and_the_rest_is_carried_over(healthy: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(healthy.database, isolation_level=None)) as connection:
        connection.execute("UPDATE claim_evidence SET provenance = CAST(x'7bff7d' AS TEXT)")
    assert codes(doctor(healthy), "error") == {"database_damaged"}
    assert codes(doctor(healthy, fix=True), "error") == set()
    assert ask_database(healthy, "SELECT text, (SELECT count(*) FROM claim_evidence) FROM claims") == [
        ("締切は三月末", 0)
    ]


def test_a_file_that_nobody_has_filled_yet_is_no_older_version(healthy: WorkspaceFolder) -> None:
    healthy.database.write_bytes(b"")
    report = doctor(healthy)
    assert (report["code"], "not_indexed" in codes(report), "database_older" in codes(report)) == (0, True, False)
    assert "not_indexed" not in codes(doctor(healthy, fix=True))


def test_claims_that_cannot_be_found_are_an_error_of_the_index_and_come_back(healthy: WorkspaceFolder) -> None:
    break_index(healthy, lambda writer: writer.execute("INSERT INTO claim_tokens (claim_tokens) VALUES ('delete-all')"))
    report = doctor(healthy)
    assert "claim_tokens" in found(report, "index_wrong")["what"]
    assert codes(doctor(healthy, fix=True)) == set()
    assert ask_database(healthy, "SELECT count(*) FROM claims") == [(1,)]


def test_a_damaged_database_is_set_aside_and_its_records_are_carried_over(healthy: WorkspaceFolder) -> None:
    overwrite_page(healthy.database, "sections")
    report = doctor(healthy)
    assert (report["code"], codes(report, "error")) == (1, {"database_damaged"})
    fixed = doctor(healthy, fix=True)
    assert (fixed["code"], codes(fixed)) == (0, {"damage_kept"})
    assert ask_database(healthy, "SELECT version FROM policies") == [("0.1.0",)]


def test_a_salvage_that_was_not_finished_is_an_error_and_is_finished(healthy: WorkspaceFolder) -> None:
    overwrite_page(healthy.database, "sections")
    with hold_writer_lock(healthy.database):
        set_aside(healthy.database)
    report = doctor(healthy)
    assert (report["code"], codes(report, "error")) == (1, {"salvage_unfinished"})
    assert doctor(healthy, fix=True)["code"] == 0
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


def test_a_database_that_a_server_of_an_older_version_keeps_cannot_be_used_before_that_has_ended(
    healthy: WorkspaceFolder,
) -> None:
    break_index(healthy, lambda writer: writer.execute("UPDATE index_state SET value = '1:old' WHERE key = 'layout'"))
    with hold_writer_lock(healthy.database):
        report = doctor(healthy)
        assert (report["code"], codes(report, "warning")) == (1, {"database_kept"})
        assert "morenashi stop" in found(report, "database_kept")["advice"]
        assert doctor(healthy, fix=True)["code"] == 3
    assert doctor(healthy, fix=True)["code"] == 0


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
