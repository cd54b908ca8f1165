"""The models of what tools take and answer, as JSON schemas: in full, and as `tools/list` sends them.

An agent pays for the list in every conversation, before its first call. So the list keeps what makes a call
right at the first try and what clients check. What explains stays in the full schemas, which docs/tools.md
prints and the tests hold every answer to. Both are made from the models.
"""

from typing import Any, get_origin

from pydantic import BaseModel

from morenashi.server.calls.inputs import Input

from .outputs import Output

Schema = dict[str, Any]

# Larger bounds only keep a number within what SQLite holds; no call comes near.
_LARGEST_MAXIMUM = 1_000_000
# Parameters that need no word beside their name, or have it in the description of their tool.
_PLAIN_NAMES = frozenset(
    """
    manual_id node_id intent only_unscanned_from_trace_id max_candidates time_ms path places trace_id kind offset hits
    only_new limit scope max_sections max_chars cursor char_offset start_line end_line line_numbers range version
    chunk_lines full content mode find replace max_replacements relative_dir to_path from_path from_ref
    artifact_path target top_k content_hash payload yaml validate_only approver relations entities allow_file
    expand
    """.split()
)
# A ref of manual_hits may hold null there, and goes back as it is.
_NULL_IN_REFS = frozenset({"start_line", "json_path"})


def full_input(model: type[Input]) -> Schema:
    """All that the model says of a tool's parameters."""
    schema: Schema = _untitled(model.model_json_schema())
    schema.pop("description", None)
    return schema


def full_output(success: type[Output], failure: type[Output]) -> Schema:
    """All that the models say of a tool's answer (the first of `oneOf`) and of its error (the second)."""
    schemas = [model.model_json_schema() for model in (success, failure)]
    definitions: Schema = {}
    for schema in schemas:
        definitions |= schema.pop("$defs", {})
    union: Schema = _untitled({"type": "object", "oneOf": schemas, "$defs": definitions})
    return union


def listed_input(model: type[Input]) -> Schema:
    """A tool's parameters as listed: names, types, words, bounds of numbers, and which are required.

    It does not speak of `null` for "not given", which the server takes, nor of the length of texts. It keeps to
    what every model provider takes (docs/decisions/0009-a-short-list-of-tools.md): some refuse all tools for one
    array of types, one reference or one enumeration of numbers.
    """
    schema = full_input(model)
    return _listed(schema, schema.get("$defs", {}))


def listed_output(success: type[Output], failure: type[Output]) -> Schema:
    """A tool's answer or its error as listed: the outermost fields, and which of them are lists and objects.

    An object at the root, because clients want one there; the error, because they discard what is not admitted.
    What both have is said once.
    """
    answered, refused = _required(success), _required(failure)
    common = [name for name in answered if name in refused]
    listed: Schema = {"type": "object"}
    if containers := _containers(success):
        listed["properties"] = containers
    if common:
        listed["required"] = common
    only = [[name for name in names if name not in common] for names in (answered, refused)]
    return listed | {"oneOf": [{"required": names} for names in only]}


def resolve(schema: Schema, definitions: Schema) -> tuple[Schema, bool]:
    """The schema behind a reference or beside `null`, and whether `null` is admitted."""
    nullable = "anyOf" in schema
    if nullable:
        (schema,) = (option for option in schema["anyOf"] if option.get("type") != "null")
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    return schema, nullable


def _listed(stated: Schema, definitions: Schema) -> Schema:
    schema, _ = resolve(stated, definitions)
    listed = {"type": schema["type"]} | _limits(schema)
    if "items" in schema:
        listed["items"] = _listed(schema["items"], definitions)
    if "properties" in schema:
        parameters = schema["properties"]
        is_ref = parameters.keys() >= _NULL_IN_REFS
        listed["properties"] = {
            name: _listed_parameter(name, part, definitions, may_be_null=is_ref and name in _NULL_IN_REFS)
            for name, part in parameters.items()
        }
        listed |= {key: schema[key] for key in ("required", "additionalProperties") if key in schema}
    return listed


def _listed_parameter(name: str, stated: Schema, definitions: Schema, *, may_be_null: bool) -> Schema:
    listed = _listed(stated, definitions)
    if may_be_null:
        listed = {"anyOf": [listed, {"type": "null"}]}
    if "description" in stated and name not in _PLAIN_NAMES:
        listed["description"] = stated["description"]
    return listed


def _limits(schema: Schema) -> Schema:
    """The words that a text, or the range that a number may be."""
    words = [schema["const"]] if "const" in schema else schema.get("enum")
    if words and schema["type"] != "string":
        return {"minimum": min(words), "maximum": max(words)}
    if words:
        return {"enum": words}
    limits = {key: schema[key] for key in ("minimum", "maximum") if key in schema}
    return {key: bound for key, bound in limits.items() if bound <= _LARGEST_MAXIMUM}


def _required(model: type[Output]) -> list[str]:
    return [name for name, field in model.model_fields.items() if field.is_required()]


def _containers(model: type[Output]) -> Schema:
    """The fields that hold others, of those that are always there. What a text or a number is called says what it is.

    Read off the annotations: the schemas of all that the answers hold would take longer than the rest of the list.
    """
    kinds = {name: _container(field.annotation) for name, field in model.model_fields.items() if field.is_required()}
    return {name: {"type": kind} for name, kind in kinds.items() if kind}


def _container(annotation: Any) -> str | None:
    """What JSON calls a list or an object; of what may be null, `None`, as of all else."""
    kind = get_origin(annotation) or annotation
    if not isinstance(kind, type):
        return None
    if issubclass(kind, list):
        return "array"
    return "object" if issubclass(kind, dict | BaseModel) else None


def _untitled(schema: Any) -> Any:
    """Without pydantic's generated titles, which only repeat the names, and defaults, which nobody applies."""
    if isinstance(schema, list):
        return [_untitled(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _untitled(part) for name, part in value.items()} if key == "properties" else _untitled(value)
        for key, value in schema.items()
        if key != "default" and not (key == "title" and isinstance(value, str))
    }
