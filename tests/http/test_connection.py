"""How long a connection is kept for a request whose body does not end; in this process, so as to wait less long."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from morenashi.server.edge.http import connection as connections
from morenashi.server.edge.http.connection import Connection

from ..workspaces import eventually


async def _count(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server that counts the bytes of a body, with the connections of ours, and looks at them more often."""
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.1)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.3)
    app = Starlette(routes=[Route("/", _count, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, http=Connection, lifespan="off", log_config=None, access_log=False))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            assert eventually(lambda: server.started)
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def _read_to_end(connection: socket.socket) -> bytes:
    received = b""
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(4096):
            received += chunk
    return received


HEADS = {
    "announced": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
    "chunked": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("is_second", [False, True], ids=["first", "second"])
def test_who_sends_half_a_body_is_not_kept(port: int, head: bytes, is_second: bool) -> None:
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        if is_second:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        connection.sendall(head + b"2\r\n{")
        assert b" 200 " not in _read_to_end(connection)


def test_a_body_that_comes_in_pieces_is_taken(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over several looks; it has its whole time."""
    monkeypatch.setattr(connections, "BODY_SECONDS", 60.0)
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\n")
        for _ in range(4):
            time.sleep(0.1)
            connection.sendall(b"x")
        assert _read_to_end(connection).endswith(b"\r\n\r\n4")
