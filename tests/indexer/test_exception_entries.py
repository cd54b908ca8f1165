"""The notation of the exception dictionary."""

import pytest

from morenashi.indexer.exception_entries import is_well_formed, read_entries, spell_out_false_friends
from morenashi.indexer.exceptions import ExceptionFinder


def found(text: str, *lines: str) -> list[tuple[int, str]]:
    """(column, expression) in a text of one line."""
    finder = ExceptionFinder(read_entries(lines, is_own=True))
    return [(term.column, term.term) for term in finder.find(text)]


def test_alternatives_in_the_middle_and_at_the_end() -> None:
    assert found("適用しない、適用は無い", "適用{しない|は{x}無い}") == []
    assert found("適用しない、適用されない", "適用{しない|されない}") == [(0, "適用しない"), (6, "適用されない")]


def test_the_longest_alternative_is_meant() -> None:
    assert found("except for it", "except{| for}") == [(0, "except for")]


def test_an_empty_alternative_may_be_absent() -> None:
    assert found("not be apt, not apt", "not {be |}apt") == [(0, "not be apt"), (12, "not apt")]


def test_outside_of_braces_a_bar_is_a_bar() -> None:
    assert found("甲 乙 甲|乙", "甲|乙") == [(4, "甲|乙")]


def test_a_japanese_expression_may_touch_a_latin_word() -> None:
    assert found("料金を除くdata", "を除く") == [(2, "を除く")]


def test_an_expression_that_may_be_nothing_where_it_begins_is_none() -> None:
    assert found("甲と甲乙丙", "{|甲}", "{甲|丁}{|乙}丙") == []


def test_alternatives_at_the_beginning() -> None:
    assert found("規定に反し、定めに反し、法に反し", "{規定|定め}に反し") == [(0, "規定に反し"), (6, "定めに反し")]


def test_alternatives_may_follow_each_other_with_a_blank_between() -> None:
    assert found("it is void, we shall be null and void", "{is|be} {null and |}void") == [
        (3, "is void"),
        (21, "be null and void"),
    ]


def test_an_entry_may_be_alternatives_alone() -> None:
    assert found("甲と乙", "{甲|乙}") == [(0, "甲"), (2, "乙")]


def test_a_phrase_begins_after_punctuation_marks_and_blanks() -> None:
    assert [found(text, "^乙") for text in ("甲。乙", "甲 **乙", "甲乙")] == [[(2, "乙")], [(4, "乙")], []]


def test_a_latin_phrase_goes_on_after_a_blank() -> None:
    assert found("so far; far", "^far") == [(8, "far")]


@pytest.mark.parametrize("text", ["注意", "注意:", "(注意)", "注意! ", "**注意**"])
def test_a_label_ends_its_phrase(text: str) -> None:
    assert [term for _, term in found(text, "^注意$")] == ["注意"]


@pytest.mark.parametrize("text", ["注意を払う", "注意。", "(注意)(#anchor)"])
def test_what_goes_on_is_no_label(text: str) -> None:
    assert found(text, "^注意$") == []


def test_quotes_mean_the_characters_as_they_are() -> None:
    assert found("ax(b)", '"x{b}"') == [(1, "x(b)")]
    assert found("unexpected", '"expect"') == [(2, "expect")]


def test_a_latin_word_is_a_whole_one() -> None:
    assert found("sunless, un_less or less_so: less", "less") == [(29, "less")]


def test_a_blank_may_be_a_line_break_in_a_quotation() -> None:
    finder = ExceptionFinder(read_entries(["only if"], is_own=True))
    assert [term.term for term in finder.find("> only\n> if so")] == ["only if"]


def test_false_friends_are_spelled_out() -> None:
    assert spell_out_false_friends(read_entries(["!{a|b}外{c|}", "甲"], is_own=True)) == ["a外c", "b外c", "a外", "b外"]


@pytest.mark.parametrize("line", ["", "{}", "{|}", "^", "!", '""', "{", "}", "a{b", "[", "$", "{|}a{|}", "^{a|}"])
def test_an_odd_entry_does_no_harm(line: str) -> None:
    found("a{b } [ $ ", *([line] if line else []))


def test_a_false_friend_of_very_many_spellings_is_none() -> None:
    assert spell_out_false_friends(read_entries(["!{甲|乙}丙"], is_own=True)) == ["乙丙", "甲丙"]
    assert not is_well_formed("!" + "{甲|乙}" * 10)
