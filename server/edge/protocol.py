"""MCP: lists the tools, calls them in threads, puts answers and errors into their envelope."""

import json
import time
from functools import cache
from typing import Any

import anyio
import mcp.types as t
from anyio.to_thread import run_sync
from mcp import MCPError
from mcp.server import Server, ServerRequestContext

import morenashi
from morenashi.server.clients import LOCAL, Client, acting_for
from morenashi.server.log import log_event
from morenashi.server.search.deadline import Deadline
from morenashi.server.workspace import Workspace

from . import memory_context
from .registry import TOOLS, find_tool
from .tool import Tool

_CONCURRENT_CALLS = 16
_INSTRUCTIONS = (
    "Exhaustive search over manuals. Start with manual_find; follow its next_actions. Its completeness says whether "
    "everything was examined: 'absent' means it is not there, 'unknown' means not looked everywhere. Memory: "
    "pce_memory_activate before a task, pce_memory_upsert for what was decided."
)


def build_server(workspace: Workspace, client: Client = LOCAL) -> Server[Any]:
    """An MCP server over a workspace for one client, for any transport."""
    limiter = anyio.CapacityLimiter(_CONCURRENT_CALLS)

    async def on_list_tools(_: ServerRequestContext[Any], __: t.PaginatedRequestParams | None) -> t.ListToolsResult:
        return _list_tools()

    async def on_call_tool(_: ServerRequestContext[Any], params: t.CallToolRequestParams) -> t.CallToolResult:
        tool = find_tool(params.name)
        if tool is None:
            raise MCPError(t.INVALID_PARAMS, f"Unknown tool: {params.name[:64]}")
        with acting_for(client):
            return await _call(workspace, tool, params.arguments or {}, limiter)

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
        with acting_for(client):
            return await run_sync(memory_context.read_resource, workspace, str(params.uri), limiter=limiter)

    async def on_list_prompts(_: ServerRequestContext[Any], __: t.PaginatedRequestParams | None) -> t.ListPromptsResult:
        return t.ListPromptsResult(prompts=memory_context.PROMPTS)

    async def on_get_prompt(_: ServerRequestContext[Any], params: t.GetPromptRequestParams) -> t.GetPromptResult:
        with acting_for(client):
            return await run_sync(
                memory_context.get_prompt, workspace, params.name, params.arguments or {}, limiter=limiter
            )

    return Server(
        "morenashi",
        version=morenashi.__version__,
        title="Morenashi",
        instructions=_INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
        on_list_resources=on_list_resources,
        on_list_resource_templates=on_list_resource_templates,
        on_read_resource=on_read_resource,
        on_list_prompts=on_list_prompts,
        on_get_prompt=on_get_prompt,
    )


@cache
def _list_tools() -> t.ListToolsResult:
    """Made when it is asked for, and once: the schemas take longer than a search."""
    return t.ListToolsResult(tools=[tool.wire() for tool in TOOLS.values()])


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
    if answer.code is None:
        _log(tool, started, answer.body, **_logged(tool, arguments, answer.body))
    else:
        _log(tool, started, None, code=answer.code)
    return _envelope(answer.body, is_error=answer.code is not None)


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
