"""What the index knows of references, and how a search asks it."""

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest

from morenashi.indexer.database import open_reader
from morenashi.indexer.references.resolve_references import mark_stale, resolve_all
from morenashi.server.deadline import Deadline
from morenashi.server.search.evidence import Evidence, Link, SectionInfo
from morenashi.server.search.find import Search
from morenashi.server.search.findings import Findings
from morenashi.server.search.follow import follow_references, read_sections
from morenashi.server.search.outcome import Answer
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.scope import ScopeCache

from ..server.serving import index_now
from ..workspaces import WorkspaceFolder

LAW = "# 所得税法\n\n## 第一条\n\n本文。\n\n## 第二条\n\n第一条の規定は、民法第一条の者について準用する。\n"
ORDER = "# 所得税法施行令\n\n## 第一条\n\n法第一条から第二条までの者。\n"


@pytest.fixture
def connection(workspace: WorkspaceFolder) -> Iterator[sqlite3.Connection]:
    workspace.write("m/law.md", LAW)
    workspace.write("m/order.md", ORDER)
    index_now(workspace)
    with contextlib.closing(open_reader(workspace.database)) as connection:
        yield connection


def test_references_from_sections_have_their_targets(connection: sqlite3.Connection) -> None:
    assert connection.execute(FROM, ("law.md",)).fetchall() == [
        (9, "article", "準用", "第一条", None, "条1", "law.md", 3),
        (9, "article", None, "民法第一条", "民法", "条1", None, None),
    ]
    assert connection.execute(FROM, ("order.md",)).fetchall() == [
        (5, "range", None, "法第一条から第二条まで", "所得税法", "条1-条2", "law.md", 3),
        (5, "range", None, "法第一条から第二条まで", "所得税法", "条1-条2", "law.md", 7),
    ]
    assert connection.execute(FROM, ("none.md",)).fetchall() == []


def test_references_to_sections_name_their_sources(connection: sqlite3.Connection) -> None:
    assert connection.execute(TO, ("law.md", 3)).fetchall() == [
        ("law.md", 9, "article", "準用", "第一条", None, "条1"),
        ("order.md", 5, "range", None, "法第一条から第二条まで", "所得税法", "条1-条2"),
    ]


def test_references_are_asked_by_their_indexes(connection: sqlite3.Connection) -> None:
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    Search(connection, ScopeCache(), frozenset()).run(
        FindRequest(parse_query("規定", {}, {}), "規定", None, None, 50), Deadline(60_000)
    )
    connection.set_trace_callback(None)
    asked = [statement for statement in statements if "cross_references" in statement]
    steps = [row[3] for statement in asked for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert len(asked) >= 2
    assert [step for step in steps if step.startswith("SCAN") and step != "SCAN asked VIRTUAL TABLE INDEX 1:"] == []
    assert not any("AUTOMATIC" in step for step in steps)


def test_before_references_are_resolved_a_search_is_not_ready_and_proposes_to_ask_again(
    workspace: WorkspaceFolder,
) -> None:
    workspace.write("m/a.md", "# 旅費規程\n\n## 第1条 宿泊料\n\n宿泊料は、一泊1万円を上限とする。\n")
    index_now(workspace)
    request = FindRequest(parse_query("宿泊料の上限", {}, {}), "宿泊料の上限", None, None, 50)
    answers = []
    with contextlib.closing(sqlite3.connect(workspace.database, isolation_level=None)) as connection:
        for prepare in (lambda _: None, mark_stale, resolve_all):
            prepare(connection)
            answers.append(Search(connection, ScopeCache(), frozenset()).run(request, Deadline(60_000)))
            answers[-1].complete()
    stages = [(one.answer.summary["integration_status"], "manual_find" in _proposed(one.answer)) for one in answers]
    assert stages == [("ready", False), ("needs_followup", True), ("ready", False)]


def _proposed(answer: Answer) -> list[str]:
    return [action["type"] for action in answer.next_actions]


FROM = """
SELECT line, kind, relation, text, called, name, target_path, target_line
FROM references_overview
WHERE path = ?
ORDER BY line, target_path IS NULL, target_line
"""

TO = """
SELECT path, line, kind, relation, text, called, name
FROM references_overview
WHERE target_path = ? AND target_line = ?
ORDER BY path, line
"""


def test_the_name_of_a_document_that_is_cited_as_a_whole_is_not_what_a_link_says_of_it(
    workspace: WorkspaceFolder,
) -> None:
    workspace.write("m/規則.md", "# 規則\n\n## 第1条\n\n鍵言葉は、旅費規程による。[宿泊](旅費規程.md)も見る。\n")
    workspace.write("m/旅費規程.md", "# 旅費規程\n\n## 第1条\n\n本文。\n")
    index_now(workspace)
    with contextlib.closing(open_reader(workspace.database)) as connection:
        clause = connection.execute("SELECT id FROM sections WHERE title = '第1条' AND start_line = 3").fetchall()
        evidence = Evidence(Findings(()), {row[0]: [] for row in clause}, {})
        evidence.sections |= read_sections(connection, evidence.hits)
        follow_references(connection, evidence, list(evidence.hits))
    said = [(link.kind, link.text) for links in evidence.links.values() for link in links]
    assert said == [("document", ""), ("link", "宿泊")]


def test_of_references_that_were_followed_half_way_those_with_two_known_ends_stay() -> None:
    known = {id: SectionInfo(1, "m", "a.md", "md", id, id, f"第{id}条") for id in (1, 2)}
    whole, without_source, without_target = (
        Link(source, 1, "article", "", target, target, 1) for source, target in ((1, 2), (9, 2), (1, 3))
    )
    evidence = Evidence(
        Findings(()),
        {},
        known,
        links={2: dict.fromkeys((without_source, whole)), 3: {without_target: None}, 1: {without_source: None}},
    )
    evidence.keep_known_links()
    assert evidence.links == {2: {whole: None}}
