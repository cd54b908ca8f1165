"""Times of the day in every notation: what is written of one, each of its spellings stands for the same one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.text import normalise
from morenashi.server.search.matching import TermMatcher
from morenashi.server.search.question.clock_times import clock_in_english, clock_spellings
from morenashi.server.search.question.query import parse_query

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

TEN_AT_NIGHT = [
    "午後10時から",
    "22:00以降",
    "２２時まで",
    "午後十時",
    "二十二時",
    "at 10 pm",
    "until 10:00 p.m.",
    "午後 10 時",
    "22時00分まで",
    "午後10時00分",
    "at 10.00 p.m.",
]
OTHERS = ["午後10時30分", "22:30", "午前10時", "10 a.m.", "10時間", "222:00", "22時05分", "10 files"]


def holds(question: str, line: str) -> bool:
    terms = parse_query(normalise(question), {}, {}).terms
    return TermMatcher(terms, len(terms)).match(normalise(line)) is not None


@pytest.mark.parametrize("asked", ["22:00", "22時", "午後１０時", "10pm", "10 p.m."])
def test_a_time_is_found_in_every_notation(asked: str) -> None:
    assert [line for line in TEN_AT_NIGHT if not holds(asked, line)] == []


@pytest.mark.parametrize(
    ("asked", "others"),
    [
        ("10pm", [*OTHERS, "22時間", "22時半", "22時三十分"]),
        ("午前5時", ["午後5時", "15時", "5時間", "十五時", "5時半", "15:00"]),
        ("0:00", ["10時", "0時間", "20時"]),
        ("13:00", ["11:00 p.m.", "11 p.m.", "11.00 pm"]),
    ],
)
def test_another_time_or_a_span_of_hours_is_none(asked: str, others: list[str]) -> None:
    assert [line for line in others if holds(asked, line)] == []


@given(st.integers(0, 23), st.integers(0, 59))
def test_each_notation_of_a_time_leads_back_to_it(hour: int, minute: int) -> None:
    time = f"{hour}:{minute:02}"
    written = [*clock_spellings(time), *clock_in_english(time)]
    assert f"{hour:02}:{minute:02}" in (time, *written)
    assert all(time in clock_spellings(spelling) for spelling in written)


@pytest.mark.parametrize("term", ["8080", "22:60", "25:00", "5時間", "22:00:15", "一時停止", "3", "午後"])
def test_what_is_no_time_stays_what_it_is(term: str) -> None:
    assert not clock_spellings(term)
    assert not clock_in_english(term)


@pytest.mark.parametrize("asked", ["22:00以降に働いたら割増賃金はもらえますか", "Is pay higher after 10 pm?"])
def test_a_time_in_a_sentence_is_one_term(workspace: WorkspaceFolder, serve: Serve, asked: str) -> None:
    workspace.write("m/a.md", "# 深夜業\n\n午後10時から午前5時までの労働には、別に定めるところによる。\n")
    workspace.write("m/b.md", "# 様式\n\n22 mm の余白を 00 とする。\n")
    assert serve().find(asked).paths() == {"a.md"}


def test_minutes_below_ten_are_found_with_their_zero() -> None:
    assert holds("9時5分", "始業は午前9時05分とする。")
    assert holds("9.05 a.m.", "9:05")


@pytest.mark.parametrize("asked", ["10:00-18:00", "10:00～18:00"])
def test_a_span_of_time_is_found_by_its_ends_where_no_line_has_it(
    workspace: WorkspaceFolder, serve: Serve, asked: str
) -> None:
    workspace.write("m/a.md", "# 勤務\n\n始業は10時、終業は18時とする。\n")
    assert serve().find(asked).status == "found"


def test_of_a_time_that_stands_nowhere_no_part_is_looked_for(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# Files\n\nAt most 10 files.\n")
    assert serve().find("10 pm").status == "absent"
