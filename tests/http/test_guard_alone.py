"""The guard by itself: what a library in front of it refuses already, and what takes many requests."""

import hashlib
import json
from typing import Any

import anyio
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from morenashi.server.clients import Client
from morenashi.server.edge.http import guard
from morenashi.server.edge.http.guard import Access, Guard
from morenashi.server.edge.http.tokens import Tokens, load_tokens
from morenashi.server.rates import RateLimiter

SECRET = "0123456789abcdef-secret"
Headers = list[tuple[bytes, bytes]]
HOST = [(b"host", b"localhost:80")]
BEARER = [(b"authorization", f"Bearer {SECRET}".encode())]


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    caller = scope["state"]["caller"].name if "state" in scope else "nobody"
    await PlainTextResponse(caller)(scope, receive, send)


async def _receive() -> Message:
    raise AssertionError("nothing is read")


class Asked:
    """A guard in front of an application that answers who calls."""

    def __init__(self) -> None:
        tokens = load_tokens(None, SECRET, Client("http"))
        access = Access(Client("http"), tokens, frozenset({"localhost"}))
        self._guard = Guard(_app, access, RateLimiter(1_000), "/healthz")

    def ask(self, headers: Headers, path: str = "/mcp", address: str = "192.0.2.1") -> list[Message]:
        scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "client": (address, 1)}
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        anyio.run(self._guard, scope, _receive, send)
        return sent

    def status(self, *arguments: Any, **more: Any) -> int:
        return int(self.ask(*arguments, **more)[0]["status"])


@pytest.fixture
def asked() -> Asked:
    return Asked()


def test_who_has_the_token_is_let_in(asked: Asked) -> None:
    start, body = asked.ask(HOST + BEARER)
    assert (start["status"], body["body"]) == (200, b"http")


def test_two_hosts_are_none_though_both_are_ours(asked: Asked) -> None:
    assert asked.status(HOST + HOST + BEARER) == 421
    assert asked.status(BEARER) == 421


@pytest.mark.parametrize("others", [[b"http://evil.example", b"http://localhost:80"]])
def test_of_several_origins_each_has_to_be_ours(asked: Asked, others: list[bytes]) -> None:
    for origins in (others, others[::-1]):
        assert asked.status([*HOST, *BEARER, *((b"origin", origin) for origin in origins)]) == 403


@pytest.mark.parametrize("path", ["/healthz/", "/healthzz", "/healthz/../metrics", "/HEALTHZ", "/metrics"])
def test_the_one_path_without_a_token_is_that_path_and_no_other(asked: Asked, path: str) -> None:
    assert asked.status(HOST, "/healthz") == 200
    assert asked.status(HOST, path) == 401


def test_each_address_may_fail_thirty_times_a_minute(asked: Asked) -> None:
    answers = [asked.status(HOST) for _ in range(32)]
    assert answers[:30] == [401] * 30
    assert answers[31] == 429
    assert asked.status(HOST, address="192.0.2.2") == 401
    assert asked.status(HOST + BEARER) == 200


def test_a_refusal_is_an_error_of_the_protocol_without_an_id(asked: Asked) -> None:
    _, body = asked.ask(HOST)
    refusal = json.loads(body["body"])
    assert (refusal["jsonrpc"], refusal["id"], refusal["error"]["code"]) == ("2.0", None, -32000)


def test_who_has_to_wait_is_named_in_the_log(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    while asked.status(HOST + BEARER) != 429:
        pass
    (said,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert (said["status"], said["code"], said["client"]) == (429, "RATE_LIMIT", "http")


def test_streams_that_a_client_leaves_open_leave_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_MOST_UNDER_WAY", 2)
    digests = {name: hashlib.sha256(name.encode()).digest() for name in ("one", "other")}
    tokens = Tokens(tuple((digest, Client(name, name)) for name, digest in digests.items()))

    async def ask_at_once() -> dict[str, list[int]]:
        leave = anyio.Event()
        statuses: dict[str, list[int]] = {"one": [], "other": []}

        async def stay(scope: Scope, receive: Receive, send: Send) -> None:
            await _app(scope, receive, send)
            await leave.wait()

        guarded = Guard(stay, Access(Client("http"), tokens, frozenset({"localhost"})), RateLimiter(1_000), "/healthz")

        async def ask(name: str) -> None:
            async def send(message: Message) -> None:
                statuses[name] += [message["status"]] if "status" in message else []

            headers = [*HOST, (b"authorization", f"Bearer {name}".encode())]
            await guarded({"type": "http", "path": "/mcp", "headers": headers}, _receive, send)

        async with anyio.create_task_group() as tasks:
            for name in ("one", "one", "one", "other"):
                tasks.start_soon(ask, name)
            await anyio.wait_all_tasks_blocked()
            leave.set()
        await ask("one")
        return statuses

    assert anyio.run(ask_at_once) == {"one": [200, 200, 429, 200], "other": [200]}
