"""The tools over agent memory."""

import sqlite3
from collections.abc import Callable
from typing import Any

from morenashi.server.calls import memory_inputs as inputs
from morenashi.server.clients import current_client
from morenashi.server.errors import ToolError
from morenashi.server.memory.calls import Call, CallOutcome
from morenashi.server.memory.policies import AppliedPolicy, PolicyChangedError
from morenashi.server.memory.policy_tool import apply_policy, check_policy, current_policy, preview_policy

from . import memory_outputs as outputs
from .memory_tool import MemoryTool, Serve
from .tool import Guidance

_KIB = 1024


def under_policy(serve: Callable[[Call, AppliedPolicy, Any], CallOutcome]) -> Serve:
    """For a tool that needs a policy in force: without one it refuses (fail closed).

    Under one that came into force while the call was judged, it is judged anew: nothing is kept under the one before.
    """

    def run(call: Call, request: Any) -> CallOutcome:
        while True:
            applied = call.ask(current_policy)
            call.judge_by(applied)
            try:
                return serve(call, applied, request)
            except PolicyChangedError:
                call.deadline.stop_if_over()

    return run


# What these tools do, and redact with, is imported by the first call: every start of a server would wait for it.


def _activate(call: Call, applied: AppliedPolicy, request: inputs.Activate) -> CallOutcome:
    from morenashi.server.memory.recall import activate

    return activate(call, applied, request)


def _search(call: Call, applied: AppliedPolicy, request: inputs.Search) -> CallOutcome:
    from morenashi.server.memory.recall import search

    return search(call, applied, request)


def _read_context(call: Call, applied: AppliedPolicy, request: inputs.ReadContext) -> CallOutcome:
    from morenashi.server.memory.recall import read_context

    return read_context(call, applied, request)


def _upsert(call: Call, applied: AppliedPolicy, request: inputs.Upsert) -> CallOutcome:
    from morenashi.server.memory.upsert import upsert

    return upsert(call, applied, request)


def _feedback(call: Call, applied: AppliedPolicy, request: inputs.Feedback) -> CallOutcome:
    from morenashi.server.memory.feedback import feedback

    return feedback(call, applied, request)


def _validate(call: Call, applied: AppliedPolicy, request: inputs.BoundaryValidate) -> CallOutcome:
    from morenashi.server.memory.boundary_tool import validate_boundary

    data = validate_boundary(applied, request, call.caller.granted)
    return CallOutcome(data, code=None if data["allowed"] else "BOUNDARY_DENIED")


def _apply(call: Call, request: inputs.PolicyApply) -> CallOutcome:
    is_trial = request.dry_run or request.validate_only
    if call.memory.config.policy_key_file is None and current_client().memory_tags is not None and not is_trial:
        # Whoever says what a class admits decides what their tags are worth.
        message = "who was granted some uses of memory alone may apply a policy only if it is signed: set POLICY_KEYS"
        raise ToolError("UNAUTHORIZED", message)
    key_file, expected = call.memory.config.policy_key_file, request.expected_version
    application = check_policy(request.yaml, key_file, request.signature, request.approver)
    if is_trial:
        answer = call.ask(lambda connection: preview_policy(connection, application, expected))
        return CallOutcome({"version": answer.version}, notes={"changes": answer.changes})

    def put_in_force(connection: sqlite3.Connection) -> CallOutcome:
        answer = apply_policy(connection, application, expected, call.now)
        return CallOutcome(
            {"version": answer.version}, notes={"changes": answer.changes}, policy_version=answer.version
        )

    outcome = call.commit(put_in_force)
    call.memory.embed_soon()
    return outcome


MEMORY_TOOLS = (
    MemoryTool(
        "pce_memory_activate",
        "Activate memory",
        "Begin a task with what was remembered that fits it: an active context, to be put before the task.",
        inputs.Activate,
        outputs.ActivateOutput,
        under_policy(_activate),
        max_bytes=16 * _KIB,
        timeout_ms=15_000,
        broken="ACTIVATE_FAILED",
        guidance=Guidance(
            "To begin a task with what was remembered for it.",
            ("explore",),
            errors=(("POLICY_MISSING", "a person runs: morenashi policy init"),),
        ),
    ),
    MemoryTool(
        "pce_memory_search",
        "Search memory",
        "Recall facts, preferences, tasks and rules, the best first.",
        inputs.Search,
        outputs.SearchOutput,
        under_policy(_search),
        max_bytes=32 * _KIB,
        timeout_ms=10_000,
        guidance=Guidance(
            "To recall without a task.", ("explore", "revise"), errors=(("RATE_LIMIT", "wait retry_after seconds"),)
        ),
    ),
    MemoryTool(
        "pce_memory_upsert",
        "Remember",
        "Remember a decision, fact, preference or task, one statement a claim, with where it is from. The same text "
        "again gives the same id; similar ones are named. Secrets are masked.",
        inputs.Upsert,
        outputs.UpsertOutput,
        under_policy(_upsert),
        writes=True,
        repeatable=True,
        max_bytes=64 * _KIB,
        timeout_ms=10_000,
        broken="UPSERT_FAILED",
        guidance=Guidance(
            "To remember one decision, fact, preference or task; replaces names what it changes.",
            ("produce", "revise"),
            errors=(
                ("VALIDATION_ERROR", "give provenance with at, the time"),
                ("INVALID_BOUNDARY", "leave boundary_class out"),
            ),
        ),
    ),
    MemoryTool(
        "pce_memory_feedback",
        "Judge a claim",
        "Say how a claim did: helpful, harmful, outdated or duplicate.",
        inputs.Feedback,
        outputs.FeedbackOutput,
        under_policy(_feedback),
        writes=True,
        repeatable=True,
        max_bytes=4 * _KIB,
        timeout_ms=3_000,
        broken="FEEDBACK_FAILED",
        guidance=Guidance(
            "To say how a claim did.",
            ("revise",),
            errors=(("UNKNOWN_CLAIM", "use an id that activate or search gave"),),
        ),
    ),
    MemoryTool(
        "pce_memory_boundary_validate",
        "Check before sending",
        "Check whether a text may be sent under the policy; `redacted`, if there, is what may be sent instead.",
        inputs.BoundaryValidate,
        outputs.BoundaryOutput,
        under_policy(_validate),
        max_bytes=32 * _KIB,
        timeout_ms=5_000,
        broken="BOUNDARY_ERROR",
        guidance=Guidance(
            "Before a text is sent out.", ("audit",), errors=(("BOUNDARY_DENIED", "send nothing of it"),)
        ),
    ),
    MemoryTool(
        "pce_memory_policy_apply",
        "Apply a policy",
        "Put a memory policy (YAML) in force.",
        inputs.PolicyApply,
        outputs.PolicyOutput,
        _apply,
        writes=True,
        destroys=True,
        max_bytes=128 * _KIB,
        timeout_ms=10_000,
        broken="POLICY_INVALID",
        guidance=Guidance(
            "To put a policy in force, for people who may.",
            ("revise",),
            errors=(("INVALID_POLICY", "mend what details name; try with validate_only"),),
        ),
    ),
)

READ_CONTEXT = MemoryTool(
    "pce_memory_context",
    "Active context",
    "What was remembered for the present task.",
    inputs.ReadContext,
    outputs.ContextOutput,
    under_policy(_read_context),
    max_bytes=4 * _KIB,
    timeout_ms=10_000,
)
"""Behind the resource of the active context: no tool of its own, but limited and logged like one."""
