"""boundary.validate: whether a text may be sent, and what may be sent in its place (seed 002 §2.5)."""

from typing import Any

from morenashi.server.calls import memory_inputs as inputs

from .boundary import narrow
from .gate import judge
from .policies import AppliedPolicy
from .tags import Tags


def validate_boundary(applied: AppliedPolicy, request: inputs.BoundaryValidate, granted: Tags) -> dict[str, Any]:
    """The answer in the seed's shape. A denial is an answer, not an error: the caller goes on with `redacted`."""
    verdict = judge(applied.policy, request.payload, narrow(granted, request.allow), request.scope)
    answer: dict[str, Any] = {"allowed": verdict.allowed, "reason": verdict.reason, "policy_version": applied.version}
    if verdict.redacted is not None:
        answer["redacted"] = verdict.redacted
    return answer
