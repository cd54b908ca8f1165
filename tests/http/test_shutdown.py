"""SIGTERM: no new requests, what is under way ends, what only listens is told to go."""

import contextlib
import signal
import socket
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from ..examples import Rounds
from ..server.memory.policies import EXAMPLE
from ..workspaces import WorkspaceFolder, eventually
from .serving import LEGACY, HttpServer, http_server

CLAIM = {"text": "止める前に答える。", "provenance": {"at": "2026-01-02T03:04:05Z"}}


def takes_connections(server: HttpServer) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port), 1).close()
    except OSError:
        return False
    return True


def listen(server: HttpServer) -> str:
    """Open the stream of a session, as older clients do, and read it to its end."""
    session = server.initialise()
    headers = {"accept": "text/event-stream", "mcp-session-id": session, "mcp-protocol-version": LEGACY}
    return server.http.get(server.url, headers=headers).text


def test_what_is_under_way_when_the_server_is_stopped_is_answered(workspace: WorkspaceFolder) -> None:
    with http_server(workspace) as server, ThreadPoolExecutor(4) as threads:
        server.call("pce_memory_policy_apply", yaml=EXAMPLE)
        listening, session = threads.submit(listen, server), server.initialise()
        with contextlib.closing(sqlite3.connect(workspace.database, isolation_level=None)) as other:
            # A call that has to wait, in each protocol. It waits eight seconds at most, so nothing else is done here.
            other.execute("BEGIN IMMEDIATE")
            waiting = threads.submit(server.call, "pce_memory_upsert", **CLAIM)
            older = threads.submit(
                server.post,
                "tools/call",
                era="legacy",
                mcp_session_id=session,
                mcp_protocol_version=LEGACY,
                params={"name": "pce_memory_upsert", "arguments": CLAIM},
            )
            assert eventually(lambda: "morenashi_calls_in_progress 2.0" in server.get("/metrics").text)
            server.process.send_signal(signal.SIGTERM)
            assert eventually(lambda: not takes_connections(server))
            assert listening.result(20) is not None
            assert not waiting.done()
            other.execute("ROLLBACK")
        assert "id" in waiting.result(20)["data"]
        assert '"isError":false' in older.result(20).text
        assert server.process.wait(60) == 0
    assert "ended by SIGTERM" in [line.get("notice") for line in server.log_lines()]


def test_a_second_signal_waits_for_nothing_but_what_cannot_be_interrupted(
    workspace: WorkspaceFolder, rounds: Rounds
) -> None:
    if not rounds(0, 1):
        pytest.skip("with --soak")
    with http_server(workspace) as server, ThreadPoolExecutor(1) as threads:
        server.call("pce_memory_policy_apply", yaml=EXAMPLE)
        with contextlib.closing(sqlite3.connect(workspace.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            threads.submit(server.post, "tools/call", params={"name": "pce_memory_upsert", "arguments": CLAIM})
            assert eventually(lambda: "morenashi_calls_in_progress 1.0" in server.get("/metrics").text)
            server.process.send_signal(signal.SIGTERM)
            server.process.send_signal(signal.SIGTERM)
            assert eventually(lambda: server.process.poll() is not None, 60)
