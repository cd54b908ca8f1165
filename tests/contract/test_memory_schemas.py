"""The request and response schemas of seed 002, literally: what they admit is taken, what is answered they admit."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from morenashi.server.calls import memory_inputs as inputs

from ..examples import examples
from ..server.memory.policies import EXAMPLE
from ..server.memory.remembering import AT, Remembering, memory

__all__ = ["memory"]

SCHEMAS: dict[str, Any] = json.loads((Path(__file__).parent / "memory_schemas.json").read_text("utf-8"))
TOOLS = [name for name in SCHEMAS if name != "definitions"]
MODELS: dict[str, type[BaseModel]] = {
    "activate": inputs.Activate,
    "search": inputs.Search,
    "upsert": inputs.Upsert,
    "feedback": inputs.Feedback,
    "boundary.validate": inputs.BoundaryValidate,
    "policy.apply": inputs.PolicyApply,
}
ADDED = {"upsert": {"replaces"}}
"""Parameters that the seed does not have. None is required."""
PROVENANCE = {
    "at": AT,
    "actor": "設計者",
    "git": {"commit": "abc1234", "repo": "r", "url": "https://example.com/r", "files": ["a.md"]},
    "url": "https://example.com/adr/3",
    "note": "ADR-0003",
    "signed": False,
}
ENTITY = {"id": "e1", "type": "Concept", "name": "解約", "canonical_key": "cancel", "attrs": {"level": 3}}
RELATION = {"id": "r1", "src_id": "e1", "dst_id": "e2", "type": "uses", "props": {"since": 2024}}


def validator(tool: str, side: str) -> jsonschema.Draft202012Validator:
    schema = SCHEMAS[tool][side] | {"definitions": SCHEMAS["definitions"]}
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())


def call(memory: Remembering, tool: str, **arguments: Any) -> dict[str, Any]:
    """A call by the seed's name, request and response held to the seed's schemas."""
    validator(tool, "request").validate(arguments)
    body = memory.server.call(f"pce.memory.{tool}", **arguments)
    assert {"data", "policy_version", "request_id", "trace_id"} <= body.keys()
    validator(tool, "response").validate(body["data"])
    return body["data"]


def test_the_schemas_of_all_six_tools_are_here() -> None:
    assert sorted(TOOLS) == sorted(MODELS)
    assert all({"request", "response"} <= SCHEMAS[tool].keys() for tool in TOOLS)
    assert SCHEMAS["definitions"].keys() == {
        "provenance", "entity", "relation", "scored_item", "claim", "scoring", "evidence",
    }  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS)
def test_the_parameters_are_those_of_the_seed_and_what_was_added(tool: str) -> None:
    model = MODELS[tool]
    schema = SCHEMAS[tool]["request"]
    assert model.model_fields.keys() == schema["properties"].keys() | ADDED.get(tool, set())
    assert {name for name, field in model.model_fields.items() if field.is_required()} == set(schema["required"])


def test_the_minimal_calls_work(memory: Remembering) -> None:
    claim_id = call(memory, "upsert", text="解約は非同期", provenance={"at": AT})["id"]
    assert call(memory, "activate", q="解約")["claims"][0]["claim"]["id"] == claim_id
    assert call(memory, "search", query="解約")["items"][0]["claim"]["id"] == claim_id
    assert call(memory, "feedback", claim_id=claim_id, signal="helpful")["ok"] is True
    assert call(memory, "boundary.validate", payload="解約")["allowed"] is True
    assert call(memory, "policy.apply", yaml=EXAMPLE)["version"] == "0.1.0"


def test_calls_with_every_parameter_work(memory: Remembering) -> None:
    text = "POST /subscriptions/{id}/cancel は非同期"
    claim = {"kind": "fact", "scope": "project", "boundary_class": "internal", "provenance": PROVENANCE}
    claim_id = call(memory, "upsert", text=text, entities=[ENTITY], relations=[RELATION], **claim)["id"]
    page = {"scope": ["project"], "allow": ["answer:task"], "top_k": 1, "include_meta": True}
    call(memory, "upsert", text="解約APIの命名規約", **claim)
    first = call(memory, "activate", q="cancel 解約", **page)
    assert first["has_more"] is True
    call(memory, "activate", q="cancel 解約", **page, cursor=first["next_cursor"])
    found = call(memory, "search", query="cancel 解約", **page)
    call(memory, "search", query="cancel 解約", **page, cursor=found["next_cursor"])
    call(memory, "feedback", claim_id=claim_id, signal="outdated", score=0.5)
    call(memory, "boundary.validate", payload="a@example.com", allow=["answer:task"], scope="session")
    call(memory, "policy.apply", yaml=EXAMPLE, dry_run=True, validate_only=True, expected_version="0.1.0", approver="a")


def test_what_include_meta_adds_is_what_the_seed_defines(memory: Remembering) -> None:
    memory.remember("解約は非同期", provenance=PROVENANCE)
    data = call(memory, "activate", q="解約", include_meta=True)
    (item,) = data["claims"]
    for name, part in (("scored_item", item), ("claim", item["claim"]), ("scoring", item["scores"])):
        schema = SCHEMAS["definitions"][name] | {"definitions": SCHEMAS["definitions"]}
        jsonschema.validate(part, schema)
    assert item["evidences"][0]["source_id"] == "abc1234"
    assert data["provenance"] == [PROVENANCE]
    assert data["scoring_params"]["alpha"] == 0.65


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 60) | st.floats(-2, 2) | st.sampled_from(["", "a", "project", AT]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["at", "note", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_what_the_seed_does_not_admit_is_refused(data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(TOOLS))
    known = sorted(SCHEMAS[tool]["request"]["properties"])
    arguments = data.draw(st.dictionaries(st.sampled_from([*known, "unknown"]), json_values, max_size=4))
    if validator(tool, "request").is_valid(arguments):
        return
    # `null` stands for "not given" in every tool of this server.
    given_values = {name: value for name, value in arguments.items() if value is not None}
    if validator(tool, "request").is_valid(given_values):
        return
    with pytest.raises(ValidationError):
        MODELS[tool].model_validate(_without_nulls(arguments))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(part) for name, part in value.items() if part is not None}
    return value
