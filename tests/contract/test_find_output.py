"""What `manual_find` answers (seed 004 §4): counts that agree with each other and with the lists."""

import json
from typing import Any

import pytest

from ..server.serving import Found, Serve, Serving, as_json
from ..workspaces import UNDECODABLE, WorkspaceFolder

QUERIES = ["申請", "休暇 申請", "申請の期限は何日ですか", "service", "どこにもない語", "の", "第1条"]


@pytest.fixture(params=QUERIES)
def found(library: Serving, request: pytest.FixtureRequest) -> Found:
    return library.find(request.param)


def test_nothing_cut_means_no_cutoff_reason(found: Found) -> None:
    assert "cutoff_reason" not in found.summary


def test_a_cut_search_says_why(library: Serving) -> None:
    assert library.find("申請", budget={"max_candidates": 1}).summary["cutoff_reason"] == "candidate_cap"


def test_the_candidates_counted_are_the_candidates_listed(found: Found) -> None:
    assert len(found.hits()) == found.summary["candidates"]


def test_signals_are_counted_over_the_candidates(found: Found) -> None:
    items = found.hits()
    counted = {signal: sum(signal in item["signals"] for item in items) for signal in found.summary["signal_coverage"]}
    assert counted == found.summary["signal_coverage"]


def test_every_candidate_carries_a_signal_of_the_vocabulary(found: Found) -> None:
    vocabulary = {"heading", "normalized", "loose", "exceptions", "reference"}
    assert all(item["signals"] and set(item["signals"]) <= vocabulary for item in found.hits())


def test_the_file_bias_is_the_share_of_the_file_with_most_candidates(found: Found) -> None:
    files = [(item["ref"]["manual_id"], item["path"]) for item in found.hits()]
    most = max(map(files.count, files), default=0)
    assert found.summary["file_bias_ratio"] == pytest.approx(most / len(files) if files else 0, abs=0.001)


def test_the_gaps_counted_are_the_gaps_listed(found: Found) -> None:
    assert len(found.hits("gaps")) == found.summary["gap_count"]


def test_the_conflicts_counted_are_the_conflicts_listed(found: Found) -> None:
    assert len(found.hits("conflicts")) == found.summary["conflict_count"]


def test_the_integrated_nodes_are_those_listed_as_integrated(found: Found) -> None:
    assert len(found.hits("integrated_top")) == found.summary["integrated_nodes"]


def test_no_files_scanned_are_more_than_there_are(library: Serving, found: Found) -> None:
    assert found.summary["scanned_files"] <= library.call("manual_ls")["total"]


def test_a_search_without_candidates_is_not_sufficient(library: Serving) -> None:
    summary = library.find("どこにもない語").summary
    assert summary["candidates"] == 0
    assert summary["sufficiency_score"] == 0
    assert summary["integration_status"] != "ready"


def test_an_answer_holds_no_text_of_a_document(found: Found) -> None:
    for sentence in ("窓口で行う", "印鑑", "この規則", "延長", "delete the folder"):
        assert sentence not in as_json(found.body)


def test_ratios_and_scores_lie_between_nought_and_one(found: Found) -> None:
    assert 0 <= found.summary["sufficiency_score"] <= 1
    assert 0 <= found.summary["file_bias_ratio"] <= 1
    assert all(0 <= item["score"] <= 1 for item in found.hits())


def test_the_same_search_has_the_same_answer(library: Serving) -> None:
    first, second = library.find("申請"), library.find("申請")
    assert first.summary == second.summary
    assert first.hits() == second.hits()


def test_every_search_has_a_trace_of_its_own(library: Serving) -> None:
    assert library.find("申請").trace_id != library.find("申請").trace_id


def test_a_file_that_cannot_be_decoded_is_a_warning_and_listed(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/good.md", "申請\n")
    workspace.write("m/odd.md", UNDECODABLE)
    found = serve().find("申請")
    assert found.summary["warnings"] == 1
    assert [(item["path"], item["reason"]) for item in found.hits("unscanned")] == [("odd.md", "encoding")]


def test_a_workspace_without_documents_is_answered(serve: Serve) -> None:
    found = serve().find("申請")
    assert found.summary["candidates"] == 0
    assert found.lines == {"total": 0, "examined": 0, "matched": 0, "unexamined": 0}


def numbers_below_zero(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [found for part in value.values() for found in numbers_below_zero(part)]
    return [value] if isinstance(value, (int, float)) and value < 0 else []


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_count_is_ever_negative(library: Serving, most: int) -> None:
    for query in QUERIES:
        assert numbers_below_zero(library.find(query, budget={"max_candidates": most}).summary) == []


def test_a_file_of_many_places_that_were_not_examined_is_one_section(workspace: WorkspaceFolder, serve: Serve) -> None:
    for name in ("a", "b"):
        values = {f"{name}{number}": "鍵言葉を書く。" * 80 for number in range(40)}
        workspace.write(f"m/{name}.json", json.dumps(values, ensure_ascii=False, indent=1))
    summary = serve().find("鍵言葉", budget={"max_candidates": 1}).summary
    assert (summary["candidates"], summary["scanned_nodes"]) == (1, 1)
    assert summary["unscanned_sections_count"] > 2
