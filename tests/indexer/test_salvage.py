"""A damaged database is set aside; what cannot be rebuilt is carried over."""

import contextlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from morenashi.indexer.database import open_writer
from morenashi.indexer.salvage import finish_salvage, is_damage, set_aside_and_salvage
from morenashi.server.memory import audit_log

from ..examples import Rounds
from ..workspaces import WorkspaceFolder, without_room
from .indexes import open_index
from .memories import MEMORY_TABLES, add_claim, add_memories, count_memories
from .traces import TRACE_TABLES, add_traces, count_rows

TRACES = 60
SIDE_TABLES = (*TRACE_TABLES, *MEMORY_TABLES)
ALL_KEPT = dict.fromkeys(SIDE_TABLES, TRACES)

# Kills itself when it is about to do something for the nth time.
KILLED = """
import os, signal, sys
from pathlib import Path
from morenashi.indexer import salvage
from morenashi.indexer.database import open_writer
database, place, left = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def watch(event, arguments):
    global left
    if event == place:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
salvage_table = salvage._salvage_table
def salvage_next(*arguments):
    sys.audit("table")
    return salvage_table(*arguments)
salvage._salvage_table = salvage_next
open_writer(database)
"""


@pytest.fixture(scope="module")
def used_before(shared_workspace: WorkspaceFolder) -> WorkspaceFolder:
    """A workspace with documents and traces, its database in one file. The tests have copies of it."""
    for number in range(40):
        shared_workspace.write(f"a/{number:02}.md", f"# 第{number}章\n" + f"旅費規程の宿泊料{number}。\n" * 200)
    with open_index(shared_workspace) as opened:
        opened.synchronise()
        add_traces(opened.connection, TRACES, padding=300)
        add_memories(opened.connection, TRACES)
        opened.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return shared_workspace


@pytest.fixture
def used(used_before: WorkspaceFolder, workspace: WorkspaceFolder) -> WorkspaceFolder:
    """Such a workspace, to be damaged."""
    shutil.copytree(used_before.root, workspace.root, dirs_exist_ok=True)
    return workspace


