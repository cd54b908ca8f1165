"""A search ends when its time is over, says what it left, and never makes another call wait for it."""

import contextlib
import json
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server import deadline as deadlines
from morenashi.server.deadline import Deadline
from morenashi.server.search import stages
from morenashi.server.search.find import Search
from morenashi.server.search.findings import Findings
from morenashi.server.search.index.postings import Index
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.resuming import Rest
from morenashi.server.search.scope import ScopeCache
from morenashi.server.search.stand_ins import StandIns, find_stand_ins
from morenashi.server.search.traces import Trace

from ..indexer.indexes import index
from ..server.corpora import Corpus, Reach, read_corpus
from ..server.serving import Found, Serving, serving_indexed
from ..workspaces import UNDECODABLE, WorkspaceFolder

FILES, SECTIONS = 8, 400
SHORT = {"time_ms": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceFolder:
    """Three thousand sections that all hold the same words, an empty file and one that nobody can decode."""
    folder = WorkspaceFolder(tmp_path_factory.mktemp("large") / "workspace")
    for name in range(FILES):
        sections = (f"# 題{n}\n\n鍵言葉は{name}と{n}の言葉。\n申請の期限を書く。\n\n" for n in range(SECTIONS))
        folder.write(f"m/{name}.md", "".join(sections))
    folder.write("m/empty.md", "")
    folder.write("m/odd.md", UNDECODABLE)
    return folder


@pytest.fixture(scope="module")
def manuals(folder: WorkspaceFolder) -> Iterator[Serving]:
    with serving_indexed(folder) as manuals:
        yield manuals


@pytest.fixture(scope="module")
def corpus(folder: WorkspaceFolder) -> Corpus:
    return read_corpus(folder, {"m/odd.md": "latin-1"})


QUERIES = ["鍵言葉", "の", "鍵言葉 申請 期限 題", "どこにもない語", "-", "申請の期限はいつまでですか。教えてください"]


@pytest.fixture(params=QUERIES)
def hurried(manuals: Serving, request: pytest.FixtureRequest) -> Found:
    return manuals.find(request.param, budget=SHORT)


def test_a_search_without_time_is_answered(hurried: Found) -> None:
    assert hurried.summary.get("cutoff_reason", "complete") in ("time_budget", "candidate_cap", "complete")


def test_a_search_without_time_accounts_for_every_line(hurried: Found) -> None:
    lines = hurried.lines
    assert lines["examined"] + lines["unexamined"] == lines["total"]


@pytest.mark.parametrize("most", [1, 200, 1_000])
def test_a_search_without_time_reaches_every_line_or_lists_it(manuals: Serving, corpus: Corpus, most: int) -> None:
    found = manuals.find("鍵言葉", budget={**SHORT, "max_candidates": most})
    assert Reach(manuals, corpus).missed(found, corpus.lines_with("鍵言葉")) == []


def test_a_search_without_time_is_not_sure_of_absence(hurried: Found) -> None:
    assert hurried.status != "absent"


def test_what_had_no_time_is_listed_with_its_reason(hurried: Found) -> None:
    reasons = {row[0] for row in hurried.unscanned()}
    if "cutoff_reason" in hurried.summary:
        assert hurried.summary["cutoff_reason"] in reasons
    assert reasons <= {"time_budget", "candidate_cap", "encoding"}


def test_what_had_no_time_can_be_searched_with_more(manuals: Serving, corpus: Corpus) -> None:
    first = manuals.find("鍵言葉", budget={**SHORT, "max_candidates": 1_000})
    missed = corpus.lines_with("鍵言葉")
    reach, searches = Reach(manuals, corpus), [first]
    while "cutoff_reason" in searches[-1].summary and len(searches) < 20:
        trace_id = searches[-1].trace_id
        budget = {"max_candidates": 1_000}
        searches.append(manuals.find("鍵言葉", only_unscanned_from_trace_id=trace_id, budget=budget))
    for found in searches:
        missed = set(reach.missed(found, missed))
    assert missed == set()
    assert "cutoff_reason" not in searches[-1].summary


def test_a_phrase_that_had_no_time_is_taken_apart_with_more(manuals: Serving) -> None:
    whole = manuals.find("申請の言葉", budget={"max_candidates": 1_000})
    assert whole.status == "found"
    searches = [manuals.find("申請の言葉", budget={**SHORT, "max_candidates": 1_000})]
    while "cutoff_reason" in searches[-1].summary and len(searches) < 20:
        last = searches[-1].trace_id
        budget = {"max_candidates": 1_000}
        searches.append(manuals.find("申請の言葉", only_unscanned_from_trace_id=last, budget=budget))
    assert searches[-1].status == "found"
    assert sum(found.lines["matched"] for found in searches) == 2 * FILES * SECTIONS


def test_a_phrase_whose_words_had_no_time_is_not_called_examined(manuals: Serving) -> None:
    """Its time is over when the question as it stands was looked for, which says nothing of the phrase's words."""
    question = "題 言葉の申請"
    deadline = Deadline(60_000, told=lambda done, total: deadline.cancel())
    with contextlib.closing(open_reader(manuals.folder.database)) as connection:
        request = FindRequest(parse_query(question, {}, {}), question, None, None, 1_000)
        found = Search(connection, ScopeCache(), frozenset()).run(request, deadline).found
        connection.rollback()
    assert found.query.apart == ("言葉の申請",) or found.evidence.findings.nothing_known


def test_what_was_found_before_a_widening_that_had_no_time_is_kept(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path / "workspace")
    folder.write("asked/x.md", "# 題\n\n鍵言葉を書く。\n")
    # To list what of these may hold the word takes SQLite longer than from one look at the clock to the next.
    folder.write("other/x.md", "# 題\n\n鍵言葉\n\n" * 9_000)
    request = FindRequest(parse_query("鍵言葉", {}, {}), "鍵言葉", "asked", None, 200)
    deadline = Deadline(60_000)
    opened = []

    def end_in_the_second_scope(statement: str) -> None:
        if "FROM index_state" in statement:
            opened.append(statement)
        if len(opened) == 2:
            deadline.cancel()

    with serving_indexed(folder), contextlib.closing(open_reader(folder.database)) as connection:
        connection.set_trace_callback(end_in_the_second_scope)
        trace = Search(connection, ScopeCache(), frozenset()).run(request, deadline).complete()
    assert len(opened) == 2
    assert [(candidate.manual_id, candidate.line) for candidate in trace.candidates] == [("asked", 3)]
    assert (trace.summary["completeness"]["status"], trace.summary["cutoff_reason"]) == ("found", "stage_cap")
    assert [(item.reason, item.lines) for item in trace.unscanned] == [("stage_cap", 36_000)]


def test_other_forms_of_a_word_that_there_was_no_time_for_are_left_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = WorkspaceFolder(tmp_path / "workspace")
    folder.write("m/x.md", "Assign a ticket.\n\n" + "# Part\n\nIt is blue.\n\n" * 4_000)
    deadline = Deadline(60_000)

    def end_behind_them(asked: Index, findings: Findings, *, is_all: bool) -> StandIns:
        others = find_stand_ins(asked, findings, is_all=is_all)
        deadline.cancel()
        return others

    monkeypatch.setattr(stages, "find_stand_ins", end_behind_them)
    index(folder)
    with contextlib.closing(open_reader(folder.database)) as connection:
        request = FindRequest(parse_query("assigned part", {}, {}), "assigned part", None, None, 200)
        trace = Search(connection, ScopeCache(), frozenset()).run(request, deadline).complete()
    assert (trace.summary["completeness"]["status"], trace.summary["cutoff_reason"]) == ("unknown", "time_budget")
    assert [(item.reason, item.lines) for item in trace.unscanned] == [("time_budget", 16_002)]


def give_up(folder: WorkspaceFolder, query: str, rest: Rest | None = None) -> Trace:
    """The trace of a search that was cancelled before it began, of which the lines add up."""
    deadline = Deadline(60_000)
    deadline.cancel()
    with contextlib.closing(open_reader(folder.database)) as connection:
        request = FindRequest(parse_query(query, {}, {}), query, None, None, 200, resumed=rest)
        trace = Search(connection, ScopeCache(), frozenset()).run(request, deadline).complete()
    lines = trace.summary["completeness"]["lines"]
    assert lines["examined"] + lines["unexamined"] == lines["total"]
    assert sum(item.lines for item in trace.unscanned) == lines["unexamined"]
    return trace


@pytest.mark.parametrize("query", QUERIES)
def test_a_search_that_was_given_up_accounts_for_every_line(
    folder: WorkspaceFolder, manuals: Serving, query: str
) -> None:
    assert give_up(folder, query).summary["completeness"]["status"] != "absent"


@pytest.mark.parametrize("query", QUERIES)
def test_a_rest_that_was_given_up_is_left_over_again(folder: WorkspaceFolder, manuals: Serving, query: str) -> None:
    first = give_up(folder, query)
    again = give_up(folder, query, first.rest)
    assert set() < lines_left(again) <= lines_left(first)
    assert again.summary["completeness"]["lines"]["total"] == len(lines_left(first))
    assert again.summary["completeness"]["status"] != "absent"


def test_a_rest_gets_smaller_without_time_though_a_word_stands_nowhere(
    folder: WorkspaceFolder, manuals: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "鍵言葉 reassigned"
    first = give_up(folder, query)
    monkeypatch.setattr(deadlines, "_STEPS_BETWEEN_LOOKS", 1)
    with contextlib.closing(open_reader(folder.database)) as connection:
        request = FindRequest(parse_query(query, {}, {}), query, None, None, 200, resumed=first.rest)
        again = Search(connection, ScopeCache(), frozenset()).run(request, Deadline(0)).complete()
    assert lines_left(again) < lines_left(first)


def lines_left(trace: Trace) -> set[tuple[str, int]]:
    """What was not examined; of a file that nobody could decode, one line."""
    listed = (document for item in trace.unscanned for document in json.loads(item.documents))
    return {(path, line) for _, path, spans in listed for first, last in spans for line in range(first, last + 1)}


def start(manuals: Serving, tool: str, **arguments: Any) -> "Future[Any]":
    return manuals.portal.start_task_soon(lambda: manuals.client.call_tool(tool, arguments))


def test_calls_that_come_together_are_all_answered(manuals: Serving) -> None:
    futures = [start(manuals, "manual_find", query=query) for query in QUERIES * 4]
    futures += [start(manuals, "manual_list") for _ in range(4)]
    assert [future.result(60).is_error for future in futures] == [False] * len(futures)


def test_a_long_search_does_not_block_another_call(manuals: Serving) -> None:
    words = " ".join(f"鍵言葉は{n}と{n}の言葉" for n in range(40))
    long = start(manuals, "manual_find", query=words, budget={"max_candidates": 1_000})
    assert manuals.call("manual_list") == {"items": [{"manual_id": "m"}]}
    assert manuals.find("題7").summary["candidates"] > 0
    assert not long.result(60).is_error


def test_a_call_that_nobody_waits_for_leaves_the_server_working(manuals: Serving) -> None:
    words = " ".join(f"鍵言葉は{n}と{n}の言葉" for n in range(40))
    for _ in range(20):
        start(manuals, "manual_find", query=words, budget={"max_candidates": 1_000}).cancel()
    assert manuals.find("鍵言葉").summary["candidates"] == 200
