"""The strings of the two full-text tables."""

from itertools import pairwise, product
from string import ascii_lowercase

import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.text import normalise
from morenashi.indexer.tokens import END, SEPARATORS, is_kanji, pair_tokens, runs, squeeze, stem, word_tokens

from ..threads import call_at_once
from .texts import texts


@given(texts)
def test_every_adjacent_pair_of_the_squeezed_text_is_a_token(text: str) -> None:
    squeezed = squeeze(normalise(text))
    tokens = set(pair_tokens(normalise(text)).split(" "))
    assert {left + right for left, right in pairwise(squeezed)} <= tokens


@given(texts)
def test_every_character_begins_a_pair(text: str) -> None:
    tokens = pair_tokens(normalise(text)).split(" ")
    assert {token[:1] for token in tokens if token} == set(squeeze(normalise(text)))


@given(texts)
def test_a_pair_token_has_two_characters_and_stands_once(text: str) -> None:
    tokens = [token for token in pair_tokens(normalise(text)).split(" ") if token]
    assert all(len(token) == 2 for token in tokens)
    assert len(tokens) == len(set(tokens))


@given(texts | st.text(st.characters(exclude_categories=["Cs"])))
def test_a_long_passage_has_the_pairs_that_its_text_has(text: str) -> None:
    passage = normalise(text + "いろはにほへと、ちりぬるを。わかよたれそ" * 10)
    squeezed = squeeze(passage) + END
    assert sorted(pair_tokens(passage).split(" ")) == sorted({left + right for left, right in pairwise(squeezed)})


@given(texts)
def test_squeezed_text_has_no_separator(text: str) -> None:
    squeezed = squeeze(normalise(text))
    assert not set(SEPARATORS).intersection(squeezed)
    assert END not in squeezed


def test_separators_between_characters_make_no_difference() -> None:
    spellings = ["申請・届出", "申請 届出", "申請/届出", "申請-届出", "申請、届出", "申請\n届出", "申請, 届出"]
    assert len({pair_tokens(spelling) for spelling in spellings}) == 1


def test_an_empty_text_has_no_pair() -> None:
    assert pair_tokens("") == ""
    assert pair_tokens("・ -") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("第三条(旅費)", ["第三条", "旅費"]),
        ("サーバーの設定", ["サーバー", "設定"]),
        ("アの件", ["件"]),
        ("http2 api v1.2", ["http2", "api", "v1", "2"]),
        ("代々木 〆切", ["代々木", "〆切"]),
        ("ひらがなだけ", []),
    ],
)
def test_a_run_is_of_one_script(text: str, expected: list[str]) -> None:
    assert runs(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("settings", "set"),
        ("installing", "instal"),
        ("installed", "instal"),
        ("旅費", "旅費"),
        ("サーバー", "サーバー"),
    ],
)
def test_latin_words_have_stems_and_others_are_their_own(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_a_word_is_stemmed_whatever_its_end() -> None:
    # The last letters of most endings that are taken off, and where these count: behind two syllables.
    words = [begin + "".join(end) for begin in ("", "biolog") for end in product(ascii_lowercase, repeat=3)]
    assert [stem(word) for word in words] == snowballstemmer.stemmer("english").stemWords(words)


def test_words_that_several_threads_stem_at_once_have_their_own_stems() -> None:
    letters = "bdglmr"
    words = ["".join(parts) for parts in product(letters, "aeiou", letters, ["ational", "ization", "fulness", "ingly"])]
    alone = snowballstemmer.stemmer("english").stemWords(words)
    found = call_at_once(lambda part: [stem(word) for word in part], [words[n::4] for n in range(4)])
    assert found == [alone[n::4] for n in range(4)]


def test_word_tokens_are_stems_each_once() -> None:
    assert word_tokens("settings and setting, 旅費 旅費") == "set and 旅費"


@pytest.mark.parametrize(
    ("character", "expected"),
    [("条", True), ("々", True), ("〆", True), ("㐀", True), ("か", False), ("カ", False), ("a", False), ("가", False)],
)
def test_ideographs_are_told_from_other_letters(character: str, expected: bool) -> None:
    assert is_kanji(character) is expected
