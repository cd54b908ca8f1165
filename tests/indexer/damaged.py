"""A database that has been used, and ways to damage it: for the tests of salvage."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from morenashi.indexer.database import open_writer
from morenashi.server.memory import audit_log

from ..workspaces import WorkspaceFolder
from .indexes import open_index
from .memories import MEMORY_TABLES, add_memories, count_memories
from .traces import TRACE_TABLES, add_traces, count_rows

TRACES = 60
SIDE_TABLES = (*TRACE_TABLES, *MEMORY_TABLES)
ALL_KEPT = dict.fromkeys(SIDE_TABLES, TRACES)


@pytest.fixture(scope="module")
def used_before(shared_workspace: WorkspaceFolder) -> WorkspaceFolder:
    """A workspace with documents and traces, its database in one file. The tests have copies of it."""
    for number in range(40):
        shared_workspace.write(f"a/{number:02}.md", f"# 第{number}章\n" + f"旅費規程の宿泊料{number}。\n" * 200)
    with open_index(shared_workspace) as opened:
        opened.synchronise()
        add_traces(opened.connection, TRACES, padding=300)
        add_memories(opened.connection, TRACES)
        opened.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return shared_workspace


@pytest.fixture
def used(used_before: WorkspaceFolder, workspace: WorkspaceFolder) -> WorkspaceFolder:
    """Such a workspace, to be damaged."""
    shutil.copytree(used_before.root, workspace.root, dirs_exist_ok=True)
    return workspace


def pages_of(database: Path, table: str) -> list[int]:
    """The numbers of a table's own pages but its first; the table is far longer than one page."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = database.read_bytes()
    marks = {
        "traces": b"manual_find",
        "passage_texts": "旅費規程の宿泊料".encode(),
        "trace_unscanned": b"[[1, 2], [5, 5]]",
    }
    return [n for n in range(1, len(data) // size) if data[n * size : (n + 1) * size].count(marks[table]) > 3]


def overwrite(database: Path, pages: list[int]) -> None:
    """Put garbage where these pages are."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    with database.open("r+b") as file:
        for page in pages:
            file.seek(page * size)
            file.write(b"\xa5garbage" * (size // 8))


def schema_pages_of(database: Path) -> list[int]:
    """The numbers of the pages with what the database says of its tables and views, its first page apart."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = database.read_bytes()
    return [n for n in range(1, len(data) // size) if b"CREATE " in data[n * size : (n + 1) * size]]


def set_aside(workspace: WorkspaceFolder) -> list[Path]:
    """The damaged files that were kept, their companions apart."""
    return [path for path in workspace.database.parent.glob("*.damaged-*") if not path.name.endswith(("-wal", "-shm"))]


def assert_whole_again(workspace: WorkspaceFolder, *log_problems: str) -> dict[str, int]:
    """Open and index; the file is sound and holds all documents, and its audit log is whole or has one of these
    problems. Returns the rows of the side tables.
    """
    with open_index(workspace) as opened:
        opened.synchronise()
        assert opened.rows("PRAGMA integrity_check") == [("ok",)]
        assert opened.rows("PRAGMA foreign_key_check") == []
        assert opened.value("SELECT count(*) FROM lines WHERE text LIKE '旅費規程の宿泊料%'") == 8000
        if opened.value("SELECT count(*) FROM audit_log"):
            assert audit_log.verify(opened.connection).problem in (None, *log_problems)
        return count_rows(opened.connection) | count_memories(opened.connection)


@contextlib.contextmanager
def opened_again(workspace: WorkspaceFolder) -> Iterator[sqlite3.Connection]:
    """The database as a start of the program makes it of what is there."""
    connection, _ = open_writer(workspace.database)
    with contextlib.closing(connection):
        yield connection
