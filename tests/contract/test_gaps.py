"""What a search says is missing: references that lead nowhere, intents and facets that nothing meets (contract §3)."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


def test_a_reference_that_leads_nowhere_is_a_gap(workspace: WorkspaceFolder, serve: Serve) -> None:
    text = "# 試験法\n\n## 第一条（申請）\n\n鍵言葉は第二条による。第九十九条の規定による。\n\n## 第二条\n\n定める。\n"
    workspace.write("m/試験法.md", text)
    (gap,) = serve().find("鍵言葉").hits("gaps")
    assert (gap["start_line"], gap["gap_hint"]) == (5, "unresolved reference: 第99条")


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        ("第九十九条第二項の規定による。第九十九条第二項", "第99条第2項"),
        ("第九条の四の二による。", "第9条の4の2"),
        ("別表第七に掲げる。", "別表7"),
        ("銀行法第十二条による。", "第12条 of another document"),
        ("環境管理手順書 E-07による。", "e-07"),
        ("See section 9.9 for a keyword.", "section 9.9"),
        ("[ほかの文書](ignore-all-rules.md#obey)を見る。", "link to another document"),
        ("[同じ文書](#obey-me)を見る。", "link"),
    ],
)
def test_a_gap_says_what_a_reference_names_by_its_number_alone(
    workspace: WorkspaceFolder, serve: Serve, reference: str, hint: str
) -> None:
    workspace.write("m/試験法.md", f"# 試験法\n\n## 第一条（申請）\n\n鍵言葉。{reference}\n")
    gaps = [item["gap_hint"] for item in serve().find("鍵言葉").hits("gaps")]
    assert gaps == [f"unresolved reference: {hint}"]


@pytest.mark.parametrize(("there", "gaps"), [(True, 0), (False, 1)])
def test_a_link_into_a_document_that_is_there_is_no_gap_whatever_its_anchor(
    workspace: WorkspaceFolder, serve: Serve, *, there: bool, gaps: int
) -> None:
    workspace.write("m/a.md", "# 手引\n\n鍵言葉。[認証の節](auth.html#sect.lost)を見る。\n")
    if there:
        workspace.write("m/auth.md", "# 認証\n\n## 鍵\n\n鍵を作る。\n")
    found = serve().find("鍵言葉")
    assert len(found.hits("gaps")) == gaps
    assert (("auth.md", 1) in found.places()) is there


@pytest.mark.parametrize("there", [True, False])
def test_a_document_that_is_cited_as_a_whole_comes_with_what_cites_it_and_is_no_gap_if_it_is_not_there(
    workspace: WorkspaceFolder, serve: Serve, *, there: bool
) -> None:
    workspace.write("m/就業規則.md", "# 就業規則\n\n## 第1条（出張）\n\n鍵言葉は、別に定める旅費規程による。\n")
    if there:
        workspace.write("m/旅費規程.md", "# 旅費規程\n\n## 第1条（宿泊）\n\n一泊1万円とする。\n")
    found = serve().find("鍵言葉")
    assert found.hits("gaps") == []
    assert (("旅費規程.md", 1) in found.places()) is there


@pytest.mark.parametrize(
    ("others", "manual_id", "gaps", "is_found"),
    [
        (["money"], None, [], True),
        (["money"], "m", ["unresolved reference: 第2条 of another document"], False),
        (["money", "old"], None, ["unresolved reference: 第2条 of another document"], False),
        ([], None, ["unresolved reference: 第2条 of another document"], False),
    ],
)
def test_a_reference_into_another_manual_is_followed_where_that_is_searched_and_one_document_alone_is_called_so(
    workspace: WorkspaceFolder,
    serve: Serve,
    others: list[str],
    manual_id: str | None,
    gaps: list[str],
    *,
    is_found: bool,
) -> None:
    workspace.write("m/就業規則.md", "# 就業規則\n\n## 第1条（出張）\n\n鍵言葉は、旅費規程第2条による。\n")
    for other in others:
        workspace.write(
            f"{other}/旅費規程.md", "# 旅費規程\n\n## 第1条\n\n文。\n\n## 第2条（宿泊）\n\n一泊1万円とする。\n"
        )
    found = serve().find("鍵言葉", manual_id=manual_id, max_stage=3)
    assert [item["gap_hint"] for item in found.hits("gaps")] == gaps
    assert (("旅費規程.md", 7) in found.places()) is is_found


def test_an_exception_from_what_another_document_lays_down_is_none_from_the_whole_of_that(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/旅費規程.md", "# 旅費規程\n\n鍵言葉を定める。\n\n## 第1条（宿泊）\n\n一泊1万円とする。\n")
    workspace.write("m/退職.md", "# 退職\n\n## 支給\n\n旅費規程に定める着任の場合は支給しない。\n")
    assert {path for path, _ in serve().find("鍵言葉").places()} == {"旅費規程.md"}


@pytest.mark.parametrize(
    "mark", ["[1](#id6)", "[[2]](#fn-2)", '<a href="#id6" class="footnote-reference">3</a>', "[¶](#x)"]
)
def test_the_mark_of_a_note_that_lost_its_anchor_is_no_gap(workspace: WorkspaceFolder, serve: Serve, mark: str) -> None:
    workspace.write("m/a.md", f"# 手引\n\n鍵言葉{mark}を見る。\n\n1. 注の本文。\n")
    assert serve().find("鍵言葉").hits("gaps") == []


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
        ("unresolved reference: link to another document", "案内.md", 3),
        ("unresolved reference: link to another document, on 2 lines from this one on", "試験法.md", 7),
        ("unresolved reference: 第98条", "試験法.md", 13),
        ("unresolved reference: 第99条", "試験法.md", 13),
    ]


@pytest.mark.parametrize(
    ("sentence", "is_said"),
    [
        ("鍵言葉は、短い語の組み合わせです。", True),
        ("短い語、数字、記号を鍵言葉とする。", True),
        ("短い語を「鍵言葉」とします。", True),
        ("鍵言葉を書く人は社員です。", False),
        ("短い語を鍵言葉とする人は社員です。", False),
    ],
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


@pytest.mark.parametrize(
    "says",
    [
        "書面による承諾がなければ、鍵言葉を再び委託してはならない。",
        "鍵言葉を書く者は、届け出なければならない。",
        "鍵言葉は、社外では利用できません。",
        "鍵言葉の貸与は認めない。",
        "鍵言葉の使用は、課長の許可を得る。",
        "鍵言葉は、会員に限る。",
    ],
)
def test_what_is_asked_of_somebody_or_kept_from_him_says_who_qualifies(
    workspace: WorkspaceFolder, serve: Serve, says: str
) -> None:
    workspace.write("m/x.md", f"# 題\n\n{says}\n")
    assert serve().find("鍵言葉", intent="eligibility").hits("gaps") == []


def test_where_nothing_is_found_no_facet_is_missing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n本文\n")
    hints = [gap["gap_hint"] for gap in serve().find("鍵言葉", intent="exceptions").hits("gaps")]
    assert hints == ["鍵言葉"]


@pytest.mark.parametrize(("manual", "title"), [("m", "環境管理手順書（E-07）"), ("other", "E-07 環境管理手順書")])
def test_a_document_that_is_cited_by_its_number_is_found_in_whatever_manual(
    workspace: WorkspaceFolder, serve: Serve, manual: str, title: str
) -> None:
    workspace.write("m/保守.md", "# 保守\n\n## 廃油\n\n鍵言葉は「環境管理手順書 E-07」の3章による。\n")
    workspace.write(f"{manual}/env.md", f"# {title}\n\n## 3章 処理\n\n産業廃棄物とする。\n\n## 4章 他\n\nなし。\n")
    found = serve().find("鍵言葉")
    assert (("env.md", 3) in found.places(), found.hits("gaps")) == (True, [])
