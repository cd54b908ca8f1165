"""Of a damaged database, which rows are carried over."""

import contextlib
import shutil
import sqlite3

import pytest
from sqlite_utils import Database

from morenashi.indexer.salvage import set_aside_and_salvage
from morenashi.migrations import m0012_replaced_claims

from ..workspaces import WorkspaceFolder
from .damaged import (
    ALL_KEPT,
    SIDE_TABLES,
    TRACES,
    assert_whole_again,
    opened_again,
    overwrite,
    pages_of,
    schema_pages_of,
    set_aside,
    used,
    used_before,
)
from .indexes import open_index
from .memories import add_claim
from .traces import count_rows

__all__ = ["used", "used_before"]


def test_side_tables_are_carried_over_row_by_row(used: WorkspaceFolder) -> None:
    overwrite(used.database, pages_of(used.database, "passage_texts")[5:40])
    notices = set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT
    assert all(any(notice.startswith(f"{table}: {TRACES} ") for notice in notices) for table in SIDE_TABLES)


def test_rows_around_a_broken_page_are_kept(used: WorkspaceFolder) -> None:
    pages = pages_of(used.database, "traces")
    overwrite(used.database, pages[len(pages) // 2 : len(pages) // 2 + 2])
    notices = set_aside_and_salvage(used.database)
    with open_index(used) as opened:
        kept = count_rows(opened.connection)
    assert TRACES // 2 < kept["traces"] < TRACES
    assert kept["adaptive_statistics"] == TRACES
    assert any(notice.startswith("traces:") and "could not be read" in notice for notice in notices)


def test_rows_between_two_broken_pages_are_kept(used: WorkspaceFolder) -> None:
    pages = pages_of(used.database, "traces")
    overwrite(used.database, [pages[1], pages[-2]])
    set_aside_and_salvage(used.database)
    with open_index(used) as opened:
        assert count_rows(opened.connection)["traces"] > TRACES // 2


@pytest.mark.parametrize("table", ["traces", "trace_candidate_lists", "claims", "audit_log"])
def test_rows_outlast_the_page_that_leads_to_all_of_them(used: WorkspaceFolder, table: str) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,))
    assert used.database.read_bytes()[(root - 1) * 4096] in (0x02, 0x05), "it leads to others"
    overwrite(used.database, [root - 1])
    notices = set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT
    assert any(notice.startswith(f"{table}: {TRACES} ") and "could not be read" in notice for notice in notices)


