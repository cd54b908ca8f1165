"""A memory tool: limits, envelope and audit around its function (seed 002 §0, §1)."""

import json
import sqlite3
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from morenashi.server.clients import current_client
from morenashi.server.deadline import Deadline
from morenashi.server.errors import MemoryCode, ToolError
from morenashi.server.log import log_event
from morenashi.server.memory.boundary import narrow
from morenashi.server.memory.calls import Call, Caller, CallOutcome
from morenashi.server.memory.policies import NO_VERSION, current_version
from morenashi.server.workspace import Workspace

from . import memory_outputs, outputs
from .tool import Answer, Tool
from .validate import parse_arguments

HTTP_STATUS: dict[str, int] = {
    "UNAUTHORIZED": 401,
    "BOUNDARY_DENIED": 403,
    "UNKNOWN_CLAIM": 404,
    "DUPLICATE": 409,
    "GONE": 410,
    "INVALID_BOUNDARY": 422,
    "INVALID_POLICY": 422,
    "INVALID_SCOPE": 422,
    "POLICY_INVALID": 422,
    "VALIDATION_ERROR": 422,
    "POLICY_MISSING": 424,
    "RATE_LIMIT": 429,
}
"""The status of each error over HTTP (seed 002 §6); 500 of all others."""

Serve = Callable[[Call, Any], CallOutcome]

_INPUT_CODES: dict[str, MemoryCode] = {"scope": "INVALID_SCOPE", "boundary_class": "INVALID_BOUNDARY"}


@dataclass(frozen=True, slots=True)
class MemoryTool(Tool):
    """`max_bytes` of its arguments as JSON; `timeout_ms`; `broken`, the code of what fails for no fault of the caller.

    `run` is a `Serve`.
    """

    max_bytes: int = 0
    timeout_ms: int = 0
    broken: MemoryCode = "INTERNAL"

    @property
    def failure(self) -> type[outputs.Output]:
        """The shape of its errors."""
        return memory_outputs.MemoryFailure

    def budget_ms(self, arguments: dict[str, Any]) -> float:
        """The seed's timeout; callers cannot change it."""
        return self.timeout_ms

    def answer(self, workspace: Workspace, arguments: dict[str, Any], deadline: Deadline) -> Answer:
        """Serve a call; whatever comes of it is in the envelope and in the audit log."""
        call = _begin(workspace, self.name, deadline)
        try:
            call.policy_version = call.ask(current_version)
            outcome = self._serve(call, arguments)
            if not call.is_logged:
                call.log(outcome)
            return Answer({"data": outcome.data, **outcome.notes, **_envelope(call)}, None)
        except ToolError as error:
            return self._refuse(call, self._in_memory_words(error, deadline))
        except sqlite3.DatabaseError as error:
            log_event("error", self.name, ok=False, error=type(error).__name__)
            return self._refuse(call, self._broken("the database could not be used; ask again in a moment", deadline))
        except Exception as error:  # noqa: BLE001 - the caller is told, the log has the kind
            log_event("error", self.name, ok=False, error=type(error).__name__)
            return self._refuse(call, self._broken("internal error; the server's log has its kind", deadline))

    def _serve(self, call: Call, arguments: dict[str, Any]) -> CallOutcome:
        call.memory.rates.take(call.caller.name, time.monotonic())
        size = len(json.dumps(arguments, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
        if size > self.max_bytes:
            message = f"the call has {size} bytes; at most {self.max_bytes} are taken"
            raise ToolError("VALIDATION_ERROR", message, max_bytes=self.max_bytes)
        outcome: CallOutcome = self.run(call, parse_arguments(self.input, arguments))
        return outcome

    def _in_memory_words(self, error: ToolError, deadline: Deadline) -> ToolError:
        """An error of the other tools' vocabulary in the words of this one."""
        if error.code == "invalid_parameter":
            name = str(error.details.get("parameter", "")).partition(".")[0]
            return ToolError(_INPUT_CODES.get(name, "VALIDATION_ERROR"), error.message, **error.details)
        return error if error.code.isupper() else self._broken(error.message, deadline)

    def _broken(self, message: str, deadline: Deadline) -> ToolError:
        """What failed for no fault of the caller, perhaps because its time was over."""
        if deadline.is_over:
            message = f"it took longer than {self.timeout_ms} ms; ask again in a moment"
        return ToolError(self.broken, message, timeout_ms=self.timeout_ms)

    def _refuse(self, call: Call, error: ToolError) -> Answer:
        """The error in its envelope. One that cannot be logged is answered all the same: it gives nothing away."""
        if not call.is_logged:
            try:
                call.log(CallOutcome({}, code=error.code))
            except (sqlite3.DatabaseError, ToolError) as unlogged:
                log_event("error", self.name, ok=False, audit="not written", error=type(unlogged).__name__)
        return Answer({"error": error.as_json(), **_envelope(call)}, error.code)


def _begin(workspace: Workspace, tool: str, deadline: Deadline) -> Call:
    client = current_client()
    asked = None if client.memory_tags is None else sorted(client.memory_tags)
    caller = Caller(client.name, narrow(workspace.config.memory_tags, asked))
    ids = (str(uuid.uuid4()), str(uuid.uuid4()))
    return Call(workspace.memory, caller, tool, datetime.now(UTC), deadline, *ids, NO_VERSION)


def _envelope(call: Call) -> dict[str, Any]:
    return {"policy_version": call.policy_version, "request_id": call.request_id, "trace_id": call.trace_id}
