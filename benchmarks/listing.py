"""Listing: what `tools/list` costs an agent before its first call, in estimated tokens (characters of its JSON / 4)."""

from morenashi.server.edge.registry import TOOLS

from .calls import tokens_of
from .lab import Lab
from .report import Figure, Report, at_most

NAME = "listing"
_MOST_TOKENS, _MOST_TOKENS_OF_ALL = 2_000, 6_500


def measure(lab: Lab, report: Report) -> None:
    """Weigh the list of all tools and of the manual tools, and each tool with its parts. Needs no corpus."""
    tools = [tool.wire().model_dump(by_alias=True, mode="json", exclude_none=True) for tool in TOOLS.values()]
    manual = [tool for tool in tools if tool["name"].startswith("manual_")]
    report.add(Figure("tools/list of the manual tools: tokens", tokens_of(manual), "tokens", at_most(_MOST_TOKENS)))
    report.add(Figure("tools/list of all tools: tokens", tokens_of(tools), "tokens", at_most(_MOST_TOKENS_OF_ALL)))
    report.rows[NAME] = [
        {
            "tool": tool["name"],
            "tokens": tokens_of(tool),
            "parts": {name: tokens_of(part) for name, part in tool.items()},
        }
        for tool in tools
    ]
