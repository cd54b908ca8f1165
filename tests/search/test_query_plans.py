"""How SQLite answers what every search asks: by its indexes. The statements are those that a search really runs."""

import contextlib
import re
import sqlite3
from collections.abc import Iterator

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.resuming import Rest
from morenashi.server.search.scope import ScopeCache
from morenashi.server.search.traces import read_trace

from ..server.serving import index_now
from ..workspaces import WorkspaceFolder

TABLES = (
    "passages",
    "passage_texts",
    "documents",
    "sections",
    "sources",
    "targets",
    "source",
    "target",
    "found",
    "general",
    "whole",
    "refers",
    "clause",
    "cross_references",
    "reference_targets",
    "titled",
    "document_versions",
    "term_counts",
    "traces",
    "trace_candidate_lists",
    "trace_leads",
)
SEARCHES = [
    "鍵言葉",
    "鍵言葉 申請 題",
    "申請の期限はいつまでですか。教えてください",
    "題",
    "service of the rules",
    "出張 承認印",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    folder = WorkspaceFolder(tmp_path_factory.mktemp("plans") / "workspace")
    for name in ("m/a.md", "m/b.md", "n/c.md", "n/empty.md"):
        sections = (f"# 題{n} service\n\n鍵言葉と申請の期限を書く。\n\n" for n in range(200))
        folder.write(name, "" if "empty" in name else "".join(sections))
    folder.write("m/d.md", "# 出張\n\n本文\n\n## 手続\n\n承認印を押す。\n")
    index_now(folder)
    with contextlib.closing(open_reader(folder.database)) as connection:
        yield connection


def search(
    connection: sqlite3.Connection,
    query: str,
    manual_id: str | None = None,
    resumed: Rest | None = None,
) -> tuple[list[str], Rest]:
    """The statements of a search with its scope known already, and what it left over."""
    scopes = ScopeCache()
    request = FindRequest(parse_query(query, {}, {}), query, manual_id, None, 50, resumed=resumed)
    for _ in range(2):
        statements: list[str] = []
        connection.set_trace_callback(statements.append)
        left = Search(connection, scopes, frozenset()).run(request, Deadline(60_000)).complete().rest
        connection.set_trace_callback(None)
    return [statement for statement in statements if statement.lstrip().startswith("SELECT")], left


def scans(connection: sqlite3.Connection, statement: str) -> list[str]:
    """The steps of a statement's plan that walk through a whole table, or sort one for the occasion."""
    steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    tables = "|".join(TABLES)
    return [step for step in steps if re.match(rf"SCAN ({tables})\b(?! VIRTUAL)|SEARCH .*AUTOMATIC", step)]


def scanning(connection: sqlite3.Connection, statements: list[str]) -> dict[str, list[str]]:
    return {statement: found for statement in statements if (found := scans(connection, statement))}


@pytest.mark.parametrize("manual_id", [None, "m"])
@pytest.mark.parametrize("query", SEARCHES)
def test_a_search_walks_through_no_table(index: sqlite3.Connection, query: str, manual_id: str | None) -> None:
    statements, _ = search(index, query, manual_id)
    assert len(statements) > 5
    assert scanning(index, statements) == {}


def test_a_resumed_search_walks_through_no_table(index: sqlite3.Connection) -> None:
    _, left = search(index, "鍵言葉")
    statements, _ = search(index, "鍵言葉", resumed=left)
    assert scanning(index, statements) == {}


def test_the_full_text_tables_are_asked_by_their_index(index: sqlite3.Connection) -> None:
    statements, _ = search(index, "鍵言葉 申請", "m")
    plans = [row[3] for statement in statements for row in index.execute(f"EXPLAIN QUERY PLAN {statement}")]
    asked = [step for step in plans if re.match(r"SCAN (pairs|words|title_pairs)\b", step)]
    assert asked
    assert [step for step in asked if not re.search(r"VIRTUAL TABLE INDEX \d+:.*M", step)] == []


def test_a_trace_is_read_by_its_key(index: sqlite3.Connection) -> None:
    statements: list[str] = []
    index.set_trace_callback(statements.append)
    read_trace(index, "tr_none")
    index.set_trace_callback(None)
    assert statements
    assert scanning(index, statements) == {}
