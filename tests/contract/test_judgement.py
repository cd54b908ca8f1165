"""Exceptions, references, conflicts and gaps of a search (seed 004 §3 and §4, contract §3)."""

from collections.abc import Callable

import pytest

from ..server.serving import Found, Serving
from ..workspaces import WorkspaceFolder

Serve = Callable[..., Serving]

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


def candidate(found: Found, line: int) -> dict[str, object]:
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


def test_a_rule_and_its_exclusion_are_a_conflict(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/試験法.md", LAW)
    found = serve().find("鍵言葉")
    (item,) = found.hits("conflicts")
    assert (item["start_line"], [ref["start_line"] for ref in item["conflict_with"]]) == (5, [17])
    assert found.summary["conflict_count"] == 1
    assert found.summary["integration_status"] == "needs_followup"


def test_two_values_of_one_quantity_are_a_conflict(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 規程\n\nパスワードの有効期限は90日とする。\n")
    workspace.write("m/b.md", "# 手引き\n\nパスワードの有効期限は、180日とする。\n")
    (item,) = serve().find("パスワード").hits("conflicts")
    assert {item["path"], item["conflict_with"][0]["path"]} == {"a.md", "b.md"}


def test_the_same_value_in_other_notation_is_none(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 規程\n\nパスワードの有効期限は90日とする。\n")
    workspace.write("m/b.md", "# 手引き\n\nパスワードの有効期限は九十日とする。\n")
    assert serve().find("パスワード").hits("conflicts") == []


def test_a_reference_that_leads_nowhere_is_a_gap(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/試験法.md", LAW)
    gaps = serve().find("鍵言葉").hits("gaps")
    assert [gap["start_line"] for gap in gaps if gap["gap_hint"].startswith("unresolved reference")] == [17]


def test_an_intent_that_no_candidate_meets_is_a_gap(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n鍵言葉を書く。\n")
    hints = [gap["gap_hint"] for gap in serve().find("鍵言葉", intent="exceptions").hits("gaps")]
    assert hints == ["exceptions"]


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
        trace = manuals.workspace.find_trace(found.trace_id)
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
