"""A place that the question cites with the name of its document comes before what cites it, too."""

from collections.abc import Callable

import pytest

from ..workspaces import WorkspaceFolder
from .serving import Serving

Serve = Callable[..., Serving]
LAW = """# 用水法

## 第一条（目的）

水を配る。

## 第二条（届出）

届け出る。

２　期限は十日とする。

## 別表第一

口径
"""
RULES = "# 用水法施行規則\n\n## 第二条（様式）\n\n用水法第二条第二項の届出及び用水法別表第一は様式による。\n"
CITING = "# 規程{0}\n\n## 第二条\n\n用水法第二条及び用水法別表第一に{0}を定める。\n"


@pytest.fixture
def laws(workspace: WorkspaceFolder, serve: Serve) -> Serving:
    """A law, and a great many rules that cite it more often than it speaks of itself."""
    workspace.write("laws/用水法.md", LAW)
    workspace.write("laws/用水法施行規則.md", RULES)
    for number in range(250):
        workspace.write(
            f"rules/{number:03}.md",
            CITING.format(number),
        )
    return serve()


def first(manuals: Serving, question: str, **arguments: object) -> tuple[str, int]:
    """Where the best candidate stands."""
    hit = manuals.find(question, **arguments).hits("integrated_top")[0]
    return hit["path"], hit["start_line"]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("用水法第2条", 7),
        ("用水法第二条", 7),
        ("用水法 2条", 7),
        ("用水法第2条について全部教えて", 7),
        ("用水法第2条の要件は", 7),
        ("用水法第2条第2項", 11),
        ("用水法別表第1", 13),
        ("町の用水法第1条", 3),
    ],
)
def test_the_place_itself_comes_first_on_the_line_that_is_cited(laws: Serving, question: str, line: int) -> None:
    assert first(laws, question) == ("用水法.md", line)


def test_of_two_documents_the_one_that_is_named_is_meant(laws: Serving) -> None:
    assert first(laws, "用水法施行規則第2条") == ("用水法施行規則.md", 3)


def test_it_is_a_candidate_and_no_line_that_holds_a_term(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("laws/用水法.md", LAW)
    workspace.write("laws/b.md", "# 手引\n\n用水法第二条による。\n")
    found = serve().find("用水法第2条")
    assert (found.status, found.lines["matched"], found.paths()) == ("found", 1, {"用水法.md", "b.md"})


def test_nothing_outside_of_what_is_asked_for_is_meant(laws: Serving) -> None:
    found = laws.find("用水法第2条", manual_id="rules", max_stage=3)
    assert "用水法.md" not in found.paths()


def test_a_chain_of_searches_has_it_once(laws: Serving) -> None:
    found = laws.find("用水法第2条", budget={"max_candidates": 60})
    places = [(hit["path"], hit["start_line"]) for hit in found.hits()]
    while found.summary["unscanned_sections_count"]:
        found = laws.find("用水法第2条", only_unscanned_from_trace_id=found.trace_id, budget={"max_candidates": 60})
        places += [(hit["path"], hit["start_line"]) for hit in found.hits()]
    assert places.count(("用水法.md", 7)) == 1
    assert len(places) == len(set(places)) > 251
