"""Words that are written with more or less hiragana: whichever is asked for finds all (引渡し = 引き渡し)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.server.search.question.spellings import find_spelt, respell

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

SPELLINGS = load_dictionaries(Path("nowhere")).spellings
MOST = 16


@pytest.mark.parametrize(
    "spellings",
    [
        ["引き渡し", "引渡し", "引渡"],
        ["差し押さえ", "差押え", "差押"],
        ["取り扱い説明書", "取扱い説明書", "取扱説明書"],
        ["見積もり", "見積り", "見積"],
        ["組み合わせ", "組合せ", "組合わせ"],
        ["届け出", "届出"],
        ["ただし書き", "ただし書"],
    ],
)
def test_each_spelling_finds_all(workspace: WorkspaceFolder, serve: Serve, spellings: list[str]) -> None:
    for number, spelling in enumerate(spellings):
        workspace.write(f"m/{number}.md", f"# 題\n\nこの{spelling}による。\n")
    manuals = serve()
    for spelling in spellings:
        found = manuals.find(spelling)
        assert (found.status, len(found.paths())) == ("found", len(spellings))


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("個人情報の漏洩", "個人情報の漏えいを防ぐ。"),
        ("情報漏えい対策", "情報漏洩対策を定める。"),
        ("名誉毀損", "名誉き損を禁ずる。"),
        ("車椅子の貸出", "車いすの貸出を行う。"),
        ("メインテナンス時間", "メンテナンス時間は深夜とする。"),
        ("霞ヶ関", "霞が関に届ける。"),
        ("霞が関", "霞ケ関に届ける。"),
    ],
)
def test_a_word_in_kanji_finds_it_in_kana_and_one_in_another_spelling(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"# 題\n\n{written}\n")
    found = serve().find(asked)
    assert (found.status, found.lines["matched"], found.hits("gaps")) == ("found", 1, [])


def test_no_word_is_found_inside_others_that_end_and_begin_with_its_characters(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 題\n\n罹患した者。\n\n濾過する。\n\n屎尿を運ぶ。\n")
    manuals = serve()
    for question in ("診断があり患者に知らせる方法", "確認したところ過去の分があった場合", "提出し尿検査を受ける手順"):
        assert manuals.find(question).lines["matched"] == 0


@pytest.mark.parametrize("question", ["物件の引き渡し時期", "引き渡しの時期を教えてください", "引渡しの時期"])
def test_such_a_word_is_a_word_of_a_phrase(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", "# 題\n\n引渡しは月末とする。\n")
    found = serve().find(question)
    assert (found.status, found.lines["matched"]) == ("found", 1)


@pytest.mark.parametrize(("asked", "written"), [("手当て", "手当"), ("組み合わせ", "組合"), ("使い方", "使方")])
def test_nothing_is_left_out_of_other_words(workspace: WorkspaceFolder, serve: Serve, asked: str, written: str) -> None:
    workspace.write("m/x.md", f"# 題\n\nこの{written}による。\n")
    assert serve().find(f'"{asked}"').lines["matched"] == 0


def test_words_of_one_s_own_are_added(workspace: WorkspaceFolder, serve: Serve) -> None:
    (workspace.root / "dictionaries").mkdir()
    (workspace.root / "dictionaries" / "okurigana.txt").write_text("焼(き)戻(し)  # ours\n", "utf-8")
    workspace.write("m/x.md", "# 題\n\n焼戻しを行う。\n")
    assert serve().find("焼き戻し").lines["matched"] == 1


def test_a_word_inside_a_longer_one_is_respelt_there() -> None:
    assert set(respell("主要取引先", SPELLINGS, MOST)) == {"主要取り引き先", "主要取り引先", "主要取引き先"}
    assert respell("組合員", SPELLINGS, MOST) == []


@given(st.text(alphabet="取り扱い書引渡しの組合せ", max_size=12))
def test_spellings_are_those_of_each_other(text: str) -> None:
    others = respell(text, SPELLINGS, MOST)
    assert len(others) <= MOST
    assert text not in others
    assert len(set(others)) == len(others)
    assert all(word in text for word in find_spelt(text, SPELLINGS))


def test_what_is_a_spelling_of_a_word_has_that_word_among_its_own() -> None:
    assert all(len(word) > 1 for word in SPELLINGS)
    assert all(word in SPELLINGS[other] for word, others in SPELLINGS.items() for other in others)
