"""Memory outlives what happens to the index."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from morenashi.indexer import schema
from morenashi.indexer.database import prepared
from morenashi.migrations.scripts import split_statements
from morenashi.server.memory import writer

from ...databases import put_empty
from ...workspaces import WorkspaceFolder
from ..serving import ask_database, serving
from .policies import policy_with
from .remembering import AT, remembering


@pytest.fixture
def claim(workspace: WorkspaceFolder) -> str:
    """A claim and a document, no server on them."""
    workspace.write("a/x.md", "# 旅費\n\n宿泊料は9,000円。\n")
    with remembering(workspace) as memory:
        kept = memory.remember("解約は非同期")
        memory.judge(kept, "helpful")
        return kept


def assert_remembered(workspace: WorkspaceFolder, claim: str) -> None:
    with remembering(workspace) as memory:
        assert memory.found("解約") == [claim]
        assert memory.rows("SELECT confidence FROM claims") == [(0.55,)]
        memory.remember("会議は水曜")
        assert len(memory.found("会議")) == 1
    assert workspace.run("audit", "verify").returncode == 0


def test_a_rebuild_of_the_index_leaves_memory(workspace: WorkspaceFolder, claim: str) -> None:
    assert workspace.run("reindex", "--full").returncode == 0
    assert_remembered(workspace, claim)


def test_another_layout_of_the_derived_tables_leaves_memory(workspace: WorkspaceFolder, claim: str) -> None:
    with contextlib.closing(sqlite3.connect(workspace.database)) as connection:
        connection.execute("UPDATE index_state SET value = '0:older' WHERE key = 'layout'")
        connection.execute("DROP TABLE claim_tokens")
        connection.commit()
    assert_remembered(workspace, claim)


@pytest.mark.parametrize("table", ["claim_tokens_data", "documents", "passages"])
def test_damage_of_the_index_leaves_memory(workspace: WorkspaceFolder, claim: str, table: str) -> None:
    overwrite_root(workspace, table)
    assert workspace.run("reindex").returncode == 0
    assert_remembered(workspace, claim)


def overwrite_root(workspace: WorkspaceFolder, table: str) -> None:
    """Put garbage where the first page of a table is."""
    with contextlib.closing(sqlite3.connect(workspace.database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    with workspace.database.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xa5" * size)


def test_a_policy_that_was_replaced_is_not_in_force_again_where_the_latest_may_be_lost(
    workspace: WorkspaceFolder, claim: str
) -> None:
    """It may allow what the latest had forbidden; there is a backup from before that."""
    shutil.copy(workspace.database, workspace.database.with_name(f"{workspace.database.name}.backup-20260101T000000"))
    stricter = workspace.root / "policy.yaml"
    stricter.write_text(policy_with().replace("'answer:task',", ""), "utf-8")
    assert workspace.run("policy", "apply", str(stricter)).returncode == 0
    overwrite_root(workspace, "policies")
    assert "policies: the latest may be lost" in workspace.run("reindex").stderr
    with serving(workspace) as server:
        for text in ("解約は非同期", "会議は水曜"):
            refused = server.refuse("pce_memory_upsert", text=text, provenance={"at": AT})["error"]
            assert (refused["code"], "lost" in refused["message"]) == ("INVALID_POLICY", True)
    assert ask_database(workspace, "SELECT id FROM claims") == [(claim,)]
    assert workspace.run("policy", "apply", str(stricter)).returncode == 0
    assert ask_database(workspace, "SELECT revision, version FROM policies") == [
        (1, "0.1.0"),
        (2, "0.0.0"),
        (3, "1.2.3"),
    ]


def test_a_database_from_before_memory_gets_its_tables(workspace: WorkspaceFolder, claim: str) -> None:
    with contextlib.closing(sqlite3.connect(workspace.database, isolation_level=None)) as connection:
        connection.execute("DELETE FROM _sqlite_migrations WHERE name IN ('m0007_memory', 'm0012_replaced_claims')")
        for statement in split_statements(schema.schema_part("side")):
            name = statement.rpartition("CREATE ")[2].split()[1]
            if "TABLE" in statement and name in MEMORY_TABLES:
                connection.execute(f"DROP TABLE {name}")
    with remembering(workspace) as memory:
        assert memory.found("解約") == []
        memory.remember("解約は非同期")
        assert len(memory.found("解約")) == 1


MEMORY_TABLES = frozenset(
    "policies claims claim_evidence claim_citations entities relations feedback claim_vectors active_contexts "
    "audit_log audit_head".split()
)


def test_what_is_remembered_while_the_database_is_replaced_is_in_the_new_one(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old file is opened, and gone before it is looked at: what is written to it would be nowhere."""
    put_empty(workspace.database)
    coming = workspace.database.with_name("coming.db")
    put_empty(coming)

    @contextlib.contextmanager
    def replacing(*arguments: Any) -> Iterator[sqlite3.Connection]:
        with prepared(*arguments) as connection:
            if coming.exists():
                for companion in ("-wal", "-shm"):
                    workspace.database.with_name(f"{workspace.database.name}{companion}").unlink(missing_ok=True)
                coming.replace(workspace.database)
            yield connection

    monkeypatch.setattr(writer, "prepared", replacing)
    memory = writer.MemoryWriter(workspace.database)
    memory.write(lambda connection: connection.execute("INSERT INTO audit_head VALUES ('head', 1, 'x')"))
    memory.close()
    assert ask_database(workspace, "SELECT number FROM audit_head") == [(1,)]
