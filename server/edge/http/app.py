"""What HTTP serves: `/mcp`, `/metrics`, and, without a token, `/healthz`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
from anyio.to_thread import run_sync
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from morenashi.server.clients import Client
from morenashi.server.edge.protocol import build_server
from morenashi.server.edge.registry import list_tools
from morenashi.server.rates import RateLimiter
from morenashi.server.workspace import Workspace

from .clients import RecentClients
from .guard import Access, Guard
from .health import health
from .mcp import McpEndpoint, in_session
from .metrics import Metrics

MCP_PATH = "/mcp"
_HEALTH_PATH = "/healthz"


def build_app(workspace: Workspace, access: Access, clients: RecentClients, closing: anyio.Event) -> Starlette:
    """The application over a workspace, for those who have access. `closing` is set when it is to end."""
    metrics = Metrics(workspace, clients)
    mcp = _build_endpoint(workspace, access, metrics, closing)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with mcp.running():
            yield

    async def show_health(_: Request) -> Response:
        is_well, body = health(workspace)
        return JSONResponse(body, 200 if is_well else 503)

    async def show_metrics(_: Request) -> Response:
        return Response(await run_sync(metrics.exposition), media_type=CONTENT_TYPE_LATEST)

    limiter = RateLimiter(workspace.config.memory_rate_limit)
    app = Starlette(
        routes=[
            Route(MCP_PATH, mcp),
            Route("/metrics", show_metrics),
            Route(_HEALTH_PATH, show_health),
        ],
        middleware=[Middleware(Guard, access=access, limiter=limiter, open_path=_HEALTH_PATH)],
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _build_endpoint(workspace: Workspace, access: Access, metrics: Metrics, closing: anyio.Event) -> McpEndpoint:
    servers = {}
    for caller in access.callers:
        server = servers[caller.name] = build_server(workspace, caller)
        server.middleware += [in_session(caller), metrics.observe]
        # Otherwise the library lists all tools in every call, to see whether a header repeats a parameter.
        server.get_tool_input_schema = partial(_input_schema, caller)
    return McpEndpoint(servers, access.hosts, closing)


def _input_schema(caller: Client, tool: str) -> dict[str, Any] | None:
    return next((listed.input_schema for listed in list_tools(caller) if listed.name == tool), None)
