"""Arguments made from a tool's schema: such as it admits, and such as it does not."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from morenashi.server.edge.registry import TOOLS
from morenashi.server.edge.schemas import full_input, resolve

Schema = dict[str, Any]
Place = tuple[str | int, ...]
"""The keys from the arguments' root to a value in them."""

_TEXT = st.text(max_size=40)
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)
_WRONG = st.one_of(
    _ANYTHING,
    st.sampled_from(
        [
            None, True, False, 0, -1, 1.0, 1.5, 2**31, 2**63, 2**64, 10**400, -(10**400),
            float("nan"), float("inf"), float("-inf"), 1e308, -0.0,
            "", " ", "1", "true", "null", "\x00", "\ud800", "\udfff\ud800", "\u202e", "\ufeff", "é" * 5_000,
            [], {}, [[]], [{}], {"": ""}, {"__proto__": {}}, {"$ref": "#"}, [None] * 300,
        ]
    ),
)  # fmt: skip


def schema_of(tool: str) -> Schema:
    """All that is listed of a tool's parameters, in full."""
    return full_input(TOOLS[tool].input)


def admitted(tool: str, known: dict[str, list[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments that the schema admits; every other value one that means something to the server."""
    schema = schema_of(tool)
    made: st.SearchStrategy[dict[str, Any]] = _values(schema, schema.get("$defs", {}), "", known)
    return made


@st.composite
def refused(draw: st.DrawFn, tool: str, known: dict[str, list[Any]]) -> dict[str, Any]:
    """Arguments that were admitted before one to three changes: another value, a name too many, one too few."""
    # Drawn values are shared between attempts, and changed below.
    arguments = copy.deepcopy(draw(admitted(tool, known)))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from([(), *places_in(arguments)]))
        holder = value_at(arguments, place)
        change = draw(st.sampled_from(["replace", "add", "drop", "wrap"]))
        if change == "add" and isinstance(holder, dict):
            holder[draw(_TEXT | st.sampled_from(sorted(known)))] = copy.deepcopy(draw(_WRONG))
        elif place and change == "drop" and isinstance(place[-1], str):
            del value_at(arguments, place[:-1])[place[-1]]
        elif place and change == "wrap":
            set_at(arguments, place, draw(st.sampled_from([[holder], {"value": holder}, [[holder]]])))
        elif place:
            set_at(arguments, place, copy.deepcopy(draw(_WRONG)))
    return arguments


def places_in(value: Any, above: Place = ()) -> Iterator[Place]:
    """Where the values inside a value stand."""
    entries: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield (*above, key)
        yield from places_in(inner, (*above, key))


def value_at(arguments: Any, place: Place) -> Any:
    for key in place:
        arguments = arguments[key]
    return arguments


def set_at(arguments: Any, place: Place, value: Any) -> None:
    value_at(arguments, place[:-1])[place[-1]] = value


def parameters(tool: str, kind: str) -> list[tuple[tuple[str, ...], Schema]]:
    """The tool's parameters of a type, each by the names that lead to it; `*` for the items of a list."""
    schema = schema_of(tool)
    return list(_parameters(schema, schema.get("$defs", {}), (), kind))


def least(tool: str, known: dict[str, list[Any]]) -> dict[str, Any]:
    """The fewest arguments that the tool takes, with values that mean something."""
    schema = schema_of(tool)
    made: dict[str, Any] = _least(schema, schema.get("$defs", {}), "", known)
    return made


def with_parameter(arguments: dict[str, Any], names: tuple[str, ...], value: Any) -> dict[str, Any]:
    """The arguments with a value there, and the objects and lists above it made where they are missing."""
    changed = json.loads(json.dumps(arguments))
    holder: Any = changed
    for position, name in enumerate(names):
        inner = value if position == len(names) - 1 else [] if names[position + 1] == "*" else {}
        if name == "*":
            if not holder or position == len(names) - 1:
                holder[:] = [inner]
            holder = holder[0]
        else:
            if position == len(names) - 1 or not holder.get(name):
                holder[name] = inner
            holder = holder[name]
    return changed


def _least(stated: Schema, definitions: Schema, name: str, known: dict[str, list[Any]]) -> Any:
    schema, _ = resolve(stated, definitions)
    if name in known:
        return known[name][0]
    if "const" in schema or "enum" in schema:
        return schema.get("const") or schema["enum"][0]
    if schema["type"] == "object":
        required = schema.get("required", [])
        return {name: _least(schema["properties"][name], definitions, name, known) for name in required}
    return {"string": "x", "integer": 1, "array": []}[schema["type"]]


def _values(stated: Schema, definitions: Schema, name: str, known: dict[str, list[Any]]) -> st.SearchStrategy[Any]:
    schema, nullable = resolve(stated, definitions)
    made = _non_null(schema, definitions, known)
    if name in known:
        made = st.sampled_from(known[name]) | made
    return made | st.none() if nullable else made


def _non_null(schema: Schema, definitions: Schema, known: dict[str, list[Any]]) -> st.SearchStrategy[Any]:
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    match schema.get("type"):
        case "string":
            return _strings(schema)
        case "integer":
            return st.integers(schema.get("minimum"), schema.get("maximum"))
        case "number":
            return st.floats(schema.get("minimum"), schema.get("maximum"), allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(_values(schema["items"], definitions, "", known), max_size=4)
        case "object" if "properties" in schema:
            required = set(schema.get("required", []))
            fields = {name: _values(part, definitions, name, known) for name, part in schema["properties"].items()}
            return st.fixed_dictionaries(
                {name: field for name, field in fields.items() if name in required},
                optional={name: field for name, field in fields.items() if name not in required},
            )
        case "object":
            return st.dictionaries(_TEXT, _ANYTHING, max_size=3)
    raise AssertionError(f"a schema that nobody thought of: {schema}")


def _strings(schema: Schema) -> st.SearchStrategy[str]:
    if "pattern" in schema:
        return st.from_regex(str(schema["pattern"])).filter(lambda text: len(text) <= schema.get("maxLength", 10**6))
    most = min(schema.get("maxLength", 300), 300)
    return st.text(st.characters(exclude_categories=["Cs"]), min_size=schema.get("minLength", 0), max_size=most)


def _parameters(
    stated: Schema, definitions: Schema, names: tuple[str, ...], kind: str
) -> Iterator[tuple[tuple[str, ...], Schema]]:
    schema, _ = resolve(stated, definitions)
    if schema.get("type") == kind and "enum" not in schema and "const" not in schema and names:
        yield names, schema
    for name, part in schema.get("properties", {}).items():
        yield from _parameters(part, definitions, (*names, name), kind)
    if "items" in schema:
        yield from _parameters(schema["items"], definitions, (*names, "*"), kind)
