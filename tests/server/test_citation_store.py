"""Citations that are kept count at once, and until what is newer of them is committed."""

import contextlib
import sqlite3
from collections.abc import Callable
from typing import Any

from morenashi.indexer.schema import apply_schema
from morenashi.server.delivery.citation_store import CitationStore, Citing
from morenashi.server.delivery.citations import CitedFile

CITING: Citing = ("a.md", "vault", "b.md")
Waiting = list[tuple[Callable[[sqlite3.Connection], None], Callable[[], None]]]


class Overtaken(sqlite3.Connection):
    """A connection whose every question is overtaken by the writer: what was waiting is committed once it is read."""

    waiting: Waiting

    def execute(self, sql: str, values: Any = (), /) -> Any:
        found = super().execute(sql, values)
        if not self.waiting:
            return found
        rows = found.fetchall()
        while self.waiting:
            job, done = self.waiting.pop()
            job(self)
            done()
        return iter(rows)


def test_what_is_committed_while_it_is_asked_for_is_not_missed() -> None:
    waiting: Waiting = []
    store = CitationStore(lambda job, done: waiting.append((job, done)))
    cited = CitedFile(["一"]).cite((1, 1))
    other: Citing = ("other.md", "vault", "b.md")
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None, factory=Overtaken)) as connection:
        connection.waiting = []
        apply_schema(connection)
        connection.waiting = waiting
        store.keep(CITING, [cited])
        assert store.load(connection, CITING) == {(1, 1): cited}
        store.keep(other, [cited])
        assert store.load_others(connection, CITING) == {other: {(1, 1): cited}}
    assert waiting == []


def test_what_is_kept_anew_before_the_older_is_committed_is_not_forgotten_with_that() -> None:
    waiting: Waiting = []
    store = CitationStore(lambda job, done: waiting.append((job, done)))
    older, newer = (CitedFile([text]).cite((1, 1)) for text in ("一", "二"))
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        apply_schema(connection)
        for cited in (older, newer):
            store.keep(CITING, [cited])
            assert store.load(connection, CITING) == {(1, 1): cited}
        for job, done in waiting:
            job(connection)
            done()
            assert store.load(connection, CITING) == {(1, 1): newer}
        connection.execute("DELETE FROM citations")
        assert store.load(connection, CITING) == {}
