"""`manual_hits` (seed 004 §4): the lists of a trace, as long as the summary said, page by page."""

from collections.abc import Iterator
from typing import Any

import pytest

from ..server.serving import Found, Serve, Serving, serving_indexed
from ..workspaces import UNDECODABLE, WorkspaceFolder

KINDS = ["candidates", "unscanned", "conflicts", "gaps", "integrated_top"]
ITEM = {"ref", "path", "start_line", "reason", "signals", "score", "conflict_with", "gap_hint"}
REF = {"target", "manual_id", "path", "start_line", "json_path"}


@pytest.fixture(scope="module")
def many(shared_workspace: WorkspaceFolder) -> Iterator[Found]:
    """A search with sixty candidates, twenty places left over, one file unreadable and one term missing."""
    for name in ("a", "b"):
        shared_workspace.write(f"m/{name}.md", "".join(f"# 題{n}\n\n鍵言葉{'。' * n}\n\n" for n in range(40)))
    shared_workspace.write("m/odd.md", UNDECODABLE)
    with serving_indexed(shared_workspace) as manuals:
        yield manuals.find("鍵言葉 どこにもない語", budget={"max_candidates": 60})


def page(found: Found, **arguments: Any) -> dict[str, Any]:
    return found.serving.call("manual_hits", trace_id=found.trace_id, **arguments)


def test_without_more_it_is_the_first_fifty_candidates(many: Found) -> None:
    body = page(many)
    assert (body["kind"], body["offset"], body["limit"], body["total"]) == ("candidates", 0, 50, 60)
    assert len(body["items"]) == 50


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_says_what_was_asked(many: Found, kind: str) -> None:
    body = page(many, kind=kind, offset=3, limit=4)
    assert (body["trace_id"], body["kind"], body["offset"], body["limit"]) == (many.trace_id, kind, 3, 4)


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("candidates", "candidates"),
        ("integrated_top", "integrated_nodes"),
        ("unscanned", "unscanned_sections_count"),
        ("gaps", "gap_count"),
        ("conflicts", "conflict_count"),
    ],
)
def test_a_list_is_as_long_as_the_summary_says(many: Found, kind: str, count: str) -> None:
    assert page(many, kind=kind)["total"] == many.summary[count] == len(many.hits(kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 7, 50])
