"""`only_unscanned_from_trace_id` (seed 004 §4): what was left over is searched until nothing is."""

import random

import pytest

from ..server.corpora import Reach, random_terms, write_corpus
from ..server.serving import Found, Serve, serving_indexed
from ..workspaces import UNDECODABLE, WorkspaceFolder
from .resumed import index_again, is_consistent, resume

ONE = {"max_candidates": 1}


def to_the_end(found: Found, query: str, most: int = 200, **budget: int) -> list[Found]:
    """The search and all that resume it, until nothing was cut."""
    searches = [found]
    while "cutoff_reason" in searches[-1].summary:
        trace_id = searches[-1].trace_id
        searches.append(found.serving.find(query, only_unscanned_from_trace_id=trace_id, budget=budget or None))
        assert len(searches) < most, "it comes to no end"
    return searches


def sections(searches: list[Found]) -> list[tuple[str, str | None]]:
    """The candidates' sections, by path and title."""
    return [(item["path"], item["ref"].get("title")) for found in searches for item in found.hits()]


def fill(folder: WorkspaceFolder, number: int = 40) -> None:
    for name in ("a", "b"):
        folder.write(f"m/{name}.md", "".join(f"# 題{n}\n\n鍵言葉\n\n" for n in range(number)))


@pytest.mark.parametrize("size", [1, 7, 30])
def test_resuming_again_and_again_finds_everything_once(workspace: WorkspaceFolder, serve: Serve, size: int) -> None:
    fill(workspace)
    manuals = serve(TRACE_MAX_KEEP="1000")
    searches = to_the_end(manuals.find("鍵言葉", budget={"max_candidates": size}), "鍵言葉", max_candidates=size)
    found = sections(searches)
    assert sorted(found) == sorted(sections([manuals.find("鍵言葉", budget={"max_candidates": 1_000})]))
    assert len(found) == len(set(found)) == 80


