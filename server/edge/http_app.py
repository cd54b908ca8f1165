"""What HTTP serves: `/mcp`, `/metrics`, and, without a token, `/healthz`."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import anyio
from anyio.to_thread import run_sync
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from morenashi.server.clients import Client
from morenashi.server.rates import RateLimiter
from morenashi.server.workspace import Workspace

from .http_guard import Guard
from .http_health import health
from .http_mcp import McpEndpoint, in_session
from .http_metrics import Metrics
from .http_tokens import Tokens
from .protocol import build_server

MCP_PATH = "/mcp"
_HEALTH_PATH = "/healthz"


def build_app(
    workspace: Workspace, anonymous: Client, tokens: Tokens | None, hosts: frozenset[str], closing: anyio.Event
) -> Starlette:
    """The application over a workspace, for those who have one of the `tokens`; for everybody if there are none.

    `hosts` are the names that it answers to; `closing` is set when it is to end.
    """
    metrics = Metrics(workspace)
    callers = tokens.clients if tokens else (anonymous,)
    mcp = _build_endpoint(workspace, callers, metrics, hosts, closing)

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
    return Starlette(
        routes=[
            Route(MCP_PATH, mcp),
            Route("/metrics", show_metrics),
            Route(_HEALTH_PATH, show_health),
        ],
        middleware=[
            Middleware(Guard, hosts=hosts, tokens=tokens, anonymous=anonymous, limiter=limiter, open_path=_HEALTH_PATH)
        ],
        lifespan=lifespan,
    )


def _build_endpoint(
    workspace: Workspace, callers: Iterable[Client], metrics: Metrics, hosts: frozenset[str], closing: anyio.Event
) -> McpEndpoint:
    servers = {caller.name: build_server(workspace, caller) for caller in callers}
    for caller in callers:
        servers[caller.name].middleware += [in_session(caller), metrics.observe]
    return McpEndpoint(servers, hosts, closing)
