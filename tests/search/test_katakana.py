"""Katakana words are found in every spelling, whichever is asked for."""

import pytest

from morenashi.server.search.question.katakana import katakana_spellings
from morenashi.server.search.question.terms import make_term
from morenashi.server.search.ranking.titles import is_in_title

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    "spellings",
    [
        ["ソフトウェア", "ソフトウエア"],
        ["ウイルス対策", "ウィルス対策"],
        ["フィルムカメラ", "フイルムカメラ"],
        ["クォーツ時計", "クオーツ時計"],
        ["ファイアウォール", "フアイアウオール", "ファイアウオール"],
        ["サーバ証明書", "サーバー証明書"],
        ["ウェブサーバの設定", "ウエブサーバーの設定"],
        ["サーバールーム", "サーバルーム"],
        ["ユーザーインターフェース", "ユーザインターフェース", "ユーザインタフェース"],
        ["メモリカードの交換", "メモリーカードの交換"],
    ],
)
def test_each_spelling_finds_all(workspace: WorkspaceFolder, serve: Serve, spellings: list[str]) -> None:
    for number, spelling in enumerate(spellings):
        workspace.write(f"m/{number}.md", f"# 題\n\nこの{spelling}による。\n")
    manuals = serve()
    for spelling in spellings:
        found = manuals.find(f'"{spelling}"')
        assert (found.status, found.lines["matched"]) == ("found", len(spellings))


@pytest.mark.parametrize(("asked", "written"), [("ヴァージョン", "バージョン"), ("カーヴの半径", "カーブの半径")])
def test_who_writes_vu_finds_those_who_do_not(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"# 題\n\n{written}を記す。\n")
    assert serve().find(asked).lines["matched"] == 1


@pytest.mark.parametrize("text", ["カイロ", "かうい", "手続", "web", "フク", "カードローン", "パターン", "ーーーー"])
def test_other_words_have_one_spelling(text: str) -> None:
    assert katakana_spellings(text) == []


def test_a_line_of_nothing_but_long_vowels_is_looked_for_as_it_is(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 記入欄\n\nーーーー\n\n氏名\n")
    assert serve().find("ーーーー").lines["matched"] == 1


@pytest.mark.parametrize("asked", ["サーバーの設定", "サーバの設定"])
def test_a_title_counts_in_whichever_spelling_it_is(workspace: WorkspaceFolder, serve: Serve, asked: str) -> None:
    workspace.write("m/a.md", "# 手引\n\n## クライアント\n\nOpenVPN の鍵を OpenVPN に渡す。\n")
    workspace.write("m/b.md", "# 手引\n\n## OpenVPN サーバの設定\n\n鍵を渡す。\n")
    best, *_ = serve().find(f"OpenVPN {asked}").hits("integrated_top")
    assert best["path"] == "b.md"


@pytest.mark.parametrize(("asked", "titled"), [("利用者ユーザー", "利用者ユーザ"), ("漏えい", "漏洩")])
def test_a_title_holds_a_term_in_another_spelling_but_by_no_synonym(asked: str, titled: str) -> None:
    term = make_term(asked, {asked: ["流出"]}, {"漏えい": ["漏洩"]})
    assert (is_in_title(f"{titled}への対処", term), is_in_title("流出への対処", term)) == (True, False)