def test_all_searches_together_reach_every_line(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(seed)
    corpus = write_corpus(workspace, chosen)
    with serving_indexed(workspace, TRACE_MAX_KEEP="1000") as manuals:
        reach = Reach(manuals, corpus)
        for term in random_terms(corpus, chosen, 3):
            missed = corpus.lines_with(term)
            for found in to_the_end(manuals.find(term, budget=ONE), term, max_candidates=2):
                missed &= set(reach.missed(found, missed))
            assert missed == set(), f"query {term!r}"


def test_what_was_examined_is_not_examined_again(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace)
    manuals = serve()
    first = manuals.find("鍵言葉", budget={"max_candidates": 30})
    second = manuals.find("鍵言葉", only_unscanned_from_trace_id=first.trace_id)
    assert first.places().isdisjoint(second.places())
    assert second.lines["total"] == first.lines["unexamined"]


def test_a_search_that_left_nothing_over_resumes_to_nothing(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace)
    manuals = serve()
    rest = manuals.find("鍵言葉", only_unscanned_from_trace_id=manuals.find("鍵言葉").trace_id)
    assert (rest.summary["candidates"], rest.lines["total"]) == (0, 0)


def test_a_file_that_cannot_be_decoded_stays_unscanned(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace, 2)
    workspace.write("m/odd.md", UNDECODABLE)
    manuals = serve()
    searches = to_the_end(manuals.find("鍵言葉", budget=ONE), "鍵言葉", max_candidates=1)
    for found in searches:
        assert ("encoding", "odd.md") in [(row[0], row[2]) for row in found.unscanned()]
        assert found.lines["examined"] + found.lines["unexamined"] == found.lines["total"]


def test_a_rest_that_cannot_be_read_is_not_called_absent(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "本文\n")
    workspace.write("m/odd.md", UNDECODABLE)
    manuals = serve()
    first = manuals.find("どこにもない語")
    rest = manuals.find("どこにもない語", only_unscanned_from_trace_id=first.trace_id)
    assert (first.status, rest.status) == ("unknown", "unknown")


def test_a_resumed_search_stays_in_its_manual(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace)
    workspace.write("n/x.md", "# 題\n\n鍵言葉\n")
    manuals = serve()
    first = manuals.find("鍵言葉", manual_id="m", budget=ONE)
    rest = manuals.find("鍵言葉", only_unscanned_from_trace_id=first.trace_id)
    assert {item["ref"]["manual_id"] for item in rest.hits()} == {"m"}


def test_another_question_can_be_asked_of_the_rest(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace, 20)
    manuals = serve()
    first = manuals.find("鍵言葉", budget={"max_candidates": 39})
    rest = manuals.find("題", only_unscanned_from_trace_id=first.trace_id)
    assert rest.summary["candidates"] == 1


def test_the_status_of_a_resumed_search_is_that_of_the_rest(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace, 3)
    manuals = serve()
    first = manuals.find("鍵言葉", budget={"max_candidates": 5})
    rest = manuals.find("どこにもない語", only_unscanned_from_trace_id=first.trace_id)
    assert rest.lines == {"total": 4, "examined": 4, "matched": 0, "unexamined": 0}


def test_the_lines_of_each_search_add_up_whatever_references_lead_to(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules = [f"## 第{n}条\n\n鍵言葉。第{n + 20}条及び第{n + 40}条による。\n" for n in range(1, 13)]
    cited = [f"## 第{n}条\n\n本文を書く。\n\n別の文を書く。\n" for n in range(21, 60)]
    workspace.write("m/規程.md", "# 規程\n\n" + "\n".join(rules + cited))
    searches = [serve().find("鍵言葉", budget={"max_candidates": 3})]
    while "cutoff_reason" in searches[-1].summary:
        searches.append(resume(searches[-1], "鍵言葉", max_candidates=3))
        assert len(searches) < 40, "it comes to no end"
    assert len(searches) > 3
    assert all(map(is_consistent, searches))


def test_a_name_that_was_found_is_not_taken_apart_in_the_rest(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 設定\n\nrequest_timeout を書く。\n")
    workspace.write(
        "m/y.md", "".join(f"# {n}\n\nre eq qu ue es st tt ti im me eo ou ut request\n\n" for n in range(150))
    )
    searches = [serve().find("request_timeout", budget={"max_candidates": 2})]
    while "cutoff_reason" in searches[-1].summary:
        searches.append(resume(searches[-1], "request_timeout", max_candidates=2))
        assert len(searches) < 20, "it comes to no end"
    assert len(searches) > 1
    assert set().union(*(found.paths() for found in searches)) == {"x.md"}


def test_what_a_search_before_found_is_no_gap_of_the_rest(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 甲\n\n控除を受ける。申請を出す。\n\n# 乙\n\n控除をする。\n\n# 丙\n\n控除の額。\n")
    question = "控除 申請 ゼッタイナイ"
    searches = to_the_end(serve().find(question, budget=ONE), question, max_candidates=1)
    assert [found.lines["matched"] for found in searches] == [1, 1, 1]
    assert [[gap["gap_hint"] for gap in found.hits("gaps")] for found in searches] == [["ゼッタイナイ"]] * 3


def test_a_slip_is_a_gap_of_every_search_of_a_chain_wherever_the_similar_word_stands(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 甲\n\n届出\n\n" + "# 乙\n\ntimeout\n\n" * 3)
    question = "甲 届出 timeot"
    searches = to_the_end(serve().find(question, budget=ONE), question, max_candidates=1)
    hints = [[gap["gap_hint"].partition(": ") for gap in found.hits("gaps")] for found in searches]
    assert [[missing for missing, *_ in said] for said in hints] == [["timeot"]] * 4
    assert [[bool(instead) for *_, instead in said] for said in hints] == [[False], [True], [True], [True]]


def test_what_the_intent_asks_for_is_no_gap_of_the_rest_if_a_search_before_had_it(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 甲\n\n控除とは、額を減らすことをいう。\n\n# 乙\n\n控除の額。\n")
    manuals = serve()
    first = manuals.find("控除", intent="definition", budget=ONE)
    rest = manuals.find("控除", intent="definition", only_unscanned_from_trace_id=first.trace_id)
    assert [found.lines["matched"] for found in (first, rest)] == [1, 1]
    assert [found.hits("gaps") for found in (first, rest)] == [[], []]


def test_what_the_intent_asks_for_is_a_gap_of_the_rest_if_there_were_no_candidates_before(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", UNDECODABLE)
    manuals = serve()
    first = manuals.find("控除", intent="exceptions")
    workspace.write("m/x.md", "# 甲\n\n控除の額。\n")
    index_again(manuals)
    rest = manuals.find("控除", only_unscanned_from_trace_id=first.trace_id)
    assert [found.summary["candidates"] for found in (first, rest)] == [0, 1]
    assert [gap["gap_hint"] for gap in rest.hits("gaps")] == ["intent exceptions: no candidate has an exception"]


def test_a_chain_that_came_to_enough_is_ready_at_its_end(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 申請の期限\n\n申請の期限は月末とする。\n\n# 乙\n\n申請をする。\n")
    searches = to_the_end(serve().find("申請 期限", budget=ONE), "申請 期限", max_candidates=1)
    statuses = [found.summary["integration_status"] for found in searches]
    assert statuses == ["needs_followup", "ready"]
    assert searches[-1].summary["sufficiency_score"] >= 0.9


def test_a_chain_with_a_conflict_is_not_ready_however_many_searches_come_after_it(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 手数料\n\n申請の手数料は500円とする。\n")
    workspace.write("m/y.md", "# 手数料\n\n申請の手数料は800円とする。\n")
    workspace.write("m/z.md", "# 乙\n\n申請の手数料を書く。\n\n# 丙\n\n申請の手数料を書く。\n")
    first = serve().find("申請の手数料", budget={"max_candidates": 2})
    searches = to_the_end(first, "申請の手数料", max_candidates=1)
    assert [found.summary["conflict_count"] for found in searches] == [1, 0, 0]
    assert {found.summary["integration_status"] for found in searches} == {"needs_followup"}


def test_a_rest_is_searched_with_the_intent_that_was_given(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 甲\n\n控除の額。\n\n# 乙\n\n控除の率。\n")
    manuals = serve()
    first = manuals.find("控除", intent="exceptions", budget=ONE)
    (proposed,) = [action["params"] for action in first.next_actions if action["type"] == "manual_find"]
    rest = manuals.find(**proposed)
    hint = "intent exceptions: no candidate has an exception"
    assert [[gap["gap_hint"] for gap in found.hits("gaps")] for found in (first, rest)] == [[hint], [hint]]


def test_a_chain_that_comes_to_its_end_is_as_ready_as_the_search_without_a_budget(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 在宅勤務\n\n在宅勤務は、誓約書の規程第8条による。\n")
    workspace.write("m/誓約書の規程.md", "# 誓約書の規程\n\n## 第8条（誓約書）\n\nあらかじめ提出する。\n")
    manuals = serve()
    whole = manuals.find("在宅勤務")
    searches = to_the_end(manuals.find("在宅勤務", budget=ONE), "在宅勤務", max_candidates=1)
    assert (whole.summary["integration_status"], len(searches)) == ("ready", 2)
    assert searches[-1].lines["matched"] == 0, "the rest is what is referred to"
    assert [found.summary["integration_status"] for found in searches] == ["needs_followup", "ready"]
    assert searches[-1].next_actions[-1]["type"] == "stop"
