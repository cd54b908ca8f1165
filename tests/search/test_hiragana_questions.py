"""Words in hiragana in a question: which are terms, and which only join or ask (contract §3)."""

import pytest

from morenashi.server.search.question.hiragana import find_words

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

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
