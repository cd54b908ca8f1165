"""How SQLite answers what every search asks: by its indexes. The statements are those that a search really runs."""

import re
from collections.abc import Iterator, Sequence

import pytest

from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.resuming import Rest
from morenashi.server.search.scope import ScopeCache
from morenashi.server.search.traces import Trace, read_trace, store_trace

from ..server.plans import Explained, explained
from ..server.serving import index_now
from ..workspaces import WorkspaceFolder

# Of `index_state` there are ten rows; `above`, `leads` and `manuals` are what a statement has gathered itself.
_WALKED_THROUGH = re.compile(
    r"SCAN (?!index_state\b|above\b|leads\b|manuals\b|CONSTANT\b)\w+\b(?! VIRTUAL)|SEARCH .*AUTOMATIC"
)
SEARCHES = [
    "鍵言葉",
    "鍵言葉 申請 題",
    "申請の期限はいつまでですか。教えてください",
    "題",
    "service of the rules",
    "出張 承認印",
]
# What these ask besides, by a table or what it is called there: the places that a question cites, the clauses that
# refer to an appendix, the lines that say that a rule does not apply, what stands above and between lines that differ.
SELDOM_ASKED = {
    "旅費規程第3条": ["document_names", "place", "part"],
    "第3条の宿泊費": ["section_names"],
    "別表第1": ["refers", "target"],
    "宿泊費の上限": ["clause", "above", "passage_texts"],
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explained]:
    folder = WorkspaceFolder(tmp_path_factory.mktemp("plans") / "workspace")
    for name in ("m/a.md", "m/b.md", "n/c.md", "n/empty.md"):
        sections = (f"# 題{n} service\n\n鍵言葉と申請の期限を書く。\n\n" for n in range(200))
        folder.write(name, "" if "empty" in name else "".join(sections))
    folder.write("m/d.md", "# 出張\n\n本文\n\n## 手続\n\n承認印を押す。\n")
    folder.write(
        "m/rules.md",
        "# 旅費規程\n\n## 第3条 宿泊費\n\n宿泊費の上限は1万円とする。別表第1による。\n\n"
        "## 第4条 特例\n\n第3条の規定は、役員には適用しない。宿泊費の上限はない。\n\n## 別表第1 宿泊費\n\n東京\n",
    )
    folder.write("m/guide.md", "# 案内\n\n## 宿泊\n\n宿泊費の上限は2万円とする。\n\n宿泊費の上限は3万円とする。\n")
    index_now(folder)
    with explained(folder.database) as connection:
        yield connection


def search(index: Explained, query: str, manual_id: str | None = None, resumed: Rest | None = None) -> Trace:
    """A search with its scope known already: the steps of its statements alone are left."""
    scopes = ScopeCache()
    request = FindRequest(parse_query(query, {}, {}), query, manual_id, None, 50, resumed=resumed)
    for _ in range(2):
        index.steps.clear()
        trace = Search(index, scopes, frozenset()).run(request, Deadline(60_000)).complete()
    return trace


def walking(steps: Sequence[str]) -> list[str]:
    """Those of the steps that walk through a whole table, or sort one for the occasion."""
    return [step for step in steps if _WALKED_THROUGH.match(step)]


def tables(steps: Sequence[str]) -> set[str]:
    """The tables that the steps read, by what the statements call them."""
    return {step.split()[1] for step in steps if step.startswith(("SCAN", "SEARCH"))}


@pytest.mark.parametrize("manual_id", [None, "m"])
@pytest.mark.parametrize("query", SEARCHES)
def test_a_search_walks_through_no_table(index: Explained, query: str, manual_id: str | None) -> None:
    search(index, query, manual_id)
    assert len(index.steps) > 5
    assert walking(index.steps) == []


@pytest.mark.parametrize("query", SELDOM_ASKED)
def test_what_few_searches_ask_walks_through_no_table(index: Explained, query: str) -> None:
    search(index, query)
    assert tables(index.steps).issuperset(SELDOM_ASKED[query])
    assert walking(index.steps) == []


def test_a_resumed_search_walks_through_no_table(index: Explained) -> None:
    search(index, "鍵言葉", resumed=search(index, "鍵言葉").rest)
    assert walking(index.steps) == []


def test_the_full_text_tables_are_asked_by_their_index(index: Explained) -> None:
    search(index, "鍵言葉 申請", "m")
    asked = [step for step in index.steps if re.match(r"SCAN (pairs|words|title_pairs)\b", step)]
    assert asked
    assert [step for step in asked if not re.search(r"VIRTUAL TABLE INDEX \d+:.*M", step)] == []


def test_a_trace_is_read_by_its_key(index: Explained) -> None:
    trace = search(index, "鍵言葉")
    store_trace(index, trace)
    index.steps.clear()
    assert read_trace(index, trace.id) == trace
    index.rollback()
    parts = ("candidate_lists", "unscanned", "leads", "gaps", "conflicts")
    assert tables(index.steps) == {"traces", *(f"trace_{part}" for part in parts)}
    assert walking(index.steps) == []
