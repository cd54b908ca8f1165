"""Adaptive statistics (seed 001 §8.2, the contract's recall proxy), as they come from calls of a client."""

import contextlib
import hashlib
import json
import math
from pathlib import Path
from typing import Any

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server.search.adaptation.adaptive import read_thresholds, tuning_of
from morenashi.server.search.widening import Thresholds

from ..server.histories import ELSEWHERE, history
from ..server.library import fill
from ..server.serving import Serve, Serving, ask_database, serving, serving_indexed
from ..workspaces import WorkspaceFolder, eventually

FIELDS = (
    "ts query_hash scanned_files candidates warnings max_stage_applied scope_expanded cutoff_reason "
    "unscanned_sections_count est_tokens est_tokens_in est_tokens_out added_evidence_count added_est_tokens "
    "marginal_gain"
).split()
GUIDE, RULES = "guide.md", "rules.md"


@pytest.fixture
def manuals(workspace: WorkspaceFolder, serve: Serve) -> Serving:
    fill(workspace)
    return serve()


def recalls(manuals: Serving, trace_id: str) -> list[tuple[int, int, float]]:
    """(sections read, candidates among them, recall) of a trace; no row if nothing was read."""
    query = "SELECT sections_read, candidates_read, recall FROM adaptive_recall WHERE trace_id = ?"
    return ask_database(manuals.folder, query, trace_id)


def has_recall(manuals: Serving, trace_id: str, read: int, among: int) -> bool:
    return eventually(lambda: recalls(manuals, trace_id) == [(read, among, among / read)])


def test_what_is_read_of_the_candidates_counts(manuals: Serving) -> None:
    # The section at line 7 is a candidate; the one at line 12 says nothing of it, nor does another manual.
    found = manuals.find("申請の期限", manual_id="手引き", max_stage=3)
    manuals.read(manuals.ref("手引き", GUIDE, 9))
    assert has_recall(manuals, found.trace_id, read=1, among=1)
    manuals.read(manuals.ref("手引き", GUIDE, 14))
    assert has_recall(manuals, found.trace_id, read=2, among=1)
    manuals.read(manuals.ref("english", "install.md", 3))
    assert has_recall(manuals, found.trace_id, read=3, among=1)


def test_a_section_counts_once_however_it_is_read(manuals: Serving) -> None:
    found = manuals.find("申請の期限", manual_id="手引き", max_stage=3)
    manuals.read(manuals.ref("手引き", GUIDE, 9))
    manuals.read(manuals.ref("手引き", GUIDE, 10), scope="section")
    page = manuals.read(manuals.ref("手引き", GUIDE, 7), scope="section", limits={"max_chars": 5})
    manuals.read(manuals.ref("手引き", GUIDE, 7), scope="section", cursor=page["next_cursor"])
    manuals.read(manuals.ref("手引き", GUIDE, 18))
    assert has_recall(manuals, found.trace_id, read=2, among=1)


def test_a_json_file_is_one_section(manuals: Serving) -> None:
    found = manuals.find("延長の申請", manual_id="手引き")
    ref = manuals.ref("手引き", "config/settings.json")
    manuals.read(ref)
    manuals.read({**ref, "json_path": "/service/limits"}, scope="snippet")
    assert has_recall(manuals, found.trace_id, read=1, among=1)


def test_the_next_search_begins_anew(manuals: Serving) -> None:
    first = manuals.find("申請", manual_id="手引き")
    manuals.read(manuals.ref("手引き", GUIDE, 9))
    second = manuals.find("取消", manual_id="手引き")
    manuals.read(manuals.ref("手引き", GUIDE, 9))
    manuals.read(manuals.ref("手引き", GUIDE, 18))
    assert has_recall(manuals, second.trace_id, read=2, among=1)
    assert has_recall(manuals, first.trace_id, read=1, among=1)


def test_a_trace_without_a_read_does_not_count(manuals: Serving) -> None:
    manuals.read(manuals.ref("手引き", GUIDE, 9))
    silent = manuals.find("申請")
    silent.hits()
    manuals.refuse("manual_read", ref=manuals.ref("手引き", "none.md"))
    spoken = manuals.find("申請")
    manuals.read(manuals.ref("手引き", GUIDE, 9))
    assert has_recall(manuals, spoken.trace_id, read=1, among=1)
    assert recalls(manuals, silent.trace_id) == []


