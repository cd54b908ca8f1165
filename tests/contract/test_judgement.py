"""Exceptions, references and exclusions that bear on what a search found (seed 004 §3 and §4, contract §3)."""

from typing import Any

import pytest

from ..server.serving import Found, Serve
from ..workspaces import WorkspaceFolder

LAW = """# 試験法

## 第一条（申請）

鍵言葉の申請は、三十日以内に行う。ただし、休日は、この限りでない。

## 第二条（手続）

第三条の規定による届出をする。鍵言葉の手続は別に定める。

## 第三条（届出）

届出の様式は、省令で定める。

## 第四条（適用除外）

第一条の規定は、鍵言葉でない者には、適用しない。第九十九条の規定による。
"""


def candidate(found: Found, line: int) -> dict[str, Any]:
    """The candidate with this line."""
    (item,) = [item for item in found.hits() if item["start_line"] == line]
    return item


def test_a_proviso_is_listed_with_the_clause_that_it_governs(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/試験法.md", LAW)
    item = candidate(serve().find("鍵言葉"), 5)
    assert "exceptions" in item["signals"]
    assert (5, "proviso") in [(e["ref"]["start_line"], e["rule"]) for e in item["exceptions"]]


def test_an_exclusion_elsewhere_is_listed_with_the_rule_that_it_names(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/試験法.md", LAW)
    item = candidate(serve().find("鍵言葉"), 5)
    assert (17, "non_application") in [(e["ref"]["start_line"], e["rule"]) for e in item["exceptions"]]


def test_a_section_without_exceptions_says_so(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/試験法.md", LAW)
    item = candidate(serve().find("鍵言葉"), 9)
    assert (item["exceptions"], "exceptions" in item["signals"]) == ([], False)


def test_what_a_candidate_refers_to_is_a_candidate(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/試験法.md", LAW)
    item = candidate(serve().find("鍵言葉"), 11)
    assert item["signals"] == ["reference"]


TABLE = """# 規則

## 第五条（主任者）

別表第一に掲げる作業には、主任者を置く。

## 第六条（様式）

様式第二号により届け出る。

## 別表第一（主任者を置く作業）

| 作業 | 資格 |
| --- | --- |
| 鍵言葉を扱う作業 | 技能講習 |

## 様式第二号

届出の様式
"""


def test_of_an_appendix_the_clause_that_refers_to_it_is_a_candidate(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/規則.md", TABLE)
    found = serve().find("鍵言葉")
    assert [item["start_line"] for item in found.hits()] == [15, 5]
    assert candidate(found, 5)["signals"] == ["reference"]


def test_a_rule_and_its_exclusion_are_a_conflict(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/試験法.md", LAW)
    found = serve().find("鍵言葉")
    (item,) = found.hits("conflicts")
    assert (item["start_line"], [ref["start_line"] for ref in item["conflict_with"]]) == (5, [17])
    assert found.summary["conflict_count"] == 1
    assert found.summary["integration_status"] == "needs_followup"


@pytest.mark.parametrize("link", ["[](b.md)", '<a href="b.md"></a>'])
def test_a_link_that_shows_nothing_denies_nothing_and_the_search_ends(
    workspace: WorkspaceFolder, serve: Serve, link: str
) -> None:
    workspace.write("m/a.md", f"# 特例\n\n鍵言葉の{link}の規定は、外国人には適用しない。\n")
    workspace.write("m/b.md", "# 規則\n\n鍵言葉を定める。\n")
    found = serve().find("鍵言葉")
    assert (found.paths(), found.hits("conflicts")) == ({"a.md", "b.md"}, [])


DENIALS = [
    "第一条の規定は、鍵言葉でない者には、適用しない。",
    "第一条の鍵言葉の申請の規定は、外国人には適用しない。",
    "鍵言葉でない者には、第一条第一項（申請）及び第三条から第五条までの規定は、適用しない。",
    "鍵言葉でない者については、第三条及び第一条の規定を適用しないものとする。",
    "鍵言葉の一部。前項の場合において、第一条の規定は適用しない。ただし、鍵言葉を除く。",
]


ARTICLES_WITHOUT_HEADINGS = """# 規程

## 第5章　管理

第15条　鍵言葉は、記号を含める。
２　鍵言葉は、長くする。

第18条　外では、錠言葉を守る。

## 附則

１　{}の規定は、施行前の鍵言葉又は錠言葉については、適用しない。
"""


@pytest.mark.parametrize(
    ("denied", "query", "conflicts"),
    [("第15条", "鍵言葉", [5]), ("第15条第2項", "鍵言葉", [6]), ("第18条", "鍵言葉", []), ("第18条", "錠言葉", [8])],
)
def test_of_articles_in_one_section_only_the_one_that_is_excluded_is_in_conflict(
    workspace: WorkspaceFolder, serve: Serve, denied: str, query: str, conflicts: list[int]
) -> None:
    workspace.write("m/規程.md", ARTICLES_WITHOUT_HEADINGS.format(denied))
    assert [item["start_line"] for item in serve().find(query).hits("conflicts")] == conflicts


PARAGRAPHS = """# 試験法

## 第三条（申請）

１　鍵言葉は、申請による。

２　前項の申請は、書面による。

３　錠言葉は、期限を守る。

## 第四条（適用除外）

{}の規定は、役員の鍵言葉、書面、錠言葉及び申請については、適用しない。
"""


@pytest.mark.parametrize(
    ("denied", "query", "conflicts"),
    [
        ("前条第一項", "鍵言葉", [5]),
        ("前条第二項", "鍵言葉", []),
        ("前条第二項及び第三項", "錠言葉", [9]),
        ("第三条第一項から第三項まで", "書面", [7]),
        # The heading is over the paragraph that does not apply.
        ("前条第三項", "申請", [3]),
        # What else may be named behind the brackets is not read.
        ("前条第一項（届出（甲に限る）を含む）", "書面", [7]),
        # A paragraph that the article does not have.
        ("前条第九項", "鍵言葉", [5]),
    ],
)
def test_where_paragraphs_do_not_apply_what_the_others_say_is_not_in_conflict(
    workspace: WorkspaceFolder, serve: Serve, denied: str, query: str, conflicts: list[int]
) -> None:
    workspace.write("m/試験法.md", PARAGRAPHS.format(denied))
    assert [item["start_line"] for item in serve().find(query).hits("conflicts")] == conflicts


NO_DENIALS = [
    "第一条の規定の適用を受ける鍵言葉には、前項の規定は、適用しない。",
    "第一条の規定を適用しないで計算した鍵言葉の額による。",
    "第一条の規定は、鍵言葉については、適用しないことができる。",
    "鍵言葉は、第一条の規定による。第三条の規定は、適用しない。",
    "第一条に規定する鍵言葉は、この限りでない。",
]


@pytest.mark.parametrize(("says", "count"), [*((says, 1) for says in DENIALS), *((says, 0) for says in NO_DENIALS)])
def test_a_rule_is_excluded_by_what_says_that_it_does_not_apply_and_not_by_what_only_names_it(
    workspace: WorkspaceFolder, serve: Serve, says: str, count: int
) -> None:
    workspace.write("m/試験法.md", LAW.partition("## 第四条")[0] + f"## 第四条（適用除外）\n\n{says}\n")
    found = serve().find("鍵言葉")
    assert [(item["start_line"], item["conflict_kind"]) for item in found.hits("conflicts")] == [
        (5, "exclusion")
    ] * count
    # It bears on the rule all the same.
    assert 17 in [exception["ref"]["start_line"] for exception in candidate(found, 5)["exceptions"]]


def test_an_english_rule_is_excluded_by_what_says_that_it_does_not_apply(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    rule = "# Rules\n\n## Refunds\n\nA keyword is refunded.\n\n## Gifts\n\nFor a keyword, [Refunds](#refunds) {}.\n"
    workspace.write("m/a.md", rule.format("does not apply"))
    workspace.write("n/b.md", rule.format("explains what does not apply"))
    assert [item["path"] for item in serve().find("keyword").hits("conflicts")] == ["a.md"]


def test_references_are_followed_twice_and_no_further(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/0.md", "# 零\n\n鍵言葉は[一](1.md#一)による。\n")
    for number, (title, following) in enumerate([("一", "二"), ("二", "三"), ("三", "四")], 1):
        workspace.write(f"m/{number}.md", f"# {title}\n\n[{following}]({number + 1}.md#{following})による。\n")
    found = serve().find("鍵言葉")
    assert found.paths() == {"0.md", "1.md", "2.md"}


def test_counts_and_lists_agree(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/試験法.md", LAW)
    found = serve().find("鍵言葉")
    for kind, count in (("candidates", "candidates"), ("conflicts", "conflict_count"), ("gaps", "gap_count")):
        assert len(found.hits(kind)) == found.summary[count]


def test_a_trace_says_whether_the_intent_was_inferred(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n鍵言葉とは、書くことをいう。\n")
    manuals = serve()
    for intent, expected in ((None, ("definition", "inferred")), ("procedure", ("procedure", "given"))):
        found = manuals.find("鍵言葉とは", intent=intent)
        trace = manuals.workspace.traces.find(found.trace_id)
        assert (trace.intent, trace.intent_source) == expected


def test_a_question_for_a_definition_finds_the_section_that_defines(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(5):
        workspace.write(f"m/{number}.md", "# 題\n\n" + "鍵言葉を使う。" * 5 + "\n")
    workspace.write(
        "m/terms.md", "# 用語\n\nこの規程において「鍵言葉」とは、合図となる語をいう。" + "ほかの説明。" * 20 + "\n"
    )
    assert serve().find("鍵言葉とは").hits()[0]["path"] == "terms.md"


@pytest.mark.parametrize(
    ("question", "elsewhere"),
    [
        ("信号旗を掲げる船舶は何ですか", "船舶とは、水に浮かぶものをいう。"),
        ("先頭の船舶とは", "船舶とは、水に浮かぶものをいう。"),
        ("船員とは", "予備船員とは、乗らない者をいう。"),
        ("what is a flag ship", "a ship is a vessel.\n"),
    ],
)
def test_a_section_that_defines_another_word_is_no_definition_of_what_was_asked(
    workspace: WorkspaceFolder, serve: Serve, question: str, elsewhere: str
) -> None:
    workspace.write("m/answer.md", "# 題\n\n信号旗を掲げる先頭の船舶は旗艦である。船員はそこで働く。A flag ship.\n")
    workspace.write("m/other.md", "# 題\n\n" + elsewhere + "ほかの説明が続く。" * 40 + "\n")
    hits = serve().find(question).hits()
    assert hits[0]["path"] == "answer.md"
