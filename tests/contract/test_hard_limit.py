"""A search reads a limited number of passages for its candidates; what lies beyond is listed and can be taken up."""

import pytest

from ..server.serving import Found, Serve
from ..workspaces import WorkspaceFolder
from .resumed import is_consistent, resume

ONE = {"max_candidates": 1}
PARAGRAPHS = 150


@pytest.fixture
def limited(workspace: WorkspaceFolder, serve: Serve) -> Found:
    """A search for one candidate, which is a section of so many passages that they are not all read."""
    paragraph = "鍵言葉を書く。" + "ほかの説明。" * 240 + "\n\n"
    workspace.write("m/long.md", "# 題\n\n" + paragraph * PARAGRAPHS)
    return serve().find("鍵言葉", budget=ONE)


def test_a_search_that_was_cut_says_so(limited: Found) -> None:
    assert limited.summary["cutoff_reason"] == "hard_limit"
    assert limited.summary["integration_status"] == "needs_followup"


def test_what_was_not_read_is_listed_with_its_lines(limited: Found) -> None:
    assert {row[0] for row in limited.unscanned()} == {"hard_limit"}
    assert limited.summary["unscanned_sections_count"] == len(limited.hits("unscanned")) > 0
    assert is_consistent(limited)


def test_the_next_call_takes_up_the_rest_of_a_search_that_was_cut(limited: Found) -> None:
    (action,) = [action for action in limited.next_actions if action["type"] == "manual_find"]
    assert action["params"] == {"query": "鍵言葉", "only_unscanned_from_trace_id": limited.trace_id}


def test_taking_up_the_rest_comes_to_the_end_and_reads_each_line_once(limited: Found) -> None:
    searches = [limited]
    while "cutoff_reason" in searches[-1].summary:
        searches.append(resume(searches[-1], "鍵言葉", **ONE))
        assert searches[-1].lines["total"] == searches[-2].lines["unexamined"]
        assert len(searches) < PARAGRAPHS, "it comes to no end"
    assert len(searches) > 2
    assert sum(found.lines["matched"] for found in searches) == PARAGRAPHS
    assert {found.paths() == {"long.md"} for found in searches} == {True}


def test_a_search_for_more_candidates_reads_more(limited: Found) -> None:
    found = limited.serving.find("鍵言葉")
    assert ("cutoff_reason" in found.summary, found.lines["matched"]) == (False, PARAGRAPHS)


def test_passages_that_only_have_the_letters_of_a_term_are_no_reason_to_stop(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 題\n\nここでwebhookを使う。\n")
    workspace.write("m/y.md", "".join(f"# {n}\n\nwe eb bh ho oo ok\n\n" for n in range(150)))
    found = serve().find("webhook", budget={"max_candidates": 20})
    assert (found.paths(), found.lines["unexamined"], "cutoff_reason" in found.summary) == ({"x.md"}, 0, False)


def test_a_word_whose_letters_stand_everywhere_is_known_to_be_absent(workspace: WorkspaceFolder, serve: Serve) -> None:
    for path, letters in (("m/x.md", "ab bc cd de"), ("m/y.md", "ef fg gh hi")):
        workspace.write(path, "".join(f"# {n}\n\n{letters}\n\n" for n in range(1_000)))
    assert serve().find("abcdefghi", budget={"max_candidates": 10}).status == "absent"


def test_a_search_that_was_cut_names_the_terms_that_fill_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "".join(f"# {n}\n\n点検の手順。\n\n" for n in range(40)) + "# 題\n\n免震装置。\n")
    manuals = serve()
    found = manuals.find("点検 免震装置", budget={"max_candidates": 20})
    assert (found.summary["cutoff_reason"], found.summary["cutoff_terms"]) == ("candidate_cap", ["点検"])
    assert "cutoff_terms" not in manuals.find("点検", budget={"max_candidates": 20}).summary
    assert "cutoff_terms" not in manuals.find("点検 免震装置").summary