def test_what_is_read_is_of_a_section_of_its_own_manual(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 一\n\n別の文。\n\n# 二\n\n鍵言葉。\n")
    workspace.write("n/a.md", "# 甲\n\n文。\n文。\n文。\n# 乙\n\n文。\n")
    manuals = serve()
    found = manuals.find("鍵言葉", manual_id="m", max_stage=3)
    manuals.read(manuals.ref("m", "a.md", 7))
    assert has_recall(manuals, found.trace_id, read=1, among=1)


def test_reading_right_after_the_answer_counts_every_time(manuals: Serving) -> None:
    traces = []
    for _ in range(30):
        traces.append(manuals.find("申請", manual_id="手引き").trace_id)
        manuals.read(manuals.ref("手引き", GUIDE, 9))
    assert all(has_recall(manuals, trace_id, read=1, among=1) for trace_id in traces)


def test_what_another_process_reads_later_does_not_count(workspace: WorkspaceFolder) -> None:
    with serving_indexed(fill(workspace)) as manuals:
        found = manuals.find("申請")
    with serving(workspace, WATCH="off") as manuals:
        manuals.read(manuals.ref("手引き", GUIDE, 9))
    assert recalls(manuals, found.trace_id) == []


def test_what_is_read_can_outlive_the_trace(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace)
    manuals = serve(TRACE_MAX_KEEP="1")
    found = manuals.find("申請", manual_id="手引き")
    manuals.read(manuals.ref("手引き", GUIDE, 9))
    assert has_recall(manuals, found.trace_id, read=1, among=1)
    manuals.find("取消")
    gone = "SELECT count(*) FROM traces WHERE id = ?"
    assert eventually(lambda: ask_database(workspace, gone, found.trace_id) == [(0,)])
    assert has_recall(manuals, found.trace_id, read=1, among=1)


def test_a_record_says_what_the_seed_asks_for(workspace: WorkspaceFolder) -> None:
    (workspace.root / "vault").mkdir()
    with serving_indexed(fill(workspace)) as manuals:
        found = manuals.find("申請 どこにもない語", budget={"max_candidates": 2})
    (record,) = mirrored(workspace.root / "vault" / ".system" / "adaptive_stats.jsonl")
    summary, question = found.summary, "申請 どこにもない語"
    assert set(record) == {*FIELDS, "trace_id"}
    copied = "scanned_files candidates warnings max_stage_applied scope_expanded cutoff_reason unscanned_sections_count"
    assert {name: record[name] for name in copied.split()} == {name: summary[name] for name in copied.split()}
    assert record["query_hash"] == hashlib.sha256(question.encode()).hexdigest()[:16]
    assert record["est_tokens_in"] == math.ceil(len(question) / 4)
    assert abs(record["est_tokens"] - record["est_tokens_in"] - record["est_tokens_out"]) <= 1
    assert record["added_evidence_count"] == found.lines["matched"]
    assert record["marginal_gain"] == pytest.approx(
        record["added_evidence_count"] / record["added_est_tokens"], abs=0.0001
    )


def test_the_mirror_says_what_the_table_says(workspace: WorkspaceFolder) -> None:
    (workspace.root / "vault").mkdir()
    with serving_indexed(fill(workspace)) as manuals:
        for query in ("申請", "どこにもない語", "取消 書面", "申請"):
            manuals.find(query, budget={"max_candidates": 1})
    lines = mirrored(workspace.root / "vault" / ".system" / "adaptive_stats.jsonl")
    names = ", ".join(lines[0])
    rows = ask_database(workspace, f"SELECT {names} FROM adaptive_statistics ORDER BY id")  # noqa: S608
    assert [tuple(line.values()) for line in lines] == rows
    assert len(rows) == 4


def test_no_text_and_no_query_is_in_statistics_reads_or_mirror(workspace: WorkspaceFolder) -> None:
    (workspace.root / "vault").mkdir()
    with serving_indexed(fill(workspace)) as manuals:
        for query in ("申請の期限", "印鑑", "どこにもない語"):
            manuals.find(query)
            manuals.read(manuals.ref("手引き", GUIDE, 14), scope="section")
    kept = (workspace.root / "vault" / ".system" / "adaptive_stats.jsonl").read_text("utf-8")
    for table in ("adaptive_statistics", "adaptive_reads", "adaptive_changes"):
        kept += str(ask_database(workspace, f"SELECT * FROM {table}"))  # noqa: S608 - named above
    texts = ("申請", "期限", "印鑑", "どこにもない語", "窓口", "三十日", "必要な書類")
    assert [text for text in texts if text in kept] == []


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, Thresholds(3, 0.80)),
        ({"ADAPTIVE_CANDIDATE_LOW_BASE": "5", "ADAPTIVE_FILE_BIAS_BASE": "0.75"}, Thresholds(5, 0.75)),
        ({"ADAPTIVE_TUNING": "false", "ADAPTIVE_CANDIDATE_LOW_BASE": "2"}, Thresholds(2, 0.80)),
    ],
)
def test_thresholds_begin_at_their_base(
    workspace: WorkspaceFolder, serve: Serve, settings: dict[str, str], expected: Thresholds
) -> None:
    fill(workspace)
    manuals = serve(**settings)
    manuals.find("申請")
    assert manuals.workspace.ask(lambda index: read_thresholds(index, tuning_of(manuals.workspace.config))) == expected


def test_reads_outside_the_candidates_move_the_thresholds_of_a_server(manuals: Serving) -> None:
    for _ in range(21):
        manuals.find("取消", manual_id="手引き")
        manuals.read(manuals.ref("規則", RULES, 11))
    workspace = manuals.workspace
    moved = Thresholds(4, 0.77)
    assert eventually(lambda: workspace.ask(lambda index: read_thresholds(index, tuning_of(workspace.config))) == moved)


def test_each_change_and_its_reason_can_be_read_with_sqlite(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        days.day(ELSEWHERE)
        with contextlib.closing(open_reader(workspace.database)) as reader:
            query = """
                SELECT threshold, old_value, new_value, reason, because, recall, cutoff_share
                FROM adaptive_changes_overview
            """
            why = ("recall_low", "what was read was too often no candidate: widen earlier", 0.0, 0.0)
            assert reader.execute(query).fetchall() == [
                ("file_bias_threshold", 0.8, 0.77, *why),
                ("candidate_low_threshold", 3.0, 4.0, *why),
            ]
            now = reader.execute("SELECT threshold, value FROM adaptive_thresholds ORDER BY threshold").fetchall()
            assert now == [("candidate_low_threshold", 4.0), ("file_bias_threshold", 0.77)]


def mirrored(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
