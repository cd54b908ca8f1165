"""What every HTTP request passes before anything else: Host, Origin, token, rate limit (seed 002 §4)."""

import json
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from morenashi.server.clients import Client
from morenashi.server.errors import ToolError
from morenashi.server.log import log_event
from morenashi.server.rates import Allowance, RateLimiter, RateLimitError

from .address import is_allowed_host, is_same_origin, network_of
from .tokens import Tokens

_REFUSED = -32000
"""JSON-RPC: the server's own. The error's `data` has the code of the common vocabulary."""

_BEARER = "bearer "

_MOST_FAILURES_A_MINUTE = 30
"""Requests without a token that is known here, from one address: more are answered 429 in place of 401."""

_MOST_UNDER_WAY = 256
"""Requests of one caller at a time, half of the connections there can be: streams that a client opens and forgets would
leave the others none.
"""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may call, by which names of the host: those with one of the `tokens`, or, without any, everybody."""

    anonymous: Client
    tokens: Tokens | None
    hosts: frozenset[str]

    @property
    def callers(self) -> tuple[Client, ...]:
        """All that there can be."""
        return self.tokens.clients if self.tokens else (self.anonymous,)

    def caller(self, headers: Headers) -> Client | None:
        """Who sends this, or `None`."""
        if self.tokens is None:
            return self.anonymous
        given = headers.getlist("authorization")
        if len(given) != 1 or not given[0].lower().startswith(_BEARER):
            return None
        return self.tokens.find(given[0][len(_BEARER) :].strip())


class Guard:
    """Lets through who may call; `scope["state"]["caller"]` then says who. `open_path` needs no token."""

    def __init__(self, app: ASGIApp, access: Access, limiter: RateLimiter, open_path: str) -> None:
        self._app = app
        self._access = access
        self._limiter = limiter
        self._strangers = RateLimiter(_MOST_FAILURES_A_MINUTE)
        self._under_way = Counter[str]()
        self._open_path = open_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        if (refusal := self._refuse_place(headers)) is not None:
            return await refusal(scope, receive, send)
        if scope["path"] == self._open_path:
            return await self._app(scope, receive, send)
        caller = self._access.caller(headers)
        if caller is None:
            return await self._refuse_stranger(scope)(scope, receive, send)
        try:
            allowance = self._limiter.take(caller.name, time.monotonic())
        except RateLimitError as error:
            return await _too_many(error, error.allowance, error.retry_after, caller.name)(scope, receive, send)
        if self._under_way[caller.name] >= _MOST_UNDER_WAY:
            crowded = ToolError("RATE_LIMIT", f"{_MOST_UNDER_WAY} requests are under way: end streams nobody reads")
            return await _too_many(crowded, allowance, 1, caller.name)(scope, receive, send)
        scope.setdefault("state", {})["caller"] = caller
        self._under_way[caller.name] += 1
        try:
            await self._app(scope, receive, _with_allowance(send, allowance))
        finally:
            self._under_way[caller.name] -= 1

    def _refuse_stranger(self, scope: Scope) -> Response:
        """Who has no token that is known here. Not those who have one and come from the same address: behind a proxy,
        one stranger could lock out everybody, and a token is too long to be guessed anyway.
        """
        try:
            self._strangers.take(network_of(scope["client"]), time.monotonic())
        except RateLimitError as error:
            return _too_many(error, error.allowance, error.retry_after, None)
        message = "send the header Authorization: Bearer TOKEN with a token that is known here"
        challenge = {"WWW-Authenticate": 'Bearer realm="morenashi", error="invalid_token"'}
        return _refuse(401, ToolError("UNAUTHORIZED", message), challenge)

    def _refuse_place(self, headers: Headers) -> Response | None:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not is_allowed_host(hosts[0], self._access.hosts):
            return _refuse(421, ToolError("forbidden", "this server does not answer to that Host: see HTTP_HOSTS"))
        if any(not is_same_origin(origin, hosts[0]) for origin in origins):
            return _refuse(403, ToolError("forbidden", "requests from pages of other sites are refused"))
        return None


def _refuse(
    status: int, error: ToolError, headers: Mapping[str, str] | None = None, caller: str | None = None
) -> Response:
    """An error that MCP's clients show: JSON-RPC without the id of the request, which was not read."""
    log_event("warn", "http", ok=False, status=status, code=error.code, client=caller)
    refusal = {"code": _REFUSED, "message": error.message, "data": error.as_json()}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": refusal})
    return Response(body, status, headers, "application/json")


def _too_many(error: ToolError, allowance: Allowance, retry_after: int, caller: str | None) -> Response:
    headers = {"Retry-After": str(retry_after), **_allowance_headers(allowance)}
    return _refuse(429, error, headers, caller)


def _with_allowance(send: Send, allowance: Allowance) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_allowance_headers(allowance))
        await send(message)

    return send_with_headers


def _allowance_headers(allowance: Allowance) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(allowance.limit),
        "X-RateLimit-Remaining": str(allowance.remaining),
        "X-RateLimit-Reset": str(allowance.reset_seconds),
    }
