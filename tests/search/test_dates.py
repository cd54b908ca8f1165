"""Dates in every notation: what is written of a day or a month, each of its spellings stands for the same one."""

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.text import normalise
from morenashi.server.search.question.dates import date_spellings, dates_in_latin, find_dates
from morenashi.server.search.question.query import parse_query

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
    "i": '{"created": "2023-04-01T10:00:00Z"}',
    "j": "[01/Apr/2023:10:00:00 +0900]",
    "k": "Effective Apr. 1, 2023",
    "l": "2023年04月01日に出力",
    "m": "2023年（令和5年）4月1日に施行する。",
    "n": "R5.4.1施行",
}
OTHERS = {
    "o": "2023年4月11日に施行する。2023/4/12 2023-04-10 2023.4.15 令和5年4月21日",
    "q": "2023年04月11日 H5.4.1 Apr. 11, 2023. 2023年（令和5年）4月2日",
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
    "asked",
    [
        *("2023年4月1日", "2023 年 4 月 1 日", "令和五年四月一日", "R5.4.1"),
        *("2023-04-01", "2023.04.01", "April 1, 2023", "1-Apr-2023"),
    ],
)
def test_a_day_is_found_in_every_notation_and_no_other_day_is(dated: Serving, asked: str) -> None:
    found = dated.find(asked)
    assert found.lines["matched"] == len(WRITTEN)
    assert {f"{name}.md" for name in WRITTEN} <= found.paths()


@pytest.mark.parametrize(
    "asked",
    [
        "2023/4/1から有効な規則を全部教えてください",
        "令和5年4月1日から有効な規則を全部教えてください",
        "2023年4月1日の規則",
        "2023/4/1～2024/3/31",
        "What is valid since April 1st, 2023?",
    ],
)
def test_a_date_in_a_sentence_is_one_term(dated: Serving, asked: str) -> None:
    assert {f"{name}.md" for name in WRITTEN} <= dated.find(asked).paths()


def test_a_month_is_found_in_every_notation_and_its_days_are_in_it(dated: Serving) -> None:
    # But for April 1, 2023, in which a day parts the month from the year, and R5.4.1.
    assert WRITTEN.keys() - {path.removesuffix(".md") for path in dated.find("2023/04").paths()} == {"g", "k", "n"}


@given(st.dates(date(1868, 9, 8), date(2099, 12, 31)))
def test_each_notation_of_a_day_leads_back_to_it(day: date) -> None:
    japanese = f"{day.year}年{day.month}月{day.day}日"
    written = dates_in_latin(japanese)
    assert f"{day:%Y-%m-%d}" in written
    assert f"{day:%B} {day.day} {day.year}".lower() in written
    assert {spelling for one in written if not one[1:].isdigit() for spelling in date_spellings(one)} == {japanese}


@pytest.mark.parametrize(
    "text",
    [
        *("2023/13/1", "2023/4/32", "v2023.4.1", "2023.4", "4/1/2023", "4/1", "12023/4/1", "2023/4/1/a", "may 5"),
        *("1/2", "13月4日", "0月1日", "4月32日", "3000年4月", "4月", "百百月1日", "4月百百日"),
    ],
)
def test_what_is_no_date_or_may_be_two_stays_what_it_is(text: str) -> None:
    assert not date_spellings(text)
    assert not dates_in_latin(text)
    assert not find_dates(text)


@pytest.mark.parametrize("written", ["april 2023", "apr. 2023", "2023/4", "2023-04"])
def test_a_month_has_no_day(written: str) -> None:
    assert date_spellings(written) == ["2023年4月"]


def test_a_date_is_known_by_its_parts_where_no_line_holds_it() -> None:
    (found,) = find_dates(normalise("What changed on Sept. 3rd, 2021?"))
    assert found.meant == ["sept", "2021"]
    assert [date.meant for date in find_dates("between may 1, 2021 and may 3rd")] == [["2021"], []]


@pytest.mark.parametrize(
    ("asked", "terms"),
    [
        ("from April 1 to May 31, 2023", ["april 1", "may 31, 2023"]),
        ("is the 3rd of may a holiday", ["3rd of may", "holiday"]),
        ("section 3 may change", ["section 3", "may", "change"]),
        ("令和5年4月1日付けの通達", ["令和5年4月1日", "通達"]),
        ("April 1, 2023から有効な規則", ["april 1, 2023", "から有効な規則"]),
        ("期限はMay 31, 2023です", ["期限は", "may 31, 2023"]),
    ],
)
def test_a_day_without_its_year_is_one_term_where_no_month_may_be_another_word(asked: str, terms: list[str]) -> None:
    assert [term.text for term in parse_query(asked, {}, {}).terms] == terms
