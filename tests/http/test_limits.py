"""How much, how often: 413, 429 with its headers, and what a slow or strange sender gets."""

import contextlib
import socket
from collections.abc import Iterator

import httpx2
import pytest

from morenashi.server.edge.http.address import network_of
from morenashi.server.edge.http.mcp import MAX_BODY_BYTES

from ..workspaces import WorkspaceFolder, make_workspace
from .conftest import write_tokens
from .serving import HttpServer, http_server
from .tokens import ALL, READER, WRONG

LIMIT = 2


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """Two requests a minute for each of two tokens, one of them of the environment."""
    folder = make_workspace(tmp_path_factory.mktemp("limited") / "workspace")
    tokens = write_tokens(folder, f'tokens = [{{name = "one", token = "{ALL}"}}]')
    settings = {"MEMORY_RATE_LIMIT": str(LIMIT), "HTTP_TOKENS": tokens, "HTTP_TOKEN": READER}
    with http_server(folder, **settings) as server:
        yield server


@pytest.fixture
def guessed(workspace: WorkspaceFolder) -> Iterator[HttpServer]:
    with http_server(workspace, HTTP_TOKEN=ALL) as server:
        yield server


def test_a_token_that_asks_too_often_has_to_wait(limited: HttpServer) -> None:
    answers = [limited.post("tools/list", ALL)]
    # One comes back every half minute, which a slow machine may need for an answer.
    while answers[-1].status_code == 200 and len(answers) < 20:
        answers.append(limited.post("tools/list", ALL))
    *taken, refused = answers
    assert refused.status_code == 429
    assert len(taken) >= LIMIT
    assert {answer.headers["x-ratelimit-limit"] for answer in answers} == {str(LIMIT)}
    assert int(taken[0].headers["x-ratelimit-remaining"]) == LIMIT - 1
    assert int(refused.headers["x-ratelimit-remaining"]) == 0
    assert all(0 < int(answer.headers["x-ratelimit-reset"]) <= 60 for answer in answers)
    assert 0 < int(refused.headers["retry-after"]) <= 60 / LIMIT
    error = refused.json()["error"]
    assert error["data"]["code"] == "RATE_LIMIT"
    assert error["data"]["details"]["retry_after"] == int(refused.headers["retry-after"])
    # Every token has its own; and how the server is needs none.
    assert limited.post("tools/list", READER).status_code == 200
    assert limited.get("/healthz").status_code != 429


def test_what_needs_no_token_or_has_none_is_told_of_no_allowance(guessed: HttpServer) -> None:
    for answer in (guessed.get("/healthz"), guessed.post("tools/list", WRONG)):
        assert [name for name in answer.headers if name.lower().startswith("x-ratelimit")] == []


def test_who_guesses_tokens_has_to_wait_and_who_has_one_has_not(guessed: HttpServer) -> None:
    """Wherever the guesses are sent, with a token that is wrong or with none; from one address, whatever they say."""
    answers = [guessed.get("/metrics", f"{WRONG}-{number}") for number in range(8)]
    answers += [guessed.post("tools/list", WRONG), guessed.get("/metrics")]
    assert {answer.status_code for answer in answers} == {401}
    # One comes back every two seconds, which a slow machine may need for an answer.
    while (refused := guess(guessed, len(answers))).status_code == 401 and len(answers) < 500:
        answers.append(refused)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 60
    assert refused.json()["error"]["data"]["code"] == "RATE_LIMIT"
    assert guessed.post("tools/list", ALL).status_code == 200
    assert guessed.get("/metrics", ALL).status_code == 200


def guess(server: HttpServer, number: int) -> httpx2.Response:
    """A wrong token that a proxy seems to have passed on, each for somebody else."""
    return server.post("tools/list", WRONG, x_forwarded_for=f"192.0.2.{number % 256}")


@pytest.mark.parametrize(
    ("client", "network"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("::ffff:192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8:1:2:3::9", 1), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 1), "fe80::/64"),
        (None, ""),
    ],
)
def test_one_subscriber_is_one_address(client: tuple[str, int] | None, network: str) -> None:
    assert network_of(client) == network


def test_a_body_that_says_to_be_too_long_is_not_read(server: HttpServer) -> None:
    head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ALL}\r\n"
    with contextlib.closing(socket.create_connection(("127.0.0.1", server.port), 30)) as connection:
        connection.sendall(f"{head}Content-Length: {MAX_BODY_BYTES + 1}\r\n\r\n".encode())
        assert b" 413 " in connection.recv(65_536)


def test_a_body_that_does_not_say_how_long_it_is_ends_at_the_limit(server: HttpServer) -> None:
    head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ALL}\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"%x\r\n%s\r\n" % (1 << 20, b"x" * (1 << 20))
    with contextlib.closing(socket.create_connection(("127.0.0.1", server.port), 30)) as connection:
        connection.sendall(head.encode())
        with contextlib.suppress(ConnectionError):
            for _ in range(MAX_BODY_BYTES // len(chunk) + 2):
                connection.sendall(chunk)
        assert b" 413 " in connection.recv(65_536)


@pytest.fixture
def impatient(workspace: WorkspaceFolder) -> Iterator[HttpServer]:
    with http_server(workspace.in_haste("server.edge.http.connection", "IDLE_SECONDS", 0.3), HTTP_TOKEN=ALL) as server:
        yield server


def test_who_connects_and_asks_for_nothing_is_not_kept(impatient: HttpServer) -> None:
    """Neither silent, nor slowly, nor with the body of what was refused: a connection is one of not so many."""
    refused = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n"
    for beginning, expected in ((b"", b""), (b"GET /healthz HTT", b""), (refused, b"HTTP/1.1 401")):
        with socket.create_connection(("127.0.0.1", impatient.port), 0.1) as connection:
            connection.sendall(beginning)
            assert drip(connection).startswith(expected)


def drip(connection: socket.socket) -> bytes:
    """What comes until the other end closes, while it is sent a byte now and then."""
    received = b""
    with contextlib.suppress(ConnectionError):
        for _ in range(600):
            try:
                if not (chunk := connection.recv(4096)):
                    return received
                received += chunk
            except TimeoutError:
                connection.sendall(b"x")
        raise AssertionError("it is still open")
    return received


def test_the_largest_call_is_taken(server: HttpServer) -> None:
    answer = server.post("tools/call", ALL, params={"name": "manual_find", "arguments": {"query": "x" * 3_900_000}})
    assert answer.status_code == 200
    assert answer.json()["result"]["structuredContent"]["code"] == "invalid_parameter"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'"x"', b"[" * 100_000, b"\xff\xfe", b'{"jsonrpc":"2.0","id":{},"method":1}']
)
@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25", "1999-01-01"])
def test_what_is_no_request_is_refused(server: HttpServer, body: bytes, version: str) -> None:
    headers = {
        "authorization": f"Bearer {ALL}",
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": version,
    }
    answer = server.http.post(server.url, headers=headers, content=body)
    assert 400 <= answer.status_code < 500
    assert "Traceback" not in answer.text
