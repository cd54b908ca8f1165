"""Tools that only read wait for no writer: they answer while somebody else holds the write lock of the databases."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from morenashi.server.edge.memory_tool import MemoryTool
from morenashi.server.edge.registry import TOOLS

from ..server.memory.policies import EXAMPLE
from ..server.serving import Serving, ask_database, index_now, serving
from ..workspaces import WorkspaceFolder, eventually

WORD = "鍵言葉"
CITED = [{"start_line": 1, "end_line": 3}]
ARGUMENTS: dict[str, dict[str, Any]] = {
    "get_tooling_guide": {},
    "manual_find": {"query": WORD},
    "manual_hits": {},
    "manual_read": {"ref": {"target": "manual", "manual_id": "a", "path": "x.md", "start_line": 1}},
    "manual_list": {},
    "manual_ls": {"manual_id": "a"},
    "manual_toc": {"manual_id": "a"},
    "manual_excepts": {"manual_id": "a"},
    "vault_find": {"query": WORD},
    "vault_search": {"query": WORD},
    "vault_scan": {"path": "note.md"},
    "vault_read": {"path": "note.md", "full": True},
    "vault_ls": {},
    "vault_coverage": {"path": "note.md", "cited_ranges": CITED},
    "artifact_audit": {"artifact_path": "steps.md", "source_path": "note.md", "cited_ranges": CITED},
}
"""A call of each tool that only reads; `manual_hits` gets the trace of a search before it."""

READING = [tool.name for tool in TOOLS.values() if not tool.writes and not isinstance(tool, MemoryTool)]
AUDITED = {
    "pce_memory_activate": {"q": "解約"},
    "pce_memory_search": {"query": "解約"},
    "pce_memory_boundary_validate": {"payload": "解約"},
}
"""Memory's tools that only read. Each call of them is a row of the audit log, without which there is no answer."""


@pytest.fixture
def folder(workspace: WorkspaceFolder) -> WorkspaceFolder:
    workspace.write("a/x.md", f"# 題\n\n{WORD}。ただし、夜は除く。\n")
    vault = workspace.root / "vault"
    vault.mkdir()
    (vault / "note.md").write_text(f"# 覚え\n\n{WORD}\n", "utf-8")
    (vault / "steps.md").write_text("| id | next | source_lines |\n|---|---|---|\n| a | | 1-3 |\n", "utf-8")
    index_now(workspace)
    return workspace


@contextlib.contextmanager
def write_lock(database: Path) -> Iterator[None]:
    """Somebody who has begun to write and does not end."""
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.rollback()


@contextlib.contextmanager
def locked(folder: WorkspaceFolder) -> Iterator[None]:
    """The write locks of the databases of manuals and vault are held elsewhere."""
    config = folder.config()
    with write_lock(config.database), write_lock(config.vault_database):
        yield


@contextlib.contextmanager
def settled(folder: WorkspaceFolder) -> Iterator[Serving]:
    """A server that has nothing left to index, in the manuals or in the vault."""
    with serving(folder, WATCH="off") as server:
        server.call("pce_memory_policy_apply", yaml=EXAMPLE)
        assert eventually(lambda: is_found(server, "manual_find"))
        assert eventually(lambda: is_found(server, "vault_find"))
        yield server


def is_found(server: Serving, tool: str) -> bool:
    return bool(server.call(tool, query=WORD)["summary"]["completeness"]["status"] == "found")


def test_each_tool_that_only_reads_is_called_here() -> None:
    """A new one has to be added to the tables above."""
    assert sorted(READING) == sorted(ARGUMENTS)
    memory = [tool.name for tool in TOOLS.values() if isinstance(tool, MemoryTool) and not tool.writes]
    assert sorted(memory) == sorted(AUDITED)


def test_no_tool_that_only_reads_is_blocked_by_a_writer(folder: WorkspaceFolder) -> None:
    with settled(folder) as server, locked(folder):
        for tool in READING:
            arguments = ARGUMENTS[tool]
            if tool == "manual_hits":
                arguments = {"trace_id": server.call("manual_find", query=WORD)["trace_id"]}
            server.call(tool, **arguments)
        assert server.find(WORD).hits()[0]["path"] == "x.md"


def test_what_was_to_be_written_meanwhile_is_written_afterwards(folder: WorkspaceFolder) -> None:
    with settled(folder) as server:
        with locked(folder):
            trace_id = server.find(WORD).trace_id
            # Longer than the writer waits for a lock.
            assert not eventually(lambda: is_stored(folder, trace_id), 6)
        assert eventually(lambda: is_stored(folder, trace_id))


def test_memory_answers_when_the_writer_has_ended(folder: WorkspaceFolder) -> None:
    with settled(folder) as server:
        for tool, arguments in AUDITED.items():
            with locked(folder):
                held = server.portal.start_task_soon(server.client.call_tool, tool, arguments)
                assert not eventually(held.done, 0.1)
            assert not held.result().is_error


def is_stored(folder: WorkspaceFolder, trace_id: str) -> bool:
    return bool(ask_database(folder, "SELECT 1 FROM traces WHERE id = ?", trace_id))
