"""Who is let in: the right token, from the right place."""

import contextlib
import socket

import pytest

from .serving import HttpServer
from .tokens import ALL, NOTES, READER, WRONG


@pytest.mark.parametrize("path", ["/mcp", "/metrics"])
@pytest.mark.parametrize("token", [None, WRONG, ALL[:-1], ALL + "x"])
def test_without_a_known_token_nothing_is_answered(server: HttpServer, path: str, token: str | None) -> None:
    answer = server.get(path, token)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert answer.json()["error"]["data"]["code"] == "UNAUTHORIZED"


@pytest.mark.parametrize(
    "value", ["", "Bearer", f"Basic {ALL}", f"Token {ALL}", f"Digest {ALL}", ALL, f"Bearer {ALL}, Bearer {READER}"]
)
def test_a_token_counts_only_as_a_bearer(server: HttpServer, value: str) -> None:
    assert server.get("/metrics", authorization=value).status_code == 401


def test_a_token_that_is_no_text_is_none(server: HttpServer) -> None:
    assert b" 401 " in raw(server, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \udcff\r\n\r\n")


def test_two_tokens_at_once_are_none(server: HttpServer) -> None:
    lines = f"Host: localhost\r\nAuthorization: Bearer {ALL}\r\nAuthorization: Bearer {READER}\r\n"
    assert b" 401 " in raw(server, f"GET /metrics HTTP/1.1\r\n{lines}\r\n")


def test_the_scheme_may_be_written_in_any_case(server: HttpServer) -> None:
    assert server.get("/metrics", authorization=f"bEARER  {NOTES}").status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.nip.io", "x@localhost", "[::2]", ""],
)
@pytest.mark.parametrize("path", ["/mcp", "/healthz", "/metrics"])
def test_another_name_for_this_place_is_refused(server: HttpServer, path: str, host: str) -> None:
    """A page whose name was made to resolve to this machine sends its own name (DNS rebinding)."""
    answer = raw(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {ALL}\r\n\r\n")
    assert answer.startswith((b"HTTP/1.1 421 ", b"HTTP/1.1 400 "))


@pytest.mark.parametrize("hosts", ["", "Host: localhost\r\nHost: evil.example\r\n"])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_request_names_its_place_once(server: HttpServer, version: str, hosts: str) -> None:
    answer = raw(server, f"GET /healthz HTTP/{version}\r\n{hosts}\r\n")
    assert answer.startswith((b"HTTP/1.1 421 ", b"HTTP/1.1 400 "))


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8080"])
def test_the_names_of_the_loopback_are_known(server: HttpServer, host: str) -> None:
    assert server.get("/healthz", host=host).status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://localhost", "http://localhost:3000", "file://", "https://localhost.evil"],
)
def test_a_page_of_another_site_is_refused(server: HttpServer, origin: str) -> None:
    assert server.get("/healthz", origin=origin).status_code == 403
    assert server.post("tools/list", ALL, origin=origin).status_code == 403


def test_a_page_of_this_very_place_is_not(server: HttpServer) -> None:
    assert server.get("/healthz", origin=server.base).status_code == 200


def test_nothing_says_what_program_answers(server: HttpServer) -> None:
    assert "server" not in server.get("/healthz").headers


def test_no_page_is_allowed_to_read_what_it_asked(server: HttpServer) -> None:
    answer = server.get("/healthz", origin=server.base)
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize("path", ["/", "/mcp/", "/docs", "/metrics/", "/%2e%2e/metrics"])
def test_there_is_nothing_else(server: HttpServer, path: str) -> None:
    assert server.get(path, ALL).status_code == 404


def test_what_is_no_http_ends_the_connection_and_no_more(server: HttpServer) -> None:
    assert b" 400 " in raw(server, "\x16\x03\x01 nonsense\r\n\r\n")
    assert server.get("/healthz").status_code == 200


def raw(server: HttpServer, request: str) -> bytes:
    """What comes back for these very bytes, up to the end of its first part."""
    with contextlib.closing(socket.create_connection(("127.0.0.1", server.port), 30)) as connection:
        connection.sendall(request.encode(errors="surrogateescape"))
        return connection.recv(65_536)
