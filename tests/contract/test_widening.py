"""Stage 4 widens the scope under four conditions, and only where it may (seed 004 §3)."""

import contextlib
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.scope import ScopeCache

from ..server.serving import Found, Serve, Serving, serving_indexed
from ..workspaces import UNDECODABLE, WorkspaceFolder


def several(workspace: WorkspaceFolder, manual: str, count: int, files: int | None = None) -> None:
    """`count` sections with the needle, spread over `files` files (one a section)."""
    files = files or count
    for number in range(files):
        sections = [f"# 題{number} {n}\n\n鍵言葉を書く。\n" for n in range(number, count, files)]
        workspace.write(f"{manual}/{number}.md", "\n".join(sections))


@pytest.fixture
def other(workspace: WorkspaceFolder) -> WorkspaceFolder:
    """A workspace whose manual `other` holds the needle twice."""
    several(workspace, "other", 2)
    return workspace


def manuals_of(manuals: Serving, **arguments: object) -> tuple[set[str], bool]:
    found = manuals.find("鍵言葉", **arguments)
    return {item["ref"]["manual_id"] for item in found.hits()}, found.summary["scope_expanded"]


def test_without_candidates_other_manuals_are_searched(other: WorkspaceFolder, serve: Serve) -> None:
    other.write("m/x.md", "本文\n")
    assert manuals_of(serve(), manual_id="m") == ({"other"}, True)


def test_with_fewer_than_three_candidates_other_manuals_are_searched(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 2)
    assert manuals_of(serve(), manual_id="m") == ({"m", "other"}, True)


def test_the_manual_that_was_asked_for_comes_first_in_a_widened_search(other: WorkspaceFolder, serve: Serve) -> None:
    # Its sections are longer, so that they score a little less.
    for number in range(2):
        other.write(f"z/{number}.md", f"# 題{number}\n\n鍵言葉を書く。ほかの説明。\n")
    manuals = serve()
    everywhere, widened = manuals.find("鍵言葉").hits(), manuals.find("鍵言葉", manual_id="z").hits()
    assert [item["ref"]["manual_id"] for item in everywhere] == ["other", "other", "z", "z"]
    assert [item["ref"]["manual_id"] for item in widened] == ["z", "z", "other", "other"]
    scores = [item["score"] for item in widened]
    assert scores == sorted(scores, reverse=True)


