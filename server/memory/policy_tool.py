"""policy.apply: a policy checked, previewed or put in force (seed 002 §2.6)."""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from morenashi.server.errors import ToolError, list_problems

from . import policies
from .policies import Application, VersionConflictError
from .policy import PolicyError, parse_policy
from .policy_changes import describe_changes
from .rule_names import describe_unknown, refuse_mistyped


class PolicyCall(Protocol):
    """What is to be applied, and who answers for it."""

    @property
    def yaml(self) -> str: ...
    @property
    def signature(self) -> str | None: ...
    @property
    def approver(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """The version that is, or would be, in force, and in words what that changes."""

    version: str
    changes: list[str]


def check_policy(call: PolicyCall, key_file: Path | None) -> Application:
    """A policy that may be applied. Raises `INVALID_POLICY` (details: each problem with its path) or `UNAUTHORIZED`."""
    try:
        policy = parse_policy(call.yaml)
        # Here alone: what was applied before stays in force.
        refuse_mistyped(policy)
    except PolicyError as error:
        raise _invalid_policy(error) from None
    return Application(call.yaml, policy, _approver(call, key_file), call.signature)


def preview_policy(connection: sqlite3.Connection, application: Application, expected: str | None) -> PolicyAnswer:
    """What applying it would change. Raises `POLICY_INVALID` if another version is in force than `expected`."""
    with _conflicts_in_words(expected):
        policies.expect_version(connection, expected)
    return PolicyAnswer(policies.next_version(connection, application), _changes(connection, application))


def apply_policy(
    connection: sqlite3.Connection, application: Application, expected: str | None, now: datetime
) -> PolicyAnswer:
    """Put a policy in force, in the caller's transaction. Raises `POLICY_INVALID` as a preview does."""
    changes = _changes(connection, application)
    with _conflicts_in_words(expected):
        return PolicyAnswer(policies.store(connection, application, expected, now), changes)


def current_policy(connection: sqlite3.Connection) -> policies.AppliedPolicy:
    """The policy in force. Raises `POLICY_MISSING` or `INVALID_POLICY`: without a policy nothing is allowed."""
    try:
        applied = policies.load_current(connection)
    except PolicyError as error:
        raise _invalid_policy(error) from None
    if applied is None:
        raise ToolError("POLICY_MISSING", "no policy is in force: ask a person to run `morenashi policy init`")
    return applied


def _invalid_policy(error: PolicyError) -> ToolError:
    """The problems of a policy as the client sees them."""
    problems = [{"path": problem.path, "expected": problem.expected} for problem in error.problems]
    return ToolError("INVALID_POLICY", str(error), **list_problems(problems))


def _approver(call: PolicyCall, key_file: Path | None) -> str | None:
    """Who answers for the policy: where keys are set, whose key signed it."""
    if key_file is None:
        return call.approver
    # Loaded where it is needed: few servers ask for signatures.
    from .signature import KeyFileError, SignatureError, read_keys, verify

    try:
        return verify(read_keys(key_file), call.yaml, call.signature, call.approver)
    except (SignatureError, KeyFileError) as error:
        raise ToolError("UNAUTHORIZED", str(error)) from None


@contextlib.contextmanager
def _conflicts_in_words(expected: str | None) -> Iterator[None]:
    try:
        yield
    except VersionConflictError as error:
        message = f"expected_version: {error.current or 'no policy'} is in force; look at it and send its version"
        details = {"expected_version": expected, "current_version": error.current}
        raise ToolError("POLICY_INVALID", message, **details) from None


def _changes(connection: sqlite3.Connection, application: Application) -> list[str]:
    try:
        applied = policies.load_current(connection)
    except PolicyError:
        # What is stored is not in force any more; the new one replaces it whole.
        applied = None
    old = applied.policy if applied else None
    return describe_changes(old, application.policy) + describe_unknown(old, application.policy)
