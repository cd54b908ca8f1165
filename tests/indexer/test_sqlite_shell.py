"""The database with the `sqlite3` shell, as people read it."""

import os
import shutil
import subprocess

import pytest

from ..workspaces import WorkspaceFolder
from .indexes import open_index
from .traces import add_traces


@pytest.fixture
def indexed(workspace: WorkspaceFolder) -> WorkspaceFolder:
    workspace.write("a/x.md", '# 旅費規程\n\n## 第３条（宿泊料）\nSettings are \\ "free".\n')
    workspace.write("a/y.md", "# 別\n宿泊\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        add_traces(opened.connection, 2)
    return workspace


def ask(workspace: WorkspaceFolder, query: str) -> list[str]:
    """The rows that the shell prints, columns parted by a bar."""
    shell = shutil.which("sqlite3")
    if shell is None:
        pytest.skip("the sqlite3 shell is absent")
    done = subprocess.run(
        [shell, "-batch", "-init", os.devnull, "-list", str(workspace.database), query],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_traces_can_be_read(indexed: WorkspaceFolder) -> None:
    rows = ask(indexed, "SELECT * FROM trace_overview")
    assert len(rows) == 2
    assert "旅費 1" in rows[0]


def test_lines_can_be_read(indexed: WorkspaceFolder) -> None:
    rows = ask(indexed, "SELECT * FROM lines WHERE path = 'x.md'")
    assert rows == ["a|x.md|1|# 旅費規程", "a|x.md|2|", "a|x.md|3|## 第3条(宿泊料)", 'a|x.md|4|settings are / "free".']


def test_the_table_of_contents_can_be_read(indexed: WorkspaceFolder) -> None:
    assert ask(indexed, "SELECT start_line, end_line, level, title FROM toc WHERE path = 'x.md'") == [
        "1|4|1|旅費規程",
        "3|4|2|第３条（宿泊料）",
    ]


@pytest.mark.parametrize(
    ("table", "expression", "expected"),
    [
        ("pairs", '"宿泊"', ["x.md|3", "y.md|1"]),
        ("pairs", '"宿泊" AND "泊料"', ["x.md|3"]),
        ("pairs", '"旅"*', ["x.md|1"]),
        ("pairs", '".-"', ["x.md|3"]),
        ("words", '"set"', ["x.md|3"]),
        ("words", '"旅費規程"', ["x.md|1"]),
    ],
)
def test_full_text_can_be_asked(indexed: WorkspaceFolder, table: str, expression: str, expected: list[str]) -> None:
    query = (
        f"SELECT path, first_line FROM {table} JOIN passages ON passages.id = {table}.rowid "  # noqa: S608 - our tables
        f"JOIN documents ON documents.id = document_id WHERE {table} MATCH '{expression}' ORDER BY 1, 2"
    )
    assert ask(indexed, query) == expected


def test_titles_can_be_asked(indexed: WorkspaceFolder) -> None:
    rows = "SELECT title FROM title_pairs JOIN sections ON sections.id = title_pairs.rowid"
    assert ask(indexed, f"{rows} WHERE title_pairs MATCH '\"宿泊\"'") == ["第３条（宿泊料）"]


def test_the_vocabulary_can_be_read(indexed: WorkspaceFolder) -> None:
    assert ask(indexed, "SELECT term, doc FROM pairs_vocabulary WHERE term = '宿泊'") == ["宿泊|2"]


def test_the_shell_finds_no_fault(indexed: WorkspaceFolder) -> None:
    assert ask(indexed, "PRAGMA integrity_check") == ["ok"]
