"""MCP at one path: a server with sessions of its own for each client, so that no two clients ever share a session."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import LAST_EVENT_ID_HEADER, MCP_SESSION_ID_HEADER
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from morenashi.server.clients import Client, acting_for
from morenashi.server.edge.memory_tool import HTTP_STATUS

MAX_BODY_BYTES = 4 * 1024 * 1024
"""Of a request; 413 beyond. The largest that a tool takes is the content of a note."""

_MOST_SESSIONS = 1_000
_SESSION_ID_CHARACTERS = 64
_LISTEN = "subscriptions/listen"


class McpEndpoint:
    """Hands a request to the server of its caller. From `closing` on, what only listens is told to end."""

    def __init__(self, servers: Mapping[str, Server[Any]], hosts: frozenset[str], closing: anyio.Event) -> None:
        self._closing = closing
        self._managers = {
            name: StreamableHTTPSessionManager(
                server,
                security_settings=_security(hosts),
                max_request_body_size=MAX_BODY_BYTES,
                max_sessions=_MOST_SESSIONS,
            )
            for name, server in servers.items()
        }

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While requests are taken."""
        async with AsyncExitStack() as stack:
            for manager in self._managers.values():
                await stack.enter_async_context(manager.run())
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        manager = self._managers[scope["state"]["caller"].name]
        if scope["method"] == "GET" or Headers(scope=scope).get("mcp-method") == _LISTEN:
            await self._serve_listener(manager, scope, receive, send)
        else:
            await manager.handle_request(scope, receive, _with_status(scope["state"], send))

    async def _serve_listener(
        self, manager: StreamableHTTPSessionManager, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Serve a stream that has no end of its own, and end it whole when the server closes."""
        is_open = False

        async def watch(message: Message) -> None:
            nonlocal is_open
            is_open = message["type"] == "http.response.start" or message.get("more_body", False)
            await send(message)

        await manager.handle_request(_without_last_event(scope), _until(self._closing, receive), watch)
        if is_open and self._closing.is_set():
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def in_session(client: Client) -> ServerMiddleware[Any]:
    """Answer each call for the session that it came in, and remember the status that seed 002 §6 gives an error.

    Since 2026-07-28 there are no sessions: calls then belong together by their client's name alone, and a session
    that is named all the same is only one of that client.
    """

    async def act(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        request = ctx.request
        assert isinstance(request, Request)
        named = request.headers.get(MCP_SESSION_ID_HEADER, "")[:_SESSION_ID_CHARACTERS]
        try:
            with acting_for(replace(client, session_id=f"{client.session_id}:{named}")):
                return await call_next(ctx)
        except MCPError as error:
            request.scope["state"]["status"] = _status(error)
            raise

    return act


def _status(error: MCPError) -> int | None:
    code = error.data.get("error", {}).get("code") if isinstance(error.data, dict) else None
    return HTTP_STATUS.get(code) if isinstance(code, str) else None


def _without_last_event(scope: Scope) -> Scope:
    """Nothing is kept to be sent again, and the library answers nothing at all to who asks for it: they are given the
    stream as it is from now on.
    """
    name = LAST_EVENT_ID_HEADER.encode()
    return {**scope, "headers": [header for header in scope["headers"] if header[0] != name]}


def _with_status(state: Mapping[str, Any], send: Send) -> Send:
    """An error of memory that is the whole answer has the status of its code. One within a stream comes too late."""

    async def send_with_status(message: Message) -> None:
        if message["type"] == "http.response.start" and state.get("status") is not None:
            message["status"] = state["status"]
        await send(message)

    return send_with_status


def _until(closing: anyio.Event, receive: Receive) -> Receive:
    """As if the client had gone when the server closes: it has nothing under way."""

    async def receive_or_end() -> Message:
        message: Message = {"type": "http.disconnect"}
        async with anyio.create_task_group() as tasks:

            async def end() -> None:
                await closing.wait()
                tasks.cancel_scope.cancel()

            tasks.start_soon(end)
            message = await receive()
            tasks.cancel_scope.cancel()
        return message

    return receive_or_end


def _security(hosts: frozenset[str]) -> TransportSecuritySettings:
    """The library's own look at Host and Origin, behind ours: without settings it looks at neither."""
    names = sorted(hosts)
    return TransportSecuritySettings(
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{form}" for scheme in ("http", "https") for name in names for form in (name, f"{name}:*")
        ],
    )
