"""Articles and paragraphs that a question cites (contract §3)."""

import pytest

from morenashi.server.search.question.query import parse_query

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
        ("規程の第7条", 3),
        ("「規程」第7条", 3),
        ("『規程』第7条第2項", 6),
        ("規程第7条第2項", 6),
        ("規程第七条第二項", 6),
        ("規程第7条第2項第1号の2", 6),
        ("規程第7条第2項第1号ロ", 6),
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


PARTS = "# 旅費規程\n\n## 別表Ⅱ\n\n## 付録B\n\n## 第3号様式\n\n## 様式2-3\n\n## 第Ⅲ章\n"


@pytest.mark.parametrize(
    ("part", "line"), [("別表Ⅱ", 3), ("付録Ｂ", 5), ("第3号様式", 7), ("様式２－３", 9), ("第Ⅲ章", 11)]
)
def test_a_part_with_its_name_is_found_by_the_two_of_them_whatever_its_number_is(
    workspace: WorkspaceFolder, serve: Serve, part: str, line: int
) -> None:
    workspace.write("m/x.md", PARTS)
    manuals = serve()
    for question in ("旅費規程{}", "旅費規程の{}", "「旅費規程」{}", "旅費規程{}について教えて"):
        found = manuals.find(question.format(part))
        assert (found.status, found.lines["matched"], found.hits("gaps")) == ("found", 2, []), question
        assert found.places() == {("x.md", 1), ("x.md", line)}, question


@pytest.mark.parametrize("question", ["図2を説明して", "図２の見方", "表2-1を見せて", "図2のとおり設定する方法"])
def test_a_figure_or_table_in_a_question_is_a_term_with_its_number(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# 手引\n\n図2による。\n\n## 料金\n\n表2-1のとおりとする。\n\n## 別\n\n図のほか。\n")
    found = serve().find(question)
    assert (found.status, found.lines["matched"]) == ("found", 1)


def test_what_is_counted_is_no_figure_or_table() -> None:
    for question in ("代表2名の氏名", "地図2枚の場所", "図2枚の提出"):
        assert not {"表2", "図2"} & {term.text for term in parse_query(question, {}, {}).fallback}, question


def test_an_article_with_a_branch_is_one_citation(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", ARTICLES + "\n## 第7条の2 更新\n\n1. 更新する。\n2. 第1項の期間は一年とする。\n")
    assert serve().find("第7条の2第1項の要件").lines["matched"] == 1


TITLE = "情報セキュリティ規程"


@pytest.mark.parametrize(
    "question",
    [
        *(f"{TITLE}第18条", f"{TITLE}第18条第2項", f"{TITLE}第18条の例外", f"{TITLE}の第18条"),
        *(f"「{TITLE}」第18条の例外", f"『{TITLE}』の第18条の例外は何ですか"),
    ],
)
def test_what_a_cited_document_is_called_is_one_word_whatever_scripts_it_is_in(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/規程.md", f"# {TITLE}\n\n## 第17条\n\n情報を守る。\n\n## 第18条\n\n１　守る。\n２　除く。\n")
    workspace.write("m/他.md", "# 機器\n\n情報のセキュリティ。\n\n## 点検\n\n情報。\n\n## 記録\n\n規程。\n")
    for number in range(3):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n{TITLE}による。\n")
    found = serve().find(question)
    assert found.hits("integrated_top")[0]["ref"]["path"] == "規程.md"
    assert "他.md" not in {path for path, _ in found.places()}


def test_where_no_line_has_the_name_of_a_cited_document_its_words_are_looked_for(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/規程.md", "# セキュリティ規程\n\n## 第18条\n\n守る。\n")
    found = serve().find(f"{TITLE}第18条に違反した社員はどうなりますか")
    assert found.status == "found"
    assert ("規程.md", 1) in found.places()


@pytest.mark.parametrize("question", ["別表第2の日数", "別表第二の日数", "休暇規程別表第2の日数", "休暇規程別表第2"])
def test_an_appendix_in_a_question_is_a_term_with_its_number(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# 休暇規程\n\n## 一\n\n別表第二の日数とする。\n\n## 二\n\n別表第一の額とする。\n")
    assert 9 not in {line for _, line in serve().find(question).places()}


def test_a_form_in_a_question_is_a_term_with_its_number(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write(
        "m/x.md", "# 規程\n\n## 一\n\n様式第二号を出す。\n\n## 二\n\n第二号の者。\n\n## 三\n\n様式は別に定める。\n"
    )
    assert serve().find("様式第2号の提出先").places() == {("x.md", 5)}


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What does section 9.3 of the Debian Policy say?", ["section 9.3", "debian policy"]),
        ("section 9.3 of the Debian Policy Manual", ["section 9.3", "debian policy manual"]),
        ("According to the Debian Policy, chapter 4: who signs?", ["debian policy", "chapter 4", "signs"]),
        ("employee handbook § 3.2", ["employee handbook", "§ 3.2"]),
        ("what does clause 7.2 of this agreement require", ["clause 7.2", "agreement", "require"]),
        ("section 3.2 of the upload settings", ["section 3.2", "upload", "settings"]),
        ("sections 5 and 7", ["sections"]),
        ("big section 3 rules section 4", ["big", "section 3", "rules", "section 4"]),
        ("how do I schedule 2 meetings", ["schedule", "meetings"]),
        ('"section" of "9.3"', ["section", "9.3"]),
        ("section 4.2の例外", ["section 4.2", "例外"]),
        ("README.mdのsection 12の期限", ["readme.md", "section 12", "期限"]),
        ("What does exit code 30 say?", ["exit", "code", "30"]),
    ],
)
def test_a_place_cited_in_english_and_its_document_are_a_term_each(question: str, terms: list[str]) -> None:
    assert [term.text for term in parse_query(question, {}, {}).terms] == terms


def test_a_place_and_a_name_that_no_line_holds_are_found_by_their_number_and_words(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# Rules\n\n9.3 applies.\n\n## Use\n\nThe policy of Debian.\n")
    found = serve().find("section 9.3 of the Debian Policy")
    assert found.places() == {("x.md", 3), ("x.md", 7)}
    assert not [item for item in found.hits("gaps") if "9.3" in (item["gap_hint"] or "")]


def test_lines_about_other_sections_and_policies_are_none_of_a_cited_one(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    others = "".join(f"## Part {n}\n\nThis section states a policy of ours.\n\n" for n in range(30))
    workspace.write("debian-policy/x.md", f"# System\n\n## 9.3. Services\n\nBy hand.\n\n{others}")
    workspace.write("other/y.md", "# Notes\n\nSee section 9.3 of the Debian Policy.\n")
    found = serve().find("What does section 9.3 of the Debian Policy say?")
    assert {("x.md", 3), ("y.md", 3)} == found.places()
    assert found.lines["matched"] == 1


def test_what_ends_within_brackets_before_a_place_is_no_name() -> None:
    asked = parse_query("行政手続法（平成五年法律第八十八号）第十五条第一項の通知の例外は何ですか", {}, {})
    assert [term.text for term in asked.terms][:3] == ["行政手続法", "平成五年法律第八十八号", "第十五条第一項"]
