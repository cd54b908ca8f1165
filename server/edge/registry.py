"""The one list of tools."""

from .manual_tools import MANUAL_TOOLS
from .tool import Tool

TOOLS: dict[str, Tool] = {tool.name: tool for tool in MANUAL_TOOLS}
