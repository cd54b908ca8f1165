"""A short question or phrase: as it stands, or else by its words (contract §3). What is not there is never `ready`."""

import pytest

from morenashi.server.search.question.query import parse_query

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

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
        "慶弔休暇してはいけないのはどんなとき",
        "慶弔休暇できるのはどういう場合ですか",
        "慶弔休暇してはならない人",
        "慶弔休暇してはだめなもの",
    ],
)
def test_a_short_question_is_found_by_its_words(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find(question)
    assert (found.status, found.lines["matched"]) == ("found", 1)
    assert found.places() == {("x.md", 3)}


@pytest.mark.parametrize(
    "question",
    [
        *("慶弔休暇何日", "慶弔休暇いつ", "慶弔休暇誰", "慶弔休暇いくつ", "慶弔休暇って", "慶弔休暇って取れるの"),
        *("慶弔休暇まとめて", "慶弔休暇教えて", "慶弔休暇詳しく", "慶弔休暇忘れた", "慶弔休暇なし", "慶弔休暇出来ない"),
        *("慶弔休暇使えなかったら", "慶弔休暇取るとき", "慶弔休暇ないんですけど", "慶弔休暇あったっけ"),
        *("慶弔休暇いつから", "慶弔休暇っていつまでに", "慶弔休暇使っていいの", "慶弔休暇いつ呼ばれるの"),
    ],
)
def test_a_question_as_one_chats_is_found_by_its_words(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find(question)
    assert (found.status, found.lines["matched"], found.hits("gaps")) == ("found", 1, [])


@pytest.mark.parametrize(
    "behind",
    [
        "など",
        "等",
        "だけ",
        "まわり",
        "周り",
        "関連",
        "関係",
        "全般",
        "以外",
        "一覧",
        "まとめ",
        "一覧を教えて",
    ],
)
def test_a_word_with_and_so_on_behind_it_is_found_without(
    workspace: WorkspaceFolder, serve: Serve, behind: str
) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find(f"慶弔休暇{behind}")
    assert (found.status, found.lines["matched"], found.hits("gaps")) == ("found", 1, [])


@pytest.mark.parametrize(
    ("asked", "names"),
    [("IT機器等", ["it機器"]), ("C言語等", ["c言語"]), ("機器等", ["機器"]), ("PC等", ["pc"])],
)
def test_a_word_of_several_scripts_with_and_so_on_behind_it_is_known_as_a_whole(asked: str, names: list[str]) -> None:
    (known,) = parse_query(asked, {}, {}).phrases.values()
    assert [term.text for term in known] == names


@pytest.mark.parametrize("question", ["慶弔休暇等とは", "慶弔休暇等のための日数"])
def test_a_word_that_stands_with_and_so_on_stays_whole_in_a_phrase(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", RULES + "\n慶弔休暇等を定める。日数。\n")
    assert serve().find(question).lines["matched"] == 1


def test_how_something_is_done_may_stand_right_behind_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find("慶弔休暇やり方")
    assert (found.status, found.places()) == ("found", {("x.md", 3)})


@pytest.mark.parametrize("word", ["男女平等", "人間関係", "社長あいさつ", "慶弔休暇いじめ"])
def test_a_word_that_ends_alike_stays_whole(workspace: WorkspaceFolder, serve: Serve, word: str) -> None:
    workspace.write("m/x.md", RULES + "\n男女の人間、社長。\n")
    assert serve().find(word).status == "absent"


@pytest.mark.parametrize("asked", ["1日8時間", "1年", "3回まで"])
def test_a_single_figure_that_stands_nowhere_brings_no_lines_with_what_it_counts(
    workspace: WorkspaceFolder, serve: Serve, asked: str
) -> None:
    workspace.write("m/x.md", RULES + "\n日と時間、年の回。\n")
    assert serve().find(asked).hits() == []


@pytest.mark.parametrize(
    "question",
    ["通勤手当（上限）", "手当（通勤）", "通勤手当(limit)", "limit（通勤手当）", "「通勤手当」上限", "【通勤】手当"],
)
def test_a_phrase_with_words_in_brackets_is_found_by_its_words(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", RULES + "上限は一万円とする。The limit.\n")
    found = serve().find(question)
    assert (found.status, found.hits("gaps")) == ("found", [])


AND = ["、", "・", "/", "＋", "&", "や", "か", "とか", "vs", "および", "または", "かつ", "あるいは", "ならびに"]


@pytest.mark.parametrize("mark", AND)
def test_a_list_of_words_is_found_by_each_of_them(workspace: WorkspaceFolder, serve: Serve, mark: str) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find(f"慶弔休暇{mark}通勤手当")
    assert (found.status, found.lines["matched"], found.hits("gaps")) == ("found", 2, [])


@pytest.mark.parametrize("question", ["セクハラ・パワハラ", "セクハラ/パワハラ"])
def test_a_list_in_katakana_is_one_if_the_dictionaries_know_its_words(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# 題\n\nセクハラを禁ずる。\n\n# 別\n\nパワハラも禁ずる。\n")
    found = serve().find(question)
    assert (found.status, found.lines["matched"], found.hits("gaps")) == ("found", 2, [])


@pytest.mark.parametrize(("line", "matched"), [("漏水、断水又は濁水のとき。", 2), ("漏水・断水・濁水のとき。", 1)])
def test_three_words_of_kanji_are_a_list_where_no_line_has_them_as_one(
    workspace: WorkspaceFolder, serve: Serve, line: str, matched: int
) -> None:
    workspace.write("m/x.md", f"# 題\n\n{line}\n\n# 別\n\n断水を知らせる。\n")
    assert serve().find("漏水・断水・濁水").lines["matched"] == matched


@pytest.mark.parametrize("name", ["ワーク・ライフ・バランス", "TCP/IP", "Q&A"])
def test_a_name_with_a_sign_in_it_is_no_list(workspace: WorkspaceFolder, serve: Serve, name: str) -> None:
    workspace.write("m/x.md", "# 題\n\nワークとライフ、バランス。\n\nTCP or IP, Q or A.\n")
    found = serve().find(name)
    assert (found.status, [gap["gap_hint"] for gap in found.hits("gaps")]) == ("absent", [name.casefold()])


@pytest.mark.parametrize("call", ["rate(errors)", "手当（通勤）"])
def test_a_call_is_one_term_and_so_are_brackets_that_stand_somewhere(
    workspace: WorkspaceFolder, serve: Serve, call: str
) -> None:
    workspace.write("m/x.md", "# 題\n\n手当(通勤)と書く。\n\nrate(errors)\n\n手当、通勤、rate、errorsと書く。\n")
    assert serve().find(call).lines["matched"] == 1


def test_a_phrase_that_stands_somewhere_is_one_term(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES + "\n## 別の章\n\n慶弔休暇の日数は別に定める。\n\n慶弔休暇の申請。日数の計算。\n")
    assert serve().find("慶弔休暇の日数").lines["matched"] == 1


@pytest.mark.parametrize("words", ['"慶弔休暇は何日か"', "慶弔通勤", "慶弔休暇手当金", "申込み手続き"])
def test_a_quoted_phrase_and_a_word_stay_what_they_are(workspace: WorkspaceFolder, serve: Serve, words: str) -> None:
    workspace.write("m/x.md", RULES + "申込の手続。\n")
    assert serve().find(words).status == "absent"


@pytest.mark.parametrize(
    ("asked", "matched"),
    [
        *(("getter/setter", 2), ("What is `getter`/`setter`?", 2), ("getter/setter/both", 2), ("READ/WRITE", 1)),
        *(("DEBUG_MODE=false", 1), ("--keep-days=15", 1), ("What does DEBUG_MODE=1 do?", 1)),
        *(
            ("text/getter", 0),
            ("src/getter", 0),
            ("/getter/setter", 0),
            ("and/or", 0),
            ('"getter/setter"', 0),
            ("a=getter", 0),
        ),
    ],
)
def test_words_that_a_slash_parts_and_a_setting_are_found_where_they_stand_alone(
    workspace: WorkspaceFolder, serve: Serve, asked: str, matched: int
) -> None:
    lines = ("A getter is one.", "A setter, or another.", "Set DEBUG_MODE to true.", "Then --keep-days 3.", "Write it.")
    workspace.write("m/x.md", "# Names\n\n" + "\n\n".join(lines) + "\n")
    found = serve().find(asked)
    assert (found.status, found.lines["matched"]) == ("found" if matched else "absent", matched)


@pytest.mark.parametrize("asked", ["getter/setter", "DEBUG_MODE=false"])
def test_what_a_slash_or_a_sign_joins_is_one_term_where_it_stands(
    workspace: WorkspaceFolder, serve: Serve, asked: str
) -> None:
    workspace.write("m/x.md", f"# Names\n\nA {asked} here.\n\nA setter with DEBUG_MODE=true.\n")
    assert serve().find(asked).lines["matched"] == 1


def test_a_word_of_a_phrase_that_stands_nowhere_is_a_gap(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find("慶弔休暇の繰越")
    assert found.status == "found"
    assert [item["gap_hint"] for item in found.hits("gaps")] == ["繰越"]


def test_of_a_question_of_which_nothing_stands_anywhere_the_words_are_gaps(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", RULES)
    found = serve().find("弔電の延長は何回まで")
    assert (found.status, sorted(item["gap_hint"] for item in found.hits("gaps"))) == ("absent", ["延長", "弔電"])


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
