"""MCP: what a client may ask for, answered in threads; answers and errors of tools in their envelope."""

import json
import time
from collections.abc import Mapping
from typing import Any

import anyio
import mcp.types as t
from anyio.to_thread import run_sync
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.shared.exceptions import MCPError

import morenashi
from morenashi.server.clients import LOCAL, Client, acting_for, current_client
from morenashi.server.deadline import Deadline
from morenashi.server.errors import ToolError
from morenashi.server.log import log_event
from morenashi.server.whole_characters import as_shown
from morenashi.server.workspace import Workspace

from .completion import complete
from .instructions import instructions_for
from .pages import refuse_cursor
from .progress import progress_of
from .prompts import get_prompt, list_prompts
from .registry import find_tool, list_tools, tools_of
from .resources import list_resources, list_templates, read_resource
from .subscriptions import Subscriptions
from .tool import Tool

Context = ServerRequestContext[Any]

_CONCURRENT_CALLS = 16
# What a program offers does not change while it runs; what it has read, at any time.
_LASTING = CacheHint(ttl_ms=300_000, scope="private")


class MorenashiServer(Server[Any]):
    """The SDK's server; one that says in the older handshakes, too, that it tells of a changed list of resources."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions()
        options.resources_changed = True
        return super().create_initialization_options(options, experimental_capabilities, extensions)


def build_server(workspace: Workspace, client: Client = LOCAL) -> Server[Any]:
    """An MCP server over a workspace for one client, for any transport."""
    limiter = anyio.CapacityLimiter(_CONCURRENT_CALLS)
    subscriptions = Subscriptions(workspace.announcements, client)

    async def on_list_tools(_: Context, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
        refuse_cursor(params)
        return t.ListToolsResult(tools=list_tools(client))

    async def on_call_tool(context: Context, params: t.CallToolRequestParams) -> t.CallToolResult:
        tool = find_tool(params.name)
        if tool is None:
            raise MCPError(t.INVALID_PARAMS, f"Unknown tool: {as_shown(params.name[:64])}")
        return await _call(workspace, tool, params.arguments or {}, limiter, context)

    async def on_list_resources(context: Context, params: t.PaginatedRequestParams | None) -> t.ListResourcesResult:
        subscriptions.follow(context)
        return await run_sync(list_resources, workspace, params.cursor if params else None, limiter=limiter)

    async def on_list_templates(_: Context, params: t.PaginatedRequestParams | None) -> t.ListResourceTemplatesResult:
        refuse_cursor(params)
        return list_templates()

    async def on_read_resource(_: Context, params: t.ReadResourceRequestParams) -> t.ReadResourceResult:
        return await run_sync(read_resource, workspace, params.uri, limiter=limiter)

    async def on_list_prompts(_: Context, params: t.PaginatedRequestParams | None) -> t.ListPromptsResult:
        refuse_cursor(params)
        return list_prompts()

    async def on_get_prompt(_: Context, params: t.GetPromptRequestParams) -> t.GetPromptResult:
        return await run_sync(get_prompt, workspace, params.name, params.arguments or {}, limiter=limiter)

    async def on_complete(_: Context, params: t.CompleteRequestParams) -> t.CompleteResult:
        return await run_sync(complete, workspace, params, limiter=limiter)

    async def act_for_client(ctx: Context, call_next: CallNext) -> HandlerResult:
        with acting_for(client):
            return await call_next(ctx)

    server = MorenashiServer(
        "morenashi",
        version=morenashi.__version__,
        title="Morenashi",
        instructions=instructions_for(client),
        cache_hints={"tools/list": _LASTING, "prompts/list": _LASTING, "resources/templates/list": _LASTING},
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
        on_list_resources=on_list_resources,
        on_list_resource_templates=on_list_templates,
        on_read_resource=on_read_resource,
        on_subscribe_resource=subscriptions.subscribe,
        on_unsubscribe_resource=subscriptions.unsubscribe,
        on_subscriptions_listen=subscriptions.listen,
        on_list_prompts=on_list_prompts,
        on_get_prompt=on_get_prompt,
        on_completion=on_complete,
    )
    server.middleware += [act_for_client, _in_words_of_the_protocol]
    return server


async def _in_words_of_the_protocol(ctx: Context, call_next: CallNext) -> HandlerResult:
    """What is no tool has no other errors than those of the protocol."""
    try:
        return await call_next(ctx)
    except ToolError as error:
        raise MCPError(t.INVALID_PARAMS, error.message, error.as_json()) from None


async def _call(
    workspace: Workspace, tool: Tool, arguments: dict[str, Any], limiter: anyio.CapacityLimiter, context: Context
) -> t.CallToolResult:
    """Run a tool in a thread, so that a long call never blocks another; cancelling ends its work."""
    started = time.perf_counter()
    deadline = Deadline(tool.budget_ms(arguments), told=progress_of(context))
    try:
        answer = await run_sync(tool.answer, workspace, arguments, deadline, limiter=limiter, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        deadline.cancel()
        _log(tool, started, None, code="cancelled")
        raise
    except Exception as error:
        _log(tool, started, None, code="internal", error=type(error).__name__)
        raise MCPError(t.INTERNAL_ERROR, "Internal error; the server's log has its kind") from error
    _leave_out_foreign_actions(answer.body, tools_of(current_client()))
    if answer.code is None:
        _log(tool, started, answer.body, **_logged(tool, arguments, answer.body))
    else:
        _log(tool, started, None, code=answer.code)
    return _envelope(answer.body, is_error=answer.code is not None)


def _leave_out_foreign_actions(body: dict[str, Any], tools: Mapping[str, Tool]) -> None:
    """What is proposed is what the client can call."""
    if "next_actions" in body:
        body["next_actions"] = [
            action for action in body["next_actions"] if action["type"] == "stop" or action["type"] in tools
        ]


def _envelope(body: dict[str, Any], *, is_error: bool) -> t.CallToolResult:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return t.CallToolResult(content=[t.TextContent(type="text", text=text)], structured_content=body, is_error=is_error)


def _log(tool: Tool, started: float, result: dict[str, Any] | None, **fields: Any) -> None:
    """Where clients have names, the line says whose call it was."""
    caller = current_client().name
    if caller != LOCAL.name:
        fields = {"client": caller, **fields}
    elapsed_ms = round((time.perf_counter() - started) * 1000, 2)
    if result and "summary" in result and result["summary"]["warnings"]:
        signals = result["summary"]["signal_coverage"]
        log_event("warn", tool.name, ok=True, elapsed_ms=elapsed_ms, counts_by_signal=signals)
    log_event("info" if result else "warn", tool.name, ok=result is not None, elapsed_ms=elapsed_ms, **fields)


def _logged(tool: Tool, arguments: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """What a log line says of a call that was answered (seeds 000 §6, 004 §6). Of next actions, the types."""
    known = arguments | result.get("summary", {}) | result
    if "next_actions" in result:
        known["next_actions"] = [action["type"] for action in result["next_actions"]]
    return {name: known.get(name) for name in tool.logged}
