"""Toolsets: what a client was granted is what it sees, what it can call, and all that it hears of."""

import contextlib
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from mcp import MCPError

from morenashi.server.clients import ALL_TOOLSETS, Client, Toolset, ToolsetError, acting_for, parse_toolsets
from morenashi.server.edge.instructions import instructions_for
from morenashi.server.edge.registry import TOOLS, find_tool, list_tools, tools_of

from ..workspaces import WorkspaceFolder
from .serving import Serving, serving_indexed

CLIENTS = [
    Client("c", toolsets=frozenset(chosen), read_only=read_only)
    for count in (1, 2, 3)
    for chosen in combinations(sorted(ALL_TOOLSETS), count)
    for read_only in (False, True)
]
EVERY_CLIENT = pytest.mark.parametrize("client", CLIENTS, ids=lambda c: f"{'+'.join(sorted(c.toolsets))}-{c.read_only}")
INTENTS = ["explore", "produce", "revise", "audit", "unknown"]
TARGETS = ["manual", "vault", "memory", "unknown"]


def client(*toolsets: Toolset, read_only: bool = False) -> Client:
    return Client("c", toolsets=frozenset(toolsets), read_only=read_only)


def named_in(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z_]+", text) if word in TOOLS}


@contextlib.contextmanager
def served(folder: WorkspaceFolder, *toolsets: Toolset, read_only: bool = False) -> Iterator[Serving]:
    with serving_indexed(folder, caller=client(*toolsets, read_only=read_only)) as server:
        yield server


@pytest.fixture
def folder(workspace: WorkspaceFolder) -> WorkspaceFolder:
    """A manual and a note about one subject."""
    workspace.write("m/a.md", "# 休暇\n\n休暇は前日までに申請する。\n")
    note = workspace.root / "vault" / "n.md"
    note.parent.mkdir()
    note.write_text("# 休暇のメモ\n\n休暇は前日までに。\n", "utf-8")
    return workspace


@EVERY_CLIENT
def test_what_is_listed_is_what_can_be_called(client: Client) -> None:
    listed = [tool.name for tool in list_tools(client)]
    with acting_for(client):
        assert listed == [name for name in TOOLS if find_tool(name) is not None]


@EVERY_CLIENT
def test_whoever_only_reads_has_no_tool_that_writes(client: Client) -> None:
    writing = [name for name, tool in tools_of(client).items() if tool.writes]
    assert bool(writing) == (not client.read_only and client.toolsets != {"manual"})


@EVERY_CLIENT
def test_the_instructions_name_tools_that_the_client_has(client: Client) -> None:
    text = instructions_for(client)
    assert text
    assert named_in(text) <= tools_of(client).keys()


@EVERY_CLIENT
def test_the_guide_names_tools_that_the_client_has(client: Client) -> None:
    tools = tools_of(client)
    guide = tools["get_tooling_guide"]
    for intent in INTENTS:
        for target in TARGETS:
            arguments = {"intent": intent, "target": target}
            body = guide.run(None, guide.input.model_validate(arguments), None)
            assert body["first_tool"] in tools
            assert {tool["tool_name"] for tool in body["tools"]} <= tools.keys()
            # Nobody has a trace, a ref or a claim's id to begin with.
            assert not {"trace_id", "ref", "from_ref", "claim_id"} & set(body["tools"][0]["required_inputs"])


@pytest.mark.parametrize(
    ("toolset", "intent", "target", "first"),
    [
        ("vault", None, None, "vault_find"),
        ("vault", "explore", "manual", "vault_find"),
        ("vault", "unknown", "memory", "vault_find"),
        ("manual", "revise", "vault", "manual_find"),
        ("memory", None, None, "pce_memory_activate"),
        ("memory", "revise", "vault", "pce_memory_search"),
    ],
)
def test_the_guide_begins_with_what_a_smaller_toolset_has(
    toolset: Toolset, intent: str | None, target: str | None, first: str
) -> None:
    guide = tools_of(client(toolset))["get_tooling_guide"]
    call = guide.input.model_validate({"intent": intent, "target": target})
    assert guide.run(None, call, None)["first_tool"] == first


