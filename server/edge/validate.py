"""Arguments as they came over the wire, parsed into a typed input or refused in our vocabulary."""

import re
from collections.abc import Collection, Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from morenashi.indexer.expected import describe_expected
from morenashi.indexer.files import is_storable
from morenashi.server.calls.inputs import Input
from morenashi.server.calls.memory_inputs import URI_PATTERN
from morenashi.server.errors import ToolError, list_problems
from morenashi.server.whole_characters import EXPECTED, as_shown

T = TypeVar("T", bound=Input)

_FORMS = {
    r"\S": "that is not blank",
    URI_PATTERN: "that is a URL, with %20 for a blank; of cited lines manual:ID/PATH#L1-L9 or vault:PATH#L1-L9",
}
_NEAR = 60
_CONTAINERS = ("model_type", "dict_type", "list_type")


def parse_arguments(model: type[T], arguments: dict[str, Any]) -> T:
    """Parse a tool's arguments. Raises `invalid_parameter`, which never repeats the caller's value."""
    _refuse_halves(arguments, "")
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        found = error.errors(include_url=False)
        missing = {".".join(map(str, problem["loc"])) for problem in found if problem["type"] == "missing"}
        problems = [_describe(model, problem, missing) for problem in found]
        # A misspelt name explains why another one is missing.
        problems.sort(key=lambda problem: "nearest" not in problem)
        first = problems[0]
        message = f"{first['parameter']}: expected {first['expected']}"
        if "nearest" in first:
            message += f"; did you mean {first['nearest']}?"
        rest = list_problems(problems) if len(problems) > 1 else {}
        raise ToolError("invalid_parameter", message, **first, **rest) from None


def _describe(model: type[BaseModel], problem: ErrorDetails, missing: Collection[str]) -> dict[str, Any]:
    """The parameter, what was expected of it and, for a wrong word or name, the nearest right one: of what is missing
    beside a wrong name, if anything there resembles it.
    """
    place = [str(part) for part in problem["loc"]]
    kind, context = problem["type"], problem.get("ctx", {})
    described: dict[str, Any] = {"parameter": ".".join(place)}
    if kind == "extra_forbidden":
        known = list(_model_at(model, place[:-1]).model_fields)
        described["expected"] = f"one of the known parameters: {', '.join(known)}" if known else "no parameters"
        anywhere = {name.rpartition(".")[2]: name for name in _all_parameters(model)}
        here = {name: ".".join((*place[:-1], name)) for name in known}
        wanted = {name: path for name, path in here.items() if path in missing}
        return described | (_nearest(place[-1], wanted) or _nearest(place[-1], anywhere | here))
    if kind == "literal_error":
        words = [word.strip("'") for word in re.split(", | or ", str(context["expected"]))]
        return (
            described
            | {"expected": str(context["expected"])}
            | _nearest(problem["input"], {word: word for word in words})
        )
    if kind == "string_pattern_mismatch":
        pattern = context["pattern"]
        return described | {"expected": f"a string {_FORMS.get(pattern, f'of the form {pattern}')}"}
    more = _or_nothing(model, place) if kind == "string_too_short" else _of_a_container(model, place, problem)
    return described | {"expected": describe_expected(problem) + more}


def _or_nothing(model: type[BaseModel], place: list[str]) -> str:
    """That what need not be given is left out: many a model fills in all that there is, with nothing."""
    field = None if place[-1].isdecimal() else _model_at(model, place[:-1]).model_fields.get(place[-1])
    return "; leave it out if there is none" if field and not field.is_required() else ""


def _of_a_container(model: type[BaseModel], place: list[str], problem: ErrorDetails) -> str:
    """What an object or an array holds, and that JSON in a string is none: many a model sends objects and arrays so."""
    if problem["type"] not in _CONTAINERS:
        return ""
    holds = f" with {', '.join(_model_at(model, place).model_fields)}" if problem["type"] == "model_type" else ""
    if problem["type"] == "list_type":
        holds = _held_by_array(_model_at(model, place[:-1]).model_fields[place[-1]].annotation)
    return holds + ("; not a string" if isinstance(problem["input"], str) else "")


def _held_by_array(annotation: Any) -> str:
    """What the items of an array are, as far as its annotation says so in a word."""
    words = [kind for kind in _kinds(annotation) if isinstance(kind, str)]
    if words:
        return f" of {', '.join(map(repr, words))}"
    for kind in _kinds(annotation):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return f" of objects with {', '.join(kind.model_fields)}"
        if kind is str:
            return " of strings"
    return ""


def _nearest(given: object, known: dict[str, str]) -> dict[str, str]:
    """The entry of `known` whose key resembles what was given, if one does: in spelling, or as a part of the other."""
    if not isinstance(given, str):
        return {}
    from rapidfuzz import process

    match = process.extractOne(given, list(known), scorer=_resemblance, score_cutoff=_NEAR)
    return {"nearest": known[match[0]]} if match else {}


def _resemblance(given: str, known: str, *, score_cutoff: float | None = None) -> float:
    """0 to 100. Whole words count, not letters that happen to stand together: `how` is no part of `unknown`."""
    from rapidfuzz import fuzz

    is_part = given in known.split("_") or known in given.split("_")
    return max(fuzz.ratio(given, known), 90.0 if is_part else 0.0)


def _model_at(model: type[BaseModel], place: list[str]) -> type[BaseModel]:
    """The model of the object at this place."""
    for part in place:
        if not part.isdecimal():
            model = _nested(model)[part]
    return model


def _all_parameters(model: type[BaseModel]) -> list[str]:
    """The names of all parameters, those of objects inside with the path to them; the outer ones win."""
    nested = _nested(model).items()
    inner = [f"{name}.{parameter}" for name, part in nested for parameter in _all_parameters(part)]
    return inner + list(model.model_fields)


def _nested(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """The parameters that are objects, with their models."""
    found = {}
    for name, field in model.model_fields.items():
        for kind in _kinds(field.annotation):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                found[name] = kind
    return found


def _kinds(annotation: Any) -> Iterator[Any]:
    """What an annotation is made of: the parts of a union, the items of a list."""
    parts = getattr(annotation, "__args__", ())
    if not parts:
        yield annotation
    for part in parts:
        yield from _kinds(part)


def _refuse_halves(value: Any, parameter: str) -> None:
    """Refuse texts, and names, that have half of a character in them."""
    if isinstance(value, str):
        if not is_storable(value):
            raise _half_of_a_character(parameter)
    elif isinstance(value, dict):
        for name, part in value.items():
            place = f"{parameter}.{name}" if parameter else str(name)
            if not is_storable(place):
                raise _half_of_a_character(as_shown(place))
            _refuse_halves(part, place)
    elif isinstance(value, list):
        for position, part in enumerate(value):
            _refuse_halves(part, f"{parameter}.{position}")


def _half_of_a_character(parameter: str) -> ToolError:
    message = f"{parameter}: expected {EXPECTED}"
    return ToolError("invalid_parameter", message, parameter=parameter, expected=EXPECTED)
