"""Claims that have no vector yet: embedded in the background, all of them, each looked at once."""

import sqlite3
from array import array
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest

from morenashi.indexer.database import transaction
from morenashi.server.memory import embedder, vectors
from morenashi.server.memory.claims import Draft
from morenashi.server.memory.embedder import Embedder
from morenashi.server.memory.embedding import Vector
from morenashi.server.memory.policies import Application, store
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.store import keep_claim

from ...indexer.indexes import open_index
from ...workspaces import eventually, make_workspace
from .policies import EXAMPLE
from .remembering import AT

T = TypeVar("T")
BATCH = 4
NOW = datetime(2026, 11, 22, tzinfo=UTC)
POLICY = parse_policy(EXAMPLE)


class CountingDatabase:
    """One connection, how many instructions of SQLite its questions took, and how often it was written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.instructions = self.writes = 0

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        self._connection.set_progress_handler(self._count, 1)
        try:
            return question(self._connection)
        finally:
            self._connection.set_progress_handler(None, 0)

    def write(self, job: Callable[[sqlite3.Connection], T], *, durable: bool = True) -> T:
        with transaction(self._connection):
            result = job(self._connection)
        self.writes += 1
        return result

    def _count(self) -> int:
        self.instructions += 1
        return 0


class OneVector:
    """A model to which all texts mean the same."""

    model = "toy"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [array("f", [1.0]) for _ in texts]


def instructions_for(folder: Path, claims: int) -> int:
    """How many it takes until so many claims have their vectors."""
    with open_index(make_workspace(folder)) as opened:
        with transaction(opened.connection):
            store(opened.connection, Application(EXAMPLE, POLICY), POLICY.version, NOW)
            for number in range(claims):
                draft = Draft(f"第{number}条", "fact", "project", "internal", {"at": AT})
                keep_claim(opened.connection, draft, POLICY, NOW)
        database = CountingDatabase(opened.connection)
        embedding = Embedder(database, OneVector())
        try:
            assert eventually(lambda: database.writes * BATCH >= claims)
        finally:
            embedding.stop()
        assert opened.connection.execute("SELECT count(*) FROM claim_vectors").fetchone() == (claims,)
        return database.instructions


def test_four_times_as_many_claims_take_about_four_times_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "_BATCH", BATCH)
    few, many = (instructions_for(tmp_path / str(claims), claims) for claims in (50, 200))
    assert many < 8 * few


def test_what_was_masked_by_a_policy_that_another_came_in_the_place_of_meanwhile_is_not_kept(tmp_path: Path) -> None:
    masks = EXAMPLE + "redact_policies: { people: { names: ['山田'] } }\n"
    seen: list[str] = []
    with open_index(make_workspace(tmp_path)) as opened:
        with transaction(opened.connection):
            store(opened.connection, Application(EXAMPLE, POLICY), POLICY.version, NOW)
            keep_claim(opened.connection, Draft("山田の机", "fact", "project", "internal", {"at": AT}), POLICY, NOW)
        database = CountingDatabase(opened.connection)

        class Slow(OneVector):
            def embed(self, texts: Sequence[str]) -> list[Vector]:
                if not seen:
                    application = Application(masks, parse_policy(masks))
                    database.write(lambda connection: store(connection, application, "2.0.0", NOW))
                seen.extend(texts)
                return super().embed(texts)

        embedding = Embedder(database, Slow())
        try:
            assert eventually(lambda: len(seen) == 2)
        finally:
            embedding.stop()
        assert seen == ["山田の机", "[name]の机"]
        assert opened.connection.execute("SELECT count(*) FROM claim_vectors").fetchone() == (1,)


def test_under_a_policy_that_is_none_any_more_nothing_is_sent_and_no_failure_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again every ten seconds: a line of the log each time, for as long as nobody applies another."""
    logged: list[str] = []
    monkeypatch.setattr(embedder, "log_event", lambda level, event, **_: logged.append(event))
    with open_index(make_workspace(tmp_path)) as opened:
        with transaction(opened.connection):
            store(opened.connection, Application("version: of a time to come", POLICY), "9.0.0", NOW)
            keep_claim(opened.connection, Draft("第1条", "fact", "project", "internal", {"at": AT}), POLICY, NOW)
        database = CountingDatabase(opened.connection)
        embedding = Embedder(database, OneVector())
        try:
            assert eventually(lambda: database.instructions > 0)
        finally:
            embedding.stop()
    assert (logged, database.writes) == ([], 0)
