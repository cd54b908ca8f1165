"""policy.apply: a policy checked, previewed or put in force (seed 002 §2.6)."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeVar

from morenashi.server.errors import ToolError

from . import policies
from .policies import Application, VersionConflictError
from .policy import PolicyError, parse_policy
from .policy_changes import describe_changes

T = TypeVar("T")


class Storage(Protocol):
    """The database as the tools of memory see it."""

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Put a question, on a connection that only reads."""

    def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job in one write transaction, and give its result once it is committed."""


class PolicyCall(Protocol):
    """The parsed arguments."""

    @property
    def yaml(self) -> str: ...
    @property
    def dry_run(self) -> bool | None: ...
    @property
    def validate_only(self) -> bool | None: ...
    @property
    def expected_version(self) -> str | None: ...
    @property
    def signature(self) -> str | None: ...
    @property
    def approver(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """The version that is, or would be, in force, and in words what that changes."""

    version: str
    changes: list[str]


def apply_policy(storage: Storage, call: PolicyCall, key_file: Path | None, now: datetime) -> PolicyAnswer:
    """Check a policy; unless it is a trial, put it in force.

    Raises `INVALID_POLICY` (details: every problem with its path), `UNAUTHORIZED`, or `POLICY_INVALID` if another
    version is in force than the caller expected.
    """
    application = _check(call, key_file)
    try:
        if call.validate_only or call.dry_run:
            return storage.ask(lambda connection: _preview(connection, application, call.expected_version))
        return storage.write(lambda connection: _apply(connection, application, call.expected_version, now))
    except VersionConflictError as error:
        message = f"expected_version: {error.current or 'no policy'} is in force; look at it and send its version"
        details = {"expected_version": call.expected_version, "current_version": error.current}
        raise ToolError("POLICY_INVALID", message, **details) from None


def current_policy(storage: Storage) -> policies.AppliedPolicy:
    """The policy in force. Raises `POLICY_MISSING` or `INVALID_POLICY`: without a policy nothing is allowed."""
    try:
        applied = storage.ask(policies.load_current)
    except PolicyError as error:
        raise invalid_policy(error) from None
    if applied is None:
        raise ToolError("POLICY_MISSING", "no policy is in force: apply one, or run `morenashi policy init`")
    return applied


def invalid_policy(error: PolicyError) -> ToolError:
    """The problems of a policy as the client sees them."""
    problems = [{"path": problem.path, "expected": problem.expected} for problem in error.problems]
    return ToolError("INVALID_POLICY", str(error), problems=problems)


def _check(call: PolicyCall, key_file: Path | None) -> Application:
    try:
        policy = parse_policy(call.yaml)
    except PolicyError as error:
        raise invalid_policy(error) from None
    return Application(call.yaml, policy, _approver(call, key_file), call.signature)


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


def _preview(connection: sqlite3.Connection, application: Application, expected: str | None) -> PolicyAnswer:
    policies.expect_version(connection, expected)
    return PolicyAnswer(policies.next_version(connection, application), _changes(connection, application))


def _apply(
    connection: sqlite3.Connection, application: Application, expected: str | None, now: datetime
) -> PolicyAnswer:
    changes = _changes(connection, application)
    return PolicyAnswer(policies.store(connection, application, expected, now), changes)


def _changes(connection: sqlite3.Connection, application: Application) -> list[str]:
    try:
        applied = policies.load_current(connection)
    except PolicyError:
        # What is stored is not in force any more; the new one replaces it whole.
        applied = None
    return describe_changes(applied.policy if applied else None, application.policy)
