"""Sums in all notations: whatever is written of a number, each of its spellings stands for the same one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.search.question.amounts import amount_spellings
from morenashi.server.search.question.english_units import unit_spellings
from morenashi.server.search.question.numerals import notations
from morenashi.server.search.question.query import parse_query

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@given(st.integers(100, 10**13).map(lambda hundreds: hundreds * 100))
def test_each_spelling_of_a_sum_leads_back_to_its_digits(value: int) -> None:
    spelt = amount_spellings(f"{value}円")
    assert spelt
    for spelling in spelt:
        assert f"{value}円" in amount_spellings(spelling)
    assert amount_spellings(f"{value:,}円") == spelt


@pytest.mark.parametrize(
    ("written", "digits"), [("3万円", "30000円"), ("2億5,000万円", "250000000円"), ("1兆2億円", "1000200000000円")]
)
def test_a_sum_is_worth_what_its_units_say(written: str, digits: str) -> None:
    assert amount_spellings(written)[0] == digits


@given(st.text(alphabet="0123456789,.一二三十百千万億兆円第条", max_size=30))
def test_any_term_has_few_spellings_and_keeps_what_is_no_number(term: str) -> None:
    spelt = amount_spellings(term)
    assert len(spelt) <= 6
    assert term not in spelt
    assert all(spelt)
    assert all(spelling.count("円") == term.count("円") for spelling in spelt)


@pytest.mark.parametrize(
    "term",
    [
        "1.50000円",
        "50000.5円",
        "150000",
        "1,50000円",
        "1万2億円",
        "12,345円",
        "2026年",
        "3.14万円",
        "1億万円",
        "第1,2条",
        "万一",
        "1,000円",
        "65535番",
        "0万",
        "〇億円",
    ],
)
def test_what_nobody_writes_otherwise_stays_what_it_is(term: str) -> None:
    assert amount_spellings(term) == []


@pytest.mark.parametrize(("term", "wrong"), [("2千円", "21000円"), ("12,000円", "12,0円")])
def test_the_end_of_a_number_is_no_number_of_its_own(term: str, wrong: str) -> None:
    assert wrong not in notations(term)


@pytest.mark.parametrize("asked", ["150,000円", "15万円", "十五万円", "150000円の罰金"])
def test_a_sum_is_found_in_whatever_notation(workspace: WorkspaceFolder, serve: Serve, asked: str) -> None:
    for name, sum_of in {"a": "150,000円", "b": "15万円", "c": "十五万円", "d": "１５０，０００円"}.items():
        workspace.write(f"m/{name}.md", f"# 罰則\n\n{sum_of}の罰金とする。\n\n5,000円の罰金ではない。\n")
    found = serve().find(asked)
    assert (len(found.paths()), found.lines["matched"]) == (4, 4)


def test_nothing_is_a_sum_that_is_found_where_it_stands_alone(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 料金\n\n0万円である。\n\n10円である。\n")
    manuals = serve()
    assert manuals.find("0万円").lines["matched"] == 1
    assert manuals.find("0億").status == "absent"


@pytest.mark.parametrize(
    "written",
    [
        ["10 MB", "10MB", "10 megabytes", "10-megabyte"],
        ["50 %", "50%", "50 percent", "50 per cent"],
        ["1.5 km", "1.5km", "1.5 kilometers"],
        ["75 dollars", "$75", "75 USD", "75-dollar"],
        ["1,000 euros", "€1,000", "1,000 EUR"],
        ["9 a.m.", "9am", "9 AM", "9:00 a.m."],
        ["9:30 pm", "9:30 p.m."],
    ],
)
def test_a_number_with_its_unit_is_found_however_it_is_written(
    workspace: WorkspaceFolder, serve: Serve, written: list[str]
) -> None:
    for number, measure in enumerate(written):
        workspace.write(f"m/{number}.md", f"# Rules\n\nIt is {measure} at most.\n")
    workspace.write("m/x.md", "# Names\n\nThe number of members with 10 or 50 examples at 9, 9:30, and per kilogram.\n")
    manuals = serve()
    for measure in written if written[0] != "9 a.m." else written[:3]:
        found = manuals.find(f"What is {measure}?")
        assert (len(found.paths()), found.lines["matched"]) == (len(written), len(written))


def test_a_number_and_its_unit_are_looked_for_apart_where_they_stand_together_nowhere(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# Rules\n\nUploads of 20 files.\n\nIn MB.\n")
    manuals = serve()
    assert manuals.find("20 MB").lines["matched"] == 2
    assert manuals.find('"20 MB"').status == "absent"


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("fee of 5 %", ["fee", "5 %"]),
        ("windows 11 am I allowed", ["windows", "11", "allowed"]),
        ("10 MB/s", ["10", "mb/s"]),
        ("section 10 ms", ["section 10", "ms"]),
        ("ファイルは 10 MB までですか", ["ファイル", "10", "mb"]),
    ],
)
def test_what_only_looks_like_a_unit_is_a_word(question: str, terms: list[str]) -> None:
    assert [term.text for term in parse_query(question, {}, {}).terms] == terms


@given(st.text(alphabet="0123456789,.: mbgkap%ercntsdolu$€-", max_size=20))
def test_no_way_to_write_a_unit_is_empty_or_the_term_itself(term: str) -> None:
    for spelling in unit_spellings(term):
        assert spelling != term
        assert spelling.strip() == spelling != ""


@pytest.mark.parametrize(
    "sums", [("5,000円", "5000円", "5千円"), ("30,000,000円", "3000万円", "3千万円"), ("1億5,000万円", "1億5千万円")]
)
def test_round_thousands_are_found_as_newspapers_have_them(
    workspace: WorkspaceFolder, serve: Serve, sums: tuple[str, ...]
) -> None:
    for number, sum_of in enumerate(sums):
        workspace.write(f"m/{number}.md", f"# 罰則\n\n{sum_of}の罰金とする。\n")
    manuals = serve()
    assert [len(manuals.find(asked).paths()) for asked in sums] == [len(sums)] * len(sums)


def test_a_thousand_alone_and_a_year_stay_what_they_are() -> None:
    assert [amount_spellings(term) for term in ("1,000円", "2000年", "3000番", "第3千円")] == [[]] * 4
