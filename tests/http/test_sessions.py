"""Sessions of the older protocols: each a client of its own, and of no other token."""

from typing import Any

import httpx2
import pytest

from .serving import LEGACY, HttpServer
from .tokens import ALL, NOTES, READER, WRONG


def call(server: HttpServer, token: str, session: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """A tool's answer within a session."""
    answer = ask(server, token, session, params={"name": tool, "arguments": arguments})
    assert answer.status_code == 200
    data = next(line for line in answer.text.splitlines() if line.startswith("data: {"))
    body: dict[str, Any] = httpx2.Response(200, text=data.removeprefix("data: ")).json()["result"]["structuredContent"]
    return body


def ask(server: HttpServer, token: str, session: str, **more: Any) -> httpx2.Response:
    return server.post("tools/call", token, "legacy", mcp_session_id=session, mcp_protocol_version=LEGACY, **more)


def delete(server: HttpServer, token: str | None, session: str) -> int:
    headers = {"mcp-session-id": session} | ({"authorization": f"Bearer {token}"} if token else {})
    return server.http.delete(server.url, headers=headers).status_code


def test_a_session_of_another_token_is_not_found(server: HttpServer) -> None:
    session = server.initialise(ALL)
    listing = {"name": "manual_list", "arguments": {}}
    assert ask(server, READER, session, params=listing).status_code == 404
    assert ask(server, WRONG, session, params=listing).status_code == 401
    assert server.get("/mcp", READER, mcp_session_id=session, accept="text/event-stream").status_code == 404
    assert delete(server, READER, session) == 404
    assert call(server, ALL, session, "manual_list")["items"] == [{"manual_id": "m"}]


def test_an_ended_session_is_not_found(server: HttpServer) -> None:
    session = server.initialise(ALL)
    assert delete(server, ALL, session) == 200
    assert ask(server, ALL, session, params={"name": "manual_list", "arguments": {}}).status_code == 404


def test_who_asks_for_what_was_missed_is_given_the_stream_from_now_on(server: HttpServer) -> None:
    headers = {"accept": "text/event-stream", "authorization": f"Bearer {ALL}", "last-event-id": "7"}
    headers |= {"mcp-session-id": server.initialise(ALL), "mcp-protocol-version": LEGACY}
    with server.http.stream("GET", server.url, headers=headers) as answer:
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")


@pytest.mark.parametrize("session", ["0" * 32, "", "../x", "a" * 10_000])
def test_a_session_that_was_never_begun_is_not_found(server: HttpServer, session: str) -> None:
    status = ask(server, ALL, session, params={"name": "manual_list", "arguments": {}}).status_code
    assert status in (400, 404)


def test_two_sessions_of_a_token_do_not_share_what_they_were_shown(server: HttpServer) -> None:
    one, other = server.initialise(NOTES), server.initialise(NOTES)
    call(server, NOTES, one, "vault_scan", path="n.md")
    cited = {"path": "n.md", "cited_ranges": [{"start_line": 1, "end_line": 3}]}
    assert call(server, NOTES, one, "vault_coverage", **cited)["undelivered_ranges"] == []
    assert call(server, NOTES, other, "vault_coverage", **cited)["undelivered_ranges"] != []


def test_a_session_named_by_a_newer_client_is_only_its_own(server: HttpServer) -> None:
    """The present protocol has no sessions; another token's must not be reached by naming it."""
    session = server.initialise(NOTES)
    call(server, NOTES, session, "vault_scan", path="n.md")
    cited = {"path": "n.md", "cited_ranges": [{"start_line": 1, "end_line": 3}]}
    answer = server.post(
        "tools/call", ALL, mcp_session_id=session, params={"name": "vault_coverage", "arguments": cited}
    )
    assert answer.json()["result"]["structuredContent"]["undelivered_ranges"] != []
