"""A write-ahead log that is broken somewhere: SQLite reads it up to there, and says nothing."""

import contextlib
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from morenashi.indexer.database import open_reader, open_writer, raise_if_damaged
from morenashi.indexer.log_frames import image_with_whole_log, is_cut, is_emptied
from morenashi.indexer.page_records import PAGE_BYTES

from ..examples import Rounds
from ..workspaces import WorkspaceFolder
from .indexes import open_index
from .memories import MEMORY_TABLES, add_memories, count_memories

HEADER, FRAME = 32, 24 + PAGE_BYTES
INDEX_HEADERS = 136
COMMITS = 12
Damage = Callable[[bytearray], object]


def written(folder: Path, *, restarted: bool = False) -> Path:
    """A database as a killed process leaves it: a row on a page of its own for each commit, all of them in the log."""
    source, database = folder / "source.db", folder / "x.db"
    with contextlib.closing(sqlite3.connect(source, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, text)")
        if restarted:
            connection.executemany("INSERT INTO rows VALUES (?, ?)", ((-n, "z" * 4000) for n in range(1, 40)))
            # The next frame stands at the beginning; behind it are those that do not count any more.
            connection.execute("PRAGMA wal_checkpoint(RESTART)")
        for number in range(COMMITS):
            connection.execute("INSERT INTO rows VALUES (?, ?)", (number, f"{number}" * 1500))
        for end in ("", "-wal"):
            shutil.copy(f"{source}{end}", f"{database}{end}")
    return database


def damage(database: Path, change: Damage) -> None:
    log = database.with_name(f"{database.name}-wal")
    data = bytearray(log.read_bytes())
    change(data)
    log.write_bytes(data)


def frames(data: bytearray) -> int:
    return (len(data) - HEADER) // FRAME


def flip(data: bytearray, at: int, count: int = 1) -> None:
    for place in range(at, at + count):
        data[place] ^= 0xFF


def rows(connection: sqlite3.Connection) -> set[int]:
    return {row[0] for row in connection.execute("SELECT id FROM rows WHERE id >= 0")}


def is_cut_when_opened(database: Path) -> bool:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
        return is_cut(database)


MIDDLE = {
    "page": lambda data: flip(data, HEADER + frames(data) // 2 * FRAME + 1000),
    "sum": lambda data: flip(data, HEADER + frames(data) // 2 * FRAME + 16, 8),
    "salt": lambda data: flip(data, HEADER + frames(data) // 2 * FRAME + 8),
    "header": lambda data: flip(data, 5),
    "magic": lambda data: flip(data, 0, 4),
    "salt of the header": lambda data: flip(data, 17),
}


@pytest.mark.parametrize("change", MIDDLE.values(), ids=MIDDLE)
def test_commits_behind_a_broken_place_are_seen_and_kept(tmp_path: Path, change: Damage) -> None:
    database = written(tmp_path)
    damage(database, change)
    image = image_with_whole_log(database)
    assert image is not None
    assert is_cut_when_opened(database)
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(image)
        assert len(rows(connection)) >= COMMITS - 2


UNHARMED = {
    "whole": lambda data: None,
    "torn": lambda data: data.__delitem__(slice(len(data) - FRAME // 2, None)),
    "short": lambda data: data.__delitem__(slice(HEADER + 3 * FRAME, None)),
    "no page": lambda data: data.__delitem__(slice(HEADER, None)),
    "part of a header": lambda data: data.__delitem__(slice(20, None)),
    "empty": lambda data: data.clear(),
    # As far as it came to be written: nothing that was committed stands behind it.
    "broken at its end": lambda data: flip(data, len(data) - 1),
}


@pytest.mark.parametrize("change", UNHARMED.values(), ids=UNHARMED)
@pytest.mark.parametrize("restarted", [False, True])
def test_a_log_that_ends_early_is_not_cut(tmp_path: Path, change: Damage, restarted: bool) -> None:
    database = written(tmp_path, restarted=restarted)
    damage(database, change)
    assert not is_cut_when_opened(database)


def test_the_whole_log_is_what_sqlite_reads_of_a_sound_one(tmp_path: Path) -> None:
    database = written(tmp_path, restarted=True)
    image = image_with_whole_log(database)
    assert image is not None
    with (
        contextlib.closing(sqlite3.connect(":memory:")) as ours,
        contextlib.closing(sqlite3.connect(database)) as theirs,
    ):
        ours.deserialize(image)
        assert ours.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert list(ours.iterdump()) == list(theirs.iterdump())


def test_a_log_that_is_being_written_is_not_cut(tmp_path: Path) -> None:
    database = tmp_path / "x.db"
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE rows (id)")
        for number in range(40):
            connection.execute("INSERT INTO rows VALUES (?)", (number,))
            if number % 9 == 8:
                connection.execute("PRAGMA wal_checkpoint(RESTART)")
            assert not is_cut(database)


def left_by_a_killed_process(workspace: WorkspaceFolder, count: int) -> None:
    """Claims in the database itself and, further ones, in its log."""
    aside = workspace.root / "aside"
    with open_index(workspace) as opened:
        opened.synchronise()
        opened.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        add_memories(opened.connection, count)
        shutil.copytree(workspace.database.parent, aside)
    shutil.rmtree(workspace.database.parent)
    shutil.move(aside, workspace.database.parent)
    for name in ("-shm", ".lock"):
        workspace.database.with_name(f"{workspace.database.stem}.db{name}").unlink(missing_ok=True)


def opened_again(workspace: WorkspaceFolder) -> tuple[dict[str, int], list[str]]:
    connection, notices = open_writer(workspace.database, look_through=False)
    with contextlib.closing(connection):
        return count_memories(connection), notices


@pytest.mark.parametrize("name", ["header", "salt", "salt of the header"])
def test_what_was_remembered_behind_a_broken_place_of_the_log_is_carried_over(
    workspace: WorkspaceFolder, name: str
) -> None:
    left_by_a_killed_process(workspace, 30)
    damage(workspace.database, MIDDLE[name])
    kept, notices = opened_again(workspace)
    assert kept == dict.fromkeys(MEMORY_TABLES, 30)
    assert any("the database was damaged" in notice for notice in notices)
    assert any("is broken in the middle; what only stood at that place is lost" in notice for notice in notices)


def test_what_the_log_of_an_emptied_database_holds_is_carried_over(workspace: WorkspaceFolder) -> None:
    left_by_a_killed_process(workspace, 30)
    workspace.database.write_bytes(b"")
    kept, notices = opened_again(workspace)
    assert kept == dict.fromkeys(MEMORY_TABLES, 30)
    assert any("the database was damaged" in notice for notice in notices)


def test_looking_at_an_emptied_database_leaves_its_log(workspace: WorkspaceFolder) -> None:
    left_by_a_killed_process(workspace, 30)
    workspace.database.write_bytes(b"")
    with pytest.raises(sqlite3.DatabaseError, match="it is empty, and its log is not"):
        open_reader(workspace.database)
    assert workspace.database.with_name(f"{workspace.database.name}-wal").exists()


@pytest.mark.parametrize("data", [b"garbage" * 9_000, bytes(50_000)], ids=["garbage", "zeros"])
def test_a_log_that_is_none_is_said_to_be_lost(workspace: WorkspaceFolder, data: bytes) -> None:
    left_by_a_killed_process(workspace, 1)
    workspace.database.with_name(f"{workspace.database.name}-wal").write_bytes(data)
    _, notices = opened_again(workspace)
    assert notices == ["what lay beside morenashi.db as its log cannot be read; what only stood there is lost"]
    assert opened_again(workspace)[1] == []


def test_the_log_of_another_database_does_not_replace_ours(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    left_by_a_killed_process(workspace, 30)
    with contextlib.closing(sqlite3.connect(workspace.database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (tmp_path / "other").mkdir()
    other = written(tmp_path / "other")
    shutil.copy(f"{other}-wal", f"{workspace.database}-wal")
    kept, notices = opened_again(workspace)
    assert kept == dict.fromkeys(MEMORY_TABLES, 30)
    assert any("the database was damaged" in notice for notice in notices)


def test_a_log_that_is_being_written_is_not_called_broken(tmp_path: Path, rounds: Rounds) -> None:
    """A commit is whole in the log a moment before it counts; a sound database was set aside for it."""
    database, done = tmp_path / "x.db", threading.Event()

    def write(name: str) -> None:
        number = 0
        with contextlib.closing(open_writer(database)[0]) as writer:
            # As what has to last is written: the log is on the disk before it counts, which takes a while.
            writer.execute("PRAGMA synchronous = FULL")
            # Not without end: a check that took longer than the database takes to grow would fill the disk.
            while not done.is_set() and number < 20_000:
                number += 1
                writer.execute("INSERT INTO index_state (key, value) VALUES (?, ?)", (f"{name}{number}", "x" * 3000))
                time.sleep(0.001)

    with contextlib.closing(open_writer(database)[0]) as connection, ThreadPoolExecutor(2) as pool:
        writing = [pool.submit(write, name) for name in "ab"]
        try:
            for _ in range(rounds(30, 300)):
                raise_if_damaged(connection)
        finally:
            done.set()
        for one in writing:
            one.result()


@contextlib.contextmanager
def killed_before_its_commit_counted(database: Path) -> Iterator[sqlite3.Connection]:
    """Another connection to what a killed process leaves: its transaction is whole in the log, and does not count."""
    index = database.with_name(f"{database.name}-shm")
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE rows (text)")
        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as killed:
            before = index.read_bytes()[:INDEX_HEADERS]
            killed.execute("INSERT INTO rows VALUES (?)", ("x" * 60_000,))
            with index.open("r+b") as file:
                file.write(before)
            yield connection


def test_a_commit_that_nobody_has_counted_yet_is_no_cut(tmp_path: Path) -> None:
    with killed_before_its_commit_counted(tmp_path / "x.db") as connection:
        raise_if_damaged(connection)


def test_what_is_left_of_a_commit_that_never_counted_is_no_cut(tmp_path: Path) -> None:
    """A process was killed while the disk wrote, and another one goes on over what it had written: it is sound."""
    with killed_before_its_commit_counted(tmp_path / "x.db") as connection:
        connection.execute("INSERT INTO rows VALUES ('kept')")
        raise_if_damaged(connection)
        assert connection.execute("SELECT text FROM rows").fetchall() == [("kept",)]


def test_a_commit_of_a_killed_process_is_no_cut_where_the_log_was_read_since(tmp_path: Path) -> None:
    database = written(tmp_path)
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("SELECT * FROM rows").fetchall()
        index = database.with_name(f"{database.name}-shm")
        before = index.read_bytes()[:INDEX_HEADERS]
        connection.execute("INSERT INTO rows VALUES (-1, ?)", ("x" * 60_000,))
        with index.open("r+b") as file:
            file.write(before)
        assert not is_cut(database)


def test_a_database_that_was_just_made_is_not_emptied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at the file and that at its log another process has made it."""
    database = written(tmp_path)
    whole = database.read_bytes()
    database.write_bytes(b"")
    assert is_emptied(database)
    read = Path.read_bytes

    def read_late(path: Path) -> bytes:
        database.write_bytes(whole)
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", read_late)
    assert not is_emptied(database)
