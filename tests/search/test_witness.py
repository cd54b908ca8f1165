"""What stands nowhere by the full-text tables is only believed if nothing speaks against them."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator

import pytest

from morenashi.indexer.text import normalise
from morenashi.indexer.tokens import pair_tokens
from morenashi.server.search.index.postings import Index
from morenashi.server.search.index.witness import contradicts_absence
from morenashi.server.search.question.query import parse_query

from ..indexer.damages import lose_row, lose_rows, swap_rows
from ..indexer.indexes import open_index
from ..workspaces import WorkspaceFolder

Damaging = Callable[[Callable[[sqlite3.Connection], object]], contextlib.AbstractContextManager[sqlite3.Connection]]

TEXTS = ("旅費の規程。", "日当を払う。")
HELD = ["日", "日当", "日当を", "無料 日当", "無料 日", "日当 無料"]
NEAR = "無料 旅費|日当~払う"
NOWHERE = ["無", "無料", "無料券", "旅無", "無料 有償", "無料~有償|無償"]


@pytest.fixture(scope="module")
def damaging(shared_workspace: WorkspaceFolder) -> Iterator[Damaging]:
    """An index of two passages, damaged for as long as it is asked."""
    for number, text in enumerate(TEXTS):
        shared_workspace.write(f"m/{number}.md", text)

    with open_index(shared_workspace) as opened:
        opened.synchronise()

        @contextlib.contextmanager
        def damage_for_now(damage: Callable[[sqlite3.Connection], object]) -> Iterator[sqlite3.Connection]:
            opened.connection.execute("BEGIN")
            try:
                damage(opened.connection)
                yield opened.connection
            finally:
                opened.connection.execute("ROLLBACK")

        yield damage_for_now


def speaks_against(connection: sqlite3.Connection, question: str, degraded_build: str | None = None) -> bool:
    return contradicts_absence(Index(connection, None, degraded_build), parse_query(question, {}, {}).terms)


def leave_it(_: sqlite3.Connection) -> None:
    """No damage."""


def lose_the_second(connection: sqlite3.Connection) -> None:
    (number,) = connection.execute("SELECT id FROM passage_texts WHERE text LIKE '%日当%'").fetchone()
    lose_row(connection, number, normalise(TEXTS[1]))


def move_away(connection: sqlite3.Connection) -> None:
    """All is counted as it was, of passages that do not exist."""
    rows = connection.execute("SELECT id, text FROM passage_texts").fetchall()
    lose_rows(connection)
    for number, text in rows:
        connection.execute("INSERT INTO pairs (rowid, tokens) VALUES (?, ?)", (number + 1_000, pair_tokens(text)))


def forget_counts(connection: sqlite3.Connection) -> None:
    """As after a bulk run that was interrupted."""
    connection.execute("INSERT OR REPLACE INTO index_state (key, value) VALUES ('term_counts', 'stale')")


@pytest.mark.parametrize("question", [*HELD, NEAR, *NOWHERE])
def test_a_sound_index_is_believed(damaging: Damaging, question: str) -> None:
    with damaging(leave_it) as connection:
        assert not speaks_against(connection, question)


@pytest.mark.parametrize("damage", [lose_the_second, swap_rows, move_away])
@pytest.mark.parametrize("question", [*HELD, NEAR])
def test_lost_and_wrong_postings_of_what_is_asked_for_are_noticed(
    damaging: Damaging, damage: Callable[[sqlite3.Connection], object], question: str
) -> None:
    with damaging(damage) as connection:
        assert speaks_against(connection, question)


@pytest.mark.parametrize("question", NOWHERE)
def test_what_is_lost_elsewhere_speaks_against_nothing_that_is_asked_for(damaging: Damaging, question: str) -> None:
    with damaging(lose_the_second) as connection:
        assert not speaks_against(connection, question)


def test_without_complete_counts_the_texts_themselves_are_looked_at(damaging: Damaging) -> None:
    with damaging(forget_counts) as connection:
        assert [speaks_against(connection, question) for question in HELD] == [True] * len(HELD)
        assert [speaks_against(connection, question) for question in NOWHERE] == [False] * len(NOWHERE)


def test_without_complete_counts_words_near_each_other_have_to_be_named(damaging: Damaging) -> None:
    with damaging(forget_counts) as connection:
        assert not speaks_against(connection, NEAR)
        lose_the_second(connection)
        assert speaks_against(connection, NEAR)


def test_an_index_that_is_known_to_miss_things_is_not_asked_again(damaging: Damaging) -> None:
    with damaging(lose_the_second) as connection:
        assert not speaks_against(connection, "日当", Index(connection, None).build)