def test_who_is_granted_nothing_special_has_everything() -> None:
    assert tools_of(Client("c")) is TOOLS


def test_copying_from_manuals_to_the_vault_takes_both() -> None:
    bridge = {name for name in TOOLS if name.startswith("bridge_")}
    assert bridge <= tools_of(client("manual", "vault")).keys()
    for toolset in ALL_TOOLSETS:
        assert not bridge & tools_of(client(toolset)).keys()


def test_each_of_the_two_searches_can_be_paged() -> None:
    assert "manual_hits" in tools_of(client("manual"))
    assert "manual_hits" in tools_of(client("vault"))
    assert "manual_hits" not in tools_of(client("memory"))


@pytest.mark.parametrize(
    ("text", "toolsets"),
    [
        (None, ALL_TOOLSETS),
        ("manual", {"manual"}),
        ("vault, memory", {"vault", "memory"}),
        ("memory,manual,vault,manual", ALL_TOOLSETS),
    ],
)
def test_toolsets_are_named_with_commas_between(text: str | None, toolsets: set[str]) -> None:
    assert parse_toolsets(text) == toolsets


@pytest.mark.parametrize("text", ["", "manuals", "manual,", "manual vault", "Manual", ","])
def test_what_names_no_toolset_is_refused_with_what_there_is(text: str) -> None:
    with pytest.raises(ToolsetError, match="manual, vault, memory"):
        parse_toolsets(text)


def test_a_tool_that_is_not_granted_is_not_known(folder: WorkspaceFolder) -> None:
    with served(folder, "manual") as server:
        for name in ("vault_read", "pce_memory_search", "pce.memory.search", "bridge_copy_file"):
            with pytest.raises(MCPError, match="Unknown tool"):
                server.portal.call(server.client.call_tool, name, {})


def test_without_memory_there_is_no_active_context(folder: WorkspaceFolder) -> None:
    with served(folder, "manual", "vault") as server:
        with pytest.raises(MCPError):
            server.portal.call(server.client.read_resource, "memory://active-context")
        with pytest.raises(MCPError):
            server.portal.call(server.client.get_prompt, "with_memory", {"task": "休暇"})


def actions(body: dict[str, Any]) -> set[str]:
    return {action["type"] for action in body["next_actions"]}


def test_next_actions_are_calls_that_the_client_can_make(folder: WorkspaceFolder) -> None:
    with served(folder, "vault", read_only=True) as server:
        found = server.call("vault_find", query="休暇")
        have = {tool.name for tool in server.portal.call(server.client.list_tools).tools}
        assert actions(found) <= have | {"stop"}
        server.call("manual_hits", trace_id=found["trace_id"])
        read = server.call("vault_scan", path="n.md")
        assert actions(read) <= have | {"stop"}


def test_a_trace_of_the_other_search_is_not_found(folder: WorkspaceFolder) -> None:
    with served(folder, "manual", "vault") as server:
        manual = server.call("manual_find", query="休暇")["trace_id"]
        note = server.call("vault_find", query="休暇")["trace_id"]
    with served(folder, "manual") as server:
        server.call("manual_hits", trace_id=manual)
        assert server.refuse("manual_hits", trace_id=note)["code"] == "not_found"
    with served(folder, "vault") as server:
        server.call("manual_hits", trace_id=note)
        refused = server.refuse("manual_hits", trace_id=manual)
        assert refused["code"] == "not_found"
        assert "vault_find" in refused["message"]


def test_without_the_manuals_their_files_are_no_source(folder: WorkspaceFolder) -> None:
    cited: dict[str, Any] = {"path": "manuals/m/a.md", "cited_ranges": []}
    with served(folder, "manual", "vault") as server:
        server.call("vault_coverage", **cited)
    with served(folder, "vault") as server:
        assert server.refuse("vault_coverage", **cited)["code"] == "not_found"
