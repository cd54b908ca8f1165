"""What `schema.sql` says is what a database gets, whichever way it came there."""

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from sqlite_utils import Database

from morenashi.indexer import schema
from morenashi.indexer.database import open_writer
from morenashi.indexer.salvage import side_tables
from morenashi.migrations import m0001_side_tables, m0002_explained_traces, names
from morenashi.migrations.scripts import split_statements
from morenashi.migrations.steps import MIGRATIONS

from ..workspaces import WorkspaceFolder
from .indexes import open_index
from .traces import FIRST_TABLES, TRACE_TABLES, add_first_traces, add_traces, count_rows


@pytest.fixture
def from_script(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database made by executing `schema.sql`."""
    with contextlib.closing(sqlite3.connect(tmp_path / "script.db", isolation_level=None)) as connection:
        connection.executescript((resources.files("morenashi") / "schema.sql").read_text("utf-8"))
        yield connection


def objects(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Tables, indexes and views with their SQL, comments and layout apart."""
    rows = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master")
    return {
        (kind, name): re.sub(r"\s*([,()])\s*|\s+", r" \1", re.sub(r"--[^\n]*", "", sql)).strip()
        for kind, name, sql in rows
        if not name.startswith("sqlite_")
    }


MEMORY_TABLES = (
    "policies",
    "claims",
    "claim_evidence",
    "claim_citations",
    "entities",
    "relations",
    "feedback",
    "claim_vectors",
    "active_contexts",
    "audit_log",
    "audit_head",
)


def test_a_new_database_is_as_the_script_says(tmp_path: Path, from_script: sqlite3.Connection) -> None:
    with contextlib.closing(open_writer(tmp_path / "new.db")[0]) as connection:
        assert objects(connection) == objects(from_script)


def test_the_migrations_give_the_same_schema(from_script: sqlite3.Connection) -> None:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        MIGRATIONS.apply(Database(connection))
        schema.apply_schema(connection)
        assert objects(connection) == objects(from_script)


def test_a_new_database_has_been_through_all_migrations(tmp_path: Path) -> None:
    with contextlib.closing(open_writer(tmp_path / "new.db")[0]) as connection:
        assert [step.name for step in MIGRATIONS.applied(Database(connection))] == list(names.STEPS)
        before = objects(connection)
        MIGRATIONS.apply(Database(connection))
        assert objects(connection) == before


def test_the_script_runs_as_it_is(from_script: sqlite3.Connection) -> None:
    assert {("table", "documents"), ("table", "traces"), ("view", "lines")} <= objects(from_script).keys()
    assert from_script.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_every_view_can_be_asked(from_script: sqlite3.Connection) -> None:
    views = [name for kind, name in objects(from_script) if kind == "view"]
    assert sorted(views) == [
        "adaptive_changes_overview",
        "adaptive_recall",
        "adaptive_thresholds",
        "lines",
        "references_overview",
        "toc",
        "trace_candidates",
        "trace_hits",
        "trace_links",
        "trace_overview",
        "trace_scores",
        "trace_terms",
        "trace_unscanned_ranges",
    ]
    for view in views:
        assert from_script.execute(f"SELECT * FROM {view}").fetchall() == []  # noqa: S608 - our own views


def test_no_row_of_the_index_takes_a_table_of_its_own_to_be_checked(from_script: sqlite3.Connection) -> None:
    tables = re.findall(r"^CREATE TABLE (\w+)", schema.schema_part("derived"), re.M)
    assert "exception_terms" in tables
    for table in tables:
        marks = ", ".join("?" for _ in from_script.execute(f"PRAGMA table_info({table})"))
        write = f"EXPLAIN INSERT INTO {table} VALUES ({marks})"  # noqa: S608 - our own tables
        assert "OpenEphemeral" not in [step[1] for step in from_script.execute(write, [None] * marks.count("?"))], table


def test_applying_the_schema_again_changes_nothing(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        before = objects(opened.connection)
        assert not schema.apply_schema(opened.connection)
        assert objects(opened.connection) == before
        assert opened.value("SELECT count(*) FROM documents") == 1


def test_a_database_from_before_adaptation_gets_its_tables_and_keeps_its_rows(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        before = objects(opened.connection)
        add_traces(opened.connection, 3)
        for statement in _BEFORE_ADAPTATION:
            opened.connection.execute(statement)
    with open_index(workspace) as opened:
        assert any("backed up" in notice for notice in opened.notices)
        assert objects(opened.connection) == before
        empty = {"adaptive_reads": 0, "adaptive_changes": 0}
        assert count_rows(opened.connection) == dict.fromkeys(TRACE_TABLES, 3) | empty


_BEFORE_ADAPTATION = (
    "DROP TABLE adaptive_reads",
    "DROP TABLE adaptive_changes",
    "DROP INDEX adaptive_statistics_by_trace",
    "DELETE FROM _sqlite_migrations WHERE name = 'm0003_adaptation'",
)


def test_a_changed_layout_rebuilds_derived_tables_and_keeps_side_tables(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        add_traces(opened.connection, 3)
        opened.connection.execute("UPDATE index_state SET value = '0:older' WHERE key = 'layout'")
        opened.connection.execute("ALTER TABLE documents ADD COLUMN older TEXT")
        opened.connection.execute("DROP VIEW toc")
    with open_index(workspace) as opened:
        assert any("derived" in notice for notice in opened.notices)
        assert opened.value("SELECT count(*) FROM documents") == 0
        assert opened.synchronise().added == 1
        assert opened.rows("SELECT title FROM toc") == [("一",)]
        assert count_rows(opened.connection) == dict.fromkeys(TRACE_TABLES, 3)


def test_views_of_another_version_are_made_anew_and_nothing_else(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        before = objects(opened.connection)
        opened.connection.execute("UPDATE index_state SET value = 'older' WHERE key = 'views'")
        opened.connection.execute("DROP VIEW toc")
        opened.connection.execute("CREATE VIEW older AS SELECT 1")
        # As people call theirs.
        opened.connection.execute('CREATE VIEW "the ""order"" of 2026" AS SELECT 1')
    with open_index(workspace) as opened:
        assert objects(opened.connection) == before
        assert opened.rows("SELECT title FROM toc") == [("一",)]


def test_the_side_tables_are_those_of_the_script() -> None:
    others = ["citations", "delivered_lines", "document_versions", "passage_vectors"]
    assert sorted(side_tables()) == sorted([*TRACE_TABLES, *others, *MEMORY_TABLES])


def test_the_script_names_every_fact_that_is_kept_of_the_index(workspace: WorkspaceFolder) -> None:
    comment, _, _ = schema.schema_part("derived").partition("CREATE TABLE index_state")
    with open_index(workspace) as opened:
        opened.synchronise()
        keys = {row[0] for row in opened.rows("SELECT key FROM index_state")}
    assert keys - set(re.findall(r"\w+", comment)) == set()


def test_a_statement_ends_where_sqlite_says_it_does() -> None:
    script = "CREATE TABLE a (b TEXT DEFAULT ';'); -- one; two\nCREATE VIEW c AS\nSELECT 1;\n"
    assert len(split_statements(script)) == 2


def test_deleting_a_document_deletes_what_belongs_to_it(workspace: WorkspaceFolder) -> None:
    file = workspace.write("a/x.md", "# 一\nただし\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        file.unlink()
        opened.synchronise()
        for table in ("documents", "sections", "passages", "passage_texts", "exception_terms"):
            assert opened.rows(f"SELECT * FROM {table}") == []  # noqa: S608 - our own tables


def test_the_view_of_lines_gives_every_line_normalised(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", '# 「一」\n\\ "引用" \t{}\nＡ\u2028Ｂ\n\n終\n')
    with open_index(workspace) as opened:
        opened.synchronise()
        found = opened.rows("SELECT line, text FROM lines ORDER BY line")
    assert found == [(1, "# (一)"), (2, '/ "引用" ()'), (3, "a b"), (4, ""), (5, "終")]


def test_the_views_of_traces_read_what_a_trace_says(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        add_traces(opened.connection, 1)
        overview = opened.rows("SELECT query, candidates, completeness, lines_examined FROM trace_overview")
        ranges = opened.rows("SELECT manual_id, path, first_line, last_line FROM trace_unscanned_ranges")
        assert overview == [("旅費 0 ", 1, "found", 9)]
        assert ranges == [("a", "x.md", 1, 2), ("a", "x.md", 5, 5)]
        assert opened.rows("SELECT path, start_line FROM trace_hits") == [("x.md", 2)]


def test_the_views_of_candidates_say_why_they_are_there(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        add_traces(opened.connection, 1)
        scores = opened.rows("SELECT part, contribution FROM trace_scores")
        terms = opened.rows("SELECT term, line FROM trace_terms")
        links = opened.rows("SELECT relation, linked_path, linked_line, kind FROM trace_links")
    assert scores == [("body", 0.5), ("heading", 0.25)]
    assert terms == [("旅費", 2), ("旅費", 4)]
    assert sorted(links) == [("exceptions", "x.md", 3, "proviso"), ("via", "y.md", 7, "article")]


def test_traces_of_the_first_version_are_carried_over() -> None:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        database = Database(connection)
        connection.execute("PRAGMA foreign_keys = ON")
        m0001_side_tables.apply(database)
        add_first_traces(connection, 3)
        m0002_explained_traces.apply(database)
        kept = {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - names of ours
            for table in FIRST_TABLES
        }
        assert kept == dict.fromkeys(FIRST_TABLES, 3)
        assert connection.execute("SELECT DISTINCT intent, intent_source, parameters FROM traces").fetchall() == [
            ("unknown", "given", "{}")
        ]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("steps", range(1, names.STEPS.index("m0008_candidate_lists") + 1))
def test_rows_whose_trace_somebody_deleted_by_hand_keep_no_database_from_migrating(
    workspace: WorkspaceFolder, steps: int
) -> None:
    workspace.database.parent.mkdir()
    # As in the sqlite3 shell, what belongs to a row that is deleted stays.
    with contextlib.closing(sqlite3.connect(workspace.database, isolation_level=None)) as connection:
        MIGRATIONS.apply(Database(connection), stop_before=names.STEPS[1])
        add_first_traces(connection, 3)
        MIGRATIONS.apply(Database(connection), stop_before=names.STEPS[steps])
        connection.execute("DELETE FROM traces WHERE id = 'trace00001'")
    with open_index(workspace) as opened:
        assert opened.rows("SELECT trace_id, path FROM trace_hits") == [("trace00000", "x.md"), ("trace00002", "x.md")]


def test_the_candidates_of_older_traces_are_carried_over_in_their_order(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        before = objects(opened.connection)
        add_traces(opened.connection, 2)
        _go_back_to_a_row_a_candidate(opened.connection)
    with open_index(workspace) as opened:
        assert objects(opened.connection) == before
        query = "SELECT position, path, signals ->> 0, score, why ->> '$.score.body' FROM trace_candidates"
        for trace_id in ("trace00000", "trace00001"):
            found = opened.rows(f"{query} WHERE trace_id = '{trace_id}'")
            assert found == [(position, f"{position}.md", "loose", 0.5, 0.25) for position in range(12)]


def _go_back_to_a_row_a_candidate(connection: sqlite3.Connection) -> None:
    for (view,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
        connection.execute(f"DROP VIEW {view}")
    for statement in _A_ROW_A_CANDIDATE:
        connection.execute(statement)


_A_ROW_A_CANDIDATE = (
    "DELETE FROM index_state WHERE key = 'views'",
    "DROP TABLE trace_candidate_lists",
    """CREATE TABLE trace_candidates (
      trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      manual_id TEXT NOT NULL,
      path TEXT NOT NULL,
      file_type TEXT NOT NULL,
      section_line INTEGER NOT NULL,
      start_line INTEGER NOT NULL,
      column_number INTEGER NOT NULL,
      signals TEXT NOT NULL,
      score REAL NOT NULL,
      why TEXT NOT NULL,
      PRIMARY KEY (trace_id, position)
    ) WITHOUT ROWID""",
    """WITH RECURSIVE number (value) AS (SELECT 11 UNION ALL SELECT value - 1 FROM number WHERE value > 0)
    INSERT INTO trace_candidates
    SELECT id, value, 'a', value || '.md', 'md', 1, 2, 0, '["loose"]', 0.5, '{"score": {"body": 0.25}}'
    FROM traces, number""",
    "DELETE FROM _sqlite_migrations WHERE name = 'm0008_candidate_lists'",
)
