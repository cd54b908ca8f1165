"""The one list of tools."""

from .manual_tools import MANUAL_TOOLS
from .memory_tools import MEMORY_TOOLS
from .tool import Tool

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (*MANUAL_TOOLS, *MEMORY_TOOLS)}


def find_tool(name: str) -> Tool | None:
    """The tool that a client calls so. The names of seed 002, which many clients cannot list, have dots."""
    return TOOLS.get(name.replace(".", "_") if name.startswith("pce.memory.") else name)
