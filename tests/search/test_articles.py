"""Articles without 第, as lawyers cite them, and lists of words, are found by what they name (contract §3)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.search.question.articles import article_spellings, with_ordinals

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

LAW = """# 労働規準法

## 第一章　総則

### 第三十九条（年次休暇）

労働規準法による休暇は十日とする。

２　週の日数が少ない者は、別に定める。

### 第三十九条の二（計画）

休暇の計画を定める。

### 第百三十九条（雑則）

雑則とする。

## 附則

この法律は、四月から施行する。
"""


@pytest.mark.parametrize(
    "question",
    [
        "労働規準法39条",
        "労働規準法三十九条",
        "労働規準法３９条１項",
        "労働規準法39条の休暇",
        "労働規準法39条2項について教えてください",
        "労働規準法の39条",
        "39条2項",
    ],
)
def test_an_article_is_cited_without_what_laws_write_before_its_number(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/法.md", LAW)
    found = serve().find(question)
    assert found.status == "found"
    assert found.hits("integrated_top")[0]["ref"]["title"].endswith("第三十九条（年次休暇）")


def test_so_is_it_in_a_text_and_in_a_question(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write(
        "m/a.md", "# 一\n\n労働規準法39条1項の休暇。\n\n# 二\n\n労働規準法第39条第1項の休暇。\n\n# 三\n\n別の文。\n"
    )
    manuals = serve()
    for question in ("労働規準法39条1項", "労働規準法第39条第1項", "労働規準法第39条1項"):
        assert manuals.find(question).places() == {("a.md", 3), ("a.md", 7)}, question


@pytest.mark.parametrize(
    ("question", "matched"),
    [
        ("第15条第1項", {1, 3, 5, 7}),
        # The characters that were typed, also in the number of another article.
        ("15条1項", {1, 3, 5, 7, 9}),
        ("１５条１項", {1, 3, 5, 7, 9}),
        ("十五条第一項", {1, 3, 5, 7, 11}),
    ],
)
def test_a_text_that_cites_an_article_as_it_was_asked_for_holds_it(
    workspace: WorkspaceFolder, serve: Serve, question: str, matched: set[int]
) -> None:
    """In whatever notation."""
    lines = [
        "15条1項に基づく。",
        "十五条第一項による。",
        "第十五条第一項による。",
        "15条第1項",
        "第115条1項",
        "第二十五条第一項",
        "二十五条一項",
    ]
    workspace.write("m/x.md", "".join(f"# 見出し\n{line}\n" for line in lines))
    found = serve().find(question)
    assert (found.status, found.lines["matched"]) == ("found", len(matched))
    assert {line - 1 for _, line in found.places()} == matched


def test_an_article_comes_before_those_that_have_its_number_at_their_end(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write(
        "m/x.md", "".join(f"# 第{n}\n\n第{n}条第一項により届け出る。\n\n" for n in ("三十五", "十五", "二十五"))
    )
    found = serve().find("十五条第一項")
    assert [line for _, line in found.places()] and found.hits("integrated_top")[0]["start_line"] == 7


@pytest.mark.parametrize("question", ["労働規準法附則", "労働規準法の附則"])
def test_the_supplementary_provisions_of_a_law_are_found_by_its_name(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/法.md", LAW)
    found = serve().find(question)
    assert (found.status, ("法.md", 19) in found.places()) == ("found", True)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("民法709条の2第1項", "民法第709条の2第1項"),
        ("民法709条、会社法3条", "民法第709条、会社法第3条"),
        ("同法三条 39条1項", "同法第三条 第39条1項"),
        ('"民法709条"', '"民法709条"'),
        ("方法3条件", "方法3条件"),
        ("法令2条例", "法令2条例"),
        ("30条", "30条"),
        ("民法第709条", "民法第709条"),
    ],
)
def test_what_is_put_before_a_number_is_what_laws_write(question: str, told: str) -> None:
    assert with_ordinals(question) == told


@given(st.text('民法第の0123三十条項号例件、 "', max_size=20))
def test_nothing_else_of_a_question_is_changed(question: str) -> None:
    told = with_ordinals(question)
    assert with_ordinals(told) == told
    assert re.sub("第", "", told) == re.sub("第", "", question)


@pytest.mark.parametrize(
    ("word", "spellings"),
    [
        ("民法第709条", ["民法709条"]),
        ("民法第709条の2第1項", ["民法709条の2第1項"]),
        ("民法第709条1項", ["民法第709条第1項", "民法709条1項"]),
        ("第39条1項", ["第39条第1項"]),
        ("第39条", []),
        ("民法第三条第二項の要件", ["民法三条二項の要件"]),
        ("契約第3条件", []),
    ],
)
def test_an_article_is_one_with_and_without(word: str, spellings: list[str]) -> None:
    assert article_spellings(word) == spellings


@pytest.mark.parametrize(
    "question", ["解雇、減給", "解雇,減給", "解雇及び減給", "解雇又は減給", "解雇並びに減給", "解雇若しくは減給"]
)
def test_words_of_a_list_are_found_each_where_they_do_not_stand_together(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# 一\n\n解雇は予告する。\n\n# 二\n\n減給は一割までとする。\n\n# 三\n\n別の文。\n")
    found = serve().find(question)
    assert (found.status, found.lines["matched"], found.places()) == ("found", 2, {("x.md", 3), ("x.md", 7)})
    assert found.hits("gaps") == []


@pytest.mark.parametrize("question", ["第3条、第4条", "第3条及び第4条", "第三条と第四条"])
def test_places_that_are_cited_together_are_found_each(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", "# 一\n\n第三条による。\n\n# 二\n\n第四条による。\n\n# 三\n\n第三条、第四条による。\n")
    assert serve().find(question).lines["matched"] == 3


def test_a_list_that_stands_together_is_one_phrase(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 一\n\n解雇、減給の手続。\n\n# 二\n\n減給は一割までとする。\n")
    assert serve().find("解雇、減給").lines["matched"] == 1


def test_of_a_question_about_several_the_words_end_before_what_joins_them(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 一\n\n年休は十日とする。\n\n# 二\n\n育休は一年とする。\n")
    found = serve().find("年休及び育休の日数について教えてください")
    assert found.places() == {("x.md", 3), ("x.md", 7)}


PLACES = """# 就業規則

## 第4章 服務

### 第2節 制裁

制裁をする。

### 第39条 有給

有給の日数。12日。
"""


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("就業規則の39条", 9),
        ("39条の有給の日数を教えてください", 9),
        ("39条と40条のちがい", 9),
        ("第4章第2節", 5),
        ("第四章第二節", 5),
        ("4章2節", 5),
        ("就業規則第4章第2節", 5),
    ],
)
def test_a_place_is_found_however_its_number_is_joined(
    workspace: WorkspaceFolder, serve: Serve, question: str, line: int
) -> None:
    """39 alone stands on lines about anything, and no line has a chapter and its section together."""
    workspace.write("m/x.md", PLACES)
    workspace.write("m/y.md", "# 別\n\n139人と40人。\n")
    found = serve().find(question)
    assert (found.status, found.paths()) == ("found", {"x.md"})
    assert line in {hit["start_line"] for hit in found.hits()[:2]}
