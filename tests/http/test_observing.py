"""What can be seen from outside: health, metrics, the log. Never a token, never a text."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from morenashi.server.clients import Client
from morenashi.server.edge.http.clients import RecentClients
from morenashi.server.edge.http.health import health

from ..indexer.test_database import make_newer
from ..server.serving import index_now
from ..workspaces import WorkspaceFolder, eventually
from .serving import HttpServer, http_server
from .tokens import ALL, EVERY, NOTES, WRONG


def metrics(server: HttpServer) -> dict[tuple[str, ...], float]:
    """Each sample by its name and the values of its labels, sorted."""
    text = server.get("/metrics", ALL).text
    families = text_string_to_metric_families(text)
    return {(one.name, *sorted(one.labels.values())): one.value for family in families for one in family.samples}


def test_health_needs_no_token_and_names_nothing(server: HttpServer) -> None:
    def state() -> Any:
        answer = server.get("/healthz")
        return answer.status_code, answer.json()

    ready = {"state": "ready", "pending_files": 0}
    well = (200, {"status": "ok", "index": {"manuals": ready, "vault": ready}})
    assert eventually(lambda: state() == well), state()


def test_metrics_count_calls_by_tool_and_outcome(server: HttpServer) -> None:
    before = metrics(server)
    server.call("manual_list", ALL)
    server.call("manual_read", ALL, ref={"target": "manual", "manual_id": "m", "path": "none.md"})
    server.call("pce_memory_feedback", ALL, claim_id="clm_none", signal="helpful")
    server.post("tools/call", NOTES, params={"name": "made_up", "arguments": {}})
    after = metrics(server)

    def more(*sample: str) -> float:
        key = sample[:1] + tuple(sorted(sample[1:]))
        return after[key] - before.get(key, 0)

    assert more("morenashi_calls_total", "manual_list", "ok") == 1
    assert more("morenashi_calls_total", "manual_read", "not_found") == 1
    assert more("morenashi_calls_total", "pce_memory_feedback", "UNKNOWN_CLAIM") == 1
    assert more("morenashi_calls_total", "unknown", "protocol_error") == 1
    assert more("morenashi_call_seconds_count", "manual_list") == 1
    assert more("morenashi_call_seconds_bucket", "manual_list", "+Inf") == 1


def test_what_is_no_call_of_a_tool_is_not_counted_as_one(server: HttpServer) -> None:
    before = {key: value for key, value in metrics(server).items() if key[0] == "morenashi_calls_total"}
    assert server.post("tools/list", ALL).status_code == 200
    assert {key: value for key, value in metrics(server).items() if key[0] == "morenashi_calls_total"} == before


def test_a_session_that_asks_for_nothing_any_more_is_not_recent() -> None:
    clients = RecentClients()
    clients.see(Client("a", name="one"), 0.0)
    clients.see(Client("b", name="one"), 200.0)
    assert clients.count(300.0) == {"one": 2}
    assert clients.count(301.0) == {"one": 1}
    for number in range(10_001):
        clients.see(Client(str(number), name="many"), 302.0)
    assert clients.count(302.0) == {"many": 10_000}


@pytest.mark.parametrize(
    ("failure", "is_ready", "state"), [(None, True, "ready"), (None, False, "starting"), ("damaged", True, "failed")]
)
def test_one_index_that_cannot_be_asked_is_enough_to_be_unwell(failure: str | None, is_ready: bool, state: str) -> None:
    def shelf(kind: str, failure: str | None, is_ready: bool) -> SimpleNamespace:
        ready = threading.Event()
        if is_ready:
            ready.set()
        keeper = SimpleNamespace(failure=failure, ready=ready, pending=["m/a.md"])
        return SimpleNamespace(collection=SimpleNamespace(kind=kind), keeper=keeper)

    workspace: Any = SimpleNamespace(shelves=[shelf("manuals", None, True), shelf("vault", failure, is_ready)])
    is_well, body = health(workspace)
    assert (is_well, body["status"] == "ok") == (state == "ready", state == "ready")
    assert body["index"]["vault"] == {"state": state, "pending_files": 1}


def test_a_database_of_a_newer_version_is_unhealthy(workspace: WorkspaceFolder) -> None:
    index_now(workspace)
    make_newer(workspace.database)
    with http_server(workspace) as server:
        assert eventually(lambda: server.get("/healthz").json()["index"]["manuals"]["state"] == "failed")
        assert server.get("/healthz").status_code == 503


def test_metrics_say_how_the_index_the_memory_and_the_process_are(server: HttpServer) -> None:
    server.call("pce_memory_upsert", ALL, text="昼休みは十二時から。", provenance={"at": "2026-01-02T03:04:05Z"})
    notes = len(list((server.folder.root / "vault").glob("*.md")))
    assert eventually(lambda: metrics(server).get(("morenashi_index_documents", "vault")) == notes)
    seen = metrics(server)
    assert seen["morenashi_index_documents", "manuals"] == 1
    assert seen["morenashi_index_pending_files", "manuals"] == 0
    assert seen[("morenashi_memory_claims",)] >= 1
    assert seen[("morenashi_clients",)] >= 1
    assert seen[("morenashi_calls_in_progress",)] == 0
    assert seen[("process_resident_memory_bytes",)] > 10_000_000


def test_the_log_says_whose_call_it_was(server: HttpServer) -> None:
    server.call("vault_ls", NOTES)
    server.call("vault_read", NOTES, path="none.md", full=True)
    calls = [(line["tool"], line["ok"]) for line in server.log_lines() if line.get("client") == "notes"]
    assert {("vault_ls", True), ("vault_read", False)} <= set(calls)


def test_no_token_is_ever_logged(server: HttpServer) -> None:
    assert server.get("/metrics", WRONG).status_code == 401
    assert server.get("/healthz", host=f"{WRONG}.example").status_code == 421
    assert eventually(lambda: any(line.get("status") == 421 for line in server.log_lines()))
    log = server.stderr.read_text("utf-8")
    assert [token for token in EVERY if token in log] == []
    assert "休暇" not in log
