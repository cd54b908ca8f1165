"""Which content each document had in which generation: what an old search is compared by."""

import contextlib
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.schema import recreate_derived
from morenashi.indexer.versions import FileChanges, changes_between

from ..examples import examples
from ..workspaces import WorkspaceFolder, make_workspace, without_permission
from .indexes import OpenIndex, open_index
from .traces import add_traces

ROWS = "SELECT manual_id || '/' || path, first_generation, sha256 IS NULL FROM document_versions ORDER BY 1, 2"
NOTHING = FileChanges([], [], [])


def generation(opened: OpenIndex) -> int:
    return int(opened.value("SELECT value FROM index_state WHERE key = 'generation'"))


def since(opened: OpenIndex, earlier: int) -> FileChanges:
    return changes_between(opened.connection, earlier, generation(opened))


def test_added_changed_and_removed_documents_are_told_apart(workspace: WorkspaceFolder) -> None:
    for name in ("gone", "kept", "new"):
        workspace.write(f"a/{name}.md", f"# {name}\n")
    (workspace.manuals / "a/new.md").unlink()
    with open_index(workspace) as opened:
        opened.synchronise()
        then = generation(opened)
        add_trace_of(opened, then)
        workspace.write("a/new.md", "# 新\n")
        workspace.write("a/kept.md", "# 改\n")
        (workspace.manuals / "a/gone.md").unlink()
        opened.synchronise()
        assert since(opened, then) == FileChanges(["a/new.md"], ["a/kept.md"], ["a/gone.md"])


