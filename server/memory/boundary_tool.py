"""boundary.validate: whether a text may be sent, and what may be sent in its place (seed 002 §2.5)."""

from collections.abc import Sequence
from typing import Any, Protocol

from morenashi.indexer.claim_index import Scope

from .boundary import Tags, narrow
from .gate import judge
from .policies import AppliedPolicy


class BoundaryCall(Protocol):
    """The parsed arguments."""

    @property
    def payload(self) -> str: ...
    @property
    def allow(self) -> Sequence[str] | None: ...
    @property
    def scope(self) -> Scope | None: ...


def validate_boundary(applied: AppliedPolicy, call: BoundaryCall, granted: Tags) -> dict[str, Any]:
    """The answer in the seed's shape. A denial is an answer, not an error: the caller goes on with `redacted`."""
    verdict = judge(applied.policy, call.payload, narrow(granted, call.allow), call.scope)
    answer: dict[str, Any] = {"allowed": verdict.allowed, "reason": verdict.reason, "policy_version": applied.version}
    if verdict.redacted is not None:
        answer["redacted"] = verdict.redacted
    return answer
