"""Opening the one database file: who may, and what happens to older, newer and foreign ones."""

import contextlib
import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from morenashi.indexer.database import open_reader, open_writer, transaction
from morenashi.indexer.schema import DatabaseTooNewError
from morenashi.indexer.writer_lock import WorkspaceBusyError, hold_writer_lock

from ..databases import open_files
from ..workspaces import WorkspaceFolder, clean_environment, without_room
from .indexes import index, open_index, reading
from .traces import add_traces, count_rows

HOLD_LOCK = """
import pathlib, sys
from morenashi.indexer.writer_lock import hold_writer_lock
with hold_writer_lock(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextlib.contextmanager
def lock_held_elsewhere(database: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the writer lock."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_LOCK, str(database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=clean_environment(),
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def make_newer(database: Path) -> None:
    """As a later version would leave it: one more step applied."""
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
            "VALUES ('morenashi', 'm9999_from_the_future', '2099-01-01')"
        )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_second_writer_of_this_process_is_refused(workspace: WorkspaceFolder) -> None:
    with (
        hold_writer_lock(workspace.database),
        pytest.raises(WorkspaceBusyError, match=r"morenashi\.db"),
        hold_writer_lock(workspace.database),
    ):
        pass


def test_a_writer_beside_another_process_is_refused(workspace: WorkspaceFolder) -> None:
    with (
        lock_held_elsewhere(workspace.database),
        pytest.raises(WorkspaceBusyError),
        hold_writer_lock(workspace.database),
    ):
        pass


def test_the_lock_is_free_when_its_holder_was_killed(workspace: WorkspaceFolder) -> None:
    with lock_held_elsewhere(workspace.database) as process:
        process.kill()
        process.wait()
        with hold_writer_lock(workspace.database):
            pass


def test_the_next_holder_is_told_of_one_that_was_killed(workspace: WorkspaceFolder) -> None:
    with lock_held_elsewhere(workspace.database) as process:
        process.kill()
        process.wait()
        with hold_writer_lock(workspace.database) as killed:
            assert killed == process.pid
    with hold_writer_lock(workspace.database) as killed:
        assert killed is None


def test_the_lock_is_free_after_an_error(workspace: WorkspaceFolder) -> None:
    with contextlib.suppress(RuntimeError), hold_writer_lock(workspace.database):
        raise RuntimeError
    with hold_writer_lock(workspace.database):
        pass


def test_the_lock_is_not_inherited(workspace: WorkspaceFolder) -> None:
    context = multiprocessing.get_context("spawn")
    with hold_writer_lock(workspace.database):
        child = context.Process(target=os.getpid)
        child.start()
    with hold_writer_lock(workspace.database):
        pass
    child.join()


def test_a_database_is_made_where_there_is_none(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        assert opened.notices == []
        assert opened.value("PRAGMA journal_mode") == "wal"
        assert opened.value("PRAGMA foreign_keys") == 1


def test_opening_a_present_database_says_nothing(workspace: WorkspaceFolder) -> None:
    index(workspace)
    with open_index(workspace) as opened:
        assert opened.notices == []


def test_an_empty_file_becomes_a_database(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    workspace.database.touch()
    with open_index(workspace) as opened:
        assert opened.value("SELECT count(*) FROM documents") == 0
        assert not any("backed up" in notice for notice in opened.notices)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_its_owner_reads_a_new_database_and_what_lies_beside_it(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with hold_writer_lock(workspace.database):
        connection, _ = open_writer(workspace.database)
        with contextlib.closing(connection):
            files = list(workspace.database.parent.glob(f"{workspace.database.name}*"))
            assert {path.name.partition(".db")[2] for path in files} == {"", "-wal", "-shm"}
            assert {mode_of(path) for path in files} == {0o600}


def test_a_database_whose_owner_lets_others_read_it_stays_so_and_its_backup_is_for_the_owner_alone(
    workspace: WorkspaceFolder,
) -> None:
    workspace.database.parent.mkdir()
    with contextlib.closing(sqlite3.connect(workspace.database)) as older:
        older.execute("CREATE TABLE older (text TEXT)")
    workspace.database.chmod(0o640)
    with open_index(workspace):
        assert mode_of(workspace.database) == 0o640
    (backup,) = workspace.database.parent.glob("*.backup-*")
    assert mode_of(backup) == 0o600


def test_a_newer_database_is_refused_and_not_touched(workspace: WorkspaceFolder) -> None:
    index(workspace)
    make_newer(workspace.database)
    before = workspace.database.read_bytes()
    with pytest.raises(DatabaseTooNewError, match="m9999_from_the_future"):
        open_writer(workspace.database)
    assert workspace.database.read_bytes() == before
    assert not [path.name for path in workspace.database.parent.iterdir() if "backup" in path.name]


def test_a_database_without_our_tables_is_backed_up_before_it_gets_them(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with contextlib.closing(sqlite3.connect(workspace.database)) as older:
        older.execute("CREATE TABLE older (text TEXT)")
        older.execute("INSERT INTO older VALUES ('kept')")
        older.commit()
    with open_index(workspace) as opened:
        (notice,) = [notice for notice in opened.notices if "backed up" in notice]
        assert opened.rows("SELECT text FROM older") == [("kept",)]
    (backup,) = workspace.database.parent.glob("*.backup-*")
    assert backup.name in notice
    with contextlib.closing(sqlite3.connect(backup)) as copy:
        assert copy.execute("SELECT text FROM older").fetchall() == [("kept",)]
        assert copy.execute("SELECT name FROM sqlite_master").fetchall() == [("older",)]


def test_only_the_newest_backups_are_kept(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with contextlib.closing(sqlite3.connect(workspace.database)) as older:
        older.execute("CREATE TABLE older (text TEXT)")
    for year in range(2001, 2006):
        workspace.database.with_name(f"{workspace.database.name}.backup-{year}0101T000000").touch()
    with open_index(workspace):
        pass
    years = sorted(path.name.rpartition("-")[2][:4] for path in workspace.database.parent.glob("*.backup-*"))
    assert (len(years), years[:2]) == (3, ["2004", "2005"])


def test_what_sqlite_keeps_beside_a_backup_is_no_backup_and_goes_with_it(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with contextlib.closing(sqlite3.connect(workspace.database)) as older:
        older.execute("CREATE TABLE older (text TEXT)")
    for year in range(2001, 2005):
        for companion in ("", "-shm", "-wal"):
            workspace.database.with_name(f"{workspace.database.name}.backup-{year}0101T000000{companion}").touch()
    with open_index(workspace):
        pass
    left = sorted(path.name.partition(".backup-")[2] for path in workspace.database.parent.glob("*.backup-*"))
    assert left[:-1] == [f"{year}0101T000000{companion}" for year in (2003, 2004) for companion in ("", "-shm", "-wal")]


def test_a_backup_that_finds_no_room_leaves_nothing_and_drops_no_older_one(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with contextlib.closing(sqlite3.connect(workspace.database)) as older, older:
        older.execute("CREATE TABLE older (text BLOB)")
        older.execute("INSERT INTO older VALUES (zeroblob(1000000))")
    kept = [
        workspace.database.with_name(f"{workspace.database.name}.backup-{year}0101T000000") for year in (2001, 2002)
    ]
    for backup in kept:
        backup.touch()
    with without_room(100_000):
        for _ in range(4):
            with pytest.raises(sqlite3.OperationalError):
                open_writer(workspace.database)
    assert sorted(workspace.database.parent.glob("*.backup-*")) == kept


def test_a_reader_cannot_write(workspace: WorkspaceFolder) -> None:
    index(workspace)
    with reading(workspace) as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM documents")


def test_a_reader_of_no_database_makes_none(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        open_reader(workspace.database)
    assert not workspace.database.exists()


def test_what_a_reader_cannot_read_is_not_left_open(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    workspace.database.write_bytes(b"no database" * 1000)
    # The error keeps all alive that its traceback knows.
    with pytest.raises(sqlite3.DatabaseError) as _kept:
        open_reader(workspace.database)
    assert open_files(workspace.database) == []


def test_what_a_writer_cannot_make_its_own_is_not_left_open(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with contextlib.closing(sqlite3.connect(workspace.database)) as foreign:
        foreign.execute("CREATE TABLE trace_overview (id)")
    with pytest.raises(sqlite3.OperationalError) as _kept:
        open_writer(workspace.database)
    assert open_files(workspace.database) == []


def test_a_reader_sees_committed_states_only(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened, reading(workspace) as reader:
        with transaction(opened.connection):
            add_rows = "INSERT INTO index_state (key, value) VALUES ('test', '1')"
            opened.connection.execute(add_rows)
            seen = "SELECT count(*) FROM index_state WHERE key = 'test'"
            assert reader.execute(seen).fetchone() == (0,)
        assert reader.execute(seen).fetchone() == (1,)


def test_a_transaction_that_fails_leaves_nothing(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        add_traces(opened.connection, 1)
        before = count_rows(opened.connection)
        with contextlib.suppress(RuntimeError), transaction(opened.connection), transaction(opened.connection):
            opened.connection.execute("DELETE FROM traces")
            raise RuntimeError
        assert count_rows(opened.connection) == before
        assert not opened.connection.in_transaction


def test_a_transaction_whose_commit_fails_is_ended(workspace: WorkspaceFolder) -> None:
    """Left open, the next one would join it and never commit."""
    with open_index(workspace) as opened:
        opened.connection.execute("CREATE TABLE parents (id INTEGER PRIMARY KEY)")
        opened.connection.execute("CREATE TABLE children (id REFERENCES parents DEFERRABLE INITIALLY DEFERRED)")
        with pytest.raises(sqlite3.IntegrityError), transaction(opened.connection):
            opened.connection.execute("INSERT INTO children VALUES (1)")
        assert not opened.connection.in_transaction
        with transaction(opened.connection):
            opened.connection.execute("INSERT INTO parents VALUES (2)")
        assert not opened.connection.in_transaction


def test_nobody_else_can_open_the_lock_file(workspace: WorkspaceFolder) -> None:
    with hold_writer_lock(workspace.database):
        (lock,) = workspace.database.parent.glob("*.lock")
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600


def test_a_workspace_whose_name_needs_quoting_works(tmp_path: Path) -> None:
    odd = WorkspaceFolder(tmp_path / "100% #1? 旅費 'x'")
    odd.write("a/x.md", "# 一\n")
    assert index(odd).documents == 1
    with reading(odd) as reader:
        assert reader.execute("SELECT count(*) FROM documents").fetchone() == (1,)
