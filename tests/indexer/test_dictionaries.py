"""The shipped dictionaries and what a user adds."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from morenashi.indexer.dictionaries import find_idle_lines, load_dictionaries, read_own
from morenashi.indexer.exception_entries import ExceptionEntry, compile_patterns
from morenashi.indexer.text import normalise


def test_the_shipped_dictionaries_are_found_and_normalised(tmp_path: Path) -> None:
    shipped = load_dictionaries(tmp_path / "none")
    assert ExceptionEntry("proviso", "^ただし", is_own=False) in shipped.exceptions
    heads = [pattern.head for pattern in compile_patterns(shipped.exceptions)]
    assert all(normalise(head) == head for head in heads)
    assert "" not in heads, "an expression is looked for by its first word, not at every character"
    assert all(normalise(word) == word for word in shipped.synonyms)


_DICTIONARIES = Path(__file__).parents[2] / "data" / "dictionaries"
_SHORT_KANA = re.compile("[\u3041-\u3096ー]{1,2}|[\u30a1-\u30faー]")
# They stand in no other word.
_SAFE = {"ごみ", "ねじ"}


def _groups(name: str) -> list[list[str]]:
    lines = (line.partition("#")[0].strip() for line in (_DICTIONARIES / name).read_text("utf-8").split("\n"))
    return [[member.strip() for member in line.split(",")] for line in lines if line]


@pytest.mark.parametrize("name", ["synonyms.txt", "english.txt", "verbs.txt"])
def test_every_shipped_group_says_something_once_in_normal_form(name: str) -> None:
    for group in _groups(name):
        assert len(group) > 1
        assert len(set(group)) == len(group), group
        assert all(normalise(member) == member and len(member) > 1 for member in group), group


@pytest.mark.parametrize("name", ["synonyms.txt", "english.txt"])
def test_no_two_words_are_synonyms_in_two_shipped_groups(name: str) -> None:
    pairs = [pair for group in _groups(name) for pair in combinations(sorted(group), 2)]
    assert [pair for pair, times in Counter(pairs).items() if times > 1] == []


def test_no_shipped_synonym_is_so_short_that_other_words_have_it_in_them() -> None:
    members = {member for group in _groups("synonyms.txt") for member in group}
    assert {member for member in members if _SHORT_KANA.fullmatch(member)} <= _SAFE


def test_english_synonyms_are_words_with_blanks_or_hyphens_between() -> None:
    members = {member for group in _groups("english.txt") for member in group}
    assert {member for member in members if not re.fullmatch("[a-z0-9]+(?:[ -][a-z0-9]+)*", member)} == set()


def test_each_shipped_verb_stands_once() -> None:
    verbs = Counter(verb for verb, *_ in _groups("verbs.txt"))
    assert [verb for verb, times in verbs.items() if times > 1] == []


def test_own_expressions_are_added(tmp_path: Path) -> None:
    (tmp_path / "exceptions.txt").write_text("\ufeff# ours\n\nＳＡＶＥ ＦＯＲ  # width\nただし\n", "utf-8")
    own, shipped = load_dictionaries(tmp_path), load_dictionaries(tmp_path / "none")
    added = own.exceptions[len(shipped.exceptions) :]
    assert added == (ExceptionEntry("exclusion", "ＳＡＶＥ ＦＯＲ", True), ExceptionEntry("exclusion", "ただし", True))


def test_own_expressions_have_the_kind_of_their_heading(tmp_path: Path) -> None:
    (tmp_path / "exceptions.txt").write_text("[condition]\n限りにおいて\n[no such kind]\n特例\n", "utf-8")
    own = [entry for entry in load_dictionaries(tmp_path).exceptions if entry.is_own]
    assert [(entry.kind, entry.notation) for entry in own] == [("condition", "限りにおいて"), ("exclusion", "特例")]


def test_the_digest_follows_the_expressions(tmp_path: Path) -> None:
    before = load_dictionaries(tmp_path).digest
    (tmp_path / "synonyms.txt").write_text("一, 二\n", "utf-8")
    assert load_dictionaries(tmp_path).digest == before
    (tmp_path / "exceptions.txt").write_text("save for\n", "utf-8")
    assert load_dictionaries(tmp_path).digest != before


def test_each_word_of_a_group_has_the_others_as_synonyms(tmp_path: Path) -> None:
    (tmp_path / "synonyms.txt").write_text("路用、道中費, Travel Cost\n路用, 路銀\n,,\n", "utf-8")
    synonyms = load_dictionaries(tmp_path).synonyms
    assert synonyms["道中費"] == ("路用", "travel cost")
    assert synonyms["路用"] == ("道中費", "travel cost", "路銀")
    assert "" not in synonyms


def test_a_word_of_which_very_much_may_be_left_out_is_none(tmp_path: Path) -> None:
    (tmp_path / "okurigana.txt").write_text("取(り)消(し)\n" + "あ(い)" * 12 + "\n", "utf-8")
    assert find_idle_lines(read_own(tmp_path)) == {"okurigana.txt": [2]}
    assert set(load_dictionaries(tmp_path).spellings["取消し"]) == {"取り消し", "取り消", "取消"}


def test_a_dictionary_of_another_encoding_is_taken_with_a_remark(tmp_path: Path) -> None:
    (tmp_path / "synonyms.txt").write_bytes("旅費, 路銀\n".encode("cp932"))
    dictionaries = load_dictionaries(tmp_path)
    assert "路銀" in dictionaries.synonyms["旅費"]
    assert dictionaries.remarks == (f"{tmp_path.name}/synonyms.txt: it is read as cp932, not as UTF-8",)
    (tmp_path / "synonyms.txt").write_text("旅費, 路銀\n", "utf-8")
    assert load_dictionaries(tmp_path).remarks == ()


def test_what_stands_in_the_place_of_a_dictionary_is_remarked_on(tmp_path: Path) -> None:
    (tmp_path / "verbs.txt").mkdir()
    assert load_dictionaries(tmp_path).remarks == (f"{tmp_path.name}/verbs.txt: it is no file, and passed over",)
    (tmp_path / "own").touch()
    assert load_dictionaries(tmp_path / "own").remarks == ("own: it is no folder, and passed over",)
