"""The one list of tools, and which of them a client has."""

from collections.abc import Mapping
from functools import cache

import mcp.types as t

from morenashi.server.clients import ALL_TOOLSETS, Client, Toolset, current_client

from .bridge_tools import BRIDGE_TOOLS
from .guide_tool import make_guide_tool
from .manual_tools import MANUAL_TOOLS
from .memory_tools import MEMORY_TOOLS
from .tool import Tool
from .tool_names import listed_name
from .vault_tools import VAULT_TOOLS

_TOOLS = (*MANUAL_TOOLS, *VAULT_TOOLS, *BRIDGE_TOOLS, *MEMORY_TOOLS)
# It pages what vault_find has found, too.
_HITS = next(tool for tool in MANUAL_TOOLS if tool.name == "manual_hits")

_TOOLSETS: dict[Toolset, tuple[Tool, ...]] = {
    "manual": MANUAL_TOOLS,
    "vault": (*VAULT_TOOLS, _HITS),
    "memory": MEMORY_TOOLS,
}
# Tools that need several toolsets at once.
_JOINT: dict[frozenset[Toolset], tuple[Tool, ...]] = {frozenset({"manual", "vault"}): BRIDGE_TOOLS}


def tools_of(client: Client) -> Mapping[str, Tool]:
    """The tools that a client has, by name, in the order in which they are listed: what it sees is what it may call."""
    return _granted(client.toolsets, client.read_only)


def find_tool(name: str) -> Tool | None:
    """The tool that the present client calls so."""
    return tools_of(current_client()).get(listed_name(name))


def list_tools(client: Client) -> list[t.Tool]:
    """The tools of a client as `tools/list` sends them."""
    return _listed(client.toolsets, client.read_only)


@cache
def _granted(toolsets: frozenset[Toolset], read_only: bool) -> Mapping[str, Tool]:
    granted = {tool.name for toolset in toolsets for tool in _TOOLSETS[toolset]}
    for needed, tools in _JOINT.items():
        if needed <= toolsets:
            granted.update(tool.name for tool in tools)
    chosen = tuple(tool for tool in _TOOLS if tool.name in granted and not (read_only and tool.writes))
    return {tool.name: tool for tool in (make_guide_tool(chosen), *chosen)}


@cache
def _listed(toolsets: frozenset[Toolset], read_only: bool) -> list[t.Tool]:
    """Made when it is asked for, and once: the schemas take longer than a search."""
    return [tool.wire() for tool in _granted(toolsets, read_only).values()]


TOOLS = _granted(ALL_TOOLSETS, False)
"""All there are, in the order in which they are listed."""
