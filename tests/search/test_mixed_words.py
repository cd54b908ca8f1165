"""Words of kanji and hiragana by turns are words of a phrase, though no dictionary has them."""

import pytest

from morenashi.server.search.question.mixed_words import find_mixed_words

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
