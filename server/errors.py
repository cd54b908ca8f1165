"""The errors that a client sees (seed 001 §7.1; of memory, seed 002 §1.x and §6)."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

ErrorCode = Literal[
    "invalid_parameter", "not_found", "invalid_path", "out_of_scope", "forbidden", "invalid_scope", "conflict"
]
MemoryCode = Literal[
    "ACTIVATE_FAILED",
    "BOUNDARY_DENIED",
    "BOUNDARY_ERROR",
    "DUPLICATE",
    "FEEDBACK_FAILED",
    "GONE",
    "INTERNAL",
    "INVALID_BOUNDARY",
    "INVALID_POLICY",
    "INVALID_SCOPE",
    "POLICY_INVALID",
    "POLICY_MISSING",
    "RATE_LIMIT",
    "UNAUTHORIZED",
    "UNKNOWN_CLAIM",
    "UPSERT_FAILED",
    "VALIDATION_ERROR",
]


_MOST_PROBLEMS = 20


class ToolError(Exception):
    """A refused call: a code of the common vocabulary, a message that says what to do, details."""

    def __init__(self, code: ErrorCode | MemoryCode, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def as_json(self) -> dict[str, Any]:
        """The object that is sent, in structured content and as text."""
        return {"code": self.code, "message": self.message, "details": self.details}


def list_problems(problems: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`problems` for the details of an error: the first of very many, and `problems_total` if these are not all.

    An agent that misnames a field of each of a thousand ranges is told once what it is called.
    """
    total = {"problems_total": len(problems)} if len(problems) > _MOST_PROBLEMS else {}
    return {"problems": problems[:_MOST_PROBLEMS], **total}
