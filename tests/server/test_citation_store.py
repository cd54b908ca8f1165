"""Citations that are kept count at once, and until what is newer of them is committed."""

import contextlib
import sqlite3
from collections.abc import Callable

from morenashi.indexer.schema import apply_schema
from morenashi.server.delivery.citation_store import CitationStore, Citing
from morenashi.server.delivery.citations import CitedFile

CITING: Citing = ("a.md", "vault", "b.md")


def test_what_is_kept_anew_before_the_older_is_committed_is_not_forgotten_with_that() -> None:
    waiting: list[tuple[Callable[[sqlite3.Connection], None], Callable[[], None]]] = []
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