def test_pages_are_disjoint_and_complete(many: Found, kind: str, size: int) -> None:
    assert many.hits(kind, page=size) == many.hits(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_behind_the_end_is_empty(many: Found, kind: str) -> None:
    assert page(many, kind=kind, offset=1_000_000)["items"] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_item_has_all_fields(many: Found, kind: str) -> None:
    fields = ITEM | {"exceptions"} if kind in ("candidates", "integrated_top") else ITEM
    assert all(set(item) == fields for item in many.hits(kind))


@pytest.mark.parametrize("kind", ["candidates", "integrated_top", "unscanned"])
def test_no_place_is_listed_twice(many: Found, kind: str) -> None:
    places = [(item["path"], item["start_line"]) for item in many.hits(kind)]
    assert len(places) == len(set(places))


def test_candidates_have_no_reason_and_a_score(many: Found) -> None:
    assert {item["reason"] for item in many.hits()} == {None}
    assert all(item["score"] is not None for item in many.hits())


def test_the_integrated_ones_are_ranked(many: Found) -> None:
    items = many.hits("integrated_top")
    assert {item["reason"] for item in items} == {"ranked_by_integration"}
    scores = [item["score"] for item in items]
    assert scores == sorted(scores, reverse=True)


def test_what_was_left_over_says_why(many: Found) -> None:
    reasons = [item["reason"] for item in many.hits("unscanned")]
    assert sorted(reasons) == ["candidate_cap"] * 20 + ["encoding"]


def test_a_gap_says_what_is_missing_in_words_of_the_query(many: Found) -> None:
    (gap,) = many.hits("gaps")
    assert gap["reason"] == "gap"
    assert gap["gap_hint"] == "どこにもない語"
    assert gap["ref"] is None


@pytest.mark.parametrize("kind", ["candidates", "integrated_top", "unscanned"])
def test_path_and_line_are_those_of_the_ref(many: Found, kind: str) -> None:
    for item in many.hits(kind):
        assert (item["path"], item["start_line"]) == (item["ref"]["path"], item["ref"]["start_line"])


@pytest.mark.parametrize("kind", ["candidates", "integrated_top", "unscanned"])
def test_a_ref_has_the_shape_of_the_data_model(many: Found, kind: str) -> None:
    for item in many.hits(kind):
        ref = item["ref"]
        assert set(ref) >= REF
        # The signals stand beside it: a ref goes back to the tools as it is, and is paid for twice.
        assert set(ref) <= REF | {"title"}
        assert (ref["target"], ref["manual_id"], ref["json_path"]) == ("manual", "m", None)


@pytest.mark.parametrize("kind", ["candidates", "integrated_top"])
def test_every_ref_of_a_candidate_can_be_read(many: Found, kind: str) -> None:
    for item in many.hits(kind)[::7]:
        assert "鍵言葉" in many.serving.read(item["ref"], scope="section")["text"]


def test_a_ref_carries_the_title_of_its_section(library: Serving) -> None:
    titles = {item["ref"]["start_line"]: item["ref"].get("title") for item in library.find("申請の期限").hits()}
    assert titles[10] == "申請の方法"


def test_the_ref_of_a_text_without_headings_is_its_line(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "本文だけの文書。\n鍵言葉。\n")
    (item,) = serve().find("鍵言葉").hits()
    assert item["start_line"] == 2


def test_an_unknown_trace_is_not_found(library: Serving) -> None:
    assert library.refuse("manual_hits", trace_id="tr_0123456789")["code"] == "not_found"


@pytest.mark.parametrize("trace_id", ["' OR 1=1 --", "tr_%", "../traces", "\x00", "あ" * 4_000])
def test_a_strange_trace_is_not_found_either(library: Serving, trace_id: str) -> None:
    assert library.refuse("manual_hits", trace_id=trace_id)["code"] == "not_found"


@pytest.mark.parametrize(("offset", "limit"), [(-1, 1), (0, 0), (0, -5), (0, 10**9)])
def test_an_impossible_page_is_refused(library: Serving, offset: int, limit: int) -> None:
    found = library.find("申請")
    error = library.refuse("manual_hits", trace_id=found.trace_id, offset=offset, limit=limit)
    assert error["code"] == "invalid_parameter"


def test_of_a_section_that_is_too_long_to_be_read_at_once_lines_apart_from_each_other_are_listed(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    lines = ["前置きの行。"] * 900
    for line in (10, 11, 300, 301, 500, 700):
        lines[line - 1] = "鍵言葉を書く。"
    lines[600 - 1] = "鍵言葉と別語を書く。"
    workspace.write("m/long.md", "\n".join(lines))
    workspace.write("m/short.md", "# 題\n\n" + "鍵言葉を書く。\n" * 50)
    manuals = serve()
    items = {item["path"]: item for item in manuals.find("鍵言葉 別語").hits()}
    item = items["long.md"]
    assert (item["start_line"], [line["start_line"] for line in item["lines"]]) == (600, [10, 300, 500, 700])
    assert (item["lines_total"], {line["json_path"] for line in item["lines"]}) == (6, {None})
    assert "lines" not in items["short.md"]
    for line in item["lines"]:
        ref = {**item["ref"], **line}
        assert "鍵言葉" in manuals.read(ref, scope="snippet")["text"]


def test_an_exception_in_json_has_the_pointer_of_its_value(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.json", '{\n "a": "申請する。",\n "b": "ただし、申請しない者を除く。"\n}\n')
    (item,) = serve().find("申請").hits()
    assert {"/b"} == {exception["ref"]["json_path"] for exception in item["exceptions"]}
