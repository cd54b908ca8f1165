"""The schemas that are listed: short, and of one mind with the models that calls and answers are held to."""

import copy
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.calls import inputs
from morenashi.server.edge import outputs, schemas
from morenashi.server.edge.memory_tool import MemoryTool
from morenashi.server.edge.registry import TOOLS
from morenashi.server.edge.schemas import Schema
from morenashi.server.edge.validate import parse_arguments
from morenashi.server.errors import ToolError

from .serving import Serving

Call = dict[str, Any]
# The list is silent on `null` and on the length of texts, and counts 5.0 as an integer: JSON Schema does.
VALUES: tuple[Any, ...] = (
    *("x", "manual", "file", "gaps"),
    *(0, 1, 2, 3, 4, 5, 500, 501, 20_001, 600_001, -1, 1.5),
    *(True, [], ["x"], [1], {}),
)
MOMENT = "2026-01-02T03:04:05Z"
# Texts that a call may hold where any will not do; the list does not say of which form they are.
FORMED = {"at", "commit", "content_hash", "url", "places"}
PATTERNED = ("x", "abc1234", f"sha256:{'0' * 64}", "https://example.com", "m/x.md:1-2")
# What one model provider or another refuses, and then every tool of every server with it.
REFUSED_BY_PROVIDERS = {"$ref", "$defs", "const", "oneOf", "allOf", "title", "default"}


def example(stated: Schema, definitions: Schema) -> Any:
    """A value that the full schema of an input admits, with all that it may have."""
    schema, _ = schemas.resolve(stated, definitions)
    if schema["type"] == "object":
        parts = schema.get("properties", {}).items()
        return {name: MOMENT if name == "at" else example(part, definitions) for name, part in parts}
    if schema["type"] == "array":
        return [example(schema["items"], definitions)]
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if "pattern" in schema:
        return next(text for text in PATTERNED if re.search(schema["pattern"], text))
    return {"string": "x", "integer": schema.get("minimum"), "number": 0.5, "boolean": True}[schema["type"]]


def full_call(tool: str) -> Call:
    """A call with every parameter there is."""
    schema = schemas.full_input(TOOLS[tool].input)
    call: Call = example(schema, schema.get("$defs", {}))
    return call


