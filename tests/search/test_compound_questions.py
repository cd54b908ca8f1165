"""Compounds that a manual writes in another way: by their words, with a particle inside (contract §3)."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

RULES = "# 規程\n\n## 慶弔休暇\n\n結婚したときは五日とする。\n\n## 手当\n\n通勤手当を支給する。\n"


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("通勤手当申請", "通勤手当の申請は月末に行う。"),
        ("パスワード変更", "パスワードの変更は月末に行う。"),
        ("usb接続", "USBの接続は月末に行う。"),
        ("情報漏洩", "情報の漏えいは月末に調べる。"),
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


@pytest.mark.parametrize(("times", "loosely"), [(1, [9]), (30, [])])
def test_a_compound_that_few_passages_have_is_looked_for_with_a_particle_too(
    workspace: WorkspaceFolder, serve: Serve, times: int, loosely: list[int]
) -> None:
    others = "".join(f"\n## 丙{number}\n\n手当申請をする。\n" for number in range(1, times))
    workspace.write("m/x.md", f"# 規程\n\n## 甲\n\n手当申請をする。\n\n## 乙\n\n手当の申請をする。\n{others}")
    found = serve().find("手当申請")
    assert (found.status, found.lines["matched"], found.hits("gaps")) == ("found", times, [])
    assert [hit["start_line"] for hit in found.hits() if "loose" in hit["signals"]] == loosely


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


KEPT = (
    "# 文書\n\n## 議事録\n\n議事録は、三年間保存する。\n\n## 点検\n\n点検表の様式を定める。\n\n"
    "## 記録\n\n測定を記録する。\n"
)


@pytest.mark.parametrize(
    ("asked", "lines"), [("保存期間", [5]), ("保存責任者", [5]), ("記録保存方法", [11, 5]), ("議事録保存義務", [5])]
)
def test_what_a_text_states_without_the_word_for_it_is_looked_for_by_what_it_is_of(
    workspace: WorkspaceFolder, serve: Serve, asked: str, lines: list[int]
) -> None:
    workspace.write("m/x.md", KEPT)
    found = serve().find(asked)
    assert [item["ref"]["start_line"] for item in found.hits("integrated_top")] == lines
    assert (found.status, found.hits("gaps")[0]["gap_hint"]) == ("absent", asked)


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
        ("忌引き休暇", "慶弔休暇を与える。"),
        ("失業手当", "基本手当を支給する。"),
        ("仮想通貨", "暗号資産の評価。"),
        ("ホテル代", "宿泊費は実費とする。"),
    ],
)
def test_words_of_the_office_are_found_by_what_rules_call_them(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"# 題\n\n{written}\n\n# 別\n\n何もない。\n")
    assert serve().find(asked).lines["matched"] == 1


def test_a_compound_in_a_phrase_is_found_with_a_particle_though_all_its_words_are_nowhere(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", f"{RULES}\n## 漏えい\n\n個人情報の漏えいは課長に報告する。\n")
    hints = [item["gap_hint"].partition(":")[::2] for item in serve().find("個人情報漏洩の報告先").hits("gaps")]
    assert [(word, bool(instead)) for word, instead in hints] == [("個人情報漏洩", True), ("報告先", False)]
