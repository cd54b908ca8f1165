"""`reindex` does the vault too, into an index of its own."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from ..workspaces import WorkspaceFolder, age


@pytest.fixture
def filled(workspace: WorkspaceFolder) -> WorkspaceFolder:
    workspace.write("m/x.md", "# 一\n本文\n")
    vault = workspace.root / "vault"
    (vault / ".system").mkdir(parents=True)
    (vault / ".system" / "own.md").write_text("内部\n", "utf-8")
    (vault / "a.md").write_text("# 覚え\n書き\n", "utf-8")
    (vault / "t.tsv").write_text("a\tb\n", "utf-8")
    (vault / "p.png").write_bytes(b"\x89PNG")
    age(workspace.root)
    return workspace


def test_the_summary_has_both(filled: WorkspaceFolder) -> None:
    summary = json.loads(filled.run("reindex", "--json").stdout)
    assert (summary["documents"], summary["vault"]["documents"], summary["vault"]["lines"]) == (1, 2, 3)
    text = filled.run("reindex").stdout
    assert "documents 1," in text
    assert "notes 2," in text


def test_nothing_of_the_vault_is_in_the_index_of_the_manuals(filled: WorkspaceFolder) -> None:
    filled.run("reindex")
    assert _paths(filled.config().database) == [("m", "x.md", "md")]
    assert _paths(filled.config().vault_database) == [("", "a.md", "md"), ("", "t.tsv", "text")]


def test_without_a_vault_there_is_no_index_of_it(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "一\n")
    assert "vault" not in json.loads(workspace.run("reindex", "--json").stdout)
    assert not workspace.config().vault_database.exists()


def test_another_dictionary_of_exceptions_leaves_the_index_of_the_vault_as_it_is(filled: WorkspaceFolder) -> None:
    filled.run("reindex")
    (filled.root / "dictionaries").mkdir()
    (filled.root / "dictionaries" / "exceptions.txt").write_text("特例\n", "utf-8")
    summary = json.loads(filled.run("reindex", "--json").stdout)
    assert (summary["added"], summary["vault"]["added"], summary["vault"]["unchanged"]) == (1, 0, 2)
    assert filled.run("reindex", "--check").returncode == 0


def test_check_looks_at_both(filled: WorkspaceFolder) -> None:
    filled.run("reindex")
    assert filled.run("reindex", "--check").returncode == 0
    (filled.root / "vault" / "a.md").write_text("別\n", "utf-8")
    checked = filled.run("reindex", "--check", "--json")
    report = json.loads(checked.stdout)
    assert checked.returncode == 1
    assert (report["clean"], report["changed"], report["vault"]["changed"]) == (False, [], ["a.md"])


def test_check_says_of_each_note_that_it_lies_in_the_vault(filled: WorkspaceFolder) -> None:
    filled.run("reindex")
    for name in ("b.md", "c.md"):
        (filled.root / "vault" / name).write_text("新\n", "utf-8")
    checked = filled.run("reindex", "--check").stdout.splitlines()
    assert checked == ["the index equals the disk", "vault: new: b.md", "vault: new: c.md"]


def test_what_left_the_vault_leaves_the_index(filled: WorkspaceFolder) -> None:
    filled.run("reindex")
    for name in ("a.md", "t.tsv"):
        (filled.root / "vault" / name).unlink()
    filled.run("reindex")
    assert _paths(filled.config().vault_database) == []


def _paths(database: Path) -> list[tuple[str, str, str]]:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT manual_id, path, file_type FROM documents ORDER BY path").fetchall()
