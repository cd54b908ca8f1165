"""Records are committed together; one that cannot be does not take the others, nor the keeper, with it."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from functools import partial

import pytest

from morenashi.indexer.database import open_writer, transaction
from morenashi.server.keeper.submitted import Submitted

from ..workspaces import WorkspaceFolder, eventually
from .serving import serving


@pytest.fixture
def connection(workspace: WorkspaceFolder) -> Iterator[sqlite3.Connection]:
    workspace.database.parent.mkdir(parents=True)
    connection, _ = open_writer(workspace.database)
    with contextlib.closing(connection):
        connection.execute("CREATE TABLE records (number INTEGER PRIMARY KEY, other INTEGER NOT NULL)")
        yield connection


def record(connection: sqlite3.Connection, number: int) -> None:
    """A job in two steps, the first of which must not stay alone; refused for a number that is known."""
    connection.execute("INSERT INTO records VALUES (?, 0)", (number + 100,))
    connection.execute("INSERT INTO records VALUES (?, 0)", (number,))


def submit(submitted: Submitted, numbers: list[int]) -> list[int]:
    """Have these recorded; the list of those that are called done."""
    done: list[int] = []
    for number in numbers:
        submitted.add((partial(record, number=number), partial(done.append, number)))
    return done


def recorded(connection: sqlite3.Connection) -> list[int]:
    return [number for (number,) in connection.execute("SELECT number FROM records ORDER BY number")]


def test_a_record_that_is_refused_costs_no_other(
    connection: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    submitted = Submitted()
    done = submit(submitted, [1, 2, 1, 3])
    submitted.commit(connection)
    assert (done, recorded(connection)) == ([1, 2, 3], [1, 2, 3, 101, 102, 103])
    assert len(submitted) == 0
    (line,) = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (line["ok"], line["error"]) == (False, "a record was lost: IntegrityError")


@pytest.mark.parametrize(("seconds", "is_due"), [(60.0, False), (0.0, True)])
def test_what_is_submitted_is_due_when_it_has_waited_and_nothing_never(
    monkeypatch: pytest.MonkeyPatch, seconds: float, is_due: bool
) -> None:
    monkeypatch.setattr("morenashi.server.keeper.submitted._COMMIT_SECONDS", seconds)
    submitted = Submitted()
    assert not submitted.is_due
    submit(submitted, [1, 2])
    assert submitted.is_due is is_due


def test_what_is_said_of_a_lost_record_is_its_kind_alone(
    connection: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    submitted = Submitted()
    nothing: dict[str, None] = {}
    submitted.add((lambda _: nothing["門外不出"], lambda: None))
    submitted.commit(connection)
    assert "KeyError" in (said := capsys.readouterr().err)
    assert "門外不出" not in said


def test_in_the_transaction_of_a_rebuild_nothing_is_called_done(connection: sqlite3.Connection) -> None:
    submitted = Submitted()
    done = submit(submitted, [1])
    with transaction(connection):
        submitted.commit(connection)
        assert (done, recorded(connection)) == ([], [])
    submitted.commit(connection)
    assert (done, recorded(connection)) == ([1], [1, 101])


def test_what_a_lock_keeps_from_it_waits_on(workspace: WorkspaceFolder, connection: sqlite3.Connection) -> None:
    submitted = Submitted()
    done = submit(submitted, [1, 2])
    connection.execute("PRAGMA busy_timeout = 1")
    with contextlib.closing(sqlite3.connect(workspace.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        submitted.commit(connection)
        assert (done, len(submitted)) == ([], 2)
    submitted.commit(connection)
    assert (done, len(submitted)) == ([1, 2], 0)


def test_what_a_damaged_file_keeps_from_it_waits_on(workspace: WorkspaceFolder, connection: sqlite3.Connection) -> None:
    submitted = Submitted()
    done = submit(submitted, [1])
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'records'").fetchone()[0]
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with workspace.database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)
    damaged, _ = open_writer(workspace.database, look_through=False)
    with contextlib.closing(damaged), pytest.raises(sqlite3.DatabaseError, match="malformed"):
        submitted.commit(damaged)
    assert (done, len(submitted)) == ([], 1)


def test_the_server_goes_on_after_a_record_that_is_refused(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "鍵言葉\n")
    with serving(workspace) as manuals:
        assert eventually(lambda: manuals.find("鍵言葉").status == "found")

        def refused(writer: sqlite3.Connection) -> None:
            writer.execute("INSERT INTO adaptive_reads VALUES (-1, 'm', 'x.md', 1, 1, NULL)")

        manuals.workspace.manuals.keeper.submit(refused)
        workspace.write("m/y.md", "合図\n")
        assert eventually(lambda: manuals.find("合図").paths() == {"y.md"})
        assert manuals.call("manual_list") == {"items": [{"manual_id": "m"}]}
