"""`get_tooling_guide`: made of the tools that it is given."""

from typing import Any

from morenashi.server.calls.inputs import Input
from morenashi.server.guide import GuideEntry, Intent, Target, make_guide

from .outputs import Output
from .tool import Guidance, Tool


class ToolingGuide(Input):
    """What the guide is to be about."""

    intent: Intent | None = None
    """What is to be done."""
    target: Target | None = None
    """With what."""


class CommonError(Output):
    """A refusal that is met, and what to do about it."""

    code: str
    fix: str


class GuidedTool(Output):
    """A tool and how to call it."""

    tool_name: str
    when_to_use: str
    required_inputs: list[str]
    safe_defaults: dict[str, Any]
    common_errors: list[CommonError]


class ToolingGuideOutput(Output):
    """The tools for a purpose."""

    first_tool: str
    tools: list[GuidedTool]


def make_guide_tool(tools: tuple[Tool, ...]) -> Tool:
    """The guide to these tools."""
    entries = [_entry(tool, tool.guidance) for tool in tools if tool.guidance]
    return Tool(
        "get_tooling_guide",
        "Which tool to use",
        "Say which tools fit, which first, and how to call them.",
        ToolingGuide,
        ToolingGuideOutput,
        lambda _, call, __: make_guide(entries, call.intent or "unknown", call.target or "unknown"),
    )


def _entry(tool: Tool, guidance: Guidance) -> GuideEntry:
    return GuideEntry(
        name=tool.name,
        when_to_use=guidance.when,
        required=tuple(name for name, field in tool.input.model_fields.items() if field.is_required()),
        intents=guidance.intents,
        defaults=guidance.defaults,
        errors=guidance.errors,
    )
