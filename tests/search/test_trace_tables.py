"""Traces in the database: they outlive the server, anybody can read them, and they quote no document."""

import json
import math

import pytest

from ..server.library import fill
from ..server.serving import Found, Serve, ask_database, serving, serving_indexed
from ..workspaces import UNDECODABLE, WorkspaceFolder

TRACE_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name GLOB 'trace*' OR name GLOB 'adaptive*')"
KINDS = ["candidates", "unscanned", "conflicts", "gaps", "integrated_top"]


@pytest.fixture
def found(workspace: WorkspaceFolder) -> Found:
    """A search with all kinds of lists, by a server that has ended."""
    fill(workspace).write("手引き/odd.md", UNDECODABLE)
    with serving_indexed(workspace) as manuals:
        found = manuals.find("申請 どこにもない語", intent="procedure", budget={"max_candidates": 2})
        found.body["lists"] = {kind: found.hits(kind) for kind in KINDS}
        return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_trace_can_be_paged_after_a_restart(workspace: WorkspaceFolder, found: Found, kind: str) -> None:
    with serving(workspace, WATCH="off") as manuals:
        assert Found(manuals, found.body).hits(kind) == found.body["lists"][kind]


def test_a_trace_can_be_resumed_after_a_restart(workspace: WorkspaceFolder, found: Found) -> None:
    with serving(workspace, WATCH="off") as manuals:
        rest = manuals.find("申請 どこにもない語", only_unscanned_from_trace_id=found.trace_id)
        assert rest.places().isdisjoint(
            (item["path"], item["start_line"]) for item in found.body["lists"]["candidates"]
        )
        assert rest.summary["candidates"] > 0


def test_the_overview_tells_of_a_search(workspace: WorkspaceFolder, found: Found) -> None:
    query = """
        SELECT query, candidates, completeness, lines_examined, lines_unexamined, cutoff_reason, unscanned,
          stored_candidates
        FROM trace_overview
        WHERE trace_id = ?
    """
    lines = found.lines
    assert ask_database(workspace, query, found.trace_id) == [
        (
            "申請 どこにもない語",
            2,
            "found",
            lines["examined"],
            lines["unexamined"],
            "candidate_cap",
            found.summary["unscanned_sections_count"],
            2,
        )
    ]


def test_the_view_of_hits_is_the_list_of_candidates(workspace: WorkspaceFolder, found: Found) -> None:
    query = "SELECT manual_id, path, start_line, signals, score FROM trace_hits WHERE trace_id = ? ORDER BY position"
    rows = [(*row[:3], json.loads(row[3]), row[4]) for row in ask_database(workspace, query, found.trace_id)]
    assert rows == [
        (item["ref"]["manual_id"], item["path"], item["start_line"], item["signals"], item["score"])
        for item in found.body["lists"]["candidates"]
    ]


def test_the_contributions_to_a_score_add_up_to_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    for command in ("add", "build"):
        workspace.write(f"m/{command}.md", f"# {command}\n\n## 鍵言葉\n\n鍵言葉を置く。\n\n## 終わり\n\n鍵言葉\n")
    workspace.write("m/contents.md", "# 目次\n\n" + "- [鍵言葉](add.md)\n" * 9)
    found = serve().find("鍵言葉")
    assert found.unscanned() == []
    query = """
        SELECT trace_hits.path, score, sum(contribution), group_concat(part)
        FROM trace_hits
        JOIN trace_scores USING (trace_id, position)
        GROUP BY position
    """
    rows = ask_database(workspace, query)
    assert [row[1] for row in rows] == [pytest.approx(row[2], abs=0.0005) for row in rows]
    assert {part for row in rows for part in row[3].split(",")} >= {"same_file", "copy", "contents"}


def test_the_view_of_unscanned_ranges_is_the_list_of_them(workspace: WorkspaceFolder, found: Found) -> None:
    query = "SELECT reason, manual_id, path, first_line FROM trace_unscanned_ranges WHERE trace_id = ?"
    assert ask_database(workspace, query, found.trace_id) == [
        (item["reason"], item["ref"]["manual_id"], item["path"], item["start_line"])
        for item in found.body["lists"]["unscanned"]
    ]


def test_unscanned_ranges_add_up_to_the_unexamined_lines(workspace: WorkspaceFolder, found: Found) -> None:
    query = "SELECT sum(last_line - first_line + 1) FROM trace_unscanned_ranges WHERE trace_id = ?"
    assert ask_database(workspace, query, found.trace_id) == [(found.lines["unexamined"],)]


def test_the_stored_summary_is_the_answered_one(workspace: WorkspaceFolder, found: Found) -> None:
    rows = ask_database(workspace, "SELECT summary, next_actions FROM traces WHERE id = ?", found.trace_id)
    assert [json.loads(part) for part in rows[0]] == [found.summary, found.next_actions]


def test_a_search_leaves_its_statistics(workspace: WorkspaceFolder, found: Found) -> None:
    query = """
        SELECT scanned_files, candidates, cutoff_reason, unscanned_sections_count, est_tokens_in, est_tokens_out,
          added_evidence_count, added_est_tokens, marginal_gain
        FROM adaptive_statistics
        WHERE trace_id = ?
    """
    (row,) = ask_database(workspace, query, found.trace_id)
    summary = found.summary
    assert row[:4] == (
        summary["scanned_files"],
        summary["candidates"],
        summary["cutoff_reason"],
        summary["unscanned_sections_count"],
    )
    assert row[4] == math.ceil(len("申請 どこにもない語") / 4)
    assert row[8] == pytest.approx(row[6] / row[7], abs=0.0001)


def test_no_text_of_a_document_is_stored_with_a_trace(workspace: WorkspaceFolder, found: Found) -> None:
    stored = "\n".join(
        value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        for (table,) in ask_database(workspace, TRACE_TABLES)
        for row in ask_database(workspace, f"SELECT * FROM {table}")  # noqa: S608 - named by the schema
        for value in row
    )
    assert "どこにもない語" in stored, "what was asked for is kept"
    assert [text for text in ("窓口", "三十日", "印鑑", "申請の方法", "システム") if text in stored] == []
