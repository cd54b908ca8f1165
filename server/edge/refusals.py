"""What is answered to a line that any other reader of JSON takes for a request, and that is none here.

The library would drop it, and the client would wait.
"""

import json
from collections.abc import Iterable
from typing import Any

import mcp.types as t
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from morenashi.indexer.files import is_storable
from morenashi.server.whole_characters import EXPECTED

_UNREADABLE = f"the message cannot be read, or is nested too deep: expected {EXPECTED}"
_NO_REQUEST = 'this is no request: expected jsonrpc "2.0", a method and, if any, params that are an object'
_BATCH = "batches are not taken: send each message on a line of its own"


def refuse(error: ValidationError) -> list[SessionMessage]:
    """An error for each request of the line; none where nobody waits for an answer, or it could not be named."""
    problems = error.errors(include_url=False, include_context=False)
    if problems[0]["type"] == "json_invalid":
        return _refuse(_UNREADABLE, [_load(problems[0]["input"])])
    # Each form that a message may have was tried. Of one that misses a part, or all of it, the whole is said.
    whole = next((one["input"] for one in problems if one["type"] in ("missing", "model_type")), None)
    return _refuse(_BATCH, whole) if isinstance(whole, list) else _refuse(_NO_REQUEST, [whole])


def _refuse(reason: str, messages: Iterable[Any]) -> list[SessionMessage]:
    asked = [one["id"] for one in messages if isinstance(one, dict) and "method" in one and _is_id(one.get("id"))]
    error = t.ErrorData(code=t.INVALID_REQUEST, message=reason)
    return [SessionMessage(t.JSONRPCError(jsonrpc="2.0", id=request_id, error=error)) for request_id in asked]


def _load(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_id(value: Any) -> bool:
    """A number or a text; one with half of a character in it cannot be sent back."""
    return type(value) is int or (isinstance(value, str) and is_storable(value))
