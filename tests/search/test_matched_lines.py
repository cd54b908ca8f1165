"""On which lines a text holds a term: on every line where an occurrence begins, also where it overlaps with others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.tokens import SEPARATORS
from morenashi.server.search.matching import TermMatcher
from morenashi.server.search.question.terms import make_term

from ..examples import examples

NO_SPELLINGS: dict[str, tuple[str, ...]] = {}
texts = st.text("規程度・\n \n", max_size=24)
words = st.text("規程度", min_size=2, max_size=4)


def lines_with(text: str, spellings: tuple[str, ...]) -> set[int]:
    """Looked for at every single place: what stands there without separators, and does not begin with one."""
    return {
        text.count("\n", 0, start)
        for start, character in enumerate(text)
        if character not in SEPARATORS and "".join(c for c in text[start:] if c not in SEPARATORS).startswith(spellings)
    }


def matched(text: str, word: str, *synonyms: str) -> set[int]:
    match = TermMatcher((make_term(word, {}, NO_SPELLINGS, synonyms),), 1).match(text)
    return {line for line, _ in match.places} if match else set()


@examples(400)
@given(texts, words, st.lists(words, max_size=2))
def test_every_line_on_which_an_occurrence_begins_is_matched(text: str, word: str, synonyms: list[str]) -> None:
    assert matched(text, word, *synonyms) == lines_with(text, (word, *synonyms))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("規\n規・規", {0, 1}),
        ("規規規\n規規", {0, 1}),
        ("規\n規規", {0, 1}),
        ("規\n規\n規\n規", {0, 1, 2}),
    ],
)
def test_one_that_goes_on_below_hides_none_that_begins_there(text: str, lines: set[int]) -> None:
    assert matched(text, "規規") == lines


def test_a_synonym_is_not_hidden_by_what_it_overlaps_with() -> None:
    assert matched("規\n程度", "規程", "程度") == {0, 1}


@pytest.mark.parametrize(
    ("text", "exact", "loose"),
    [
        ("iii章", {0}, set()),
        ("3章", {0}, set()),
        ("iii 章", set(), {0}),
        ("viii章", set(), set()),
        ("3章 iii 章", {0}, {0}),
    ],
)
def test_a_number_in_roman_numerals_is_the_term_as_normalised(text: str, exact: set[int], loose: set[int]) -> None:
    match = TermMatcher((make_term("3章", {}, NO_SPELLINGS),), 1).match(text)
    assert (set(match.exact), set(match.loose)) == (exact, loose) if match else not (exact or loose)


def test_of_two_terms_the_one_that_stands_alone_in_a_text_is_told_from_the_other() -> None:
    terms = tuple(make_term(word, {}, NO_SPELLINGS) for word in ("規程", "様式"))
    for text, held in (("規程", {0}), ("次の\n様式", {1}), ("様式と規程", {0, 1})):
        match = TermMatcher(terms, 2).match(text)
        assert match is not None
        assert (set(match.exact), set(match.loose)) == (held, set())


FAR = "ん" * 250


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("規んん程んん度", 0),
        (f"規{FAR}規ん程ん度", 251),
        (f"規程{FAR}規ん程{FAR}", 0),
        (f"規ん程{FAR}規程{FAR}", 253),
        (f"規{FAR}程規規程んん度規", 253),
        (f"規{FAR}規{FAR}", 0),
        (f"規程{FAR * 5}度", 0),
        (f"規{FAR * 5}程度", 1251),
        (f"規程度\n{FAR}\n規{FAR}規ん程ん度{FAR}規", 0),
    ],
)
def test_the_column_on_a_long_line_is_where_most_terms_stand_together(text: str, column: int) -> None:
    terms = tuple(make_term(word, {}, NO_SPELLINGS, ()) for word in "規程度")
    match = TermMatcher(terms, len(terms)).match(text)
    assert match is not None
    assert match.column == column
