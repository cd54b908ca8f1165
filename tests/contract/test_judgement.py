"""Exceptions, references, conflicts and gaps of a search (seed 004 §3 and §4, contract §3)."""

from collections.abc import Callable
from typing import Any

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


def test_two_values_of_one_quantity_are_a_conflict(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 規程\n\nパスワードの有効期限は90日とする。\n")
    workspace.write("m/b.md", "# 手引き\n\nパスワードの有効期限は、180日とする。\n")
    (item,) = serve().find("パスワード").hits("conflicts")
    assert {item["path"], item["conflict_with"][0]["path"]} == {"a.md", "b.md"}


def test_the_same_value_in_other_notation_is_none(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 規程\n\nパスワードの有効期限は90日とする。\n")
    workspace.write("m/b.md", "# 手引き\n\nパスワードの有効期限は九十日とする。\n")
    assert serve().find("パスワード").hits("conflicts") == []


CONTRADICTIONS = [
    ("申請期限は出張日の14日前とする。", "申請期限は出張日の7日前とする。"),
    ("申請期限は帰着後7日以内である。", "申請期限は、帰着後二週間以内とする。"),
    ("申請は3日以内に行う。", "申請は七日以内に行う。"),
    ("申請料は12,000円とする。", "申請料は1万5,000円とする。"),
    ("申請料は三万円です。", "| 申請料 | 25,000円 |"),
    ("申請サーバーの保存期間は90日とする。", "申請サーバの保存期間は1年である。"),
    ("申請の開始日: 2025年4月1日", "申請の開始日は2026年4月1日とする。"),
    ("申請 The review period is 30 days.", "申請 The review period is two pages; the review period is 6 weeks."),
    ("**申請料**は **1,000円** です。", "申請料は1,500円です。"),
    ("申請の開始日は令和6年4月1日とする。", "申請の開始日は令和七年四月一日とする。"),
    ("申請の開始日は令和元年5月1日とする。", "申請の開始日は2019年4月1日とする。"),
    ("申請用の番号は8文字以上で設定してください。", "申請用の番号は12文字以上で設定してください。"),
    ("申請の締切は毎月25日とする。", "申請の締切は、毎月二十日です。"),
    ("申請手当は、1日につき2,000円とする。", "申請手当は一日当たり3,000円とする。"),
    ("申請者の定年は満60歳とする。", "申請者の定年は65歳とし、延長しない。"),
    ("申請書は1年間保存する。", "申請書は、3年間保存する。"),
    ("申請は年2回まで認める。", "申請は年1回まで認める。"),
    ("申請は年に2回まで認める。", "申請は年1回まで認める。"),
    ("申請期間は3日です。", "A. 申請期間は5日です。"),
    ("A1. 申請期間は3日です。", "Ａ．申請期間は5日です。"),
    ("申請の待機期間は3か月間とする。", "申請の待機期間は6か月とする。"),
    ("申請 Requests must be answered within 24 hours.", "申請 The requests must be answered within 48 hours."),
    ("申請 The filing fee is $50.", "申請 The filing fee is US$75.50 per request. The filing fee is 75 dollars."),
    ("申請料は¥5,000とする。", "申請料は6,000円です。"),
    ("申請 The plan costs $10 per month.", "申請 The plan costs $12/month."),
    ("申請への返答は24時間以内とする。", "申請への返答は2日以内とする。"),
    ("申請の保管期間は400日とする。", "申請の保管期間は1年とする。"),
    ("申請窓口の受付時間は9時から17時30分までです。", "申請窓口の受付時間は、午前九時〜午後5時とする。"),
    ("申請 The office hours are 9:00-17:00.", "申請 The office hours are 9 am to 6 pm."),
    ("申請: the default timeout is 30s.", "申請: the default timeout defaults to 500ms. The default timeout is 2 min."),
    ("申請 The fee is 10 dollars for students.", "申請 The fee is 20 dollars for students."),
    ("申請 On Linux, the timeout is 30 seconds.", "申請 On Linux, the timeout is 60 seconds."),
    ("申請 The body is limited to 10 MB.", "申請 The body is limited to 25 MB."),
    ("申請 The delay is set to 5 minutes.", "申請 The delay is set to 6 minutes."),
]
AGREEMENTS = [
    ("申請の開始日は令和6年4月1日とする。", "申請の開始日は2024年4月1日とする。"),
    ("申請の改正規定は、令和六年四月一日から施行する。", "申請の改正規定は、令和七年四月一日から施行する。"),
    ("申請者は18歳以上であれば認める。", "申請者は20歳以上であれば認める。"),
    ("申請 The plan costs $10 per month.", "申請 The plan costs $100 per year."),
    ("申請 The filing fee is $50.", "申請 The filing fee is 50 dollars."),
    ("申請 The filing fee is $50.", "申請 The filing fee is €45."),
    ("申請料は¥5,000とする。", "申請料は5,000円です。"),
    ("申請への返答は48時間以内とする。", "申請への返答は2日以内とする。"),
    ("申請窓口の受付時間は9時から17時30分までです。", "申請窓口の受付時間は午前9時〜午後5時半とする。"),
    ("申請 The office hours are 9:00-12:00.", "申請 The office hours are 9 am to 12 pm."),
    ("申請日時: 9:00-10:00", "申請日時: 13:00-14:00"),
    ("申請 The budget is $5 million.", "申請 The budget is $5,000,000."),
    ("申請: the timeout is 120s.", "申請: the timeout is 2 minutes."),
    ("申請期限は14日以内とする。", "申請期限は二週間以内とする。"),
    ("申請の保存期間は1年とする。", "申請の保存期間は12か月とする。"),
    ("申請料は1万円とする。", "申請料は10,000円とする。"),
    ("申請手当は1日につき2,000円とする。", "申請手当は1か月につき30,000円とする。"),
    ("申請は年2回まで認める。", "申請は月1回まで認める。"),
    ("申請は年に2回まで認める。", "申請は月に1回まで認める。"),
    ("申請書は1年間保存する。", "申請書は3年間貸与する。"),
    ("申請 Requests must be answered within 24 hours.", "申請 Requests must be kept for 48 hours."),
    ("申請者の所得が900万円以下である場合", "申請者の所得が500万円以下である場合"),
    ("申請。その額は30円とする。", "申請。その額は40円とする。"),
    ("申請。この規程の施行日は2025年4月1日とする。", "申請。この規程の施行日は2026年4月1日とする。"),
    ("申請が国内の場合は3日とする。", "申請が国外の場合は5日とする。"),
    ("申請期限は出張日の14日前とする。", "申請期限は出発日の7日前とする。"),
    ("申請。created_at: 2025-04-01", "申請。created_at: 2026-04-01"),
    ("| 申請 | 3日 | 4日 |", "| 申請 | 5日 | 6日 |"),
    ("申請 If the timeout is 30 seconds, ask again.", "申請 If the timeout is 60 seconds, ask again."),
    ("申請 The fee is 10 dollars for students.", "申請 The fee is 20 dollars for adults."),
    ("申請 On Linux, the timeout is 30 seconds.", "申請 On Windows, the timeout is 60 seconds."),
    ("申請 The default value is 30 seconds.", "申請 The default value is 60 seconds."),
    ("申請 The maximum is 27 days.", "申請 The maximum is 5 days."),
    ("申請者は、十万円以下の罰金に処する。", "申請者は、二十万円以下の罰金に処する。"),
    ("申請。- 額は30円とする。", "申請。- 額は40円とする。"),
    ("申請料は五億円とする。申請料は十,000円とする。", "申請料は五億2円とする。申請料は一〇,1円とする。"),
]


@pytest.mark.parametrize(("one", "other"), CONTRADICTIONS)
def test_quantities_that_cannot_both_hold_are_a_conflict(
    workspace: WorkspaceFolder, serve: Serve, one: str, other: str
) -> None:
    workspace.write("m/a.md", f"# 規程\n\n{one}\n")
    workspace.write("n/b.md", f"# 手引き\n\n{other}\n")
    assert [item["conflict_kind"] for item in serve().find("申請").hits("conflicts")] == ["quantity"]


@pytest.mark.parametrize(("one", "other"), AGREEMENTS)
def test_quantities_that_may_both_hold_are_none(workspace: WorkspaceFolder, serve: Serve, one: str, other: str) -> None:
    workspace.write("m/a.md", f"# 規程\n\n{one}\n")
    workspace.write("n/b.md", f"# 手引き\n\n{other}\n")
    assert serve().find("申請").hits("conflicts") == []


def test_settings_in_two_examples_are_no_conflict(workspace: WorkspaceFolder, serve: Serve) -> None:
    for name, seconds in (("a", 15), ("b", 30)):
        workspace.write(f"m/{name}.md", f"# {name}\n\n```yaml\nretry_interval: {seconds}s\n```\n")
    found = serve().find("retry_interval")
    assert (len(found.hits()), found.hits("conflicts")) == (2, [])


OPPOSED = [
    ("申請手当は、契約社員にも適用する。", "申請手当は契約社員には適用しない。"),
    ("契約社員は申請手当の対象とする。", "契約社員は、申請手当の対象外とする。"),
    ("申請には印が要る。本人の申請は必要である。", "本人の申請は不要とする。"),
    ("申請の取消しはできる。", "申請の取消しは認めない。"),
    ("申請手当は契約社員に支給する。", "申請手当は契約社員に支給しない。"),
    ("申請中の喫煙は禁止されています。", "申請中の喫煙は可能です。"),
    ("申請 (gift cards). Gift cards are refundable.", "申請 (gift cards). Gift cards are not refundable."),
]
NOT_OPPOSED = [
    ("申請手当は、契約社員にも適用する。", "申請手当は派遣社員には適用しない。"),
    ("申請は窓口でできる。", "申請は電話でできない。"),
    ("申請。その者は手当の対象とする。", "申請。その者は手当の対象外とする。"),
    ("申請。第五条の規定は適用する。", "申請。第五条の規定は適用しない。"),
    ("申請手当を適用しない場合は、届け出る。", "申請手当を適用する。"),
    ("申請手当は、契約社員に適用しないことがある。", "申請手当は、契約社員に適用することがある。"),
]


@pytest.mark.parametrize(
    ("one", "other", "count"), [*((*pair, 1) for pair in OPPOSED), *((*pair, 0) for pair in NOT_OPPOSED)]
)
def test_what_one_manual_says_and_another_denies_of_the_same_is_a_conflict(
    workspace: WorkspaceFolder, serve: Serve, one: str, other: str, count: int
) -> None:
    workspace.write("m/a.md", f"# 規程\n\n{one}\n")
    workspace.write("n/b.md", f"# 手引き\n\n{other}\n")
    conflicts = serve().find("申請").hits("conflicts")
    assert [item["conflict_kind"] for item in conflicts] == ["exclusion"] * count


@pytest.mark.parametrize(("one", "other"), [CONTRADICTIONS[0], OPPOSED[0]])
def test_what_one_section_says_of_both_is_no_conflict(
    workspace: WorkspaceFolder, serve: Serve, one: str, other: str
) -> None:
    workspace.write("m/a.md", f"# 規程\n\n{one}\n\n{other}\n")
    assert serve().find("申請").hits("conflicts") == []


DENIALS = [
    "第一条の規定は、鍵言葉でない者には、適用しない。",
    "第一条の鍵言葉の申請の規定は、外国人には適用しない。",
    "鍵言葉でない者には、第一条第一項（申請）及び第三条から第五条までの規定は、適用しない。",
    "鍵言葉でない者については、第三条及び第一条の規定を適用しないものとする。",
    "鍵言葉の一部。前項の場合において、第一条の規定は適用しない。ただし、鍵言葉を除く。",
]
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


def test_a_reference_that_leads_nowhere_is_a_gap(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/試験法.md", LAW)
    gaps = serve().find("鍵言葉").hits("gaps")
    assert [gap["start_line"] for gap in gaps if gap["gap_hint"].startswith("unresolved reference")] == [17]


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        ("第九十九条第二項の規定による。第九十九条第二項", "第99条第2項"),
        ("第九条の四の二による。", "第9条の4の2"),
        ("別表第七に掲げる。", "別表7"),
        ("銀行法第十二条による。", "第12条 of another document"),
        ("See section 9.9 for a keyword.", "section 9.9"),
        ("[ほかの文書](ignore-all-rules.md#obey)を見る。", "link of another document"),
        ("[同じ文書](#obey-me)を見る。", "link"),
    ],
)
def test_a_gap_says_what_a_reference_names_by_its_number_alone(
    workspace: WorkspaceFolder, serve: Serve, reference: str, hint: str
) -> None:
    workspace.write("m/試験法.md", f"# 試験法\n\n## 第一条（申請）\n\n鍵言葉。{reference}\n")
    gaps = [item["gap_hint"] for item in serve().find("鍵言葉").hits("gaps")]
    assert gaps == [f"unresolved reference: {hint}"]


def test_what_is_named_twice_in_two_ways_is_one_gap(workspace: WorkspaceFolder, serve: Serve) -> None:
    text = (
        "鍵言葉。改正後の銀行法第十二条の規定は、同条第一項の者について適用し、改正前の銀行法第十二条第一項の者を除く。"
    )
    workspace.write("m/試験法.md", f"# 試験法\n\n## 第一条（申請）\n\n{text}\n")
    gaps = [item["gap_hint"] for item in serve().find("鍵言葉").hits("gaps")]
    assert gaps == [f"unresolved reference: {cited} of another document" for cited in ("第12条", "第12条第1項")]


def test_references_that_no_number_tells_apart_are_one_gap_a_file(workspace: WorkspaceFolder, serve: Serve) -> None:
    links = "[甲](away.md) [乙](gone.md)\n\n[丙](lost.md#x)\n\n[丁](#nowhere)\n\n第九十八条と第九十九条による。\n"
    workspace.write("m/試験法.md", f"# 試験法\n\n## 第一条（申請）\n\n鍵言葉。\n\n{links}")
    workspace.write("m/案内.md", "# 案内\n\n鍵言葉。[戊](away.md)\n")
    gaps = [(item["gap_hint"], item["path"], item["start_line"]) for item in serve().find("鍵言葉").hits("gaps")]
    assert sorted(gaps) == [
        ("unresolved reference: link", "試験法.md", 11),
        ("unresolved reference: link of another document", "案内.md", 3),
        ("unresolved reference: link of another document, on 2 lines from this one on", "試験法.md", 7),
        ("unresolved reference: 第98条", "試験法.md", 13),
        ("unresolved reference: 第99条", "試験法.md", 13),
    ]


@pytest.mark.parametrize(
    ("sentence", "is_said"), [("鍵言葉は、短い語の組み合わせです。", True), ("鍵言葉を書く人は社員です。", False)]
)
def test_a_sentence_that_says_what_it_is_meets_a_question_for_a_definition(
    workspace: WorkspaceFolder, serve: Serve, sentence: str, is_said: bool
) -> None:
    workspace.write("m/x.md", f"# 題\n\n{sentence}\n")
    gaps = [item["gap_hint"] for item in serve().find("鍵言葉とは何ですか").hits("gaps")]
    assert gaps == ([] if is_said else ["intent definition: no candidate says what it is"])


@pytest.mark.parametrize(
    ("intent", "hint"),
    [
        ("definition", "intent definition: no candidate says what it is"),
        ("procedure", "intent procedure: no candidate says how it is done"),
        ("eligibility", "intent eligibility: no candidate says who or what qualifies"),
        ("exceptions", "intent exceptions: no candidate has an exception"),
    ],
)
def test_an_intent_that_no_candidate_meets_is_a_gap_and_cannot_be_taken_for_a_term(
    workspace: WorkspaceFolder, serve: Serve, intent: str, hint: str
) -> None:
    workspace.write("m/x.md", "# 題\n\n鍵言葉を書く。\n")
    gaps = serve().find(f"鍵言葉 {intent}", intent=intent).hits("gaps")
    assert [gap["gap_hint"] for gap in gaps] == [hint]


NAMED = [
    ("鍵言葉の例外", "ただし、急ぐときは、この限りでない。", []),
    ("鍵言葉 対象外", "急ぐときを除く。", []),
    ("exceptions to a keyword", "A keyword applies unless it is urgent.", []),
    ("鍵言葉の手順", "次のように届け出る。", []),
    ("鍵言葉の定義", "「鍵言葉」とは、合図となる語をいう。", []),
    ("the difference between a keyword and a code word", "A code word is long.", []),
    ("鍵言葉の例外", "急ぐ。", ["intent exceptions: no candidate has an exception"]),
    ("鍵言葉の例外と繰越", "ただし、急ぐときは、この限りでない。", ["繰越"]),
]


@pytest.mark.parametrize(("question", "says", "gaps"), NAMED)
def test_what_a_question_calls_its_intent_is_missing_only_if_no_candidate_has_what_it_asks_for(
    workspace: WorkspaceFolder, serve: Serve, question: str, says: str, gaps: list[str]
) -> None:
    workspace.write("m/x.md", f"# 題\n\n鍵言葉を書く。 A keyword and a code word. {says}\n")
    assert [gap["gap_hint"] for gap in serve().find(question).hits("gaps")] == gaps


@pytest.mark.parametrize(
    ("intent", "answer"),
    [
        ("definition", "鍵言葉とは、合図をいう。"),
        ("procedure", "鍵言葉を書く手順は次のとおり。"),
        ("eligibility", "鍵言葉を書く資格がある。"),
        ("compare", ""),
        ("unknown", ""),
    ],
)
def test_a_facet_is_expected_of_some_intents_and_is_no_gap_where_a_candidate_has_it(
    workspace: WorkspaceFolder, serve: Serve, intent: str, answer: str
) -> None:
    workspace.write("m/x.md", "# 題\n\n鍵言葉を書く。\n")
    workspace.write("n/y.md", f"# 別\n\n鍵言葉と書く。{answer}\n")
    manuals = serve()
    missing = manuals.find("鍵言葉", intent=intent, manual_id="m", max_stage=3).hits("gaps")
    assert [gap["gap_hint"].partition(":")[0] for gap in missing] == ([f"intent {intent}"] if answer else [])
    assert manuals.find("鍵言葉", intent=intent).hits("gaps") == []


def test_where_nothing_is_found_no_facet_is_missing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n本文\n")
    hints = [gap["gap_hint"] for gap in serve().find("鍵言葉", intent="exceptions").hits("gaps")]
    assert hints == ["鍵言葉"]


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
