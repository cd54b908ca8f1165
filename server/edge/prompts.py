"""Prompts: what a user picks from a menu to have it done with these tools."""

from collections.abc import Callable
from dataclasses import dataclass

import mcp.types as t
from mcp.shared.exceptions import MCPError

from morenashi.indexer.files import is_storable
from morenashi.server.whole_characters import EXPECTED
from morenashi.server.workspace import Workspace

from . import memory_context
from .registry import find_tool

Arguments = dict[str, str]

_FIND_EVERYTHING = """\
Find everything {where} about: {subject}

1. Call {tool}: with the words of the subject, what else it may be called, and common words near each other \
(name~truncated|length). Send its next_actions unchanged until none but stop is left{reading}. Page unscanned with \
manual_hits.
2. Read each place before you rely on it. Look at exceptions, conditions and what is referred to.
3. Answer with the place of each statement (path and line). Name conflicts and gaps. Say whether all was examined: \
completeness "absent" means it is not there, "unknown" that not all was looked at, and then say what was not.
"""
_READING = (
    ", and go on at each next_offset until there is none; {reader} with only_new leaves out lines that you have had"
)
_AUDIT = """\
Audit {artifact_path} against its source {source_path}.

1. Call artifact_audit, and send its next_actions unchanged until they say stop.
2. Read the lines of the source that no element cites, and those that were never delivered.
3. List each finding with its line and what would mend it. Change nothing unless you are asked to.
"""


@dataclass(frozen=True, slots=True)
class _Prompt:
    """`tools` are those that it needs: to a client without them it is not offered."""

    listed: t.Prompt
    tools: tuple[str, ...]
    text: Callable[[Workspace, Arguments], str]


def list_prompts() -> t.ListPromptsResult:
    """The prompts that the client has the tools for."""
    return t.ListPromptsResult(prompts=[prompt.listed for prompt in _offered()])


def get_prompt(workspace: Workspace, name: str, arguments: Arguments) -> t.GetPromptResult:
    """A prompt with its arguments filled in. Raises `MCPError`."""
    prompt = find_prompt(name)
    given = {key: value.strip() for key, value in arguments.items()}
    expected = {argument.name: bool(argument.required) for argument in prompt.listed.arguments or []}
    if given.keys() - expected.keys() or not all(given.get(key) for key, needed in expected.items() if needed):
        raise MCPError(t.INVALID_PARAMS, f"the arguments of {prompt.listed.name} are: {', '.join(expected)}")
    for key, value in given.items():
        if not is_storable(value):
            raise MCPError(t.INVALID_PARAMS, f"{key}: expected {EXPECTED}")
    text = prompt.text(workspace, given)
    content = t.TextContent(type="text", text=text)
    return t.GetPromptResult(
        description=prompt.listed.description, messages=[t.PromptMessage(role="user", content=content)]
    )


def find_prompt(name: str) -> _Prompt:
    """The prompt that is called so. Raises `MCPError`."""
    offered = {prompt.listed.name: prompt for prompt in _offered()}
    if name not in offered:
        raise MCPError(t.INVALID_PARAMS, f"there is no such prompt; the prompts are: {', '.join(offered)}")
    return offered[name]


def _offered() -> list[_Prompt]:
    return [prompt for prompt in _PROMPTS if all(find_tool(tool) for tool in prompt.tools)]


def _find_in_manuals(_: Workspace, given: Arguments) -> str:
    manual = given.get("manual_id")
    where = f"that the manual {manual} says" if manual else "that the manuals say"
    tool = f"manual_find with manual_id {manual}" if manual else "manual_find"
    return _FIND_EVERYTHING.format(
        where=where, tool=tool, subject=given["subject"], reading=_READING.format(reader="manual_read")
    )


def _find_in_vault(_: Workspace, given: Arguments) -> str:
    where = "that the notes say"
    return _FIND_EVERYTHING.format(
        where=where, tool="vault_find", subject=given["subject"], reading=_READING.format(reader="vault_read")
    )


_SUBJECT = t.PromptArgument(name="subject", description="What is looked for.", required=True)
_MANUAL = t.PromptArgument(name="manual_id", description="In this manual; in the others only if it has too little.")
_PROMPTS = (
    _Prompt(
        t.Prompt(
            name="with_memory",
            title="With memory",
            description="A task with what was remembered that fits it before it.",
            arguments=[t.PromptArgument(name="task", description="What is to be done.", required=True)],
        ),
        ("pce_memory_activate",),
        lambda workspace, given: memory_context.with_memory(workspace, given["task"]),
    ),
    _Prompt(
        t.Prompt(
            name="find_everything",
            title="Find everything in the manuals",
            description="All that the manuals say about a subject, with its places, and what was not looked at.",
            arguments=[_SUBJECT, _MANUAL],
        ),
        ("manual_find", "manual_hits", "manual_read"),
        _find_in_manuals,
    ),
    _Prompt(
        t.Prompt(
            name="find_in_notes",
            title="Find everything in the notes",
            description="All that the notes say about a subject, with its places, and what was not looked at.",
            arguments=[_SUBJECT],
        ),
        ("vault_find", "manual_hits", "vault_read"),
        _find_in_vault,
    ),
    _Prompt(
        t.Prompt(
            name="audit_artifact",
            title="Audit an artifact",
            description="What a flowchart, table or list says without ground in its source, and what it leaves out.",
            arguments=[
                t.PromptArgument(name="artifact_path", description="The artifact, in the vault.", required=True),
                t.PromptArgument(
                    name="source_path",
                    description="What it was made from: a file of the vault, or manuals/<id>/...",
                    required=True,
                ),
            ],
        ),
        ("artifact_audit", "vault_scan"),
        lambda _, given: _AUDIT.format(**given),
    ),
)
