"""Stages 2 and 3 may fail: what stages 0 and 1 found is answered and judged all the same (seed 004 §3 and §4)."""

from collections.abc import Iterator

import pytest

from ..indexer.damages import break_index
from ..server.serving import Found, Serving, serving_indexed
from ..workspaces import WorkspaceFolder

LAW = """# 試験法

## 第一条（申請）

鍵言葉の申請は、三十日以内に行う。ただし、休日は、この限りでない。

## 第二条（手続）

第三条の規定による届出をする。鍵言葉の手続は別に定める。

## 第三条（届出）

届出の様式は、省令で定める。
"""
TABLES = ["exception_terms", "cross_references", "reference_targets"]


@pytest.fixture(params=TABLES)
def damaged(request: pytest.FixtureRequest, workspace: WorkspaceFolder) -> Iterator[Serving]:
    """A server whose index has lost a table that stage 2 or 3 asks."""
    workspace.write("m/試験法.md", LAW)
    workspace.write("n/other.md", "# 別の規則\n\n鍵言葉は、省略する。\n")
    with serving_indexed(workspace) as manuals:
        break_index(workspace, lambda connection: connection.execute(f"DROP TABLE {request.param}"))
        yield manuals


@pytest.fixture
def found(damaged: Serving) -> Found:
    return damaged.find("鍵言葉 どこにもない語", manual_id="m", max_stage=3)


def test_what_stages_0_and_1_found_is_answered(found: Found) -> None:
    assert {("試験法.md", 5), ("試験法.md", 9)} <= found.places()
    assert (found.status, found.lines["matched"], found.lines["unexamined"]) == ("found", 2, 0)


def test_the_failure_is_a_warning(found: Found) -> None:
    assert found.summary["warnings"] == 1


def test_the_judgement_is_there(found: Found) -> None:
    summary = found.summary
    assert summary["integrated_nodes"] == summary["candidates"] == len(found.hits("integrated_top"))
    assert summary["signal_coverage"]["normalized"] == 2
    assert summary["file_bias_ratio"] == 1.0
    assert 0 < summary["sufficiency_score"] <= 1
    assert summary["integration_status"] in ("ready", "needs_followup")


def test_gaps_and_next_actions_are_those_of_what_is_there(found: Found) -> None:
    assert "どこにもない語" in [gap["gap_hint"] for gap in found.hits("gaps")]
    assert {"manual_hits", "manual_read"} <= {action["type"] for action in found.next_actions}


def test_without_candidates_a_search_is_blocked_as_ever(damaged: Serving) -> None:
    found = damaged.find("どこにもない語", manual_id="m", max_stage=3)
    assert (found.summary["candidates"], found.summary["integration_status"]) == (0, "blocked")
    assert found.hits("gaps")[0]["gap_hint"] == "どこにもない語"


def test_it_is_widened_as_ever(damaged: Serving) -> None:
    found = damaged.find("鍵言葉", manual_id="m")
    assert found.summary["scope_expanded"]
    assert found.paths() == {"試験法.md", "other.md"}


def test_what_a_cap_left_over_can_be_taken_up(damaged: Serving) -> None:
    first = damaged.find("鍵言葉", manual_id="m", max_stage=3, budget={"max_candidates": 1})
    rest = damaged.find("鍵言葉", only_unscanned_from_trace_id=first.trace_id, max_stage=3)
    assert {("試験法.md", 5), ("試験法.md", 9)} <= first.places() | rest.places()
