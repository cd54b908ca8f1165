"""`get_tooling_guide` (contract §2): made from the registered tools, and short."""

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from morenashi.server.edge.registry import TOOLS
from morenashi.server.guide import MOST_CHARACTERS, GuideEntry, make_guide

from .serving import Serving

INTENTS = ["explore", "produce", "revise", "audit", "unknown", None]
TARGETS = ["manual", "vault", "memory", "unknown", None]


def guide(library: Serving, intent: str | None, target: str | None) -> dict[str, Any]:
    return library.call("get_tooling_guide", intent=intent, target=target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("intent", INTENTS)
def test_the_guide_names_registered_tools_as_they_are(library: Serving, intent: str | None, target: str | None) -> None:
    body = guide(library, intent, target)
    names = [tool["tool_name"] for tool in body["tools"]]
    assert names[0] == body["first_tool"]
    assert len(names) == len(set(names))
    for tool in body["tools"]:
        schema = TOOLS[tool["tool_name"]].wire().input_schema
        assert tool["required_inputs"] == schema.get("required", [])
        assert tool["safe_defaults"].keys() <= schema["properties"].keys()
        assert tool["when_to_use"]
        assert len(tool["common_errors"]) <= 2
    assert len(json.dumps(body, ensure_ascii=False, separators=(",", ":"))) / 4 <= 900


@pytest.mark.parametrize(
    ("intent", "target", "first"),
    [
        ("explore", "manual", "manual_find"),
        ("explore", "vault", "vault_find"),
        ("explore", "unknown", "manual_find"),
        ("explore", None, "manual_find"),
        ("produce", "vault", "vault_create"),
        ("produce", "manual", "vault_create"),
        ("revise", "vault", "vault_search"),
        ("revise", None, "vault_search"),
        ("audit", "vault", "vault_coverage"),
        ("audit", "manual", "vault_coverage"),
        ("unknown", "vault", "manual_find"),
        ("unknown", "manual", "manual_find"),
        (None, None, "manual_find"),
        (None, "vault", "manual_find"),
        ("explore", "memory", "pce_memory_activate"),
        ("produce", "memory", "pce_memory_upsert"),
        ("revise", "memory", "pce_memory_search"),
        ("audit", "memory", "pce_memory_boundary_validate"),
        ("unknown", "memory", "pce_memory_activate"),
        (None, "memory", "pce_memory_activate"),
    ],
)
def test_the_first_tool_follows_from_intent_and_target(
    library: Serving, intent: str | None, target: str | None, first: str
) -> None:
    assert guide(library, intent, target)["first_tool"] == first


@pytest.mark.parametrize(
    ("target", "tool"),
    [
        ("manual", "artifact_audit"),
        ("vault", "artifact_audit"),
        (None, "artifact_audit"),
        ("memory", "pce_memory_upsert"),
    ],
)
def test_who_revises_is_told_what_says_that_something_is_out_of_date_and_what_corrects_a_claim(
    library: Serving, target: str | None, tool: str
) -> None:
    assert tool in [entry["tool_name"] for entry in guide(library, "revise", target)["tools"]]


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [({"intent": "find"}, "intent"), ({"target": "vaults"}, "target"), ({"goal": "x"}, "goal")],
)
def test_a_wrong_word_is_refused(library: Serving, arguments: dict[str, str], parameter: str) -> None:
    error = library.refuse("get_tooling_guide", **arguments)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", parameter)


@pytest.mark.parametrize("name", [name for name in TOOLS if name != "get_tooling_guide"])
def test_every_tool_is_in_the_guide_for_some_purpose(library: Serving, name: str) -> None:
    guides = [guide(library, intent, target) for intent in INTENTS for target in TARGETS]
    assert any(name == tool["tool_name"] for body in guides for tool in body["tools"])


@pytest.mark.parametrize("name", [name for name, tool in TOOLS.items() if tool.guidance])
def test_the_defaults_are_values_that_the_tool_takes(name: str) -> None:
    guidance = TOOLS[name].guidance
    assert guidance
    for parameter, value in guidance.defaults.items():
        taken: Any = TOOLS[name].input.model_fields[parameter].annotation
        TypeAdapter(taken).validate_python(value, strict=True)


def test_more_tools_than_fit_do_not_make_it_longer() -> None:
    errors = (("conflict", "x" * 50), ("not_found", "y" * 50))
    names = ["manual_find", *(f"vault_{number}" for number in range(60))]
    entries = [GuideEntry(name, "w" * 40, ("path",), ("explore",), {}, errors) for name in names]
    body = make_guide(entries, "unknown", "unknown")
    assert body["first_tool"] == "manual_find"
    assert body["tools"][0]["common_errors"]
    assert len(json.dumps(body, separators=(",", ":"))) <= MOST_CHARACTERS
