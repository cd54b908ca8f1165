"""What a tool is: name, what it is for, what it takes and gives, and the function behind it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import mcp.types as t

from morenashi.server.asking import DEFAULT_TIME_MS
from morenashi.server.calls import inputs
from morenashi.server.deadline import Deadline
from morenashi.server.errors import ErrorCode, MemoryCode, ToolError
from morenashi.server.guide import Intent
from morenashi.server.workspace import Workspace

from . import outputs, schemas
from .validate import parse_arguments

Run = Callable[[Workspace, Any, Deadline], dict[str, Any]]


class Answer(NamedTuple):
    """The body of an answer, and the code of an error."""

    body: dict[str, Any]
    code: str | None


@dataclass(frozen=True, slots=True)
class Guidance:
    """What `get_tooling_guide` says of a tool: when to use it, for which purposes, with which parameters at first.

    `errors` are at most two that are met, each with what to do about it.
    """

    when: str
    intents: tuple[Intent, ...]
    defaults: dict[str, Any] = field(default_factory=dict)
    errors: tuple[tuple[ErrorCode | MemoryCode, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `run` works in a thread; the deadline it gets ends when its caller no longer waits. What it is called
    with is a matter of `answer`: here a `Run`.

    `writes` says that it changes files or memory; `destroys`, that it may replace what is there; `repeatable`,
    that the same call again changes nothing more. `logged` names the parameters and the fields of the answer, or of
    its summary, that a log line of a call carries: never one with text of a document. Without `guidance`, the guide
    does not name the tool.
    """

    name: str
    title: str
    description: str
    input: type[inputs.Input]
    output: type[outputs.Output]
    run: Callable[..., Any]
    writes: bool = False
    destroys: bool = False
    repeatable: bool = False
    logged: tuple[str, ...] = ()
    guidance: Guidance | None = None

    @property
    def failure(self) -> type[outputs.Output]:
        """The shape of its errors."""
        return outputs.Failure

    def budget_ms(self, arguments: dict[str, Any]) -> float:
        """How long a call may take, the wait for a thread included; refused later if malformed."""
        budget = arguments.get("budget")
        time_ms = budget.get("time_ms") if isinstance(budget, dict) else None
        if not isinstance(time_ms, int) or isinstance(time_ms, bool):
            return DEFAULT_TIME_MS
        return min(max(time_ms, 0), inputs.MAX_TIME_MS)

    def answer(self, workspace: Workspace, arguments: dict[str, Any], deadline: Deadline) -> Answer:
        """Answer a call, or say why not."""
        try:
            return Answer(self.run(workspace, parse_arguments(self.input, arguments), deadline), None)
        except ToolError as error:
            return Answer(error.as_json(), error.code)

    def wire(self) -> t.Tool:
        """As `tools/list` sends it. The hints for writing tools are said of those alone."""
        return t.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=schemas.listed_input(self.input),
            output_schema=schemas.listed_output(self.output, self.failure),
            annotations=t.ToolAnnotations(
                read_only_hint=not self.writes,
                destructive_hint=self.destroys if self.writes else None,
                idempotent_hint=self.repeatable if self.writes else None,
                open_world_hint=False,
            ),
        )


def without_deadline(function: Callable[[Workspace, Any], dict[str, Any]]) -> Run:
    """For a tool that is done in no time."""
    return lambda workspace, call, _: function(workspace, call)
