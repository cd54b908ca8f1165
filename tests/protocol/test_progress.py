"""A client that asks for it hears how far a long call is; another one hears nothing."""

from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCRequest, ProgressNotification

from morenashi.server.edge.conversation import Conversation, Received
from morenashi.server.edge.protocol import build_server

from ..server.serving import ask_database
from ..workspaces import eventually
from .calls import LONG_CALLS, LOOSE
from .connecting import Connection

CALLS = [*LONG_CALLS.items(), LOOSE]


def told(busy: Connection, tool: str, arguments: dict[str, Any]) -> list[tuple[float, float | None]]:
    """(progress, total) as the client hears them during a call."""
    heard: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    result = busy.ask("call_tool", tool, arguments, progress_callback=hear)
    assert not result.is_error, result.structured_content
    return heard


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=[f"{tool}-{n}" for n, (tool, _) in enumerate(CALLS)])
def test_a_long_call_tells_how_far_it_is(busy: Connection, tool: str, arguments: dict[str, Any]) -> None:
    heard = told(busy, tool, arguments)
    assert heard
    assert [progress for progress, _ in heard] == sorted({progress for progress, _ in heard})
    assert all(total is not None and 0 < progress <= total for progress, total in heard)


def test_at_the_end_all_has_been_looked_at(busy: Connection) -> None:
    progress, total = told(busy, "vault_coverage", LONG_CALLS["vault_coverage"])[-1]
    assert progress == total == len(LONG_CALLS["vault_coverage"]["cited_ranges"])


def test_a_client_that_gave_no_token_hears_nothing(busy: Connection) -> None:
    busy.notifications.clear()
    for tool, arguments in LONG_CALLS.items():
        busy.call(tool, **arguments)
    assert [one for one in busy.notifications if isinstance(one, ProgressNotification)] == []


def test_a_search_comes_to_its_end_though_its_client_does_not_read_how_far_it_is(busy: Connection) -> None:
    query = f"{LONG_CALLS['manual_find']['query']} 読まれない進み"
    shake = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "idle", "version": "1"}}
    find = {"name": "manual_find", "arguments": {"query": query}, "_meta": {"progressToken": 1}}
    asked = iter([("initialize", shake), ("ping", {}), ("tools/call", find)])
    answered: list[SessionMessage] = []

    async def receive() -> Received:
        for method, params in asked:
            while method == "tools/call" and len(answered) < 2:
                await anyio.sleep(0)
            return SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=method, method=method, params=params))
        await anyio.sleep_forever()
        return None

    async def send(message: SessionMessage) -> None:
        answered.append(message)
        if len(answered) == 2:
            await anyio.sleep_forever()

    idle = busy.portal.start_task_soon(Conversation(build_server(busy.workspace), receive, send).run)
    try:
        assert eventually(lambda: ask_database(busy.folder, "SELECT 1 FROM traces WHERE query = ?", query), 20)
    finally:
        idle.cancel()