def test_rows_from_before_their_table_had_all_its_columns_outlast_that_page(used: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection, connection:
        connection.execute("DROP INDEX claims_replaced")
        for column in ("replaced_at", "replaced_by"):
            connection.execute(f"ALTER TABLE claims DROP COLUMN {column}")
        m0012_replaced_claims.apply(Database(connection))
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'claims'")
    overwrite(used.database, [root - 1])
    assert assert_whole_again(used) == ALL_KEPT


def test_rows_that_were_deleted_do_not_come_back_from_pages_that_are_free(used: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection, connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("DELETE FROM traces WHERE rowid > 40")
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'traces'")
        [(free,)] = connection.execute("PRAGMA freelist_count")
    assert free
    overwrite(used.database, [root - 1])
    with opened_again(used) as connection:
        assert count_rows(connection)["traces"] == 40


def test_rows_outlast_what_the_schema_says_of_their_table(used: WorkspaceFolder) -> None:
    pages = pages_of(used.database, "traces")
    overwrite(used.database, [*schema_pages_of(used.database), pages[1]])
    with opened_again(used) as connection:
        kept = count_rows(connection)
    assert TRACES // 2 < kept["traces"] < TRACES
    assert kept["adaptive_statistics"] == TRACES


def test_rows_on_pages_that_the_first_one_does_not_count_are_kept(used: WorkspaceFolder) -> None:
    with used.database.open("r+b") as file:
        file.seek(28)
        file.write((60).to_bytes(4, "big"))
    assert assert_whole_again(used) == ALL_KEPT
    assert len(set_aside(used)) == 1


def test_it_is_said_how_many_rows_go_with_those_that_they_belong_to(used: WorkspaceFolder) -> None:
    overwrite(used.database, pages_of(used.database, "traces")[2:3])
    notices = set_aside_and_salvage(used.database)
    with open_index(used) as opened:
        gone = TRACES - count_rows(opened.connection)["trace_gaps"]
    assert gone
    assert f"trace_gaps: {gone} of these rows are let go: what they belong to could not be read" in notices


def test_a_broken_index_costs_no_row(used: WorkspaceFolder) -> None:
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        indexes = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex_trace%'")
        pages = [root - 1 for (root,) in indexes]
    overwrite(used.database, pages)
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


def test_a_row_whose_values_are_of_another_kind_is_not_kept(used: WorkspaceFolder) -> None:
    """A page that holds another one's rows, or a flipped bit: what reads the rows later would fail over them."""
    with contextlib.closing(sqlite3.connect(used.database)) as connection:
        connection.execute("INSERT INTO document_versions VALUES ('a', 'x.md', x'00', 'a')")
        connection.execute("UPDATE claims SET confidence = 'words' WHERE number = 7")
        connection.commit()
    notices = set_aside_and_salvage(used.database)
    assert assert_whole_again(used)["claims"] == TRACES - 1
    assert any(notice.startswith("claims: 59 rows") and "could not be read" in notice for notice in notices)


def test_rows_that_lost_their_trace_are_not_kept(used: WorkspaceFolder) -> None:
    pages = pages_of(used.database, "traces")
    overwrite(used.database, pages[len(pages) // 2 : len(pages) // 2 + 2])
    set_aside_and_salvage(used.database)
    with open_index(used) as opened:
        assert opened.rows("PRAGMA foreign_key_check") == []


def test_what_cannot_be_read_is_taken_from_the_last_backup(used: WorkspaceFolder) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    pages = pages_of(used.database, "traces")
    overwrite(used.database, pages[len(pages) // 2 : len(pages) // 2 + 2])
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


def test_what_was_deleted_since_the_last_backup_does_not_come_back_where_the_rest_can_be_read(
    used: WorkspaceFolder,
) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    with contextlib.closing(sqlite3.connect(used.database)) as connection, connection:
        connection.execute("DELETE FROM adaptive_statistics WHERE id = 7")
    overwrite(used.database, pages_of(used.database, "passage_texts")[5:40])
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT | dict.fromkeys(("adaptive_statistics", "adaptive_reads"), TRACES - 1)


def test_no_row_is_taken_twice(used: WorkspaceFolder) -> None:
    shutil.copy(used.database, used.database.with_name(f"{used.database.name}.backup-20260101T000000"))
    pages = pages_of(used.database, "trace_unscanned")
    overwrite(used.database, pages[len(pages) // 2 : len(pages) // 2 + 1])
    set_aside_and_salvage(used.database)
    assert assert_whole_again(used) == ALL_KEPT


def test_without_anything_readable_the_tables_start_empty(used: WorkspaceFolder) -> None:
    used.database.write_bytes(b"no database" * 500)
    notices = set_aside_and_salvage(used.database)
    assert "traces: nothing could be read; it starts empty" in notices
    assert assert_whole_again(used) == dict.fromkeys(SIDE_TABLES, 0)


def test_a_claim_whose_representative_is_lost_stands_for_itself_again(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        add_claim(opened.connection, 3)
        opened.connection.execute("PRAGMA foreign_keys = OFF")
        add_claim(opened.connection, 2, merged_into=1)
    set_aside_and_salvage(workspace.database)
    with open_index(workspace) as opened:
        assert opened.rows("SELECT number, merged_into FROM claims ORDER BY number") == [(2, None), (3, None)]
