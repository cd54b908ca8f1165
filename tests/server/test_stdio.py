"""`morenashi serve`: stdout is the protocol's, stderr the log's, and the end of stdin is the end."""

import array
import fcntl
import json
import os
import signal
import socket
import subprocess
import termios
import time
from collections.abc import Callable, Iterator

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client

from ..workspaces import WorkspaceFolder, clean_environment, eventually
from .library import fill
from .serving import index_now, serving
from .stdio import META, RawServer, raw_server, stdio_session


def _socket_pair() -> tuple[int, int]:
    one, other = socket.socketpair()
    return one.detach(), other.detach()


@pytest.fixture
def process(workspace: WorkspaceFolder) -> Iterator[RawServer]:
    index_now(fill(workspace))
    with raw_server(workspace) as server:
        server.initialise()
        yield server


@pytest.fixture(scope="module")
def indexed(shared_workspace: WorkspaceFolder) -> WorkspaceFolder:
    index_now(fill(shared_workspace))
    return shared_workspace


@pytest.fixture(scope="module")
def lasting(indexed: WorkspaceFolder) -> Iterator[RawServer]:
    """A server that outlives the test."""
    with raw_server(indexed) as server:
        server.initialise()
        yield server


@pytest.fixture(scope="module")
def connected(indexed: WorkspaceFolder) -> Iterator[tuple[BlockingPortal, Client]]:
    """A real client of one, and the event loop that it is used in."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(stdio_session(indexed)) as client:
        yield portal, client


def test_a_client_finds_and_reads_over_stdio(connected: tuple[BlockingPortal, Client]) -> None:
    portal, client = connected

    async def session() -> str:
        found = (await client.call_tool("manual_find", {"query": "印鑑"})).structured_content
        hits = (await client.call_tool("manual_hits", {"trace_id": found["trace_id"]})).structured_content
        read = await client.call_tool("manual_read", {"ref": hits["items"][0]["ref"], "scope": "section"})
        return str(read.structured_content["text"])

    assert portal.call(session) == "### 必要な書類\n\n住民票と印鑑。\n\n"


def test_an_error_over_stdio_passes_the_clients_check_of_answers(connected: tuple[BlockingPortal, Client]) -> None:
    """The client checks successes by itself; other clients check errors, too."""
    portal, client = connected

    async def session() -> list[str]:
        codes = []
        for tool in (await client.list_tools()).tools:
            result = await client.call_tool(tool.name, {"no_such_parameter": 1})
            await client.session.validate_tool_result(tool.name, result)
            body = result.structured_content
            codes.append(body.get("error", body)["code"])
        return codes

    assert set(portal.call(session)) == {"invalid_parameter", "VALIDATION_ERROR"}


def test_stdout_carries_nothing_but_the_protocol(process: RawServer) -> None:
    process.call(1, "manual_find", query="申請")
    process.call(2, "manual_find", query="")
    process.send("tools/call", 3, name="no_such_tool", arguments={})
    assert process.receive()["error"]["code"] == -32602
    process.send("tools/list", 4)
    assert process.receive()["id"] == 4
    # The end of stdin is the end of the server.
    assert process.close_stdin() == ("", 0)


def test_a_client_that_is_killed_while_it_waits_leaves_no_traceback(process: RawServer) -> None:
    process.initialise()
    process.send("tools/list", 1)
    assert process.process.stdout
    assert process.process.stdin
    process.process.stdout.close()
    process.process.stdin.close()
    assert process.process.wait(60) == 0
    assert [line["level"] for line in process.log_lines()] == ["info"] * len(process.log_lines())


def test_a_client_that_reads_no_longer_is_not_waited_for_though_somebody_holds_stdin(process: RawServer) -> None:
    process.initialise()
    assert process.process.stdout
    process.process.stdout.close()
    assert process.process.wait(60) == 0
    assert [line["level"] for line in process.log_lines()] == ["info"] * len(process.log_lines())


@pytest.mark.parametrize("make", [os.pipe, _socket_pair], ids=["pipe", "socket"])
def test_a_client_that_is_killed_with_answers_unread_leaves_none_either(
    indexed: WorkspaceFolder, make: Callable[[], tuple[int, int]]
) -> None:
    """One is being written then, and others wait for that. Some clients have sockets where others have pipes."""
    reading, writing = make()
    log = indexed.root / "stderr.log"
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            indexed.command("serve"), env=clean_environment(), stdin=subprocess.PIPE, stdout=writing, stderr=errors
        ) as process,
    ):
        os.close(writing)
        assert process.stdin
        for number in range(40):
            request = {"jsonrpc": "2.0", "id": number, "method": "tools/list", "params": {"_meta": META}}
            process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        assert eventually(lambda: _is_full(reading))
        os.close(reading)
        process.stdin.close()
        assert process.wait(60) == 0
    assert "Traceback" not in log.read_text("utf-8")


def _is_full(descriptor: int) -> bool:
    """Whether there is something to read, and has not become more for a while."""
    before = _unread_bytes(descriptor)
    time.sleep(0.2)
    return 0 < before == _unread_bytes(descriptor)


def _unread_bytes(descriptor: int) -> int:
    found = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, found)
    return found[0]


def test_a_trace_is_kept_when_stdin_ends_right_after_the_answer(workspace: WorkspaceFolder, process: RawServer) -> None:
    body = process.call(1, "manual_find", query="申請")["result"]["structuredContent"]
    process.close_stdin()
    with serving(workspace) as again:
        page = again.call("manual_hits", trace_id=body["trace_id"])
    assert page["total"] == body["summary"]["candidates"]


def test_a_malformed_line_does_not_end_the_server(lasting: RawServer) -> None:
    assert lasting.process.stdin
    lasting.process.stdin.write("this is no JSON\n")
    lasting.process.stdin.flush()
    assert_answers(lasting)


def test_a_lone_surrogate_in_a_message_does_not_end_the_server(lasting: RawServer) -> None:
    lasting.send("tools/call", 1, name="manual_find", arguments={"query": "\ud800", "\udc00": 1})
    assert_answers(lasting)


def assert_answers(server: RawServer) -> None:
    """Whatever it says first, in the end it answers a ping."""
    server.send("ping", 7)
    answers = [server.receive()]
    while answers[-1].get("id") != 7:
        answers.append(server.receive())
    assert "result" in answers[-1]


@pytest.mark.parametrize("query", ['" "', '"\u3000" 申請', '" " "  "'])
def test_a_quoted_blank_does_not_occupy_the_server(lasting: RawServer, query: str) -> None:
    assert "result" in lasting.call(1, "manual_find", query=query)


@pytest.mark.skipif(signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="interrupts are ignored here")
def test_an_interrupt_ends_the_server_though_stdin_is_open(process: RawServer) -> None:
    process.process.send_signal(signal.SIGINT)
    assert eventually(lambda: process.process.poll() is not None)


def test_a_wrong_setting_is_refused_at_the_start(workspace: WorkspaceFolder) -> None:
    with raw_server(workspace, TRACE_TTL_SEC="soon") as server:
        rest, code = server.close_stdin()
    assert (rest, code) == ("", 2)
    assert "TRACE_TTL_SEC" in server.stderr.read_text("utf-8")


def test_a_server_that_ends_leaves_all_in_the_database_itself(workspace: WorkspaceFolder) -> None:
    """What lies in the log counts only beside it: who keeps a copy of the one file has everything."""
    workspace.write("m/a.md", "# 休暇\n")
    with serving(workspace) as server:
        server.call("manual_find", query="休暇")
    assert not workspace.database.with_name(f"{workspace.database.name}-wal").exists()