def pages_of(database: Path, table: str) -> list[int]:
    """The numbers of a table's own pages but its first; the table is far longer than one page."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = database.read_bytes()
    marks = {
        "traces": b"manual_find",
        "passage_texts": "旅費規程の宿泊料".encode(),
        "trace_unscanned": b"[[1, 2], [5, 5]]",
    }
    return [n for n in range(1, len(data) // size) if data[n * size : (n + 1) * size].count(marks[table]) > 3]


def overwrite(database: Path, pages: list[int]) -> None:
    """Put garbage where these pages are."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    with database.open("r+b") as file:
        for page in pages:
            file.seek(page * size)
            file.write(b"\xa5garbage" * (size // 8))


def schema_pages_of(database: Path) -> list[int]:
    """The numbers of the pages with what the database says of its tables and views, its first page apart."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = database.read_bytes()
    return [n for n in range(1, len(data) // size) if b"CREATE " in data[n * size : (n + 1) * size]]


def set_aside(workspace: WorkspaceFolder) -> list[Path]:
    """The damaged files that were kept, their companions apart."""
    return [path for path in workspace.database.parent.glob("*.damaged-*") if not path.name.endswith(("-wal", "-shm"))]


def assert_whole_again(workspace: WorkspaceFolder) -> dict[str, int]:
    """Open and index; the file is sound and holds all documents. Returns the rows of the side tables."""
    with open_index(workspace) as opened:
        opened.synchronise()
        assert opened.rows("PRAGMA integrity_check") == [("ok",)]
        assert opened.rows("PRAGMA foreign_key_check") == []
        assert opened.value("SELECT count(*) FROM lines WHERE text LIKE '旅費規程の宿泊料%'") == 8000
        if opened.value("SELECT count(*) FROM audit_log"):
            assert audit_log.verify(opened.connection).problem is None
        return count_rows(opened.connection) | count_memories(opened.connection)


@contextlib.contextmanager
def opened_again(workspace: WorkspaceFolder) -> Iterator[sqlite3.Connection]:
    """The database as a start of the program makes it of what is there."""
    connection, _ = open_writer(workspace.database)
    with contextlib.closing(connection):
        yield connection


def open_and_be_killed(database: Path, place: str, nth: int) -> bool:
    """Open the database in a process that is killed when it comes to a place; whether it came there."""
    command = [sys.executable, "-c", KILLED, str(database), place, str(nth)]
    return subprocess.run(command, check=False, capture_output=True).returncode == -signal.SIGKILL


def test_a_file_that_is_no_database_is_set_aside(used: WorkspaceFolder) -> None:
    used.database.write_bytes(b"this is no database" * 1000)
    with open_index(used) as opened:
        assert "damaged" in opened.notices[0]
    (aside,) = set_aside(used)
    assert aside.name in opened.notices[0]
    assert aside.read_bytes().startswith(b"this is no database")
    assert_whole_again(used)


def test_a_truncated_file_is_set_aside(used: WorkspaceFolder) -> None:
    with used.database.open("r+b") as file:
        file.truncate(used.database.stat().st_size // 3)
    assert_whole_again(used)
    assert len(set_aside(used)) == 1


def test_what_a_truncated_file_still_has_is_carried_over(used: WorkspaceFolder) -> None:
    for number in range(20):
        used.write(f"b/{number:02}.md", f"# {number}\n" + f"日当{number}。\n" * 500)
    with open_index(used) as opened:
        opened.synchronise()
        opened.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with used.database.open("r+b") as file:
        file.truncate(used.database.stat().st_size - 20_000)
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


def test_side_tables_outlast_a_broken_page_of_the_schema(used: WorkspaceFolder) -> None:
    overwrite(used.database, schema_pages_of(used.database)[-1:])
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


@pytest.mark.parametrize("lost_bytes", [100, 512, 4096])
def test_side_tables_outlast_a_broken_first_page(used: WorkspaceFolder, lost_bytes: int) -> None:
    with used.database.open("r+b") as file:
        file.write(b"\xa5" * lost_bytes)
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


def test_side_tables_outlast_words_of_the_schema_that_are_no_text(used: WorkspaceFolder) -> None:
    """SQLite quotes them in its message, which Python then cannot read: no error of a database."""
    broken = used.database.read_bytes().replace(b"ON adaptive_statistics", b"ON\xdaadaptive_statistics")
    used.database.write_bytes(broken)
    with open_index(used) as opened:
        assert "damaged" in opened.notices[0]
    assert assert_whole_again(used) == ALL_KEPT


def test_what_a_schema_is_looked_for_in_may_be_anything(used: WorkspaceFolder, seed: int) -> None:
    """Pages that look like those of a schema, and are not: nothing but `None` or an image comes of them."""
    noise, data = random.Random(seed), bytearray(used.database.read_bytes())
    for page in schema_pages_of(used.database):
        for _ in range(60):
            data[page * 4096 + noise.randrange(4096)] = noise.randrange(256)
    data[:4096] = bytes(4096)
    used.database.write_bytes(data)
    set_aside_and_salvage(used.database)
    assert_whole_again(used)


def test_a_file_with_garbage_in_the_middle_is_set_aside(used: WorkspaceFolder) -> None:
    overwrite(used.database, pages_of(used.database, "passage_texts")[5:40])
    assert assert_whole_again(used)["traces"] == TRACES
    assert len(set_aside(used)) == 1


def test_side_tables_are_carried_over_row_by_row(used: WorkspaceFolder) -> None:
    overwrite(used.database, pages_of(used.database, "passage_texts")[5:40])
    notices = set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT
    assert all(any(notice.startswith(f"{table}: {TRACES} ") for notice in notices) for table in SIDE_TABLES)


def test_rows_around_a_broken_page_are_kept(used: WorkspaceFolder) -> None:
    pages = pages_of(used.database, "traces")
    overwrite(used.database, pages[len(pages) // 2 : len(pages) // 2 + 2])
    notices = set_aside_and_salvage(used.database)
    with open_index(used) as opened:
        kept = count_rows(opened.connection)
    assert TRACES // 2 < kept["traces"] < TRACES
    assert kept["adaptive_statistics"] == TRACES
    assert any(notice.startswith("traces:") and "could not be read" in notice for notice in notices)


def test_rows_between_two_broken_pages_are_kept(used: WorkspaceFolder) -> None:
    pages = pages_of(used.database, "traces")
    overwrite(used.database, [pages[1], pages[-2]])
    set_aside_and_salvage(used.database)
    with open_index(used) as opened:
        assert count_rows(opened.connection)["traces"] > TRACES // 2


@pytest.mark.parametrize("table", ["traces", "trace_candidate_lists", "claims", "audit_log"])
def test_rows_outlast_the_page_that_leads_to_all_of_them(used: WorkspaceFolder, table: str) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,))
    assert used.database.read_bytes()[(root - 1) * 4096] in (0x02, 0x05), "it leads to others"
    overwrite(used.database, [root - 1])
    notices = set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT
    assert any(notice.startswith(f"{table}: {TRACES} ") and "could not be read" in notice for notice in notices)


def test_rows_that_were_deleted_do_not_come_back_from_pages_that_are_free(used: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection, connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("DELETE FROM traces WHERE rowid > 40")
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'traces'")
        [(free,)] = connection.execute("PRAGMA freelist_count")
    assert free
    overwrite(used.database, [root - 1])
    with opened_again(used) as connection:
        assert count_rows(connection)["traces"] == 40


def test_rows_outlast_what_the_schema_says_of_their_table(used: WorkspaceFolder) -> None:
    pages = pages_of(used.database, "traces")
    overwrite(used.database, [*schema_pages_of(used.database), pages[1]])
    with opened_again(used) as connection:
        kept = count_rows(connection)
    assert TRACES // 2 < kept["traces"] < TRACES
    assert kept["adaptive_statistics"] == TRACES


def test_rows_on_pages_that_the_first_one_does_not_count_are_kept(used: WorkspaceFolder) -> None:
    with used.database.open("r+b") as file:
        file.seek(28)
        file.write((60).to_bytes(4, "big"))
    assert assert_whole_again(used) == ALL_KEPT
    assert len(set_aside(used)) == 1


@pytest.mark.parametrize("place", [18, 47])
def test_a_first_page_that_names_a_format_which_there_is_not_is_broken(used: WorkspaceFolder, place: int) -> None:
    with used.database.open("r+b") as file:
        file.seek(place)
        file.write(b"\x07")
    assert assert_whole_again(used) == ALL_KEPT
    assert len(set_aside(used)) == 1


def test_it_is_said_how_many_rows_go_with_those_that_they_belong_to(used: WorkspaceFolder) -> None:
    overwrite(used.database, pages_of(used.database, "traces")[2:3])
    notices = set_aside_and_salvage(used.database)
    with open_index(used) as opened:
        gone = TRACES - count_rows(opened.connection)["trace_gaps"]
    assert gone
    assert f"trace_gaps: {gone} of these rows are let go: what they belong to could not be read" in notices


def test_a_broken_index_costs_no_row(used: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        indexes = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex_trace%'")
        pages = [root - 1 for (root,) in indexes]
    overwrite(used.database, pages)
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


def test_a_row_whose_values_are_of_another_kind_is_not_kept(used: WorkspaceFolder) -> None:
    """A page that holds another one's rows, or a flipped bit: what reads the rows later would fail over them."""
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        connection.execute("INSERT INTO document_versions VALUES ('a', 'x.md', x'00', 'a')")
        connection.execute("UPDATE claims SET confidence = 'words' WHERE number = 7")
        connection.commit()
    notices = set_aside_and_salvage(used.database)
    assert assert_whole_again(used)["claims"] == TRACES - 1
    assert any(notice.startswith("claims: 59 rows") and "could not be read" in notice for notice in notices)


def test_a_damaged_name_of_a_step_is_no_newer_version(used: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        connection.execute("UPDATE _sqlite_migrations SET name = 'm000=_trace_lea' WHERE name LIKE 'm0005%'")
        connection.commit()
    assert assert_whole_again(used) == ALL_KEPT
    assert len(set_aside(used)) == 1


def test_rows_that_lost_their_trace_are_not_kept(used: WorkspaceFolder) -> None:
    pages = pages_of(used.database, "traces")
    overwrite(used.database, pages[len(pages) // 2 : len(pages) // 2 + 2])
    set_aside_and_salvage(used.database)
    with open_index(used) as opened:
        assert opened.rows("PRAGMA foreign_key_check") == []


def test_what_cannot_be_read_is_taken_from_the_last_backup(used: WorkspaceFolder) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    pages = pages_of(used.database, "traces")
    overwrite(used.database, pages[len(pages) // 2 : len(pages) // 2 + 2])
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


def test_what_was_deleted_since_the_last_backup_does_not_come_back_where_the_rest_can_be_read(
    used: WorkspaceFolder,
) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    with contextlib.closing(sqlite3.connect(used.database)) as connection, connection:
        connection.execute("DELETE FROM adaptive_statistics WHERE id = 7")
    overwrite(used.database, pages_of(used.database, "passage_texts")[5:40])
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT | dict.fromkeys(("adaptive_statistics", "adaptive_reads"), TRACES - 1)


def test_no_row_is_taken_twice(used: WorkspaceFolder) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    pages = pages_of(used.database, "trace_unscanned")
    overwrite(used.database, pages[len(pages) // 2 : len(pages) // 2 + 1])
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


def test_of_a_file_without_anything_readable_the_backup_is_used(used: WorkspaceFolder) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    used.database.write_bytes(b"\0" * 8192)
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


@pytest.mark.parametrize("look_through", [True, False])
def test_of_a_file_that_was_emptied_the_backup_is_used(used: WorkspaceFolder, look_through: bool) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    used.database.write_bytes(b"")
    connection, notices = open_writer(used.database, look_through=look_through)
    connection.close()
    assert "damaged" in notices[0]
    assert assert_whole_again(used) == ALL_KEPT


def test_without_anything_readable_the_tables_start_empty(used: WorkspaceFolder) -> None:
    used.database.write_bytes(b"no database" * 500)
    notices = set_aside_and_salvage(used.database)
    assert "traces: nothing could be read; it starts empty" in notices
    assert assert_whole_again(used) == dict.fromkeys(SIDE_TABLES, 0)


def test_every_damaged_file_is_kept(used: WorkspaceFolder) -> None:
    for mark in (b"first", b"second"):
        used.database.write_bytes(mark * 1000)
        set_aside_and_salvage(used.database)
    assert {path.read_bytes()[:5] for path in set_aside(used)} == {b"first", b"secon"}


def test_a_claim_whose_representative_is_lost_stands_for_itself_again(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        add_claim(opened.connection, 3)
        opened.connection.execute("PRAGMA foreign_keys = OFF")
        add_claim(opened.connection, 2, merged_into=1)
    set_aside_and_salvage(workspace.database)
    with open_index(workspace) as opened:
        assert opened.rows("SELECT number, merged_into FROM claims ORDER BY number") == [(2, None), (3, None)]


def test_a_process_that_is_killed_while_it_salvages_loses_nothing(
    used: WorkspaceFolder, tmp_path: Path, rounds: Rounds
) -> None:
    overwrite(used.database, pages_of(used.database, "passage_texts")[5:40])
    kept = shutil.copytree(used.database.parent, tmp_path / "kept")
    places = {"os.rename": 5, "sqlite3.connect": 14, "table": 25}
    killed = 0
    for place, nth in [(place, n) for place, most in places.items() for n in range(1, most + 1)][:: rounds(7, 1)]:
        shutil.rmtree(used.database.parent)
        shutil.copytree(kept, used.database.parent)
        killed += open_and_be_killed(used.database, place, nth)
        with opened_again(used) as connection:
            assert count_rows(connection) | count_memories(connection) == ALL_KEPT, (place, nth)
            assert audit_log.verify(connection).problem is None
        assert [path.name for path in used.database.parent.glob("*.salvaging*")] == []
    assert killed >= rounds(4, 30)


def test_a_salvage_that_finds_no_room_is_done_again(used: WorkspaceFolder) -> None:
    overwrite(used.database, pages_of(used.database, "passage_texts")[5:40])
    with without_room(100_000):
        for _ in range(2):
            with pytest.raises(sqlite3.OperationalError):
                open_writer(used.database)
    with opened_again(used) as connection:
        assert count_rows(connection) | count_memories(connection) == ALL_KEPT
    assert len(set_aside(used)) == 1


def test_what_only_the_log_holds_is_salvaged_after_a_kill_between_two_names(used: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        add_claim(connection, TRACES + 1)
        connection.commit()
        # As they are before SQLite takes the log in.
        shutil.copytree(used.database.parent, used.root / "copy")
    shutil.rmtree(used.database.parent)
    (used.root / "copy").rename(used.database.parent)
    used.database.with_name(f"{used.database.name}.salvaging").touch()
    aside = used.database.rename(used.database.with_name(f"{used.database.name}.damaged-20260101T000000"))
    notices = finish_salvage(used.database)
    assert f"claims: {TRACES + 1} rows salvaged from {aside.name}" in notices
    with opened_again(used) as connection:
        assert count_memories(connection)["claims"] == TRACES + 1


def test_a_file_that_was_put_in_place_of_a_damaged_one_is_left_alone(used: WorkspaceFolder) -> None:
    draft = used.database.with_name(f"{used.database.name}.salvaging")
    draft.write_bytes(b"begun")
    with open_index(used) as opened:
        assert opened.notices == []
        assert count_rows(opened.connection)["traces"] == TRACES
    assert not draft.exists()


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("database disk image is malformed", True),
        ("file is not a database", True),
        ("database corruption at line 1", True),
        ("vtable constructor failed: pairs", True),
        ("database is locked", False),
        ("no such table: documents", False),
        ("database or disk is full", False),
    ],
)
def test_damage_is_told_from_other_errors(message: str, expected: bool) -> None:
    assert is_damage(sqlite3.DatabaseError(message)) is expected
