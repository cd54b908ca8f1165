"""Articles and paragraphs that a question cites (contract §3)."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


def test_what_stands_between_the_numbers_of_a_citation_is_no_word(workspace: WorkspaceFolder, serve: Serve) -> None:
    others = "".join(f"## 第{number}条\n\n第{number}条第1項の特例。\n\n" for number in range(30, 36))
    workspace.write("m/x.md", f"# 試験法\n\n## 特則\n\n第23条第3項の特例。\n\n{others}")
    assert serve().find("第23条第3項").places() == {("x.md", 5)}


@pytest.mark.parametrize("question", ["第{}条の要件", "第{}条の規定による手当の支給の要件"])
def test_a_citation_in_a_question_is_a_term_in_any_notation(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# 試験法\n\n## 特則\n\n第二十七条を準用する。\n\n## 要件\n\n別に定める。\n")
    manuals = serve()
    for number in ("27", "２７", "二十七"):
        assert manuals.find(question.format(number)).lines["matched"] == 2


ARTICLES = "# 規程\n\n## 第7条 貸与\n\n1. 貸与する。\n2. 返却する。\n\n## 第8条 報告\n\n1. 貸与品の紛失を報告する。\n"


@pytest.mark.parametrize(
    "question",
    ["第7条第2項", "第七条第二項", "第7条第2項第1号", "第7条第2項ただし書", "第7条第2項により返却するのはいつか"],
)
def test_a_paragraph_that_nothing_cites_is_found_by_its_article(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", ARTICLES)
    found = serve().find(question)
    assert found.status == "found"
    assert found.hits("integrated_top")[0]["ref"]["start_line"] == 6
    assert not [item for item in found.hits("gaps") if "7" in (item["gap_hint"] or "")]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("規程第7条", 3),
        ("規程第七条", 3),
        ("規程第7条第2項", 6),
        ("規程第七条第二項", 6),
        ("規程第七条第二項により返すのはいつか", 6),
    ],
)
def test_an_article_with_its_name_that_nothing_cites_is_found_by_the_two_of_them(
    workspace: WorkspaceFolder, serve: Serve, question: str, line: int
) -> None:
    workspace.write("m/x.md", ARTICLES)
    found = serve().find(question)
    assert found.status == "found"
    assert {("x.md", 1), ("x.md", line)} <= found.places()
    assert not [item for item in found.hits("gaps") if "7" in (item["gap_hint"] or "")]


def test_an_article_with_a_branch_is_one_citation(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", ARTICLES + "\n## 第7条の2 更新\n\n1. 更新する。\n2. 第1項の期間は一年とする。\n")
    assert serve().find("第7条の2第1項の要件").lines["matched"] == 1
