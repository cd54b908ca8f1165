"""The Inspector's command line: it lists, calls and reads, and takes our errors for what they are."""

import json
from pathlib import Path
from typing import Any

import pytest

from ..workspaces import WorkspaceFolder
from . import programs

ERAS = ["legacy", "modern"]
TOOL_FAILED = 5
# Its own fifteen seconds are not enough where the machine is busy with other tests.
PATIENCE = ["--connect-timeout", "100000"]


def inspect(folder: WorkspaceFolder, home: Path, *options: str) -> tuple[int, Any]:
    """The exit code, and what it printed."""
    ran = programs.run("mcp-inspector", "--cli", *PATIENCE, *options, "--", *programs.serve_command(folder), home=home)
    assert ran.stdout, ran.stderr[-2_000:]
    return ran.returncode, json.loads(ran.stdout)


@pytest.mark.parametrize("era", ERAS)
def test_it_lists_and_calls_tools(folder: WorkspaceFolder, home: Path, era: str) -> None:
    code, listed = inspect(folder, home, "--protocol-era", era, "--strict", "--method", "tools/list")
    assert code == 0
    assert "manual_find" in {tool["name"] for tool in listed["tools"]}
    call = ["--protocol-era", era, "--method", "tools/call", "--tool-name", "manual_find", "--tool-args-json"]
    code, answer = inspect(folder, home, *call, '{"query": "申請"}')
    assert (code, answer["structuredContent"]["summary"]["candidates"]) == (0, 1)
    code, answer = inspect(folder, home, *call, '{"query": 1}')
    assert (code, answer["structuredContent"]["code"]) == (TOOL_FAILED, "invalid_parameter")


@pytest.mark.parametrize("era", ERAS)
def test_it_reads_resources_and_prompts(folder: WorkspaceFolder, home: Path, era: str) -> None:
    _, read = inspect(folder, home, "--protocol-era", era, "--method", "resources/read", "--uri", "vault://note.md")
    assert read["contents"][0]["text"] == "申請のメモ\n"
    _, listed = inspect(folder, home, "--protocol-era", era, "--method", "prompts/list")
    assert "find_everything" in {prompt["name"] for prompt in listed["prompts"]}
