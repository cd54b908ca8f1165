"""Shares of a hundred in every notation: what is written of one, each of its spellings stands for the same one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.measures import spell_out
from morenashi.server.search.matching import TermMatcher
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.question.shares import share_spellings

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

QUARTER = ["２５％以上", "二割五分以上", "2割5分", "百分の二十五", "100分の25", "25 %", "25パーセント"]


def holds(question: str, line: str) -> bool:
    terms = parse_query(normalise(question), {}, {}).terms
    return TermMatcher(terms, len(terms)).match(normalise(line)) is not None


@pytest.mark.parametrize("asked", ["25%", "２５パーセント", "2割5分", "二割五分", "百分の二十五", "100分の25"])
def test_a_share_is_found_in_every_notation(asked: str) -> None:
    assert [line for line in QUARTER if not holds(asked, line)] == []


@pytest.mark.parametrize(
    ("asked", "others"),
    [
        ("二割五分", ["125%", "1.25%", "百分の二百二十五", "2割", "百分の二十", "千分の二十五"]),
        ("20%", ["二割五分", "十二割", "百分の二十五", "百分の百二十", "120パーセント"]),
        ("2.5%", ["百分の二十五", "12.5パーセント"]),
        ("5%", ["5分", "五割"]),
    ],
)
def test_another_share_is_none(asked: str, others: list[str]) -> None:
    assert [line for line in others if holds(asked, line)] == []


@given(st.integers(1, 3_000))
def test_each_notation_of_a_share_leads_back_to_it(tenths: int) -> None:
    percent = f"{tenths / 10:g}%"
    written = share_spellings(percent)
    assert len(written) > 1
    assert all(percent in share_spellings(spelling) for spelling in written)


@pytest.mark.parametrize("term", ["5分", "25", "0%", "割", "三分の一", "25%以上", "百分", "1000%"])
def test_what_is_no_share_stays_what_it_is(term: str) -> None:
    assert share_spellings(term) == []


def test_a_share_in_a_sentence_is_one_term(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 賃金\n\n通常の賃金の二割五分以上を支払う。\n\n# 別\n\n五分前に二人で行く。\n")
    serving = serve()
    for asked in ("25%以上を支払うのはどんなときですか", "百分の二十五以上を支払うのはいつですか"):
        assert serving.find(asked).places() == {("a.md", 3)}


def test_a_share_that_is_no_number_is_left_as_it_is() -> None:
    assert spell_out("百分の十2、百分の十、千分の二十五とする") == "百分の十2、10%、2.5%とする"
