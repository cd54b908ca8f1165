"""Who writes without a pause lets others write in between."""

import contextlib
import sqlite3
import sys
import threading
import time

import pytest

from morenashi.indexer.database import open_writer, transaction
from morenashi.indexer.turns import turn

from ..workspaces import WorkspaceFolder

TRANSACTIONS = 40


def write(connection: sqlite3.Connection, name: str) -> None:
    connection.execute("INSERT OR REPLACE INTO index_state (key, value) VALUES (?, '1')", (name,))


def test_a_writer_that_does_not_pause_lets_another_write_in_between(workspace: WorkspaceFolder) -> None:
    done: list[str] = []
    has_begun = threading.Event()
    workspace.database.parent.mkdir()
    with (
        contextlib.closing(open_writer(workspace.database)[0]) as busy,
        contextlib.closing(open_writer(workspace.database)[0]) as other,
    ):

        def write_on() -> None:
            for number in range(TRANSACTIONS):
                with transaction(busy):
                    write(busy, f"busy{number}")
                    has_begun.set()
                    time.sleep(0.01)
                done.append("busy")

        thread = threading.Thread(target=write_on)
        thread.start()
        has_begun.wait()
        with transaction(other):
            write(other, "other")
            done.append("other")
        thread.join()
    assert done.index("other") <= 2


def test_who_waits_too_long_is_told_that_the_database_is_locked(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with (
        contextlib.closing(open_writer(workspace.database)[0]) as first,
        contextlib.closing(open_writer(workspace.database)[0]) as second,
    ):
        waiting: list[BaseException] = []

        def ask() -> None:
            try:
                with transaction(second, wait_ms=20):
                    write(second, "second")
            except sqlite3.OperationalError as error:
                waiting.append(error)

        with transaction(first):
            thread = threading.Thread(target=ask)
            thread.start()
            thread.join()
        assert [str(error) for error in waiting] == ["database is locked"]
        with transaction(second, wait_ms=20):
            write(second, "second")


def test_another_database_has_turns_of_its_own(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with (
        contextlib.closing(open_writer(workspace.database)[0]) as one,
        contextlib.closing(open_writer(workspace.database.with_name("vault.db"))[0]) as other,
        transaction(one),
        transaction(other),
    ):
        write(one, "one")
        write(other, "other")


def test_what_fails_gives_its_turn_back(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with contextlib.closing(open_writer(workspace.database)[0]) as connection:
        with pytest.raises(RuntimeError), transaction(connection):
            raise RuntimeError
        with transaction(connection, wait_ms=20):
            write(connection, "after")


def test_who_has_the_turn_already_goes_on(workspace: WorkspaceFolder) -> None:
    workspace.database.parent.mkdir()
    with (
        contextlib.closing(open_writer(workspace.database)[0]) as connection,
        turn(str(workspace.database), 1),
        transaction(connection, wait_ms=20),
    ):
        write(connection, "mine")


def test_two_threads_that_ask_for_a_new_file_at_once_have_turns_at_the_same() -> None:
    at_once, inside, most = threading.Barrier(2), [0], [0]

    def write_together(file: str) -> None:
        at_once.wait()
        with turn(file, 10):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0)
            inside[0] -= 1

    def write_all() -> None:
        for number in range(2000):
            write_together(f"/new/{number}.db")

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=write_all) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert most == [1]
