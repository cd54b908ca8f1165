"""MCP: lists the tools, calls them in threads, puts answers and errors into their envelope."""

import json
import time
from collections.abc import Mapping
from typing import Any

import anyio
import mcp.types as t
from anyio.to_thread import run_sync
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult

import morenashi
from morenashi.server.clients import LOCAL, Client, acting_for, current_client
from morenashi.server.log import log_event
from morenashi.server.search.deadline import Deadline
from morenashi.server.workspace import Workspace

from . import memory_context
from .instructions import instructions_for
from .registry import find_tool, list_tools, tools_of
from .tool import Tool

_CONCURRENT_CALLS = 16


def build_server(workspace: Workspace, client: Client = LOCAL) -> Server[Any]:
    """An MCP server over a workspace for one client, for any transport."""
    limiter = anyio.CapacityLimiter(_CONCURRENT_CALLS)

    async def on_list_tools(_: ServerRequestContext[Any], __: t.PaginatedRequestParams | None) -> t.ListToolsResult:
        return t.ListToolsResult(tools=list_tools(client))

    async def on_call_tool(_: ServerRequestContext[Any], params: t.CallToolRequestParams) -> t.CallToolResult:
        tool = find_tool(params.name)
        if tool is None:
            raise MCPError(t.INVALID_PARAMS, f"Unknown tool: {params.name[:64]}")
        return await _call(workspace, tool, params.arguments or {}, limiter)

    async def act_for_client(ctx: ServerRequestContext[Any], call_next: CallNext) -> HandlerResult:
        with acting_for(client):
            return await call_next(ctx)

    server: Server[Any] = Server(
        "morenashi",
        version=morenashi.__version__,
        title="Morenashi",
        instructions=instructions_for(client),
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
        **(_memory_handlers(workspace, limiter) if "memory" in client.toolsets else {}),
    )
    server.middleware.append(act_for_client)
    return server


def _memory_handlers(workspace: Workspace, limiter: anyio.CapacityLimiter) -> dict[str, Any]:
    """The active context as a resource and a prompt."""

    async def on_list_resources(
        _: ServerRequestContext[Any], __: t.PaginatedRequestParams | None
    ) -> t.ListResourcesResult:
        return t.ListResourcesResult(resources=memory_context.RESOURCES)

    async def on_list_resource_templates(
        _: ServerRequestContext[Any], __: t.PaginatedRequestParams | None
    ) -> t.ListResourceTemplatesResult:
        return t.ListResourceTemplatesResult(resource_templates=memory_context.TEMPLATES)

    async def on_read_resource(
        _: ServerRequestContext[Any], params: t.ReadResourceRequestParams
    ) -> t.ReadResourceResult:
        return await run_sync(memory_context.read_resource, workspace, str(params.uri), limiter=limiter)

    async def on_list_prompts(_: ServerRequestContext[Any], __: t.PaginatedRequestParams | None) -> t.ListPromptsResult:
        return t.ListPromptsResult(prompts=memory_context.PROMPTS)

    async def on_get_prompt(_: ServerRequestContext[Any], params: t.GetPromptRequestParams) -> t.GetPromptResult:
        return await run_sync(
            memory_context.get_prompt, workspace, params.name, params.arguments or {}, limiter=limiter
        )

    return {
        "on_list_resources": on_list_resources,
        "on_list_resource_templates": on_list_resource_templates,
        "on_read_resource": on_read_resource,
        "on_list_prompts": on_list_prompts,
        "on_get_prompt": on_get_prompt,
    }


async def _call(
    workspace: Workspace, tool: Tool, arguments: dict[str, Any], limiter: anyio.CapacityLimiter
) -> t.CallToolResult:
    """Run a tool in a thread, so that a long call never blocks another; cancelling ends its search."""
    started = time.perf_counter()
    deadline = Deadline(tool.budget_ms(arguments))
    try:
        answer = await run_sync(tool.answer, workspace, arguments, deadline, limiter=limiter, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        deadline.cancel()
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