def objects_in(value: Any) -> Iterator[Call]:
    """Every object of a call, itself first."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from objects_in(part)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, Call]:
    """A full call of some tool, up to three of its parameters left out, replaced or made up."""
    tool = draw(st.sampled_from(sorted(TOOLS)))
    call = copy.deepcopy(full_call(tool))
    for _ in range(draw(st.integers(0, 3))):
        target = draw(st.sampled_from(list(objects_in(call))))
        name = draw(st.sampled_from([*target, "unknown"]))
        if draw(st.booleans()):
            target.pop(name, None)
        else:
            value = copy.deepcopy(draw(st.sampled_from(VALUES)))
            if not (name in FORMED and isinstance(value, str | list)):
                target[name] = value
    return tool, call


def is_accepted(tool: str, call: Call) -> bool:
    try:
        parse_arguments(TOOLS[tool].input, call)
    except ToolError:
        return False
    return True


def is_admitted(tool: str, call: Call) -> bool:
    return bool(jsonschema.Draft202012Validator(schemas.listed_input(TOOLS[tool].input)).is_valid(call))


def parts_of(schema: Any) -> Iterator[Schema]:
    """Every schema inside a listed one."""
    if isinstance(schema, list):
        for part in schema:
            yield from parts_of(part)
    elif isinstance(schema, dict):
        yield schema
        for key, part in schema.items():
            yield from parts_of(list(part.values()) if key == "properties" else part)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_call_with_every_parameter_is_accepted_and_admitted(tool: str) -> None:
    assert is_accepted(tool, full_call(tool))
    assert is_admitted(tool, full_call(tool))


@given(calls())
def test_the_list_admits_the_calls_that_are_accepted_and_no_others(made: tuple[str, Call]) -> None:
    tool, call = made
    assert is_admitted(tool, call) == is_accepted(tool, call)


@pytest.mark.parametrize(
    ("tool", "call"),
    [
        ("manual_find", {"query": "申請", "manual_id": None, "intent": None, "max_stage": None, "budget": None}),
        ("manual_hits", {"trace_id": "t", "kind": None, "offset": None, "limit": None}),
        ("manual_ls", {"manual_id": None}),
    ],
)
def test_null_stands_for_what_is_not_given_although_the_list_is_silent(tool: str, call: Call) -> None:
    assert is_accepted(tool, call)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_listed_schema_has_a_single_type_in_every_part(tool: str) -> None:
    wire = TOOLS[tool].wire()
    parts = [*parts_of(wire.input_schema), *parts_of(wire.output_schema)]
    # Answer and error differ in what they must have, and in nothing else.
    typed = [part for part in parts if "anyOf" not in part and part.keys() != {"required"}]
    assert [part for part in typed if not isinstance(part.get("type"), str)] == []


@pytest.mark.parametrize("tool", TOOLS)
def test_a_listed_input_has_nothing_that_a_provider_refuses(tool: str) -> None:
    parts = list(parts_of(schemas.listed_input(TOOLS[tool].input)))
    assert [part for part in parts if REFUSED_BY_PROVIDERS & part.keys()] == []
    assert [part for part in parts if "enum" in part and part["type"] != "string"] == []
    assert [part for part in parts if part.get("type") == "array" and "items" not in part] == []


def test_every_name_that_is_listed_without_a_word_is_a_parameter() -> None:
    parameters = {
        name
        for tool in TOOLS.values()
        for part in parts_of(schemas.listed_input(tool.input))
        for name in part.get("properties", {})
    }
    assert (schemas._PLAIN_NAMES | schemas._NULL_IN_REFS) - parameters == set()


# Without a manual it is a place in the vault, which manual_read does not read.
@pytest.mark.parametrize("name", sorted(outputs.Ref.model_fields.keys() - {"manual_id"}))
def test_a_ref_goes_back_with_null_wherever_it_may_hold_it(name: str) -> None:
    ref = full_call("manual_read")["ref"] | {name: None}
    may_hold_null = type(None) in getattr(outputs.Ref.model_fields[name].annotation, "__args__", ())
    assert is_admitted("manual_read", {"ref": ref}) == may_hold_null


@pytest.mark.parametrize("kind", ["candidates", "integrated_top", "unscanned"])
def test_the_refs_that_are_answered_are_admitted_as_they_are(library: Serving, kind: str) -> None:
    refs = [item["ref"] for item in library.find("申請 延長", budget={"max_candidates": 2}).hits(kind)]
    assert refs
    assert [ref for ref in refs if not is_admitted("manual_read", {"ref": ref})] == []


@pytest.mark.parametrize("query", ["申請", "延長", "申請 どこにもない語"])
def test_the_actions_that_are_proposed_are_admitted_as_they_are(library: Serving, query: str) -> None:
    actions = library.find(query, budget={"max_candidates": 1}).next_actions
    calls = [(action["type"], action["params"]) for action in actions if action["type"] != "stop"]
    assert calls
    assert [call for call in calls if not is_admitted(*call)] == []


def test_a_cursor_that_is_answered_is_admitted_as_it_is(library: Serving) -> None:
    call = {"ref": library.ref("手引き", "guide.md", 7), "scope": "section", "limits": {"max_chars": 3}}
    cursor = library.call("manual_read", **call)["next_cursor"]
    assert cursor
    assert is_admitted("manual_read", {**call, "cursor": cursor})


@pytest.mark.parametrize("tool", TOOLS)
def test_the_answer_has_the_outermost_fields_that_are_listed(tool: str) -> None:
    listed = schemas.listed_output(TOOLS[tool].output, TOOLS[tool].failure)
    both = set(listed.get("required", []))
    success, error = (both | set(part["required"]) for part in listed["oneOf"])
    fields = TOOLS[tool].output.model_fields
    assert success == {name for name, field in fields.items() if field.is_required()}
    assert fields.keys() >= listed.get("properties", {}).keys()
    assert error == TOOLS[tool].failure.model_fields.keys()


@pytest.mark.parametrize("tool", TOOLS)
def test_an_answer_that_lacks_a_field_is_not_admitted(tool: str) -> None:
    listed = schemas.listed_output(TOOLS[tool].output, TOOLS[tool].failure)
    error: dict[str, Any] = {"code": "not_found", "message": "m", "details": {}}
    if isinstance(TOOLS[tool], MemoryTool):
        error = {"error": error, "policy_version": "1.0.0", "request_id": "r", "trace_id": "t"}
    jsonschema.validate(error, listed)
    for field in error:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({name: value for name, value in error.items() if name != field}, listed)


def test_a_type_that_the_list_cannot_say_is_a_fault_of_the_program() -> None:
    class Either(inputs.Input):
        value: int | str | None = None

    with pytest.raises(ValueError, match="too many values"):
        schemas.listed_input(Either)
