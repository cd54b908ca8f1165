"""The one list of tools."""

from .bridge_tools import BRIDGE_TOOLS
from .guide_tool import make_guide_tool
from .manual_tools import MANUAL_TOOLS
from .memory_tools import MEMORY_TOOLS
from .tool import Tool
from .tool_names import listed_name
from .vault_tools import VAULT_TOOLS

_TOOLS = (*MANUAL_TOOLS, *VAULT_TOOLS, *BRIDGE_TOOLS, *MEMORY_TOOLS)

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (make_guide_tool(_TOOLS), *_TOOLS)}
"""In the order in which they are listed."""


def find_tool(name: str) -> Tool | None:
    """The tool that a client calls so."""
    return TOOLS.get(listed_name(name))
