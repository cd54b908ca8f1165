"""A damaged database is set aside, and a new one has its name: whatever is broken, and whenever that is interrupted."""

import contextlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from morenashi.indexer.database import open_writer
from morenashi.indexer.salvage import finish_salvage, is_damage, set_aside_and_salvage, time_stamp
from morenashi.server.memory import audit_log

from ..examples import Rounds
from ..workspaces import WorkspaceFolder, without_room
from .damaged import (
    ALL_KEPT,
    TRACES,
    assert_whole_again,
    opened_again,
    overwrite,
    pages_of,
    schema_pages_of,
    set_aside,
    used,
    used_before,
)
from .indexes import open_index
from .memories import add_claim, count_memories
from .traces import count_rows

__all__ = ["used", "used_before"]

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


@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_who_could_read_a_damaged_file_may_read_it_and_the_one_in_its_place(used: WorkspaceFolder, mode: int) -> None:
    used.database.chmod(mode)
    used.database.write_bytes(b"this is no database" * 1000)
    assert_whole_again(used)
    assert {path.stat().st_mode & 0o777 for path in (used.database, *set_aside(used))} == {mode}


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
    # Of a table whose definition is no longer to be read, nothing is found: that of the log's end is one.
    assert_whole_again(used, audit_log.NO_END)


def test_a_file_with_garbage_in_the_middle_is_set_aside(used: WorkspaceFolder) -> None:
    overwrite(used.database, pages_of(used.database, "passage_texts")[5:40])
    assert assert_whole_again(used)["traces"] == TRACES
    assert len(set_aside(used)) == 1


@pytest.mark.parametrize("place", [18, 47])
def test_a_first_page_that_names_a_format_which_there_is_not_is_broken(used: WorkspaceFolder, place: int) -> None:
    with used.database.open("r+b") as file:
        file.seek(place)
        file.write(b"\x07")
    assert assert_whole_again(used) == ALL_KEPT
    assert len(set_aside(used)) == 1


@pytest.mark.parametrize("name", ["m000=_trace_lea", None, b"m0005_trace_leads"])
def test_a_damaged_name_of_a_step_is_no_newer_version(used: WorkspaceFolder, name: str | bytes | None) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        connection.execute("UPDATE _sqlite_migrations SET name = ? WHERE name LIKE 'm0005%'", (name,))
        connection.commit()
    assert assert_whole_again(used) == ALL_KEPT
    assert len(set_aside(used)) == 1


def test_of_a_file_without_anything_readable_the_backup_is_used(used: WorkspaceFolder) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    used.database.write_bytes(b"\0" * 8192)
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


def test_the_names_of_what_is_kept_are_in_the_order_of_time_also_where_a_second_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second_ns = 1_000_000_000
    clock_ns = iter(range(1_800_000_000 * second_ns, 1_900_000_000 * second_ns, second_ns // 2))
    monkeypatch.setattr("time.time_ns", lambda: next(clock_ns))
    assert time_stamp() == "20270115T080000.000000000"
    assert time_stamp() == "20270115T080000.500000000"
    assert time_stamp() == "20270115T080001.000000000"


def test_of_several_backups_the_newest_is_used_and_named_alone(used: WorkspaceFolder) -> None:
    older, newer = (used.database.with_name(f"{used.database.name}.backup-{year}0101T000000") for year in (2025, 2026))
    shutil.copy(used.database, older)
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        add_claim(connection, TRACES + 1)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(used.database, newer)
    used.database.write_bytes(b"\0" * 8192)
    assert f"claims: {TRACES + 1} rows salvaged from {newer.name}" in set_aside_and_salvage(used.database)


@pytest.mark.parametrize("look_through", [True, False])
def test_of_a_file_that_was_emptied_the_backup_is_used(used: WorkspaceFolder, look_through: bool) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    used.database.write_bytes(b"")
    connection, notices = open_writer(used.database, look_through=look_through)
    connection.close()
    assert "damaged" in notices[0]
    assert assert_whole_again(used) == ALL_KEPT


def test_every_damaged_file_is_kept(used: WorkspaceFolder) -> None:
    for mark in (b"first", b"second"):
        used.database.write_bytes(mark * 1000)
        set_aside_and_salvage(used.database)
    assert {path.read_bytes()[:5] for path in set_aside(used)} == {b"first", b"secon"}


def test_of_several_damaged_files_the_last_one_is_salvaged(used: WorkspaceFolder) -> None:
    used.database.with_name(f"{used.database.name}.damaged-20250101T000000").write_bytes(b"earlier" * 1000)
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


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
    used.database.with_name(f"{used.database.name}.salvaging").write_bytes(b"begun" * 1000)
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
