"""What pydantic refused, in the words that settings, tools, policies and files of tokens share."""

from pydantic_core import ErrorDetails

_KINDS = {
    "missing": "a value: it is required",
    "string_type": "a string",
    "int_type": "an integer (not a boolean, a string or a fraction)",
    "int_parsing": "an integer",
    "int_parsing_size": "an integer of fewer digits",
    "int_from_float": "an integer",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "an array",
    "tuple_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "string_too_short": "a string that is not empty",
    "finite_number": "a number that is finite",
    "literal_error": "{expected}",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "string_too_long": "at most {max_length} characters",
    "too_short": "at least {min_length}",
    "too_long": "at most {max_length} items",
    "string_pattern_mismatch": "a string of the form {pattern}",
    "extra_forbidden": "one of the known names",
    "json_invalid": "JSON",
}


def describe_expected(problem: ErrorDetails) -> str:
    """What stands behind `expected`, without the value that was given."""
    if form := _KINDS.get(problem["type"]):
        return form.format_map(problem.get("ctx", {}))
    # Of our own checks, or of a kind that nothing here refuses by.
    return problem["msg"].removeprefix("Value error, ").removeprefix("expected ").removeprefix("Input should be ")
