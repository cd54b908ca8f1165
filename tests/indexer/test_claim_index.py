"""The full-text rows of claims: what they hold, and that they follow from the claims."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer import claim_index, schema
from morenashi.indexer.claim_tokens import searchable, token_kinds

TEXTS = ("JWT認証を採用する", "handleUpsertの名前", "おにぎりは鮭", "Привет café", "PIIを含むデータ")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as connection:
        schema.apply_schema(connection)
        yield connection


def tables(connection: sqlite3.Connection) -> tuple[list[tuple[object, ...]], ...]:
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, claim_tokens, 'row')")
    names = ("vocabulary", "claim_term_counts", "claim_layers")
    return tuple(connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in names)  # noqa: S608


def store(connection: sqlite3.Connection, number: int, text: str) -> None:
    connection.execute(
        "INSERT INTO claims VALUES (?, ?, ?, ?, 'fact', 'project', 'public', "
        "NULL, '', '', '', 0, '', 1, 1, '', NULL, NULL, NULL, NULL)",
        (number, f"clm_{number}", f"sha256:{number}", text),
    )
    claim_index.add_claim(connection, number, claim_index.layer_of("project", "public"), text)


def test_every_layer_has_a_letter_of_its_own() -> None:
    layers = {claim_index.layer_of(scope, one) for scope in claim_index.SCOPES for one in claim_index.CLASSES}
    assert len(layers) == 12


def test_the_parts_of_a_name_are_words_beside_the_name() -> None:
    assert searchable("handleUpsert を使う") == "handleupsert handle upsert を使う"
    assert ("word", "upsert") in token_kinds(searchable("handleUpsert"))


def test_letters_of_any_script_are_kept_in_pairs() -> None:
    kinds = token_kinds(searchable("おにぎり Привет café"))
    assert {("pair", "にぎ"), ("pair", "ри"), ("word", "cafe")} <= kinds.keys()


def test_removing_a_claim_leaves_nothing_of_it(connection: sqlite3.Connection) -> None:
    claim_index.add_claim(connection, 1, "a", TEXTS[0])
    before = tables(connection)
    claim_index.add_claim(connection, 2, "b", TEXTS[1])
    claim_index.remove_claim(connection, 2, "b", TEXTS[1])
    vocabulary, counts, layers = tables(connection)
    assert (vocabulary, counts) == before[:2]
    assert layers == [*before[2], ("b", 0, 0)]


def test_tables_made_anew_hold_what_they_held(connection: sqlite3.Connection) -> None:
    for number, text in enumerate(TEXTS, 1):
        store(connection, number, text)
    before = tables(connection)
    schema.recreate_derived(connection)
    assert tables(connection) == before


@pytest.mark.parametrize(
    ("damage", "table"),
    [
        ("INSERT INTO claim_tokens (rowid, tokens) VALUES (99, 'fwjwt')", "claim_tokens"),
        ("UPDATE claim_term_counts SET claims = 2 WHERE token = 'wjwt'", "claim_term_counts"),
        ("UPDATE claim_layers SET claims = claims - 1", "claim_layers"),
        ("UPDATE claim_layers SET length = length + 1", "claim_layers"),
        ("INSERT INTO claim_layers VALUES ('z', 0, 40)", "claim_layers"),
    ],
)
def test_rows_that_are_not_those_of_the_claims_are_a_fault(
    connection: sqlite3.Connection, damage: str, table: str
) -> None:
    for number, text in enumerate(TEXTS, 1):
        store(connection, number, text)
    claim_index.add_claim(connection, 9, "a", TEXTS[0])
    claim_index.remove_claim(connection, 9, "a", TEXTS[0])
    assert list(claim_index.find_faults(connection)) == []
    connection.execute(damage)
    (fault,) = claim_index.find_faults(connection)
    assert fault.partition(":")[0] == table


@given(st.text(max_size=60))
def test_no_token_holds_what_full_text_search_would_cut(text: str) -> None:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'ascii')")
        connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab (t, 'row')")
        tokens = {token for _, token in token_kinds(searchable(text))}
        connection.execute("INSERT INTO t VALUES (?)", (" ".join(tokens),))
        assert {row[0] for row in connection.execute("SELECT term FROM v")} == tokens
    connection.close()
