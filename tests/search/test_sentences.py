"""The sentences of a line, and which of them say by themselves what they are about (seed 004 §3)."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.sentences import sentences, stands_alone, topic_of


def read(line: str) -> list[str]:
    return list(sentences(normalise(line)))


@pytest.mark.parametrize(
    "mark",
    [
        *("- ", "* ", "> ", "・", "● ", "■", "◆", "○", "▼", "▶ ", "□", "◇", "※", "- [ ] ", "- [x] "),
        *("1. ", "１．", "1)", "１）", "12) ", "(1)", "（ア）", "(iii) ", "（一）", "A. ", "Ａ1．"),
        *("また、", "なお、", "ただし、", "第5条 ", "第5条の2(申請)", "当社では、"),
    ],
)
def test_the_mark_of_an_item_is_no_part_of_its_sentence(mark: str) -> None:
    assert read(f"{mark}申請は必須である。")[-1] == "申請は必須である"


@pytest.mark.parametrize("begun", ["And ", "But ", "So ", "1) ", "a) ", "(b) "])
def test_what_joins_an_english_sentence_to_the_one_before_is_no_part_of_it(begun: str) -> None:
    assert read(f"{begun}mail is kept.") == ["mail is kept"]


@pytest.mark.parametrize("said", ["3.10以降が必要である", "1.5倍を支払う", "1.x is supported", "(任意)申請は3日とする"])
def test_what_only_looks_like_the_mark_of_an_item_stays(said: str) -> None:
    assert read(said) == [said]


@pytest.mark.parametrize("line", ["# 申請は必須である。", "申請は必須か。要する?", "あ" * 201])
def test_headings_questions_and_what_is_very_long_are_none(line: str) -> None:
    assert read(line) == []


@pytest.mark.parametrize(
    "said",
    [
        *("その額は5円とする", "それは5円とする", "ここは5円とする", "当該費用は5円とする", "同様に5円とする"),
        *("費用は同日に払う", "同社は5円とする", "前者は5円とする", "後者は5円とする", "いずれかは5円とする"),
        *("第3項の額は5円とする", "同条の額は5円とする", "前項の額は5円とする", "次の額は5円とする"),
        *("本節では5円とする", "各号の額は5円とする", "額は別表とする", "以下の額は5円とする", "額は下記とする"),
        *("例えば5円とする", "たとえば5円とする", "例は5円とする", "費用は仮に5円とする", "を5円とする"),
    ],
)
def test_what_points_elsewhere_does_not_stand_alone(said: str) -> None:
    assert not stands_alone(said)


@pytest.mark.parametrize(
    "word",
    [
        *("it", "this", "that", "these", "those", "they", "them", "he", "she", "such", "here", "there", "one", "other"),
        *("another", "same", "figure", "table", "step", "section", "chapter", "article", "clause", "version"),
        *("following", "above", "below", "previous", "example", "e.g"),
    ],
)
def test_an_english_word_that_points_elsewhere_does_not_stand_alone(word: str) -> None:
    assert not stands_alone(f"mail of {word} is kept for 3 days")


@pytest.mark.parametrize("begun", ["its", "their", "his", "her"])
def test_its_goes_back_to_the_subject_of_the_sentence_unless_it_begins_with_it(begun: str) -> None:
    assert not stands_alone(f"{begun} mail is kept for 3 days")
    assert stands_alone(f"an owner has {begun} mail kept for 3 days")


@pytest.mark.parametrize("code", ["=", "{", "}", "<", ">", ";", "$", "_", "::", "//", "keep(3)"])
def test_code_does_not_stand_alone(code: str) -> None:
    assert not stands_alone(f"mail is {code} kept for 3 days")


@pytest.mark.parametrize(
    "said", ["the owner is told", "python 3.10 or above is required", "申請(様式)は5日とする", "はがきは5円とする"]
)
def test_a_sentence_that_names_its_thing_stands_alone(said: str) -> None:
    assert stands_alone(said)


@pytest.mark.parametrize(
    "verb",
    [
        *("is", "are", "was", "must", "may", "can", "cannot", "shall", "will", "should", "last", "lasts", "expire"),
        *("expires", "do", "does"),
    ],
)
def test_an_english_sentence_is_about_what_stands_before_its_verb(verb: str) -> None:
    assert topic_of(f"the key {verb} not") == "key"


@pytest.mark.parametrize("article", ["", "a ", "an ", "all ", "each ", "every "])
def test_a_thing_is_called_without_its_article(article: str) -> None:
    assert topic_of(f"{article}key is kept") == "key"


@pytest.mark.parametrize("joined", ["は", "には", "では", "とは", "からは"])
def test_a_sentence_is_about_what_stands_before_its_particle(joined: str) -> None:
    assert topic_of(f"申請の窓口{joined}5人とする") == "申請の窓口"


@pytest.mark.parametrize(
    "said", ["5円を払う", "5円を払わなくてはならない", "申請、窓口は5人とする", "は5円とする", "keep mail"]
)
def test_a_sentence_need_not_say_what_it_is_about(said: str) -> None:
    assert topic_of(said) == ""
