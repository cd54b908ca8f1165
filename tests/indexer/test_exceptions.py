"""Where expressions of the exception dictionary stand."""

from morenashi.indexer.exceptions import ExceptionFinder


def find(text: str, *expressions: str) -> list[tuple[int, str]]:
    return list(ExceptionFinder(expressions).find(text))


def test_an_expression_is_found_on_each_of_its_lines() -> None:
    assert find("ただし、\n\n但し、ただし。", "ただし", "但し") == [(0, "ただし"), (2, "但し"), (2, "ただし")]


def test_an_expression_is_told_once_a_line() -> None:
    assert find("ただしただし\nただし", "ただし") == [(0, "ただし"), (1, "ただし")]


def test_of_two_that_overlap_the_longer_is_meant() -> None:
    assert find("except for this", "except", "except for") == [(0, "except for")]


def test_a_latin_expression_is_a_whole_word() -> None:
    assert find("unexpected unlessness\nunless", "unless", "except") == [(1, "unless")]


def test_a_latin_expression_may_touch_japanese() -> None:
    assert find("これはexceptである", "except") == [(0, "except")]


def test_a_character_inside_a_word_is_no_expression() -> None:
    assert find("控除と免除と外国", "を除く", "除外する", "対象外") == []


def test_without_expressions_nothing_is_found() -> None:
    assert find("ただし", "") == []
