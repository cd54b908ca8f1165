"""Does the index say what the disk says?"""

import os
import sqlite3
from pathlib import Path

import pytest

from morenashi.indexer import dictionaries
from morenashi.indexer.check import CheckReport, check_index
from morenashi.indexer.config import ConfigError
from morenashi.indexer.dictionary_files import DictionaryFile
from morenashi.indexer.files import DiskFile
from morenashi.indexer.listing import RootMissingError
from morenashi.indexer.prepare import Prepared, Preparer
from morenashi.indexer.references.kept_names import read_names
from morenashi.indexer.references.named_documents import NamedDocuments

from ..workspaces import WorkspaceFolder, age, without_permission
from .indexes import index, open_index


def check(workspace: WorkspaceFolder) -> CheckReport:
    return check_index(workspace.config())


def test_an_index_that_was_just_made_is_clean(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    workspace.write("a/y.md", b"\xff\xfe\xff" * 99)
    workspace.write("a/z.json", "{")
    index(workspace)
    assert check(workspace) == CheckReport([], [], [], [])


def test_a_new_a_changed_and_a_deleted_file_are_named(workspace: WorkspaceFolder) -> None:
    for name in ("changed", "gone", "same"):
        workspace.write(f"a/{name}.md", "# 一\n")
    index(workspace)
    workspace.write("a/changed.md", "# 二\n")
    workspace.write("b/new.md", "# 一\n")
    (workspace.manuals / "a" / "gone.md").unlink()
    assert check(workspace) == CheckReport(["b/new.md"], ["a/changed.md"], ["a/gone.md"], [])


def test_a_changed_file_with_the_old_size_and_time_stamp_is_named(workspace: WorkspaceFolder) -> None:
    file = workspace.write("a/x.md", "# 甲\n")
    age(workspace.manuals)
    index(workspace)
    then = file.stat().st_mtime_ns
    workspace.write("a/x.md", "# 乙\n")
    os.utime(file, ns=(then, then))
    assert check(workspace).changed == ["a/x.md"]


def test_a_file_with_a_new_time_stamp_alone_is_not_changed(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 甲\n")
    index(workspace)
    age(workspace.manuals)
    assert check(workspace).is_clean


def test_checking_repairs_nothing(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    index(workspace)
    workspace.write("a/x.md", "# 二\n")
    before = workspace.database.read_bytes()
    assert check(workspace) == check(workspace)
    assert workspace.database.read_bytes() == before


def test_without_a_database_everything_is_new(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    report = check(workspace)
    assert (report.new, report.is_clean) == (["a/x.md"], False)
    assert not workspace.database.exists()


def test_without_manuals_nothing_can_be_said(workspace: WorkspaceFolder) -> None:
    index(workspace)
    workspace.manuals.rmdir()
    with pytest.raises(RootMissingError):
        check(workspace)


@pytest.mark.parametrize("table", ["pairs", "words", "title_pairs"])
def test_a_fault_of_a_full_text_table_is_named(workspace: WorkspaceFolder, table: str) -> None:
    workspace.write("a/x.md", "# 一\n旅費規程 settings\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        damage = f"UPDATE {table}_data SET block = zeroblob(9) WHERE id = (SELECT max(id) FROM {table}_data)"  # noqa: S608
        opened.connection.execute(damage)
    assert [fault.partition(":")[0] for fault in check(workspace).faults] == [table]


def test_a_fault_of_the_file_is_named(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        opened.connection.execute("PRAGMA writable_schema = ON")
        opened.connection.execute("UPDATE sqlite_master SET rootpage = 4 WHERE name = 'documents_by_nfc'")
    report = check(workspace)
    assert report.faults
    assert not report.is_clean


def test_an_unreadable_file_that_is_known_as_such_is_clean(ordinary_workspace: WorkspaceFolder) -> None:
    with without_permission(ordinary_workspace.write("a/x.md", "# 一\n")):
        index(ordinary_workspace)
        assert check(ordinary_workspace).is_clean
    assert check(ordinary_workspace).changed == ["a/x.md"]


def test_documents_of_a_closed_folder_are_not_gone(ordinary_workspace: WorkspaceFolder) -> None:
    file = ordinary_workspace.write("a/closed/x.md", "# 一\n")
    index(ordinary_workspace)
    with without_permission(file.parent):
        assert check(ordinary_workspace).gone == []


def test_a_file_that_is_saved_while_it_is_compared_is_no_fault(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = workspace.write("a/x.md", "# 一\n")
    index(workspace)
    prepare = Preparer.prepare

    def save_and_prepare(preparer: Preparer, listed: DiskFile) -> Prepared | None:
        file.write_text("# 二\n", "utf-8")
        return prepare(preparer, listed)

    monkeypatch.setattr(Preparer, "prepare", save_and_prepare)
    assert check(workspace).faults == []


def test_what_a_writer_commits_while_references_are_resolved_afresh_is_no_fault(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.write("a/x.md", "[次](b.md)\n")

    def read_and_index(connection: sqlite3.Connection, manual_id: str) -> NamedDocuments:
        names = read_names(connection, manual_id)
        monkeypatch.undo()
        workspace.write("a/b.md", "# 次\n")
        index(workspace)
        return names

    index(workspace)
    monkeypatch.setattr("morenashi.indexer.references.resolve_references.read_names", read_and_index)
    assert check(workspace).faults == []


def test_a_changed_dictionary_of_exceptions_is_named(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n休日を外す。\n")
    index(workspace)
    (workspace.root / "dictionaries").mkdir()
    own = workspace.root / "dictionaries" / "exceptions.txt"
    own.write_text("を外す\n", "utf-8")
    assert check(workspace) == CheckReport([], ["dictionaries/exceptions.txt"], [], [])
    index(workspace)
    assert check(workspace).is_clean
    own.unlink()
    assert check(workspace) == CheckReport([], ["dictionaries/exceptions.txt"], [], [])


def test_of_a_dictionary_that_may_not_be_read_nothing_is_said(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = workspace.root / "dictionaries" / "exceptions.txt"
    own.parent.mkdir()
    own.write_text("を外す\n", "utf-8")
    workspace.write("a/x.md", "# 一\n休日を外す。\n")
    index(workspace)

    def fail(path: Path) -> DictionaryFile:
        raise ConfigError(f"{path} cannot be read: Input/output error")

    monkeypatch.setattr(dictionaries, "read_dictionary", fail)
    assert check(workspace).is_clean


def test_an_index_that_another_version_made_is_said_to_be(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        opened.connection.execute("UPDATE index_state SET value = '0:older' WHERE key = 'layout'")
        opened.connection.execute("DROP TABLE called_documents")
    (fault,) = check(workspace).faults
    assert "another version" in fault


def test_a_report_is_json_with_its_verdict(workspace: WorkspaceFolder) -> None:
    index(workspace)
    assert check(workspace).as_json() == {"clean": True, "new": [], "changed": [], "gone": [], "faults": []}


def test_a_file_that_is_no_database_is_a_fault(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    workspace.database.write_bytes(b"no database" * 500)
    report = check(workspace)
    assert not report.is_clean
    assert "not a database" in report.faults[0]


def test_an_error_of_the_disk_is_no_fault_of_the_index(workspace: WorkspaceFolder) -> None:
    workspace.database.mkdir(parents=True)
    with pytest.raises(sqlite3.OperationalError, match="disk I/O error"):
        check(workspace)
    checked = workspace.run("reindex", "--check")
    assert (checked.returncode, checked.stdout) == (2, "")
    assert "cannot be examined" in checked.stderr
