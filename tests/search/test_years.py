"""Years in both calendars: what is written of a year, each of its spellings stands for the same one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.search.question.years import year_spellings

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@given(st.integers(1868, 2099))
def test_each_spelling_of_a_year_leads_back_to_it(year: int) -> None:
    spelt = year_spellings(f"{year}年度")
    assert spelt
    assert all(year_spellings(spelling) == [f"{year}年度"] for spelling in spelt)


@pytest.mark.parametrize(
    ("term", "spelt"),
    [
        ("令和五年四月一日", ["2023年四月一日"]),
        ("二〇二三年の改正", ["令和5年の改正"]),
        ("2019年", ["平成31年", "令和1年", "令和元年"]),
        ("2020年", ["令和2年"]),
        ("令和5年分の申告", ["2023年分の申告"]),
        ("2023年分", ["令和5年分"]),
        ("平成35年", ["2023年"]),
    ],
)
def test_a_year_has_a_spelling_in_the_other_calendar(term: str, spelt: list[str]) -> None:
    assert year_spellings(term) == spelt


@pytest.mark.parametrize(
    "term", ["2000年間", "1990年代", "1,980年", "12023年", "1700年", "3年", "令和", "昭和の年", "2023"]
)
def test_what_is_no_year_of_an_era_stays_what_it_is(term: str) -> None:
    assert year_spellings(term) == []


@pytest.mark.parametrize("asked", ["2023年度", "令和5年度", "令和五年度", "令和5年度の予算はいくらでしたか"])
def test_a_year_is_found_in_either_calendar(workspace: WorkspaceFolder, serve: Serve, asked: str) -> None:
    for name, year in {
        "a": "2023年度",
        "b": "令和5年度",
        "c": "令和五年度",
        "d": "二〇二三年度",
        "e": "㋿５年度",
    }.items():
        workspace.write(f"m/{name}.md", f"# 予算\n\n{year}の予算は二億円である。\n\n令和6年度は別に定める。\n")
    assert serve().find(asked).paths() == {"a.md", "b.md", "c.md", "d.md", "e.md"}


@pytest.mark.parametrize(
    "asked", ["令和元年", "令和1年", "令和一年", "令和元年5月1日", "令和1年5月1日", "R1.5.1", "2019年"]
)
def test_the_first_year_of_an_era_is_found_however_it_is_called(
    workspace: WorkspaceFolder, serve: Serve, asked: str
) -> None:
    for name, year in {"a": "令和元年", "b": "令和1年", "c": "令和一年", "d": "2019年"}.items():
        workspace.write(f"m/{name}.md", f"# 改元\n\n{year}5月1日から施行する。\n\n令和11年5月1日に廃止する。\n")
    assert serve().find(asked).paths() == {"a.md", "b.md", "c.md", "d.md"}
