"""The way back from a normalised position to its original column."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from morenashi.indexer.text import normalise, normalise_with_columns, original_column, original_columns

from ..examples import examples
from .texts import AWKWARD, lines

long_lines = st.builds(
    lambda filler, length, awkward, tail: filler * length + awkward + tail,
    st.sampled_from("あa "),
    st.integers(1985, 2001),
    st.text(st.sampled_from(AWKWARD), max_size=30),
    st.sampled_from(["", "末尾"]),
)
"""Lines with their awkward part where a long line is cut."""


def original_span(columns: list[int], start: int, end: int, line_length: int) -> tuple[int, int]:
    """The original columns `[first, last)` that the normalised range `[start, end)` covers."""
    if start >= len(columns):
        return line_length, line_length
    first = columns[start]
    following = next((column for column in columns[end:] if column > columns[end - 1]), line_length)
    return first, max(following, first)


@given(lines)
@example("か\u3099\u200bα\u0345\u0301 \u200b ´")
@example("가\u200b\u11a8")
def test_normalising_with_columns_is_normalising(line: str) -> None:
    assert normalise_with_columns(line)[0] == normalise(line)


@given(lines)
def test_there_is_a_column_for_each_normalised_character(line: str) -> None:
    normal, columns = normalise_with_columns(line)
    assert len(columns) == len(normal)
    assert columns == sorted(columns)
    assert all(0 <= column < len(line) for column in columns)


@given(lines)
def test_the_text_at_a_column_holds_what_the_character_stems_from(line: str) -> None:
    normal, columns = normalise_with_columns(line)
    for position, column in enumerate(columns):
        first, last = original_span(columns, position, position + 1, len(line))
        assert first == column
        assert normal[position] in normalise(line[first:last])


@given(lines)
def test_one_column_is_found_without_the_others(line: str) -> None:
    _, columns = normalise_with_columns(line)
    assert [original_column(line, position) for position in range(len(columns))] == columns


@examples(12)
@given(long_lines)
@example("あ" * 1999 + "\x00\x00末")
@example("あ" * 1998 + " \u200b 末")
@example("あ" * 1999 + " ´末")
def test_one_column_of_a_long_line_is_found_without_the_others(line: str) -> None:
    _, columns = normalise_with_columns(line)
    asked = range(max(0, len(columns) - 12), len(columns))
    assert [original_column(line, position) for position in asked] == [columns[position] for position in asked]


@examples(12)
@given(long_lines, st.data())
def test_many_columns_are_found_at_once(line: str, data: st.DataObject) -> None:
    wanted = sorted(data.draw(st.lists(st.integers(0, len(line) + 2), max_size=20)))
    assert original_columns(line, wanted) == [original_column(line, column) for column in wanted]


@pytest.mark.parametrize(
    "part",
    ["㍻e\u0301  ｶﾞ\u200b長い文。", "㍻  長い文。", "（Ａ・～）　「長い」\t文。", "ﾊﾞ㍻長い文。", "カ\u3099㍻長い文。"],
)
def test_all_columns_of_a_long_line_are_found_at_once(part: str) -> None:
    line = part * 2_000
    normal, columns = normalise_with_columns(line)
    assert original_columns(line, range(len(normal) + 1)) == [*columns, len(line)]


@given(lines)
def test_a_column_after_the_last_is_the_end_of_the_line(line: str) -> None:
    assert original_column(line, len(normalise(line))) == len(line)


@given(lines.filter(normalise), st.data())
def test_a_span_is_a_range_of_the_line_that_holds_the_normalised_text(line: str, data: st.DataObject) -> None:
    normal, columns = normalise_with_columns(line)
    start = data.draw(st.integers(0, len(normal) - 1), "start")
    end = data.draw(st.integers(start + 1, len(normal)), "end")
    first, last = original_span(columns, start, end, len(line))
    assert 0 <= first < last <= len(line)
    assert normal[start:end].strip() in normalise(line[first:last])


@pytest.mark.parametrize(
    ("line", "term", "original"),
    [
        ("第３条の規定", "第3条", "第３条"),
        ("ｶﾞｲﾄﾞ", "イド", "ｲﾄﾞ"),
        ("か\u3099く", "が", "か\u3099"),
        ("㌔グラム", "キロ", "㌔"),
        ("a \t b", "a b", "a \t b"),
        ("Straße", "strasse", "Straße"),
        ("旅\u200b費", "旅費", "旅\u200b費"),
        ("e\u0301tat", "etat", "e\u0301tat"),
    ],
)
def test_a_span_is_what_a_reader_would_mark(line: str, term: str, original: str) -> None:
    normal, columns = normalise_with_columns(line)
    start = normal.index(term)
    first, last = original_span(columns, start, start + len(term), len(line))
    assert line[first:last] == original
