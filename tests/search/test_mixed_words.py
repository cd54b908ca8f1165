"""Words of kanji and hiragana by turns are words of a phrase, though no dictionary has them."""

import pytest

from morenashi.server.search.question.mixed_words import find_mixed_words
from morenashi.server.search.question.query import parse_query

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("呼び鈴の電池", ["呼び鈴"]),
        ("割れ物の梱包", ["割れ物"]),
        ("焼き肉店の営業許可", ["焼き肉店"]),
        ("乗り継ぎについて", ["乗り継ぎ"]),
        ("税の落とし穴", ["落とし穴"]),
        ("犬と猫の登録", []),
        ("新しい者の扱い", []),
        ("赤い旗の意味", []),
        ("母が子の世話", []),
        ("長および主任の呼称", []),
        ("前より後の順位", []),
        ("火を消し戸を閉める", []),
        ("話し相手になる", ["話し相手"]),
        ("申請書の提出", []),
    ],
)
def test_the_words_of_a_phrase(phrase: str, words: list[str]) -> None:
    assert find_mixed_words(phrase, is_phrase=True) == words


def test_nothing_need_follow_at_the_end_of_a_phrase_alone() -> None:
    assert find_mixed_words("税の落とし穴", is_phrase=False) == []


@pytest.mark.parametrize("question", ["呼び鈴の電池", "呼び鈴が鳴らないときの電池の入れ方を教えてください"])
def test_they_are_looked_for(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/a.md", "# 懐中電灯\n\n電池を替える。\n")
    workspace.write("m/b.md", "# 玄関\n\n呼び鈴を外す。\n")
    found = serve().find(question)
    assert found.lines["matched"] == 2


def test_a_word_that_the_dictionary_has_inside_stays_a_word(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n立入りのときに検査する。\n")
    assert serve().find("立ち入り検査の頻度").lines["matched"] == 1


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("グリーン車を利用できるのはどんなとき", ["グリーン車", "利用"]),
        ("構成ファイル例を見せてもらえますか", ["構成", "ファイル"]),
        ("サーバー室に入室できるのは誰ですか", ["サーバー室", "入室"]),
        ("データ用の領域を確保するにはどうするか", ["データ", "領域", "確保"]),
        ("ボタン押すと画面が切り替わるのはなぜか", ["ボタン", "画面"]),
        ("ファイル名称を変更するにはどうしますか", ["ファイル", "名称", "変更"]),
    ],
)
def test_katakana_and_one_kanji_are_a_word(question: str, words: list[str]) -> None:
    assert [term.text for term in parse_query(question, {}, {}).terms] == words


@pytest.mark.parametrize(
    ("line", "found"), [("サーバー室に入室できる者は別に定める。", "a.md"), ("別に定める。", "b.md")]
)
def test_a_word_of_katakana_and_one_kanji_is_looked_for_as_a_whole_where_it_stands(
    workspace: WorkspaceFolder, serve: Serve, line: str, found: str
) -> None:
    workspace.write("m/a.md", f"# 部屋\n\n{line}\n")
    workspace.write("m/b.md", "# 他\n\nサーバーを止める。\n")
    assert {path for path, _ in serve().find("サーバー室に入室できるのは誰ですか").places()} == {found}
