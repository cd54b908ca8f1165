"""The audit log: every call is in it, no text is, and what was done to it is found."""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from morenashi.indexer.database import open_reader, open_writer
from morenashi.server.memory.audit_log import FIRST_HASH, LogVerdict, append, by_command, verify

from ...databases import put_empty
from ...workspaces import WorkspaceFolder
from .remembering import AT, Remembering, remembering

WORDS = "鯨飲馬食"


def fill(memory: Remembering) -> None:
    claim = memory.remember(f"{WORDS}を慎む", provenance={"at": AT, "note": WORDS, "git": {"commit": "abc1234"}})
    memory.search(WORDS)
    memory.activate(WORDS)
    memory.judge(claim, "helpful")
    memory.refuse("upsert", text=WORDS)
    memory.server.call("pce_memory_boundary_validate", payload=WORDS)


@pytest.fixture
def logged(workspace: WorkspaceFolder) -> WorkspaceFolder:
    """A workspace with a log, no server on it."""
    with remembering(workspace) as memory:
        fill(memory)
    return workspace


def tamper(folder: WorkspaceFolder, *statements: str) -> None:
    """As somebody with the file does it, who also takes away what guards the table."""
    with contextlib.closing(sqlite3.connect(folder.database, isolation_level=None)) as connection:
        for statement in ("DROP TRIGGER audit_log_keeps_its_rows", "DROP TRIGGER audit_log_loses_no_row", *statements):
            connection.execute(statement)


def test_every_call_is_in_the_log_with_its_outcome(memory: Remembering) -> None:
    fill(memory)
    rows = memory.rows("SELECT tool, decision, code FROM audit_log ORDER BY number")
    assert rows == [
        ("pce_memory_policy_apply", "allowed", None),
        ("pce_memory_upsert", "allowed", None),
        ("pce_memory_search", "allowed", None),
        ("pce_memory_activate", "allowed", None),
        ("pce_memory_feedback", "allowed", None),
        ("pce_memory_upsert", "refused", "VALIDATION_ERROR"),
        ("pce_memory_boundary_validate", "allowed", None),
    ]


def test_a_text_that_may_not_be_sent_is_a_refusal_in_the_log(memory: Remembering) -> None:
    for payload in ("こんにちは", "AKIAIOSFODNN7EXAMPLE"):
        memory.server.call("pce_memory_boundary_validate", payload=payload)
    query = "SELECT decision, code FROM audit_log WHERE tool LIKE '%validate' ORDER BY number"
    assert memory.rows(query) == [("allowed", None), ("refused", "BOUNDARY_DENIED")]


def test_the_ids_of_an_answer_lead_to_its_row(memory: Remembering) -> None:
    body = memory.server.call("pce_memory_search", query="a")
    (row,) = memory.rows("SELECT trace_id, policy_version FROM audit_log WHERE request_id = ?", body["request_id"])
    assert row == (body["trace_id"], body["policy_version"])


def test_no_text_is_in_the_log(memory: Remembering) -> None:
    fill(memory)
    assert WORDS not in str(memory.rows("SELECT * FROM audit_log"))
    assert memory.rows("SELECT provenance ->> 'commit' FROM audit_log WHERE provenance IS NOT NULL") == [("abc1234",)]


def test_the_log_can_only_grow(logged: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(logged.database)) as connection:
        for statement in ("UPDATE audit_log SET caller = 'x'", "DELETE FROM audit_log"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)


def test_a_whole_log_is_found_whole(logged: WorkspaceFolder) -> None:
    found = logged.run("audit", "verify")
    assert (found.returncode, found.stdout.split()[:2]) == (0, ["7", "rows,"])
    assert logged.run("audit", "verify", "--expect", found.stdout.split()[-1]).returncode == 0
    assert logged.run("audit", "verify", "--expect", "f" * 64).returncode == 1


def test_every_log_goes_on_from_the_hash_of_an_empty_one(logged: WorkspaceFolder) -> None:
    assert logged.run("audit", "verify", "--expect", "0" * 64).returncode == 0


@pytest.mark.parametrize("given", ["0", "f" * 63, "g" * 64])
def test_what_is_no_hash_is_a_slip_and_not_a_log_that_was_written_anew(logged: WorkspaceFolder, given: str) -> None:
    done = logged.run("audit", "verify", "--expect", given)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--expect: expected a hash as it was printed" in done.stderr


def test_a_hash_that_was_kept_is_known_while_the_log_grows_and_not_when_it_was_written_anew(
    logged: WorkspaceFolder,
) -> None:
    kept = logged.run("audit", "verify").stdout.split()[-1]
    with remembering(logged) as memory:
        memory.remember("会議は水曜")
    assert logged.run("audit", "verify", "--expect", kept).returncode == 0
    tamper(logged, "DELETE FROM audit_log", "DELETE FROM audit_head")
    with remembering(logged) as memory:
        memory.remember("会議は水曜")
    assert logged.run("audit", "verify").returncode == 0
    assert logged.run("audit", "verify", "--expect", kept).returncode == 1


