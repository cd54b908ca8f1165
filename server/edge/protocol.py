"""MCP: lists the tools, calls them in threads, puts answers and errors into their envelope."""

import json
import time
from typing import Any

import anyio
import mcp.types as t
from anyio.to_thread import run_sync
from mcp import MCPError
from mcp.server import Server, ServerRequestContext

import morenashi
from morenashi.server.asking import DEFAULT_TIME_MS
from morenashi.server.errors import ToolError
from morenashi.server.log import log_event
from morenashi.server.search.deadline import Deadline
from morenashi.server.workspace import Workspace

from .inputs import MAX_TIME_MS
from .registry import TOOLS
from .tool import Tool
from .validate import parse_arguments

_CONCURRENT_CALLS = 16
_INSTRUCTIONS = (
    "Exhaustive search over manuals. Start with manual_find; follow its next_actions. Its completeness says whether "
    "everything was examined: 'absent' means it is not there, 'unknown' means not looked everywhere."
)


def build_server(workspace: Workspace) -> Server[Any]:
    """An MCP server over a workspace, for any transport."""
    listed = t.ListToolsResult(tools=[tool.wire() for tool in TOOLS.values()])
    limiter = anyio.CapacityLimiter(_CONCURRENT_CALLS)

    async def on_list_tools(_: ServerRequestContext[Any], __: t.PaginatedRequestParams | None) -> t.ListToolsResult:
        return listed

    async def on_call_tool(_: ServerRequestContext[Any], params: t.CallToolRequestParams) -> t.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(t.INVALID_PARAMS, f"Unknown tool: {params.name[:64]}")
        return await _call(workspace, tool, params.arguments or {}, limiter)

    return Server(
        "morenashi",
        version=morenashi.__version__,
        title="Morenashi",
        instructions=_INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )


async def _call(
    workspace: Workspace, tool: Tool, arguments: dict[str, Any], limiter: anyio.CapacityLimiter
) -> t.CallToolResult:
    """Run a tool in a thread, so that a long call never blocks another; cancelling ends its search."""
    started = time.perf_counter()
    deadline = Deadline(_time_ms(arguments))

    def run() -> dict[str, Any]:
        return tool.run(workspace, parse_arguments(tool.input, arguments), deadline)

    try:
        result = await run_sync(run, limiter=limiter, abandon_on_cancel=True)
    except ToolError as error:
        _log(tool, started, None, code=error.code)
        return _envelope(error.as_json(), is_error=True)
    except anyio.get_cancelled_exc_class():
        deadline.cancel()
        raise
    except Exception as error:
        _log(tool, started, None, code="internal", error=type(error).__name__)
        raise MCPError(t.INTERNAL_ERROR, "Internal error; the server's log has its kind") from error
    _log(tool, started, result, **_logged(tool, arguments, result))
    return _envelope(result, is_error=False)


def _time_ms(arguments: dict[str, Any]) -> float:
    """The call's time budget, which also counts the wait for a thread; refused later if malformed."""
    budget = arguments.get("budget")
    time_ms = budget.get("time_ms") if isinstance(budget, dict) else None
    if not isinstance(time_ms, int) or isinstance(time_ms, bool):
        return DEFAULT_TIME_MS
    return min(max(time_ms, 0), MAX_TIME_MS)


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
