"""Listing: what `tools/list` costs an agent before its first call, in estimated tokens (characters of its JSON / 4)."""

import json
from typing import Any

from morenashi.server.edge.registry import TOOLS

from .lab import Lab
from .report import Figure, Report, at_most

NAME = "listing"
_CHARACTERS_A_TOKEN, _MOST_TOKENS, _MOST_TOKENS_OF_ALL = 4, 2_000, 6_500


def measure(lab: Lab, report: Report) -> None:
    """Weigh the list of all tools and of the manual tools, and each tool with its parts. Needs no corpus."""
    tools = [tool.wire().model_dump(by_alias=True, mode="json", exclude_none=True) for tool in TOOLS.values()]
    manual = [tool for tool in tools if tool["name"].startswith("manual_")]
    report.add(Figure("tools/list of the manual tools: tokens", _tokens(manual), "tokens", at_most(_MOST_TOKENS)))
    report.add(Figure("tools/list of all tools: tokens", _tokens(tools), "tokens", at_most(_MOST_TOKENS_OF_ALL)))
    report.rows[NAME] = [
        {"tool": tool["name"], "tokens": _tokens(tool), "parts": {name: _tokens(part) for name, part in tool.items()}}
        for tool in tools
    ]


def _tokens(value: Any) -> float:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) / _CHARACTERS_A_TOKEN
