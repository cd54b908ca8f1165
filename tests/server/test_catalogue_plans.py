"""How SQLite answers what is asked of a manual that is named: by its index, whatever else the index holds."""

import re
import sqlite3
from collections.abc import Callable, Iterator

import pytest

from morenashi.indexer.listing import Listing
from morenashi.indexer.sync import find_difference
from morenashi.server.manuals import catalogue, excepts, sections
from morenashi.server.manuals.nodes import Node
from morenashi.server.search.scope import read_scope

from ..workspaces import WorkspaceFolder
from .plans import Explained, explained
from .serving import index_now


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explained]:
    folder = WorkspaceFolder(tmp_path_factory.mktemp("plans") / "workspace")
    for name in ("m/a.md", "m/empty.md", "n/b.md", "n/sub/c.md"):
        folder.write(name, "" if "empty" in name else "# 題\n\n本文。\n\n## 節\n\n本文。\n")
    index_now(folder)
    with explained(folder.database) as connection:
        yield connection


ASKED: dict[str, Callable[[sqlite3.Connection], object]] = {
    "list of manuals": catalogue.list_manuals,
    "one page of files": lambda index: catalogue.list_files(index, "n", 0, 1),
    "one page of sections": lambda index: sections.list_sections(index, "n", Node(), 0, 1),
    "spelling": lambda index: catalogue.require_manual(index, "n", "manual_id"),
    "another spelling": lambda index: catalogue.find_spelling(index, "unknown"),
    "paths": lambda index: catalogue.list_paths(index, "n"),
    "exceptions of a manual": lambda index: excepts.list_lines(index, "n", Node(), 0, 9),
    "scope of a manual": lambda index: read_scope(index, "n"),
    "scope of documents": lambda index: read_scope(index, None, "[1, 3]"),
    "difference of a manual": lambda index: find_difference(index, Listing(), "n"),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_what_is_asked_of_one_manual_walks_through_no_table(
    index: Explained, ask: Callable[[sqlite3.Connection], object]
) -> None:
    index.steps.clear()
    ask(index)
    assert index.steps
    assert [step for step in index.steps if step.startswith(("SCAN documents", "SCAN sections"))] == []


@pytest.mark.parametrize("list_them", [excepts.list_lines, sections.list_sections])
def test_the_exceptions_and_sections_of_one_document_are_asked_of_it_alone(
    index: Explained, list_them: Callable[[sqlite3.Connection, str, Node, int, int], object]
) -> None:
    index.steps.clear()
    list_them(index, "n", Node(document_id=3), 0, 9)
    asked = {step for step in index.steps if re.match(r"(SCAN|SEARCH) documents", step)}
    assert asked == {"SEARCH documents USING INTEGER PRIMARY KEY (rowid=?)"}


def test_the_manuals_are_listed_each_once_in_order(index: sqlite3.Connection) -> None:
    assert catalogue.list_manuals(index) == [{"manual_id": "m"}, {"manual_id": "n"}]


def test_a_scope_counts_what_lies_in_it(index: sqlite3.Connection) -> None:
    everything, named = read_scope(index, None), read_scope(index, "m")
    (a,) = index.execute("SELECT id FROM documents WHERE path = 'a.md'").fetchone()
    chosen = read_scope(index, None, f"[{a}]")
    assert [(scope.files, scope.sections, scope.lines) for scope in (everything, named, chosen)] == [
        (4, 6, 21),
        (2, 2, 7),
        (1, 2, 7),
    ]
