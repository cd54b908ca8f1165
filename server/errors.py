"""The errors that a client sees (seed 001 §7.1)."""

from typing import Any, Literal

ErrorCode = Literal[
    "invalid_parameter", "not_found", "invalid_path", "out_of_scope", "forbidden", "invalid_scope", "conflict"
]


class ToolError(Exception):
    """A refused call: a code of the common vocabulary, a message that says what to do, details."""

    def __init__(self, code: ErrorCode, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def as_json(self) -> dict[str, Any]:
        """The object that is sent, in structured content and as text."""
        return {"code": self.code, "message": self.message, "details": self.details}