def test_a_document_edited_back_has_not_changed(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        then = generation(opened)
        add_trace_of(opened, then)
        for text in ("# 二\n", "# 一\n"):
            workspace.write("a/x.md", text)
            opened.synchronise()
        assert since(opened, then) == NOTHING


def test_a_rebuild_adds_no_rows_for_what_is_the_same(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    workspace.write("a/y.md", "# 二\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        before, rows = generation(opened), opened.rows(ROWS)
        opened.synchronise(full=True)
        assert opened.rows(ROWS) == rows
        assert generation(opened) > before
        assert since(opened, before) == NOTHING


def test_a_document_that_vanished_before_a_rebuild_gets_its_row(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    gone = workspace.write("a/y.md", "# 二\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        then = generation(opened)
        add_trace_of(opened, then)
        gone.unlink()
        opened.synchronise(full=True)
        assert since(opened, then) == FileChanges([], [], ["a/y.md"])


def test_generations_go_on_when_the_layout_changes(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        before = generation(opened)
        recreate_derived(opened.connection)
        assert generation(opened) == before + 1


def test_generations_go_on_after_damage(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        then = generation(opened)
        add_trace_of(opened, then)
        page, size = opened.value("SELECT rootpage FROM sqlite_master WHERE name = 'documents'"), page_size(opened)
        opened.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with contextlib.closing(workspace.database.open("r+b")) as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)
    workspace.write("a/x.md", "# 改\n")
    with open_index(workspace) as opened:
        assert any("document_versions: 1 rows salvaged" in notice for notice in opened.notices)
        opened.synchronise()
        assert since(opened, then) == FileChanges([], ["a/x.md"], [])


def test_a_file_that_can_no_longer_be_read_has_changed(ordinary_workspace: WorkspaceFolder) -> None:
    file = ordinary_workspace.write("a/x.md", "# 一\n")
    with open_index(ordinary_workspace) as opened:
        opened.synchronise()
        then = generation(opened)
        add_trace_of(opened, then)
        file.write_text("# 読めない\n", "utf-8")
        with without_permission(file):
            opened.synchronise()
            assert since(opened, then) == FileChanges([], ["a/x.md"], [])


def test_superseded_rows_stay_as_long_as_a_trace_needs_them(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        for number in range(4):
            workspace.write("a/x.md", f"# {number}\n")
            opened.synchronise()
            if number == 1:
                add_trace_of(opened, generation(opened))
        opened.synchronise()
        assert [row[1] for row in opened.rows(ROWS)] == [2, 4]
        opened.connection.execute("DELETE FROM traces")
        opened.synchronise()
        assert [row[1] for row in opened.rows(ROWS)] == [4]


def test_nothing_stays_of_a_document_that_no_trace_knew(workspace: WorkspaceFolder) -> None:
    file = workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        file.unlink()
        opened.synchronise()
        assert opened.rows(ROWS) == []


def test_of_a_database_from_before_the_table_the_present_is_noted(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        opened.connection.execute("DELETE FROM document_versions")
        opened.connection.execute("DELETE FROM index_state WHERE key = 'versions'")
        opened.synchronise()
        then = generation(opened)
        assert opened.rows(ROWS) == [("a/x.md", then, 0)]
        add_trace_of(opened, then)
        workspace.write("a/x.md", "# 二\n")
        opened.synchronise()
        assert since(opened, then) == FileChanges([], ["a/x.md"], [])


def test_the_newest_row_of_a_document_is_found_by_the_key(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        statements: list[str] = []
        opened.connection.set_trace_callback(statements.append)
        opened.synchronise()
        opened.connection.set_trace_callback(None)
        asked = [statement for statement in statements if "LEFT JOIN" in statement and "versions" in statement]
        plans = [row[3] for row in opened.rows(f"EXPLAIN QUERY PLAN {asked[0]}")]
    assert "SEARCH document_versions USING PRIMARY KEY (manual_id=? AND path=?)" in plans


def test_nothing_refers_to_a_generation_that_will_come_again(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        opened.connection.execute("DROP TABLE index_state")
        add_trace_of(opened, 7)
    with open_index(workspace) as opened:
        assert generation(opened) == 8


names = st.sampled_from(["a/一.md", "a/二.md", "b/三.json", "b/c/四.md"])
edits = st.lists(st.tuples(names, st.sampled_from(["# 甲\n", "# 乙\n", None]), st.booleans()), max_size=12)


@examples(10)
@given(first=edits, second=edits)
def test_after_any_edits_exactly_what_differs_is_named(
    first: list[tuple[str, str | None, bool]], second: list[tuple[str, str | None, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        workspace = make_workspace(Path(folder).resolve() / "workspace")
        with open_index(workspace) as opened:
            make(workspace, opened, first)
            opened.synchronise()
            then, before = generation(opened), state(workspace)
            add_trace_of(opened, then)
            make(workspace, opened, second)
            opened.synchronise()
            assert since(opened, then) == difference(before, state(workspace))


def make(workspace: WorkspaceFolder, opened: OpenIndex, changes: list[tuple[str, str | None, bool]]) -> None:
    """Write or delete files; the index follows after some of the edits, and is made anew where a file went."""
    for path, text, is_seen in changes:
        if text is None:
            (workspace.manuals / path).unlink(missing_ok=True)
        else:
            workspace.write(path, text)
        if is_seen:
            opened.synchronise(full=text is None)


def state(workspace: WorkspaceFolder) -> dict[str, str]:
    files = (path for path in workspace.manuals.rglob("*") if path.is_file())
    return {str(path.relative_to(workspace.manuals)): path.read_text("utf-8") for path in files}


def difference(before: dict[str, str], after: dict[str, str]) -> FileChanges:
    both = before.keys() & after.keys()
    return FileChanges(
        sorted(after.keys() - both),
        sorted(path for path in both if before[path] != after[path]),
        sorted(before.keys() - both),
    )


def add_trace_of(opened: OpenIndex, seen: int) -> None:
    """A stored trace that saw this generation."""
    add_traces(opened.connection, 1)
    opened.connection.execute("UPDATE traces SET index_generation = ?", (seen,))


def page_size(opened: OpenIndex) -> int:
    return int(opened.value("PRAGMA page_size"))
