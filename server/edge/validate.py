"""Arguments as they came over the wire, parsed into a typed input or refused in our vocabulary."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from rapidfuzz import process

from morenashi.server.errors import ToolError

from .inputs import Input

T = TypeVar("T", bound=Input)

_EXPECTED = {
    "missing": "a value: the parameter is required",
    "string_type": "a string",
    "int_type": "an integer (not a boolean, a string or a fraction)",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "string_too_short": "a string that is not empty",
    "string_pattern_mismatch": "a string that is not blank",
}
_BOUNDS = {"ge": "at least", "le": "at most", "max_length": "at most characters:"}
_NEAR = 60


def parse_arguments(model: type[T], arguments: dict[str, Any]) -> T:
    """Parse a tool's arguments. Raises `invalid_parameter`, which never repeats the caller's value."""
    _refuse_lone_surrogates(arguments, "")
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        problems = [_describe(model, problem) for problem in error.errors(include_url=False, include_input=False)]
        first = problems[0]
        message = f"{first['parameter']}: expected {first['expected']}"
        if "nearest" in first:
            message += f"; did you mean {first['nearest']}?"
        raise ToolError("invalid_parameter", message, **first, **_rest(problems)) from None


def _rest(problems: list[dict[str, Any]]) -> dict[str, Any]:
    return {"problems": problems} if len(problems) > 1 else {}


def _describe(model: type[BaseModel], problem: ErrorDetails) -> dict[str, Any]:
    """The parameter, what was expected of it and, for a wrong word or name, the nearest right one."""
    place = [part for part in problem["loc"] if isinstance(part, (str, int))]
    kind, context = problem["type"], problem.get("ctx", {})
    described: dict[str, Any] = {"parameter": ".".join(map(str, place))}
    if kind == "extra_forbidden":
        known = _fields_at(model, place[:-1])
        described |= {"expected": f"one of the known parameters: {', '.join(known)}" if known else "no parameters"}
        nearest = process.extractOne(str(place[-1]), known, score_cutoff=_NEAR)
        return described | ({"nearest": nearest[0]} if nearest else {})
    if kind == "literal_error":
        return described | {"expected": str(context["expected"])}
    for bound, words in _BOUNDS.items():
        if bound in context:
            return described | {"expected": f"{words} {context[bound]}"}
    return described | {"expected": _EXPECTED.get(kind, problem["msg"])}


def _fields_at(model: type[BaseModel], place: list[str | int]) -> list[str]:
    """The parameters that the object at this place knows."""
    for part in place:
        field = model.model_fields.get(str(part))
        annotation = field.annotation if field else None
        nested = getattr(annotation, "__args__", (annotation,))
        models = [kind for kind in nested if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if not models:
            return []
        model = models[0]
    return list(model.model_fields)


def _refuse_lone_surrogates(value: Any, parameter: str) -> None:
    """A lone surrogate is no text: it cannot be searched, stored or answered."""
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise ToolError(
                "invalid_parameter",
                f"{parameter}: expected valid Unicode",
                parameter=parameter,
                expected="valid Unicode",
            )
    elif isinstance(value, dict):
        for name, part in value.items():
            _refuse_lone_surrogates(part, f"{parameter}.{name}" if parameter else str(name))
    elif isinstance(value, list):
        for position, part in enumerate(value):
            _refuse_lone_surrogates(part, f"{parameter}.{position}")
