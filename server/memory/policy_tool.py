"""policy.apply: a policy checked, previewed or put in force (seed 002 §2.6)."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from morenashi.server.errors import ToolError, list_problems

from . import policies
from .full_width import refuse_wide_tags
from .policies import Application
from .policy import Policy, PolicyError, parse_policy, parse_version
from .policy_changes import describe_changes
from .rule_names import describe_unknown, refuse_mistyped
from .vectors import drop_vectors


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """The version that is, or would be, in force, and in words what that changes."""

    version: str
    changes: list[str]


def check_policy(
    yaml: str, key_file: Path | None, signature: str | None = None, approver: str | None = None
) -> Application:
    """A policy that may be applied. Raises `INVALID_POLICY` (details: each problem with its path) or `UNAUTHORIZED`."""
    try:
        policy = parse_policy(yaml)
        # Here alone: what was applied before stays in force.
        refuse_mistyped(policy)
        refuse_wide_tags(policy)
    except PolicyError as error:
        raise _invalid_policy(error) from None
    if key_file is not None:
        approver = _signer(key_file, yaml, signature, approver)
    return Application(yaml, policy, approver, signature)


def preview_policy(connection: sqlite3.Connection, application: Application, expected: str | None) -> PolicyAnswer:
    """What applying it would change. Raises `POLICY_INVALID` if another version is in force than `expected`."""
    _expect_version(connection, expected)
    return PolicyAnswer(policies.next_version(connection, application), _changes(connection, application))


def apply_policy(
    connection: sqlite3.Connection, application: Application, expected: str | None, now: datetime
) -> PolicyAnswer:
    """Put a policy in force. The caller's transaction makes it compare-and-set. Raises as a preview does.

    Where it masks otherwise, claims are embedded anew: what a model made of a name would find it behind its mask.
    """
    answer = preview_policy(connection, application, expected)
    old = _in_force(connection)
    if old is None or old.redact_policies != application.policy.redact_policies:
        drop_vectors(connection)
    policies.store(connection, application, answer.version, now)
    return answer


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
    problems = [
        {"path": problem.path, "expected": problem.expected} | ({"line": problem.line} if problem.line else {})
        for problem in error.problems
    ]
    return ToolError("INVALID_POLICY", str(error), **list_problems(problems))


def _signer(key_file: Path, yaml: str, signature: str | None, approver: str | None) -> str:
    """Who answers for a policy where keys are set: whose key signed it. Raises `UNAUTHORIZED`."""
    # Loaded where it is needed: few servers ask for signatures.
    from .signature import KeyFileError, SignatureError, read_keys, verify

    try:
        return verify(read_keys(key_file), yaml, signature, approver)
    except (SignatureError, KeyFileError) as error:
        raise ToolError("UNAUTHORIZED", str(error)) from None


def _expect_version(connection: sqlite3.Connection, expected: str | None) -> None:
    """Raise `POLICY_INVALID` unless that version, of whichever spelling, is in force; `None` expects nothing."""
    current = policies.latest_version(connection)
    if expected is None or current in (expected, _in_full(expected)):
        return
    message = f"expected_version: {current or 'no policy'} is in force; look at it and send its version"
    raise ToolError("POLICY_INVALID", message, expected_version=expected, current_version=current)


def _in_full(version: str) -> str:
    try:
        return parse_version(version)
    except ValueError:
        return version


def _changes(connection: sqlite3.Connection, application: Application) -> list[str]:
    old = _in_force(connection)
    return describe_changes(old, application.policy) + describe_unknown(old, application.policy)


def _in_force(connection: sqlite3.Connection) -> Policy | None:
    """The policy that another one replaces."""
    applied = policies.find_in_force(connection)
    return applied.policy if applied else None
