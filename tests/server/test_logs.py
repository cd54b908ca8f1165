"""The log on stderr (seed 001 §8, seed 004 §6): JSON lines that count and name, and never quote a document."""

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from ..workspaces import WorkspaceFolder, eventually
from .serving import index_now, serving
from .stdio import RawServer, piped, raw_server

TEXT = "門外不出の一文である"
FOUND = "鍵言葉"
ELSEWHERE = "合図"
FIND_FIELDS = set(
    "trace_id scanned_files scanned_nodes candidates warnings max_stage_applied scope_expanded cutoff_reason "
    "unscanned_sections_count integrated_nodes file_bias_ratio conflict_count gap_count sufficiency_score "
    "integration_status next_actions".split()
)
REF = {"target": "manual", "manual_id": "a", "path": "x.md", "start_line": 1}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The log of a session in which every tool was called, some in vain."""
    folder = WorkspaceFolder(tmp_path_factory.mktemp("log") / "workspace")
    folder.write("a/x.md", f"# {TEXT}\n\n{FOUND} {TEXT}\n\nただし、{TEXT}\n")
    folder.write("a/y.json", f'{{"k": "{FOUND} {TEXT}"}}')
    folder.write("b/y.md", f"# 題\n\n{ELSEWHERE}\n")
    index_now(folder)
    with raw_server(folder) as server:
        server.initialise()
        found = server.call(1, "manual_find", query=FOUND)["result"]["structuredContent"]
        server.call(2, "manual_hits", trace_id=found["trace_id"])
        server.call(3, "manual_read", ref=REF, scope="section")
        server.call(4, "manual_toc", manual_id="a")
        server.call(5, "manual_ls")
        server.call(6, "manual_list")
        server.call(7, "manual_read", ref={**REF, "path": "none.md"})
        server.call(8, "manual_find", query=FOUND, intent="wrong")
        server.call(9, "manual_excepts", manual_id="a")
        server.call(10, "manual_find", query=ELSEWHERE, manual_id="a")
        server.close_stdin()
    return server.log_lines()


def of_tool(log: list[dict[str, Any]], tool: str) -> list[dict[str, Any]]:
    return [line for line in log if line["tool"] == tool]


def test_every_line_has_the_common_fields(log: list[dict[str, Any]]) -> None:
    assert [line for line in log if not {"ts", "level", "tool", "ok", "elapsed_ms"} <= set(line)] == []


def test_levels_are_those_of_the_rules(log: list[dict[str, Any]]) -> None:
    assert {line["level"] for line in log} <= {"error", "warn", "info"}


def test_times_carry_their_zone(log: list[dict[str, Any]]) -> None:
    assert all(datetime.fromisoformat(line["ts"]).tzinfo for line in log)


def test_every_call_leaves_a_line(log: list[dict[str, Any]]) -> None:
    # That a search goes on to other manuals has a line of its own.
    lines = [line for line in log if "escalation_reasons" not in line]
    called = [line["tool"] for line in lines if line["tool"].startswith("manual_")]
    assert called == [
        "manual_find",
        "manual_hits",
        "manual_read",
        "manual_toc",
        "manual_ls",
        "manual_list",
        "manual_read",
        "manual_find",
        "manual_excepts",
        "manual_find",
    ]


def test_a_call_says_how_long_it_took(log: list[dict[str, Any]]) -> None:
    assert all(line["elapsed_ms"] >= 0 for line in log if line["tool"].startswith("manual_"))


def test_a_search_that_goes_on_to_other_manuals_says_why_and_after_how_long(log: list[dict[str, Any]]) -> None:
    (line,) = (line for line in of_tool(log, "manual_find") if "escalation_reasons" in line)
    assert (line["level"], bool(line["escalation_reasons"]), line["elapsed_ms"] > 0) == ("warn", True, True)


def test_a_refused_call_is_not_ok_and_has_its_code(log: list[dict[str, Any]]) -> None:
    assert [(line["ok"], line["code"]) for line in of_tool(log, "manual_read")[1:]] == [(False, "not_found")]
    assert [(line["ok"], line["code"]) for line in of_tool(log, "manual_find")[1:2]] == [(False, "invalid_parameter")]


def test_a_search_logs_its_numbers(log: list[dict[str, Any]]) -> None:
    line = of_tool(log, "manual_find")[0]
    assert set(line) >= FIND_FIELDS
    assert line["candidates"] == 2


def test_no_line_holds_text_of_a_document(log: list[dict[str, Any]]) -> None:
    assert [line for line in log if TEXT[:4] in str(line)] == []


def test_a_higher_log_level_leaves_the_others_out(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "本文\n")
    index_now(workspace)
    with raw_server(workspace, LOG_LEVEL="error") as server:
        server.initialise()
        server.call(1, "manual_find", query="本文")
        server.call(2, "manual_find", query="")
        server.close_stdin()
    assert server.log_lines() == []


def test_a_library_that_warns_writes_no_line_of_its_own(workspace: WorkspaceFolder) -> None:
    # watchdog warns when it meets the folders of a deep new path twice.
    with raw_server(workspace, WATCH="events") as server:
        server.initialise()
        for number in range(40):
            workspace.write(f"m/{number}/b/c/d/e/x.md", "本文\n")
        assert eventually(lambda: "x.md" in str(server.call(1, "manual_ls", offset=39)))
        server.close_stdin()
    assert all(line["ts"] for line in server.log_lines())


def test_a_thread_that_ends_with_an_error_leaves_a_line_without_its_stack() -> None:
    code = (
        "import threading; from morenashi.server.log import capture_library_logs; capture_library_logs()\n"
        "thread = threading.Thread(target=lambda: open('/no/such/place'), name='reader'); thread.start(); thread.join()"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    line = json.loads(ended.stderr)
    assert (line["tool"], line["ok"], line["name"], line["error"]) == ("thread", False, "reader", "FileNotFoundError")


def test_a_server_whose_log_nobody_can_take_goes_on(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "本文\n")
    full = Path("/dev/full")
    with piped(workspace.command("serve"), full, 60, "ab", {}) as process:
        server = RawServer(process, full)
        server.initialise()
        for number, word in enumerate(("一番", "二番"), 1):
            workspace.write(f"a/{number}.md", f"{word}\n")

            def is_found(number: int = number, word: str = word) -> bool:
                answer = server.call(number, "manual_find", query=word)["result"]["structuredContent"]
                return bool(answer["summary"]["candidates"])

            assert eventually(is_found)
        server.close_stdin()


def test_a_dictionary_that_is_not_taken_as_it_stands_is_said_in_the_log(
    workspace: WorkspaceFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    own = workspace.root / "dictionaries" / "synonyms.txt"
    own.parent.mkdir()
    own.write_bytes("旅費, 路銀\n".encode() + b"\xff, \xff\n")
    with serving(workspace):
        pass
    (said,) = (line for line in map(json.loads, capsys.readouterr().err.splitlines()) if line["tool"] == "dictionaries")
    assert said["level"] == "warn"
    assert said["notice"] == "dictionaries/synonyms.txt: what cannot be read is passed over: line 2"
