"""What a client has no tool for, it sees in no other way either."""

import contextlib
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client as McpClient
from mcp import MCPError
from mcp.types import PromptReference, ResourceTemplateReference

from morenashi.server.clients import ALL_TOOLSETS, Client, Toolset, acting_for
from morenashi.server.deadline import Deadline
from morenashi.server.edge.protocol import build_server
from morenashi.server.edge.registry import TOOLS, list_tools, tools_of
from morenashi.server.workspace import Workspace

from ..workspaces import eventually, make_workspace

MANUAL, NOTE, CONTEXT = "manual://m/a.json", "vault://note.md", "memory://active-context"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    folder = make_workspace(tmp_path / "workspace")
    folder.write("m/a.json", '{"a": 1}')
    (folder.root / "vault").mkdir()
    (folder.root / "vault" / "note.md").write_text("note\n", "utf-8")
    workspace = Workspace(folder.config(WATCH="off"))
    try:
        workspace.wait_until_ready()
        workspace.vault.wait_until_ready()
        assert eventually(lambda: not workspace.pending | workspace.vault.keeper.pending)
        yield workspace
    finally:
        workspace.close()


async def seen(workspace: Workspace, toolset: Toolset) -> dict[str, Any]:
    """All that a client of one toolset sees beside its tools."""
    server = build_server(workspace, Client("a", toolsets=frozenset({toolset})))
    async with McpClient(server) as client:
        found: dict[str, Any] = {"read": set(), "sources": []}
        found["listed"] = {str(resource.uri) for resource in (await client.list_resources()).resources}
        templates = (await client.list_resource_templates()).resource_templates
        found["templates"] = {template.uri_template.partition(":")[0] for template in templates}
        found["prompts"] = {prompt.name for prompt in (await client.list_prompts()).prompts}
        for uri in (MANUAL, NOTE):
            # A refusal shows in what was read, which the test compares.
            with contextlib.suppress(MCPError):
                await client.read_resource(uri)
                found["read"].add(uri)
        if "audit_artifact" in found["prompts"]:
            reference = PromptReference(type="ref/prompt", name="audit_artifact")
            completed = await client.complete(reference, {"name": "source_path", "value": ""})
            found["sources"] = completed.completion.values
        for template in ("manual://{manual_id}/{+path}", "vault://{+path}"):
            if template.partition(":")[0] not in found["templates"]:
                with pytest.raises(MCPError):
                    await client.complete(
                        ResourceTemplateReference(type="ref/resource", uri=template), {"name": "path", "value": ""}
                    )
        return found


def test_a_client_of_manuals_alone_has_their_resources_and_prompts(workspace: Workspace) -> None:
    found = anyio.run(seen, workspace, "manual")
    assert (found["listed"], found["read"], found["templates"]) == ({MANUAL}, {MANUAL}, {"manual"})
    assert found["prompts"] == {"find_everything"}


def test_a_client_of_the_vault_alone_has_its_resources_and_prompts(workspace: Workspace) -> None:
    found = anyio.run(seen, workspace, "vault")
    assert (found["listed"], found["read"], found["templates"]) == ({NOTE}, {NOTE}, {"vault"})
    assert found["prompts"] == {"find_in_notes", "audit_artifact"}
    assert found["sources"] == ["note.md"]


def test_a_client_of_memory_alone_has_its_resources_and_prompts(workspace: Workspace) -> None:
    found = anyio.run(seen, workspace, "memory")
    assert (found["listed"], found["read"], found["templates"]) == ({CONTEXT}, set(), {"memory"})
    assert found["prompts"] == {"with_memory"}


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    "toolsets",
    [one for count in (1, 2, 3) for one in itertools.combinations(sorted(ALL_TOOLSETS), count)],
    ids="+".join,
)
def test_no_listed_tool_names_one_that_the_client_has_not(toolsets: tuple[Toolset, ...], read_only: bool) -> None:
    client = Client("a", toolsets=frozenset(toolsets), read_only=read_only)
    named = {(tool.name, name) for tool in list_tools(client) for name in re.findall(r"\w+", tool.model_dump_json())}
    foreign = TOOLS.keys() - tools_of(client).keys()
    assert {(tool, name) for tool, name in named if name in foreign} == set()


def test_a_client_of_manuals_alone_is_not_told_what_reads_a_note(workspace: Workspace) -> None:
    client = Client("a", toolsets=frozenset({"manual"}))
    arguments = {"ref": {"target": "vault", "manual_id": "m", "path": "note.md"}}
    with acting_for(client):
        answer = tools_of(client)["manual_read"].answer(workspace, arguments, Deadline(1_000))
    assert answer.body["details"] == {"parameter": "ref.target", "expected": "'manual'"}
