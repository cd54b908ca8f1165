"""A short question or phrase: as it stands, or else by its words (contract §3). What is not there is never `ready`."""

from collections.abc import Callable

import pytest

from morenashi.server.search.question.hiragana import find_words

from ..server.serving import Serving
from ..workspaces import WorkspaceFolder

Serve = Callable[..., Serving]

RULES = "# 規程\n\n## 慶弔休暇\n\n結婚したときは五日とする。\n\n## 手当\n\n通勤手当を支給する。\n"


@pytest.mark.parametrize(
    "question",
    [
        "慶弔休暇は何日か",
        "慶弔休暇とは",
        "慶弔休暇について",
        "慶弔休暇の取り方",
        "慶弔休暇はいくら？",
        "慶弔休暇って何",
    ],
)
def test_a_short_question_is_found_by_its_words(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find(question)
    assert (found.status, found.lines["matched"]) == ("found", 1)
    assert found.places() == {("x.md", 3)}


def test_a_phrase_that_stands_somewhere_is_one_term(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES + "\n## 別の章\n\n慶弔休暇の日数は別に定める。\n\n慶弔休暇の申請。日数の計算。\n")
    assert serve().find("慶弔休暇の日数").lines["matched"] == 1


@pytest.mark.parametrize("words", ['"慶弔休暇は何日か"', "慶弔通勤", "慶弔休暇手当金", "申込み手続き"])
def test_a_quoted_phrase_and_a_word_stay_what_they_are(workspace: WorkspaceFolder, serve: Serve, words: str) -> None:
    workspace.write("m/x.md", RULES + "申込の手続。\n")
    assert serve().find(words).status == "absent"


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


def test_a_word_of_a_phrase_that_stands_nowhere_is_a_gap(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find("慶弔休暇の繰越")
    assert found.status == "found"
    assert [item["gap_hint"] for item in found.hits("gaps")] == ["繰越"]


def test_of_a_question_of_which_nothing_stands_anywhere_the_words_are_gaps(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find("忌引の延長は何回まで")
    assert (found.status, sorted(item["gap_hint"] for item in found.hits("gaps"))) == ("absent", ["延長", "忌引"])


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("通勤手当申請", "通勤手当の申請は月末に行う。"),
        ("パスワード変更", "パスワードの変更は月末に行う。"),
        ("usb接続", "USBの接続は月末に行う。"),
    ],
)
def test_a_compound_that_is_written_with_a_particle_alone_is_found_and_no_gap_beside_others(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"{RULES}\n## 期日\n\n{written}\n")
    manuals = serve()
    beside = manuals.find(f"月末 {asked}")
    assert (beside.hits()[0]["start_line"], beside.hits("gaps")) == (13, [])
    alone = manuals.find(asked)
    assert (alone.status, alone.hits()[0]["start_line"]) == ("absent", 13)
    assert [(item["gap_hint"].partition(":")[0], item["start_line"]) for item in alone.hits("gaps")] == [(asked, 13)]


def test_a_compound_that_stands_somewhere_is_looked_for_as_it_is(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 規程\n\n## 甲\n\n手当申請をする。\n\n## 乙\n\n手当の申請をする。\n")
    found = serve().find("手当申請")
    assert (found.status, found.lines["matched"]) == ("found", 1)
    assert not [hit for hit in found.hits() if "loose" in hit["signals"] and hit["start_line"] == 5]


@pytest.mark.parametrize("question", ["通勤手当つきますか", "通勤手当ないですか", "通勤手当つく?", "通勤手当つくのか"])
def test_a_short_question_without_a_particle_is_found_by_its_words(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find(question)
    assert (found.status, found.lines["matched"], found.hits("gaps")) == ("found", 1, [])


@pytest.mark.parametrize(
    "question",
    ["通勤手当 支給すべきでない理由", "通勤手当 を慶弔休暇 にすると減るか", "通勤手当 忘れてしまった場合の理由"],
)
def test_verbs_beside_a_word_are_no_gap_where_the_nouns_stand(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", RULES + "\n通勤手当を支給しない理由を知らせる。\n")
    found = serve().find(question)
    assert (found.status, found.hits("gaps")) == ("found", [])


def test_verbs_with_a_noun_stay_what_they_are_where_a_line_has_them(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES + "\n支給すべきでない理由を知らせる。\n\n理由を書く。\n")
    assert serve().find("支給すべきでない理由").lines["matched"] == 1


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


def test_of_several_phrases_those_that_stand_stay_what_they_are(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n社員証の返却。\n\n社員証を貸す。\n\n自転車を借りる。\n\n自転車がない。\n")
    assert serve().find("社員証の返却 自転車の予約").lines["matched"] == 3


def test_a_phrase_is_taken_apart_whatever_a_cap_leaves_over(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "".join(f"# 題{n}\n\n通勤の定め。\n\n休暇を申し出る。\n\n" for n in range(6)))
    manuals = serve()
    question = "通勤 休暇の申出"
    whole = manuals.find(question).lines["matched"]
    searches = [manuals.find(question, budget={"max_candidates": 2})]
    while "cutoff_reason" in searches[-1].summary:
        last = searches[-1].trace_id
        searches.append(manuals.find(question, budget={"max_candidates": 2}, only_unscanned_from_trace_id=last))
        assert len(searches) < 10
    assert sum(found.lines["matched"] for found in searches) == whole == 12


def test_the_word_for_a_case_is_no_term_beside_others(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES + "遅れた場合は届け出る。\n\n## 欠勤\n\n欠勤した場合は届け出る。\n")
    manuals = serve()
    assert manuals.find("通勤手当が支給されない場合の扱い").places() == {("x.md", 9)}
    assert manuals.find("場合").lines["matched"] == 2


def test_absent_is_never_ready(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find('"慶弔休暇は何日か"')
    assert (found.status, found.summary["candidates"]) == ("absent", 1)
    assert found.summary["integration_status"] == "needs_followup"
    assert "stop" not in {action["type"] for action in found.next_actions}


@pytest.mark.parametrize("question", ["休暇", "休暇はどう取るか"])
def test_a_rest_without_a_line_is_not_absent_if_one_was_found_before(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# 題\n\n休暇を取る。\n\n第一条。\n")
    workspace.write("n/y.md", "# 別\n\n手当を払う。\n")
    manuals = serve()
    first = manuals.find(question, manual_id="m", max_stage=3)
    assert (first.status, first.summary["cutoff_reason"]) == ("found", "stage_cap")
    rest = manuals.find(question, only_unscanned_from_trace_id=first.trace_id)
    assert (rest.status, rest.lines["matched"], rest.lines["unexamined"]) == ("found", 0, 0)
    assert rest.summary["integration_status"] != "blocked"
    assert rest.summary["sufficiency_score"] >= first.summary["sufficiency_score"]
    other = manuals.find("残業", only_unscanned_from_trace_id=first.trace_id)
    assert (other.status, other.summary["integration_status"]) == ("unknown", "blocked")


def test_what_another_question_left_over_proves_no_absence_also_when_its_rest_is_taken_up(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 題\n\n休暇を取る。残業をする。\n\n## 次\n\n休暇を返す。\n")
    manuals = serve()
    first = manuals.find("休暇", budget={"max_candidates": 1})
    of_rest = manuals.find("残業", only_unscanned_from_trace_id=first.trace_id)
    again = manuals.find("残業", only_unscanned_from_trace_id=of_rest.trace_id)
    assert [of_rest.lines["matched"], again.lines["matched"]] == [0, 0]
    assert [of_rest.status, again.status] == ["unknown", "unknown"]
    assert manuals.find("残業").status == "found"


def test_a_question_taken_apart_stays_so_in_the_searches_that_take_up_its_rest(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "".join(f"# 題{n}\n\n休暇を取る。\n\n" for n in range(6)))
    manuals = serve()
    whole = manuals.find("休暇は何日か").lines["matched"]
    searches = [manuals.find("休暇は何日か", budget={"max_candidates": 2})]
    while "cutoff_reason" in searches[-1].summary:
        last = searches[-1].trace_id
        searches.append(manuals.find("休暇は何日か", budget={"max_candidates": 2}, only_unscanned_from_trace_id=last))
        assert len(searches) < 10
    assert sum(found.lines["matched"] for found in searches) == whole == 6
    assert {found.status for found in searches} == {"found"}


def test_more_exceptions_than_are_listed_are_counted(workspace: WorkspaceFolder, serve: Serve) -> None:
    provisos = "".join(f"ただし、第{n}種の者を除く。\n\n" for n in range(1, 9))
    workspace.write("m/x.md", f"# 通勤手当\n\n通勤手当を支給する。\n\n{provisos}")
    manuals = serve()
    (item,) = manuals.find("通勤手当").hits()
    assert len(item["exceptions"]) == 5
    listed = manuals.call("manual_excepts", manual_id="m", node_id=None, limit=50)
    assert item["exceptions_total"] == len(listed["items"]) > 5


NAMES = [
    ("request_timeout_ms", "request_timeout_ms"),
    ("--request-timeout", "--request-timeout"),
    ("WebSocket-API", "WebSocket API"),
    ("server.http.port", "server.http.port"),
]


@pytest.mark.parametrize(("asked", "written"), NAMES)
def test_a_name_that_stands_somewhere_is_not_taken_apart(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"# 設定\n\n{written} を書く。\n")
    workspace.write("m/y.md", "# 別\n\nA request, a timeout, an API, a server and http.\n")
    found = serve().find(asked)
    assert found.paths() == {"x.md"}
    assert (found.lines["matched"], found.summary["integration_status"]) == (1, "ready")


def test_a_name_that_stands_nowhere_is_found_by_its_words(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/y.md", "# 別\n\nA request has a timeout.\n")
    found = serve().find("request_timeout_ms")
    assert (found.paths(), found.status) == ({"y.md"}, "absent")


@pytest.mark.parametrize("question", ["3 %", "３　％", "3%"])
def test_a_number_and_its_sign_are_one_term(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", "# 率\n\n率は３％とする。\n\n率は 3 % とする。\n\n第3項の率は50%とする。\n")
    found = serve().find(question)
    assert (found.lines["matched"], found.status) == (2, "found")


def test_lone_signs_that_stand_nowhere_together_are_looked_for_each(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n率は5%とする。\n\n第7項。\n")
    assert serve().find("7 %").lines["matched"] == 2


HIRAGANA_RULES = """# 手引

## のれん

のれんは二十年以内に償却する。

## 計測

たわみを測る。さびや割れの有無を見る。

## 紙

しおりに書く。水のあふれを防ぐ。

# 林間学校

## おこづかい

二千円まで持って行ける。
"""


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("のれんの処理", 3),
        ("のれんの残高を計算する方法を教えてください", 3),
        ("当社ののれんはいくら残っているか", 3),
        ("たわみとは", 9),
        ("橋のたわみ", 9),
        ("ひずみとたわみの限度", 9),
        ("しおりについて", 13),
        ("林間学校におこづかいはいくら持って行けるか", 17),
        ("タンクのあふれを検知する装置の型番", 13),
    ],
)
def test_a_word_in_hiragana_that_stands_apart_is_a_term(
    workspace: WorkspaceFolder, serve: Serve, question: str, line: int
) -> None:
    workspace.write("m/x.md", HIRAGANA_RULES)
    found = serve().find(question)
    assert found.status == "found"
    assert ("x.md", line) in found.places()


@pytest.mark.parametrize(
    "question", ["試験においては何が要るか", "平日ではおおむね何人が来るか", "学校にあるものは何か"]
)
def test_a_word_that_only_joins_is_no_word_in_hiragana(question: str) -> None:
    assert find_words(question, is_phrase=False) == []


@pytest.mark.parametrize(
    "question", ["そのことの意味", "すべての装置", "どこの装置", "行うことの型番", "はじめの装置", "装置は何のためか"]
)
def test_hiragana_that_points_or_asks_is_no_term(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", "# 題\n\nそのこと、すべて、どこ、行うこと、はじめ、そのため。\n")
    assert serve().find(question).lines["matched"] == 0


@pytest.mark.parametrize("question", ["装置 について", "装置 とは", "装置 に関する", "装置 を教えて"])
def test_a_particle_set_apart_is_no_term(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", "# 題\n\n装置を置く。\n\n部品について、とは、に関する、教えて。\n")
    assert serve().find(question).lines["matched"] == 1


@pytest.mark.parametrize("question", ["扱いについて", "扱いとは", "扱いを教えてください"])
def test_what_a_question_is_about_is_looked_for_without_its_ending(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# 題\n\n扱いを定める。\n")
    found = serve().find(question)
    assert (found.status, found.lines["matched"]) == ("found", 1)


def test_a_rare_word_in_hiragana_comes_before_a_frequent_one_in_kanji(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "".join(f"# 題{n}\n\n第{n}の許容値を定める。\n\n" for n in range(300)))
    workspace.write("m/y.md", "# 測り方\n\nたわみは中央で測る。\n")
    assert serve().find("たわみの許容値").hits()[0]["path"] == "y.md"


PARTS = "# 規程\n\n## 慶弔\n\n結婚のときの休暇は五日。\n\n## 病気\n\n病気のときも休暇を与える。\n\n## 他\n\n休む。\n"


def test_a_compound_that_stands_nowhere_is_looked_for_by_its_words(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", PARTS)
    found = serve().find("結婚休暇")
    assert [item["ref"]["start_line"] for item in found.hits("integrated_top")] == [5, 9]
    assert (found.status, found.lines["matched"]) == ("absent", 0)
    assert [item["gap_hint"] for item in found.hits("gaps")] == ["結婚休暇"]


WARD = "# 病棟\n\n## 開始\n\n輸血は30分以内に始める。\n\n## 検査\n\n検査と課税、麻疹。\n"


@pytest.mark.parametrize(("word", "line"), [("輸血中", 5), ("再検査", 7)])
def test_a_word_with_one_more_character_is_looked_for_without_it(
    workspace: WorkspaceFolder, serve: Serve, word: str, line: int
) -> None:
    workspace.write("m/x.md", WARD)
    found = serve().find(word)
    assert [item["ref"]["start_line"] for item in found.hits("integrated_top")] == [line]
    assert (found.status, found.lines["matched"]) == ("absent", 0)


@pytest.mark.parametrize("word", ["非課税", "蕁麻疹", "不検査"])
def test_no_word_is_looked_for_by_what_it_denies_or_only_ends_with(
    workspace: WorkspaceFolder, serve: Serve, word: str
) -> None:
    workspace.write("m/x.md", WARD)
    assert serve().find(word).summary["candidates"] == 0


@pytest.mark.parametrize("word", ["出産休暇", "休暇日数制", "休五日暇"])
def test_a_compound_is_looked_for_by_its_words_only_if_all_stand(
    workspace: WorkspaceFolder, serve: Serve, word: str
) -> None:
    workspace.write("m/x.md", PARTS)
    assert serve().find(word).summary["candidates"] == 0


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("残業", "時間外労働を命ずる。"),
        ("育休", "育児休業の申出。"),
        ("テレワーク", "在宅勤務を認める。"),
        ("マイナンバー", "個人番号の廃棄。"),
        ("パワハラ", "パワーハラスメントを禁ずる。"),
        ("給料", "賃金を支払う。"),
    ],
)
def test_words_of_the_office_are_found_by_what_rules_call_them(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"# 題\n\n{written}\n\n# 別\n\n何もない。\n")
    assert serve().find(asked).lines["matched"] == 1