def test_a_row_that_is_added_meanwhile_is_not_missed_at_the_end(logged: WorkspaceFolder) -> None:
    with (
        contextlib.closing(open_reader(logged.database)) as reader,
        contextlib.closing(sqlite3.connect(logged.database, isolation_level=None)) as writer,
    ):

        def add_before_the_end(statement: str) -> None:
            if "FROM audit_head" in statement:
                append(writer, by_command("policy apply", "1.0.0"))

        reader.set_trace_callback(add_before_the_end)
        assert verify(reader).problem is None
        reader.set_trace_callback(None)
        assert verify(reader).rows == 8


@pytest.mark.parametrize(
    ("statements", "number"),
    [
        (("UPDATE audit_log SET caller = 'x' WHERE number = 3",), 3),
        (("UPDATE audit_log SET decision = 'allowed', code = NULL WHERE number = 6",), 6),
        (("UPDATE audit_log SET caller = CAST(x'ff' AS TEXT) WHERE number = 3",), 3),
        (("UPDATE audit_log SET caller = CAST(caller AS BLOB) WHERE number = 3",), 3),
        (("DELETE FROM audit_log WHERE number = 4",), 5),
        (("DELETE FROM audit_log WHERE number = 1",), 2),
        (("DELETE FROM audit_log WHERE number = 7",), 7),
        (("DELETE FROM audit_log",), 1),
        (("DELETE FROM audit_head",), 8),
        (
            (
                "UPDATE audit_log SET number = -2 WHERE number = 2",
                "UPDATE audit_log SET number = 2 WHERE number = 3",
                "UPDATE audit_log SET number = 3 WHERE number = -2",
            ),
            2,
        ),
        (
            (
                "INSERT INTO audit_log SELECT 8, at, tool, caller, decision, code, policy_version, request_id, "
                "trace_id, claims, provenance, previous_hash, hash FROM audit_log WHERE number = 7",
            ),
            8,
        ),
    ],
    ids=["changed", "outcome", "no text", "bytes", "removed", "first", "last", "all", "end", "reordered", "added"],
)
def test_what_was_done_to_the_log_is_found(logged: WorkspaceFolder, statements: tuple[str, ...], number: int) -> None:
    tamper(logged, *statements)
    found = logged.run("audit", "verify")
    assert found.returncode == 1
    assert found.stdout.startswith(f"row {number}: ")


def test_calls_of_two_servers_at_once_make_one_chain(workspace: WorkspaceFolder) -> None:
    with remembering(workspace) as one, remembering(workspace) as other, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: (one, other)[number % 2].remember(f"主張{number}"), range(40)))
        assert one.rows("SELECT count(*) FROM claims") == [(40,)]
        assert set(other.found("主張7")) & set(one.found("主張7"))
    assert workspace.run("audit", "verify").returncode == 0


def test_the_log_survives_damage_of_the_index(logged: WorkspaceFolder, tmp_path: Path) -> None:
    shutil.copy(logged.database, tmp_path / "kept.db")
    with contextlib.closing(sqlite3.connect(logged.database)) as connection:
        size, page = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "page_count"))
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'claim_term_counts'").fetchone()[0]
    assert 1 < root <= page
    with logged.database.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xa5" * size)
    assert logged.run("reindex").returncode == 0
    found = logged.run("audit", "verify")
    assert (found.returncode, found.stdout.split()[0]) == (0, "7")


@pytest.mark.parametrize(
    "damage",
    ["DELETE FROM audit_head", "UPDATE audit_head SET number = 2, hash = (SELECT hash FROM audit_log LIMIT 1)"],
)
def test_memory_goes_on_when_the_end_that_was_noted_is_lost_or_of_a_backup(
    logged: WorkspaceFolder, damage: str
) -> None:
    tamper(logged, damage)
    with remembering(logged) as memory:
        assert memory.remember("後から言った")
    with contextlib.closing(open_reader(logged.database)) as connection:
        assert verify(connection).problem is None


def test_what_is_added_behind_rows_that_are_missing_does_not_hide_that_they_are(logged: WorkspaceFolder) -> None:
    tamper(logged, "DELETE FROM audit_log WHERE number = (SELECT max(number) FROM audit_log)")
    with remembering(logged) as memory:
        assert memory.remember("後から言った")
    with contextlib.closing(open_reader(logged.database)) as connection:
        assert "is missing" in (verify(connection).problem or "")


def test_too_many_calls_are_told_when_to_come_back(open_memory: Callable[..., Remembering]) -> None:
    memory = open_memory(MEMORY_RATE_LIMIT="3")
    memory.search("a")
    memory.search("a")
    error = memory.refuse("search", query="a")
    assert error["code"] == "RATE_LIMIT"
    assert 1 <= error["details"]["retry_after"] <= 20
    assert (error["details"]["limit"], error["details"]["remaining"]) == (3, 0)
    assert memory.rows("SELECT code FROM audit_log ORDER BY number DESC LIMIT 1") == [("RATE_LIMIT",)]


def test_a_log_that_nobody_has_written_to_is_whole(workspace: WorkspaceFolder) -> None:
    put_empty(workspace.database)
    connection, _ = open_writer(workspace.database)
    with contextlib.closing(connection):
        assert verify(connection) == LogVerdict(0, FIRST_HASH)
        assert verify(connection, FIRST_HASH[1:] + "1").is_known is False
