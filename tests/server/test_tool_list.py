"""What `tools/list` says: names, texts, schemas. Agents read nothing else before their first call."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from mcp.types import Tool

from morenashi.server.edge import outputs, schemas

from .serving import Serving

SNAPSHOT = Path(__file__).parent / "snapshots" / "tools_list.json"
TOOLS = ["manual_excepts", "manual_find", "manual_hits", "manual_list", "manual_ls", "manual_read", "manual_toc"]
MOST_TOKENS, MOST_MEMORY_TOKENS, MOST_TOKENS_OF_ALL, CHARACTERS_A_TOKEN = 2_000, 1_800, 6_500, 4


@pytest.fixture(scope="module")
def tools(library: Serving) -> dict[str, Tool]:
    return {tool.name: tool for tool in library.portal.call(library.client.list_tools).tools}


def as_listed(tool: Tool) -> dict[str, Any]:
    return tool.model_dump(by_alias=True, mode="json", exclude_none=True)


def objects_in(schema: Any) -> list[dict[str, Any]]:
    """Every part of a schema that describes an object with properties."""
    if isinstance(schema, list):
        return [found for part in schema for found in objects_in(part)]
    if not isinstance(schema, dict):
        return []
    inner = [found for part in schema.values() for found in objects_in(part)]
    return inner + ([schema] if isinstance(schema.get("properties"), dict) and schema.get("type") == "object" else [])


def test_the_manual_tools_are_listed(tools: dict[str, Tool]) -> None:
    assert set(TOOLS) <= set(tools)


def test_every_name_is_one_that_all_clients_accept(tools: dict[str, Tool]) -> None:
    assert [name for name in tools if not re.fullmatch(r"[a-z0-9_]{1,48}", name)] == []


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_says_what_it_is_for(tools: dict[str, Tool], name: str) -> None:
    tool = tools[name]
    assert tool.title
    assert tool.description
    assert len(tool.description) > 20


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_says_that_it_only_reads(tools: dict[str, Tool], name: str) -> None:
    annotations = tools[name].annotations
    assert annotations is not None
    assert annotations.read_only_hint is True
    assert annotations.open_world_hint is False


@pytest.mark.parametrize("name", TOOLS)
def test_no_object_of_an_input_admits_unknown_parameters(tools: dict[str, Tool], name: str) -> None:
    schema = tools[name].input_schema
    assert schema["type"] == "object"
    assert [part for part in [schema, *objects_in(schema)] if part.get("additionalProperties") is not False] == []


@pytest.mark.parametrize("name", TOOLS)
def test_the_output_schema_admits_success_and_error(tools: dict[str, Tool], name: str) -> None:
    schema = tools[name].output_schema
    assert schema is not None
    assert schema["type"] == "object"
    success, error = schema["oneOf"]
    assert "code" not in success["required"]
    assert set(error["required"]) == {"code", "message", "details"}


def test_the_error_codes_are_those_of_the_common_rules() -> None:
    error = schemas.full_output(outputs.ManualFindOutput, outputs.Failure)["oneOf"][1]
    assert set(error["properties"]["code"]["enum"]) == {
        "invalid_parameter",
        "not_found",
        "invalid_path",
        "out_of_scope",
        "forbidden",
        "invalid_scope",
        "conflict",
    }


def test_a_cutoff_reason_that_is_left_out_has_no_default() -> None:
    summary = schemas.full_output(outputs.ManualFindOutput, outputs.Failure)["$defs"]["Summary"]
    assert "cutoff_reason" not in summary["required"]
    assert "default" not in summary["properties"]["cutoff_reason"]


def test_a_title_is_sent_once(tools: dict[str, Tool]) -> None:
    annotations = [tool.annotations for tool in tools.values() if tool.annotations]
    assert [hints for hints in annotations if hints.title] == []


def test_the_manual_tools_cost_an_agent_no_more_than_was_agreed(tools: dict[str, Tool]) -> None:
    """In estimated tokens: characters of the JSON / 4."""
    listed = [as_listed(tool) for name, tool in tools.items() if name.startswith("manual_")]
    sent = len(json.dumps(listed, ensure_ascii=False, separators=(",", ":"))) / CHARACTERS_A_TOKEN
    assert sent <= MOST_TOKENS


def test_the_memory_tools_cost_an_agent_no_more_than_was_agreed(tools: dict[str, Tool]) -> None:
    listed = [as_listed(tool) for name, tool in tools.items() if name.startswith("pce_memory_")]
    assert len(listed) == 6
    sent = len(json.dumps(listed, ensure_ascii=False, separators=(",", ":"))) / CHARACTERS_A_TOKEN
    assert sent <= MOST_MEMORY_TOKENS


def test_all_tools_cost_an_agent_no_more_than_was_agreed(tools: dict[str, Tool]) -> None:
    listed = [as_listed(tool) for tool in tools.values()]
    assert len(json.dumps(listed, ensure_ascii=False, separators=(",", ":"))) / CHARACTERS_A_TOKEN <= MOST_TOKENS_OF_ALL


def test_the_list_is_the_one_that_was_agreed(tools: dict[str, Tool]) -> None:
    listed = json.dumps([as_listed(tools[name]) for name in sorted(tools)], ensure_ascii=False, indent=1) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(listed, "utf-8")
    agreed = SNAPSHOT.read_text("utf-8") if SNAPSHOT.exists() else ""
    assert listed == agreed, (
        "tools/list differs from tests/server/snapshots/tools_list.json. Clients depend on it: if the change is "
        "meant, run `UPDATE_SNAPSHOTS=1 python -m pytest tests/server/test_tool_list.py` and review the difference."
    )
