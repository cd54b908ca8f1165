"""Sections that a cap leaves out and that only a reference leads to: listed, and found again when it is taken up."""

import contextlib

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.findings import Findings
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.question.terms import Term
from morenashi.server.search.request import FindRequest
from morenashi.server.search.scope import ScopeCache
from morenashi.server.search.stages import PassageSearch

from ..server.serving import Serve, Serving, ask_database
from ..workspaces import WorkspaceFolder
from .resumed import index_again, is_consistent, resume

ONE = {"max_candidates": 1}
RULE = "# 規則\n\n鍵言葉の手続は、[様式](forms.md#様式)による。\n"
FORMS = "# 様式集\n\n## 様式\n\n一枚の紙。\n\n## ほか\n\n別の紙。\n"


@pytest.fixture
def manuals(workspace: WorkspaceFolder, serve: Serve) -> Serving:
    workspace.write("m/rule.md", RULE)
    workspace.write("m/forms.md", FORMS)
    return serve()


def change(manuals: Serving, path: str, text: str) -> None:
    manuals.folder.write(f"m/{path}", text)
    index_again(manuals)


def test_a_section_that_only_a_reference_leads_to_is_listed_when_the_cap_drops_it(manuals: Serving) -> None:
    found = manuals.find("鍵言葉", budget=ONE)
    assert [row[:4] for row in found.unscanned()] == [("candidate_cap", "m", "forms.md", 3)]
    assert found.summary["cutoff_reason"] == "candidate_cap"
    assert found.summary["unscanned_sections_count"] == len(found.hits("unscanned")) == 1
    assert found.lines == {"total": 12, "examined": 8, "matched": 1, "unexamined": 4}
    assert is_consistent(found)


def test_a_resumed_search_finds_it_by_that_reference(manuals: Serving) -> None:
    rest = resume(manuals.find("鍵言葉", budget=ONE), "鍵言葉")
    assert [(item["path"], item["start_line"], item["signals"]) for item in rest.hits()] == [
        ("forms.md", 3, ["reference"])
    ]
    assert "cutoff_reason" not in rest.summary
    assert rest.hits("gaps") == []
    trace = manuals.workspace.traces.find(rest.trace_id)
    assert trace.candidates[0].why["via"] == [["m", "rule.md", 3, "link"]]


def test_a_resumed_search_that_has_no_time_keeps_what_leads_on(
    manuals: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = manuals.find("鍵言葉", budget=ONE)
    rest = manuals.workspace.traces.find(first.trace_id).rest

    def end(_: PassageSearch, terms: tuple[Term, ...], within: frozenset[int] | None) -> Findings:
        return Findings(terms, cut_by="time_budget", nothing_known=True)

    monkeypatch.setattr(PassageSearch, "run", end)
    with contextlib.closing(open_reader(manuals.folder.database)) as connection:
        request = FindRequest(parse_query("鍵言葉", {}, {}), "鍵言葉", None, None, 200, resumed=rest)
        again = Search(connection, ScopeCache(), frozenset()).run(request, Deadline(60_000)).complete()
    assert rest.leads
    assert list(again.rest.leads) == list(rest.leads)


def test_the_trace_tells_anybody_where_the_reference_stands(manuals: Serving) -> None:
    found = manuals.find("鍵言葉", budget=ONE)
    assert found.unscanned()
    query = "SELECT path, line, source_path, source_line, kind FROM trace_leads WHERE trace_id = ?"
    assert ask_database(manuals.folder, query, found.trace_id) == [("forms.md", 3, "rule.md", 3, "link")]


def test_another_question_to_the_rest_knows_nothing_of_the_reference(manuals: Serving) -> None:
    rest = resume(manuals.find("鍵言葉", budget=ONE), "どこにもない語")
    assert (rest.summary["candidates"], rest.lines["total"]) == (0, 4)


def test_the_same_question_may_be_spelt_otherwise(manuals: Serving) -> None:
    assert resume(manuals.find("鍵言葉", budget=ONE), " 鍵言葉　").paths() == {"forms.md"}


def test_what_was_delivered_before_is_not_delivered_again(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 甲\n\n鍵言葉 鍵言葉。\n")
    workspace.write("m/b.md", "# 乙\n\n鍵言葉は[甲](a.md#甲)と同じ。" + "ほかの説明。" * 20 + "\n")
    manuals = serve()
    first = manuals.find("鍵言葉", budget=ONE)
    rest = resume(first, "鍵言葉")
    assert (first.paths(), rest.paths()) == ({"a.md"}, {"b.md"})


def test_a_section_that_has_moved_is_found_where_it_is_now(manuals: Serving) -> None:
    found = manuals.find("鍵言葉", budget=ONE)
    change(manuals, "forms.md", "# 前置き\n\n書き足した。\n\n" + FORMS)
    rest = resume(found, "鍵言葉")
    assert [(item["path"], item["ref"]["title"]) for item in rest.hits()] == [("forms.md", "様式")]


def test_a_reference_that_is_gone_leads_nowhere(manuals: Serving) -> None:
    found = manuals.find("鍵言葉", budget=ONE)
    change(manuals, "rule.md", "# 改めた規則\n\n鍵言葉。\n")
    rest = resume(found, "鍵言葉")
    assert (rest.summary["candidates"], rest.lines["total"], rest.lines["unexamined"]) == (0, 4, 0)


def test_of_a_changed_document_that_refers_to_more_now_only_the_reference_that_was_left_over_is_followed(
    manuals: Serving,
) -> None:
    found = manuals.find("鍵言葉", budget=ONE)
    change(manuals, "rule.md", "はじめに。\n\n" + RULE + "\n[ほか](forms.md#ほか)も見よ。\n")
    assert [item["ref"]["title"] for item in resume(found, "鍵言葉").hits()] == ["様式"]


def test_where_the_target_has_changed_only_the_section_that_referred_to_it_is_asked(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/rule.md", RULE + "\n# 別の規則\n\n[ほか](forms.md#ほか)による。\n")
    workspace.write("m/forms.md", FORMS)
    manuals = serve()
    found = manuals.find("鍵言葉", budget=ONE)
    change(manuals, "forms.md", "# 前置き\n\n書き足した。\n\n" + FORMS)
    assert [item["ref"]["title"] for item in resume(found, "鍵言葉").hits()] == ["様式"]


def test_what_was_delivered_for_one_question_is_still_reached_for_another(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 甲\n\n鍵言葉 鍵言葉。別語。\n")
    workspace.write("m/b.md", "# 乙\n\n鍵言葉。別語は[甲](a.md#甲)による。" + "ほかの説明。" * 20 + "\n")
    manuals = serve()
    first = manuals.find("鍵言葉", budget=ONE)
    assert first.paths() == {"a.md"}
    assert resume(first, "別語").paths() == {"a.md", "b.md"}
