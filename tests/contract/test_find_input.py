"""What `manual_find` takes (seed 004 §4) and what holds where nothing is said."""

import pytest

from morenashi.server import asking

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder


def sections(number: int) -> str:
    return "".join(f"# 見出し{n}\n\n鍵言葉を書く。\n\n" for n in range(number))


def test_two_hundred_candidates_are_examined_by_default(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", sections(230))
    found = serve().find("鍵言葉")
    assert found.summary["candidates"] == 200
    assert found.summary["cutoff_reason"] == "candidate_cap"
    assert found.summary["unscanned_sections_count"] == 30


@pytest.mark.parametrize("budget", [None, {}, {"max_candidates": None}, {"time_ms": None}])
def test_a_budget_that_says_nothing_is_the_default(
    workspace: WorkspaceFolder, serve: Serve, budget: dict[str, None] | None
) -> None:
    workspace.write("m/a.md", sections(203))
    assert serve().find("鍵言葉", budget=budget).summary["candidates"] == 200


def test_a_minute_is_given_by_default() -> None:
    assert asking.DEFAULT_TIME_MS == 60_000


@pytest.mark.parametrize("most", [1, 2, 7])
def test_there_are_no_more_candidates_than_asked_for(workspace: WorkspaceFolder, serve: Serve, most: int) -> None:
    workspace.write("m/a.md", sections(9))
    found = serve().find("鍵言葉", budget={"max_candidates": most})
    assert found.summary["candidates"] == most


@pytest.mark.parametrize("most", [1, 2, 5])
def test_several_terms_give_no_more_candidates_than_asked_for(
    workspace: WorkspaceFolder, serve: Serve, most: int
) -> None:
    workspace.write("m/a.md", sections(9) + "# 近い\n\n鍵言と葉書。\n\n# 遠い\n\n別の言葉。\n")
    found = serve().find("鍵言葉 言葉を書 別言葉", budget={"max_candidates": most})
    assert found.summary["candidates"] <= most


@pytest.mark.parametrize("stage", [3, 4, None])
def test_the_allowed_stages_are_accepted(library: Serving, stage: int | None) -> None:
    assert library.find("申請", max_stage=stage).summary["max_stage_applied"] <= (stage or 4)


@pytest.mark.parametrize("intent", ["definition", "procedure", "eligibility", "exceptions", "compare", "unknown", None])
def test_every_intent_of_the_vocabulary_is_accepted(library: Serving, intent: str | None) -> None:
    assert library.find("申請", intent=intent).summary["candidates"] > 0


def test_a_trace_that_is_not_there_cannot_be_resumed(library: Serving) -> None:
    error = library.refuse("manual_find", query="申請", only_unscanned_from_trace_id="tr_none")
    assert error["code"] == "not_found"
    assert error["details"]["parameter"] == "only_unscanned_from_trace_id"


def test_a_manual_that_is_none_is_refused_beside_a_trace_too(library: Serving) -> None:
    trace_id = library.find("申請", budget={"max_candidates": 1}).trace_id
    error = library.refuse("manual_find", query="申請", manual_id="none", only_unscanned_from_trace_id=trace_id)
    assert (error["code"], error["details"]["parameter"]) == ("not_found", "manual_id")


@pytest.mark.parametrize(
    ("tool", "parameter", "others"),
    [("manual_read", "ref", {}), ("bridge_copy_section", "from_ref", {"to_path": "x.md", "mode": "append"})],
)
def test_an_unknown_manual_of_a_ref_is_named_where_it_stands(
    library: Serving, tool: str, parameter: str, others: dict[str, str]
) -> None:
    ref = {"target": "manual", "manual_id": "englsh", "path": "guide.md"}
    error = library.refuse(tool, **{parameter: ref}, **others)
    assert (error["code"], error["details"]["parameter"]) == ("not_found", f"{parameter}.manual_id")
    assert error["message"].startswith(f"{parameter}.manual_id: ")


def test_a_search_within_a_manual_stays_in_it(library: Serving) -> None:
    found = library.find("申請", manual_id="規則", max_stage=3)
    assert {item["ref"]["manual_id"] for item in found.hits()} == {"規則"}
    assert found.summary["scanned_files"] == 1


def test_a_search_without_a_manual_asks_all(library: Serving) -> None:
    found = library.find("申請")
    assert {item["ref"]["manual_id"] for item in found.hits()} == {"手引き", "規則"}
    assert found.summary["scanned_files"] == 4


def test_the_default_manual_is_searched_if_none_is_named(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("a/x.md", "申請\n")
    workspace.write("b/x.md", "申請\n")
    found = serve(DEFAULT_MANUAL_ID="b").find("申請", max_stage=3)
    assert {item["ref"]["manual_id"] for item in found.hits()} == {"b"}


def test_an_unknown_manual_is_not_found_with_the_nearest(library: Serving) -> None:
    error = library.refuse("manual_find", query="申請", manual_id="englsh")
    assert error["code"] == "not_found"
    assert error["details"]["nearest"] == ["english"]


@pytest.mark.parametrize("written", ["ENGLISH", "English", "ｅｎｇｌｉｓｈ"])
def test_a_manual_in_another_case_or_width_is_not_found_with_its_name(library: Serving, written: str) -> None:
    error = library.refuse("manual_toc", manual_id=written)
    assert (error["code"], error["details"]["nearest"]) == ("not_found", ["english"])
