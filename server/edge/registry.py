"""The one list of tools."""

from .bridge_tools import BRIDGE_TOOLS
from .manual_tools import MANUAL_TOOLS
from .tool import Tool
from .vault_tools import VAULT_TOOLS

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (*MANUAL_TOOLS, *VAULT_TOOLS, *BRIDGE_TOOLS)}
"""In the order in which they are listed."""
