"""Dates in every notation: what is written of a day or a month, each of its spellings stands for the same one."""

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.text import normalise
from morenashi.server.search.question.dates import date_spellings, dates_in_latin, find_dates

from ..server.serving import Serving, serving_indexed
from ..workspaces import make_workspace

WRITTEN = {
    "a": "2023年4月1日に施行する。",
    "b": "令和5年4月1日に施行する。",
    "c": "令和五年四月一日に施行する。",
    "d": "２０２３／４／１施行",
    "e": "| 施行 | 2023-04-01 |",
    "f": "施行日：2023.4.1",
    "g": "In force since April 1, 2023.",
    "h": "Effective 1st of April 2023",
}
OTHERS = {
    "o": "2023年4月11日に施行する。2023/4/12 2023-04-10 2023.4.15 令和5年4月21日",
    "p": "April 11, 2023. 11 April 2023. 令和15年4月1日。12023/4/1",
}


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    workspace = make_workspace(tmp_path_factory.mktemp("dates"))
    for name, line in {**WRITTEN, **OTHERS}.items():
        workspace.write(f"m/{name}.md", f"# 附則\n\n{line}\n")
    with serving_indexed(workspace) as serving:
        yield serving


@pytest.mark.parametrize(
    "asked", ["2023年4月1日", "令和5年4月1日", "2023-04-01", "2023.04.01", "April 1, 2023", "1 Apr 2023"]
)
def test_a_day_is_found_in_every_notation_and_no_other_day_is(dated: Serving, asked: str) -> None:
    found = dated.find(asked)
    assert found.lines["matched"] == len(WRITTEN)
    assert {f"{name}.md" for name in WRITTEN} <= found.paths()


@pytest.mark.parametrize(
    "asked", ["2023/4/1から有効な規則を全部教えてください", "What is valid since April 1st, 2023?"]
)
def test_a_date_in_a_sentence_is_one_term(dated: Serving, asked: str) -> None:
    assert {f"{name}.md" for name in WRITTEN} <= dated.find(asked).paths()


def test_a_month_is_found_in_every_notation_and_its_days_are_in_it(dated: Serving) -> None:
    # But for April 1, 2023, in which a day parts the month from the year.
    assert dated.find("2023/04").lines["matched"] == len(WRITTEN) + len(OTHERS) - 1


@given(st.dates(date(1868, 9, 8), date(2099, 12, 31)))
def test_each_notation_of_a_day_leads_back_to_it(day: date) -> None:
    japanese = f"{day.year}年{day.month}月{day.day}日"
    written = dates_in_latin(japanese)
    assert f"{day:%Y-%m-%d}" in written
    assert f"{day:%B} {day.day} {day.year}".lower() in written
    assert {spelling for one in written if not one.isdigit() for spelling in date_spellings(one)} == {japanese}


@pytest.mark.parametrize(
    "text",
    ["2023/13/1", "2023/4/32", "v2023.4.1", "2023.4", "4/1/2023", "4/1", "12023/4/1", "2023/4/1/a", "may 5", "1/2"],
)
def test_what_is_no_date_or_may_be_two_stays_what_it_is(text: str) -> None:
    assert not date_spellings(text)
    assert not dates_in_latin(text)
    assert not find_dates(text)


def test_a_date_is_known_by_its_parts_where_no_line_holds_it() -> None:
    (found,) = find_dates(normalise("What changed on Sept. 3rd, 2021?"))
    assert found.meant == ["sept", "2021"]