def test_what_says_more_in_another_manual_comes_behind_what_the_one_asked_for_says(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("asked/x.md", "# 客室\n\n暗号鍵は客室の札にある。\n")
    workspace.write("other/x.md", "# 題\n\n無線の暗号鍵の札を変える。\n")
    several(workspace, "other", 8)
    found = serve().find("無線 暗号鍵 札", manual_id="asked")
    assert [item["ref"]["manual_id"] for item in found.hits()] == ["asked", "other"]


def gaps_of(found: Found) -> list[tuple[str, str | None, int | None]]:
    return [(gap["gap_hint"], gap["ref"] and gap["ref"]["manual_id"], gap["start_line"]) for gap in found.hits("gaps")]


ELSEWHERE = "not in the manual that was asked for; another one has it, as on this line"


def test_what_the_manual_that_was_asked_for_has_is_not_pushed_out_by_what_the_others_have(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    several(workspace, "m", 2)
    for number in range(40):
        workspace.write(f"other/{number}.md", f"# 鍵言葉{number}\n\n鍵言葉、鍵言葉。\n")
    found = serve().find("鍵言葉", manual_id="m", budget={"max_candidates": 10})
    assert len(found.hits()) == 10
    assert {item["path"] for item in found.hits() if item["ref"]["manual_id"] == "m"} == {"0.md", "1.md"}
    assert found.lines["unexamined"] == 3 * 32


def test_a_tenth_of_the_candidates_is_left_to_the_others(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 20, files=1)
    found = serve().find("鍵言葉", manual_id="m", budget={"max_candidates": 20})
    assert found.summary["scope_expanded"]
    assert Counter(item["ref"]["manual_id"] for item in found.hits()) == {"m": 18, "other": 2}


def test_what_was_found_by_another_form_of_a_word_stays_where_others_have_the_word(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# Owners\n\nA ticket can be reassigned.\n")
    workspace.write("other/x.md", "# Tickets\n\nReassign it.\n")
    found = serve().find("reassign", manual_id="m")
    assert {item["ref"]["manual_id"] for item in found.hits()} == {"m", "other"}


def test_no_candidate_of_the_manual_that_was_asked_for_is_lost_by_widening(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    chance = random.Random(7)
    words = ["有給休暇", "サーバー", "第3条", "例外", "ただし", "申請の期限", "backup", "restored", "backups", "承認"]
    for manual in range(6):
        for number in range(4):
            titles, texts = chance.choices(words, k=5), ["、".join(chance.choices(words, k=3)) for _ in range(5)]
            sections = [f"## {title}\n\n{text}。\n" for title, text in zip(titles, texts, strict=True)]
            workspace.write(f"m{manual}/{number}.md", "\n".join(sections))
    manuals = serve()
    widened = 0
    for _ in range(60):
        query, asked = " ".join(chance.choices(words, k=chance.randint(1, 2))), f"m{chance.randrange(6)}"
        at_home = manuals.find(query, manual_id=asked, intent="exceptions", max_stage=3)
        everywhere = manuals.find(query, manual_id=asked, intent="exceptions")
        widened += int(everywhere.summary["scope_expanded"])
        assert sections_of(at_home) <= sections_of(everywhere), (query, asked)
    assert widened


def sections_of(found: Found) -> set[tuple[str, str, str]]:
    return {(item["ref"]["manual_id"], item["path"], item["ref"].get("title")) for item in found.hits()}


def test_what_only_other_manuals_have_is_said_to_be_missing_in_the_one_that_was_asked_for(
    other: WorkspaceFolder, serve: Serve
) -> None:
    other.write("m/x.md", "# 規程\n\n申請を受け付ける。\n")
    found = serve().find("鍵言葉 申請 欠番", manual_id="m")
    assert found.summary["scope_expanded"]
    assert sorted(gaps_of(found), key=str) == [("欠番", None, None), (f"鍵言葉: {ELSEWHERE}", "other", 3)]


def test_what_the_manual_that_was_asked_for_has_is_none_of_its_gaps(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 2)
    manuals = serve()
    assert gaps_of(manuals.find("鍵言葉", manual_id="m")) == []
    assert gaps_of(manuals.find("鍵言葉")) == []


def test_a_question_that_another_manual_has_as_a_whole_is_missing_by_its_words(
    other: WorkspaceFolder, serve: Serve
) -> None:
    other.write("m/x.md", "# 規程\n\n申請を受け付ける。\n")
    other.write("other/y.md", "# 見出し\n\n旅券の失効について書く。\n")
    found = serve().find("旅券の失効", manual_id="m")
    assert gaps_of(found) == [(f"{word}: {ELSEWHERE}", "other", 3) for word in ("旅券", "失効")]


def test_three_candidates_are_enough(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 3)
    assert manuals_of(serve(), manual_id="m") == ({"m"}, False)


def test_five_candidates_in_one_file_are_a_bias(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 5, files=1)
    assert manuals_of(serve(), manual_id="m") == ({"m", "other"}, True)


def test_four_candidates_in_one_file_are_none(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 4, files=1)
    assert manuals_of(serve(), manual_id="m") == ({"m"}, False)


@pytest.mark.parametrize(("elsewhere", "is_bias"), [(1, True), (2, False)])
def test_four_of_five_in_one_file_are_a_bias_and_four_of_six_are_none(
    other: WorkspaceFolder, serve: Serve, elsewhere: int, is_bias: bool
) -> None:
    several(other, "m", 4, files=1)
    for number in range(elsewhere):
        other.write(f"m/elsewhere-{number}.md", "# 題\n\n鍵言葉を書く。\n")
    assert manuals_of(serve(), manual_id="m")[1] is is_bias


def test_exceptions_that_were_asked_for_and_not_found_widen(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 4)
    assert manuals_of(serve(), manual_id="m", intent="exceptions") == ({"m", "other"}, True)


def test_exceptions_that_were_found_do_not_widen(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 4)
    other.write("m/rule.md", "# 規則\n\n鍵言葉を使う。ただし、休日はこの限りでない。\n")
    assert manuals_of(serve(), manual_id="m", intent="exceptions") == ({"m"}, False)


def test_max_stage_3_forbids_it_and_lists_what_was_not_searched(other: WorkspaceFolder, serve: Serve) -> None:
    other.write("m/x.md", "本文\n")
    manuals = serve()
    found = manuals.find("鍵言葉", manual_id="m", max_stage=3)
    assert found.summary["cutoff_reason"] == "stage_cap"
    assert found.summary["max_stage_applied"] == 3
    left = found.hits("unscanned")
    assert {(item["ref"]["manual_id"], item["reason"]) for item in left} == {("other", "stage_cap")}
    assert found.summary["unscanned_sections_count"] == len(left)
    assert found.status == "absent"


def test_what_the_stage_cap_cut_is_not_ready(other: WorkspaceFolder, serve: Serve) -> None:
    other.write("m/x.md", "# 鍵言葉\n\n鍵言葉とは、本文をいう。\n")
    manuals = serve()
    cut, whole = manuals.find("鍵言葉", manual_id="m", max_stage=3), manuals.find("鍵言葉", manual_id="m")
    assert (cut.summary["cutoff_reason"], cut.summary["integration_status"]) == ("stage_cap", "needs_followup")
    assert "stop" not in {action["type"] for action in cut.next_actions}
    assert ("cutoff_reason" in whole.summary, whole.summary["integration_status"]) == (False, "ready")


def test_what_the_stage_cap_left_can_be_taken_up(other: WorkspaceFolder, serve: Serve) -> None:
    other.write("m/x.md", "本文\n")
    manuals = serve()
    first = manuals.find("鍵言葉", manual_id="m", max_stage=3)
    rest = manuals.find("鍵言葉", only_unscanned_from_trace_id=first.trace_id)
    assert {item["ref"]["manual_id"] for item in rest.hits()} == {"other"}


def test_what_cannot_be_searched_beyond_the_stage_cap_is_not_called_absent(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "本文\n")
    workspace.write("other/a.md", "何もない\n")
    workspace.write("other/empty.md", "")
    workspace.write("other/odd.md", UNDECODABLE)
    manuals = serve()
    first = manuals.find("鍵言葉", manual_id="m", max_stage=3)
    rest = manuals.find("鍵言葉", only_unscanned_from_trace_id=first.trace_id)
    assert [row[2] for row in first.unscanned()] == ["a.md", "odd.md"]
    assert rest.unscanned() == manuals.find("鍵言葉").unscanned() == [("encoding", "other", "odd.md", 1, 1)]
    assert (rest.status, rest.lines["unexamined"]) == ("unknown", 1)


def test_what_waits_beyond_the_stage_cap_is_not_called_absent(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "本文\n")
    workspace.write("other/a.md", "何もない\n")
    request = FindRequest(parse_query("鍵言葉", {}, {}), "鍵言葉", "m", None, 200, max_stage=3)
    with serving_indexed(workspace), contextlib.closing(open_reader(workspace.database)) as connection:
        search = Search(connection, ScopeCache(), frozenset({("other", "new.md"), ("m", "changed.md")}))
        first = search.run(request, Deadline(60_000)).complete()
        rest = search.run(replace(request, manual_id=None, resumed=first.rest), Deadline(60_000)).complete()
    assert rest.summary["completeness"]["status"] == "unknown"
    assert [(item.reason, json.loads(item.documents)[-1][1]) for item in rest.unscanned] == [
        ("changed_since_index", "new.md")
    ]


def test_the_stage_cap_lists_all_other_manuals_whole_and_nothing_else(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 2)
    other.write("third/a.md", "一行\n二行\n三行\n")
    other.write("third/deep/b.json", '{"n": 1}\n')
    found = serve().find("鍵言葉", manual_id="m", max_stage=3)
    assert found.unscanned() == [
        ("stage_cap", "other", "0.md", 1, 3),
        ("stage_cap", "other", "1.md", 1, 3),
        ("stage_cap", "third", "a.md", 1, 3),
        ("stage_cap", "third", "deep/b.json", 1, 1),
    ]
    # They are beyond the scope whose lines are counted.
    assert found.lines == {"total": 6, "examined": 6, "matched": 2, "unexamined": 0}


def test_a_candidate_cap_comes_before_the_stage_cap(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 2)
    found = serve().find("鍵言葉", manual_id="m", max_stage=3, budget={"max_candidates": 1})
    assert {(row[0], row[1]) for row in found.unscanned()} == {("candidate_cap", "m")}


def test_there_is_no_stage_cap_where_nothing_calls_for_stage_4(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 3)
    found = serve().find("鍵言葉", manual_id="m", max_stage=3)
    assert ("cutoff_reason" in found.summary, found.unscanned()) == (False, [])


def test_the_stages_applied_are_said(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 2)
    manuals = serve()
    assert manuals.find("鍵言葉", manual_id="m").summary["max_stage_applied"] == 4
    assert manuals.find("鍵言葉").summary["max_stage_applied"] == 3


def test_without_other_manuals_there_is_nothing_to_widen_to(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "本文\n")
    found = serve().find("鍵言葉", manual_id="m", max_stage=3)
    assert (found.summary["scope_expanded"], "cutoff_reason" in found.summary) == (False, False)


def test_the_configured_stage_holds_where_the_call_names_none(other: WorkspaceFolder, serve: Serve) -> None:
    other.write("m/x.md", "本文\n")
    assert manuals_of(serve(DEFAULT_MAX_STAGE="3"), manual_id="m") == (set(), False)


def test_the_hard_limit_holds_whatever_the_call_says(other: WorkspaceFolder, serve: Serve) -> None:
    other.write("m/x.md", "本文\n")
    assert manuals_of(serve(HARD_MAX_STAGE="3"), manual_id="m", max_stage=4) == (set(), False)


def test_what_a_budget_left_is_no_reason_to_widen(other: WorkspaceFolder, serve: Serve) -> None:
    several(other, "m", 4)
    assert manuals_of(serve(), manual_id="m", budget={"max_candidates": 1}) == ({"m"}, False)


@pytest.mark.parametrize("max_stage", [3, 4])
def test_a_manual_that_a_budget_has_parted_and_that_has_no_line_leads_to_the_others(
    workspace: WorkspaceFolder, serve: Serve, max_stage: int
) -> None:
    near = "".join(f"# 近い{n}\n\n基礎的な控除を申告する者の期限は{n}日。\n\n" for n in range(2))
    far = "".join(f"# 遠い{n}\n\n図書館の本を{n}冊まで借りる。\n\n" for n in range(200))
    workspace.write("m/x.md", near + far)
    workspace.write("other/y.md", "# 題\n\n基礎控除と申告期限を定める。\n")
    manuals = serve()
    searches = [manuals.find("基礎控除 申告期限", manual_id="m", max_stage=max_stage, budget={"max_candidates": 1})]
    while calls := [action["params"] for action in searches[-1].next_actions if action["type"] == "manual_find"]:
        searches.append(manuals.find(**calls[0]))
        assert len(searches) < 5, "it comes to no end"
    assert [found.summary["cutoff_reason"] for found in searches[:-1]] == ["candidate_cap", "stage_cap"]
    assert [found.status for found in searches] == ["unknown", "absent", "found"]
    assert searches[1].lines["unexamined"] == 0
    assert searches[-1].paths() == {"y.md"}


def test_what_another_question_left_of_a_manual_leads_to_no_others(other: WorkspaceFolder, serve: Serve) -> None:
    other.write("m/x.md", "# 甲\n\n申請を書く。\n\n# 乙\n\n申請を出す。\n")
    manuals = serve()
    first = manuals.find("申請", manual_id="m", max_stage=3, budget={"max_candidates": 1})
    rest = manuals.find("鍵言葉", only_unscanned_from_trace_id=first.trace_id)
    assert (rest.status, "cutoff_reason" in rest.summary) == ("unknown", False)


def places_of(found: Found) -> set[tuple[str, str, int]]:
    return {(ref["manual_id"], ref["path"], ref["start_line"]) for ref in (item["ref"] for item in found.hits())}


def chain(manuals: Serving, **arguments: Any) -> list[Found]:
    """A search for the needle in `m`, one candidate at a time, and what takes up its rest, to the end."""
    searches = [manuals.find("鍵言葉", manual_id="m", budget={"max_candidates": 1}, **arguments)]
    while calls := [action["params"] for action in searches[-1].next_actions if action["type"] == "manual_find"]:
        searches.append(manuals.find(**calls[0], budget={"max_candidates": 1}))
        assert len(searches) < 30, "it comes to no end"
    return searches


def write_few(workspace: WorkspaceFolder) -> None:
    several(workspace, "m", 2)


def write_in_one_file(workspace: WorkspaceFolder) -> None:
    several(workspace, "m", 5, files=1)


def write_enough(workspace: WorkspaceFolder) -> None:
    several(workspace, "m", 6)


def write_an_exception(workspace: WorkspaceFolder) -> None:
    several(workspace, "m", 4)
    workspace.write("m/rule.md", "# 規則\n\n鍵言葉を使う。ただし、休日はこの限りでない。\n")


@pytest.mark.parametrize(
    ("write", "intent", "is_widened"),
    [
        (write_few, "unknown", True),
        (write_in_one_file, "unknown", True),
        (write_enough, "unknown", False),
        (write_enough, "exceptions", True),
        (write_an_exception, "exceptions", False),
    ],
)
def test_a_chain_of_searches_goes_on_to_other_manuals_where_one_search_without_a_budget_does(
    other: WorkspaceFolder,
    serve: Serve,
    write: Callable[[WorkspaceFolder], None],
    intent: str,
    *,
    is_widened: bool,
) -> None:
    write(other)
    manuals = serve()
    whole = manuals.find("鍵言葉", manual_id="m", intent=intent)
    parts = chain(manuals, intent=intent)
    assert whole.summary["scope_expanded"] is is_widened
    assert ["stage_cap"] * is_widened == [
        reason for part in parts if (reason := part.summary.get("cutoff_reason")) == "stage_cap"
    ]
    assert set().union(*map(places_of, parts)) == places_of(whole)


def test_words_inside_a_term_that_only_the_manual_asked_for_was_asked_for_by_keep_their_titles(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# Report\n\nA report is written.\n")
    workspace.write("other/x.md", "".join(f"# Part {n}\n\nSet quarterly_report here.\n\n" for n in range(5)))
    found = serve().find("quarterly_report", manual_id="m")
    assert {item["ref"]["manual_id"] for item in found.hits()} == {"m", "other"}


def test_a_widened_search_is_as_sufficient_as_the_one_in_the_manual_that_was_asked_for(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("asked/a.md", "# 会費\n\n会費の納付期限は月末とする。\n")
    others = "".join(f"# 第{number}\n\n会費の納付期限は{number}に書く。\n\n" for number in range(400))
    workspace.write("other/a.md", others)
    server = serve()
    budget = {"max_candidates": 5}
    alone, widened = (
        server.find("会費の納付期限", manual_id="asked", max_stage=stage, budget=budget).summary for stage in (3, 4)
    )
    assert widened["scope_expanded"]
    assert widened["sufficiency_score"] >= alone["sufficiency_score"] > 0.5


def test_where_nobody_watches_a_search_that_is_widened_looks_at_all_manuals(
    other: WorkspaceFolder, serve: Serve
) -> None:
    several(other, "m", 1)
    manuals = serve()
    other.write("other/new.md", "# 題\n\n鍵言葉を書く。\n")
    found = manuals.find("鍵言葉", manual_id="m")
    assert [item["path"] for item in found.hits("unscanned")] == ["new.md"]
    assert found.summary["integration_status"] == "needs_followup"
