"""The write-ahead log stays short while searches follow each other without a gap."""

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from morenashi.indexer.database import open_reader, open_writer, transaction
from morenashi.indexer.write_ahead_log import WriteAheadLog

from ..workspaces import WorkspaceFolder, eventually

MOST_BYTES = 500_000
ROW = "x" * 100_000


@pytest.fixture
def writer(workspace: WorkspaceFolder) -> Iterator[sqlite3.Connection]:
    workspace.database.parent.mkdir(parents=True)
    connection, _ = open_writer(workspace.database)
    with contextlib.closing(connection):
        connection.execute("CREATE TABLE rows (text TEXT)")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        yield connection


@contextlib.contextmanager
def always_read(database: Path) -> Iterator[None]:
    """Two readers, one of which begins before the other one ends."""
    turns = [threading.Event(), threading.Event()]
    stopping = threading.Event()

    def read(own: threading.Event, other: threading.Event) -> None:
        with contextlib.closing(open_reader(database)) as reader:
            while not stopping.is_set():
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM rows").fetchone()
                # Without a pause the two do nothing but take turns.
                stopping.wait(0.005)
                other.set()
                own.wait(0.05)
                own.clear()
                reader.execute("COMMIT")

    threads = [threading.Thread(target=read, args=pair) for pair in (turns, turns[::-1])]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def write(writer: sqlite3.Connection) -> None:
    with transaction(writer):
        writer.execute("INSERT INTO rows VALUES (?)", (ROW,))


def size(workspace: WorkspaceFolder) -> int:
    return Path(f"{workspace.database}-wal").stat().st_size


def test_it_is_emptied_though_somebody_always_reads(workspace: WorkspaceFolder, writer: sqlite3.Connection) -> None:
    log = WriteAheadLog(writer, MOST_BYTES)

    def is_shortened() -> bool:
        log.shorten()
        return size(workspace) <= MOST_BYTES

    with always_read(workspace.database):
        for _ in range(60):
            write(writer)
            assert eventually(is_shortened)
    assert writer.execute("SELECT count(*) FROM rows").fetchone() == (60,)


def test_a_reader_that_never_ends_is_waited_for_once(workspace: WorkspaceFolder, writer: sqlite3.Connection) -> None:
    log = WriteAheadLog(writer, MOST_BYTES)
    with contextlib.closing(open_reader(workspace.database)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM rows").fetchone()
        for _ in range(30):
            write(writer)
            log.shorten()
        assert size(workspace) > MOST_BYTES
        assert reader.execute("SELECT count(*) FROM rows").fetchone() == (0,)
    assert writer.execute("SELECT count(*) FROM rows").fetchone() == (30,)


def test_a_short_one_is_left_alone(workspace: WorkspaceFolder, writer: sqlite3.Connection) -> None:
    write(writer)
    before = size(workspace)
    WriteAheadLog(writer, MOST_BYTES).shorten()
    assert size(workspace) == before > 0
