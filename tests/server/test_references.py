"""What the search asks of the references."""

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server.search.references import references_from, references_to

from ..workspaces import WorkspaceFolder
from .serving import index_now

LAW = "# 所得税法\n\n## 第一条\n\n本文。\n\n## 第二条\n\n第一条の規定は、民法第一条の者について準用する。\n"
ORDER = "# 所得税法施行令\n\n## 第一条\n\n法第一条から第二条までの者。\n"


@pytest.fixture
def connection(workspace: WorkspaceFolder) -> Iterator[sqlite3.Connection]:
    workspace.write("m/law.md", LAW)
    workspace.write("m/order.md", ORDER)
    index_now(workspace)
    with contextlib.closing(open_reader(workspace.database)) as connection:
        yield connection


def section(connection: sqlite3.Connection, path: str, line: int) -> int:
    return int(connection.execute(SECTION, (path, line)).fetchone()[0])


def test_references_from_sections_have_their_targets(connection: sqlite3.Connection) -> None:
    first, second = section(connection, "law.md", 3), section(connection, "law.md", 7)
    order = section(connection, "order.md", 3)
    assert references_from(connection, [second, order]) == [
        (second, 9, "article", "準用", "第一条", "条1", first, 3),
        (second, 9, "article", None, "民法第一条", "民法 条1", None, None),
        (order, 5, "range", None, "法第一条から第二条まで", "所得税法 条1-条2", first, 3),
        (order, 5, "range", None, "法第一条から第二条まで", "所得税法 条1-条2", second, 7),
    ]
    assert references_from(connection, []) == []


def test_references_to_sections_name_their_sources(connection: sqlite3.Connection) -> None:
    first, second = section(connection, "law.md", 3), section(connection, "law.md", 7)
    order = section(connection, "order.md", 3)
    assert references_to(connection, [first]) == [
        (second, 9, "article", "準用", "第一条", "条1", first, 3),
        (order, 5, "range", None, "法第一条から第二条まで", "所得税法 条1-条2", first, 3),
    ]


def test_references_are_asked_by_their_indexes(connection: sqlite3.Connection) -> None:
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    references_from(connection, [1, 2])
    references_to(connection, [1, 2])
    connection.set_trace_callback(None)
    steps = [row[3] for statement in statements for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert len(statements) == 2
    assert [step for step in steps if step.startswith("SCAN") and step != "SCAN asked VIRTUAL TABLE INDEX 1:"] == []
    assert not any("AUTOMATIC" in step for step in steps)


SECTION = """
SELECT sections.id
FROM sections
JOIN documents ON documents.id = sections.document_id
WHERE documents.path = ? AND sections.start_line = ?
"""
