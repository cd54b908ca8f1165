"""The policies that were applied, in the table `policies`: one in force, the others kept."""

import functools
import hashlib
import sqlite3
from dataclasses import dataclass
from datetime import datetime

from .policy import Policy, PolicyError, parse_policy

NO_VERSION = "0.0.0"
"""Said where no policy is in force."""


class PolicyChangedError(Exception):
    """Another policy has come into force since the one that a call was judged by was read."""


@dataclass(frozen=True, slots=True)
class AppliedPolicy:
    """A policy as it is in force. `version` names this content, see `next_version`."""

    revision: int
    version: str
    policy: Policy


@dataclass(frozen=True, slots=True)
class Application:
    """A policy that was checked and may be applied."""

    yaml: str
    policy: Policy
    approver: str | None = None
    signature: str | None = None


def load_current(connection: sqlite3.Connection) -> AppliedPolicy | None:
    """The policy in force; `None`, which refuses everything, if none was applied.

    Raises `PolicyError` if this version of the program does not take what is stored: nothing is then in force.
    """
    row = connection.execute(_CURRENT).fetchone()
    return AppliedPolicy(row[0], row[1], _parse_stored(row[2])) if row else None


def find_in_force(connection: sqlite3.Connection) -> AppliedPolicy | None:
    """The same, and `None` also if what is stored is not taken: for whom it is the same as no policy."""
    try:
        return load_current(connection)
    except PolicyError:
        return None


def current_version(connection: sqlite3.Connection) -> str:
    """The version in force; 0.0.0 if none is."""
    applied = find_in_force(connection)
    return applied.version if applied else NO_VERSION


def expect_in_force(connection: sqlite3.Connection, revision: int) -> None:
    """Raise `PolicyChangedError` unless this application of a policy still is the one in force."""
    if connection.execute("SELECT max(revision) FROM policies").fetchone()[0] != revision:
        raise PolicyChangedError


def latest_version(connection: sqlite3.Connection) -> str | None:
    """The version that was applied last, also if this version of the program does not take it; `None` without one."""
    row = connection.execute(_CURRENT).fetchone()
    return row[1] if row else None


def next_version(connection: sqlite3.Connection, application: Application) -> str:
    """What the policy will be called: its own version, with +2 if that version had another content before.

    Claims, cursors and the log name versions: one version must never mean two policies.
    """
    version, digest = application.policy.version, _digest(application.yaml)
    known = dict(connection.execute(_SAME_VERSION, {"version": version}).fetchall())
    if not known:
        return version
    return known.get(digest) or f"{version}+{len(known) + 1}"


def store(connection: sqlite3.Connection, application: Application, version: str, now: datetime) -> None:
    """Put a policy in force, called by its `next_version`, in the caller's transaction."""
    row = {
        "version": version,
        "yaml": application.yaml,
        "sha256": _digest(application.yaml),
        "applied_at": now.isoformat(timespec="milliseconds"),
        "approver": application.approver,
        "signature": application.signature,
    }
    connection.execute(_INSERT, row)


def list_applied(connection: sqlite3.Connection) -> list[tuple[int, str, str, str | None]]:
    """(revision, version, applied_at, approver) of every application, the latest first."""
    return connection.execute(_HISTORY).fetchall()


@functools.lru_cache(maxsize=8)
def _parse_stored(yaml: str) -> Policy:
    return parse_policy(yaml)


def _digest(yaml: str) -> str:
    return hashlib.sha256(yaml.encode()).hexdigest()


_CURRENT = """
SELECT revision, version, yaml
FROM policies
ORDER BY revision DESC
LIMIT 1
"""

_SAME_VERSION = """
SELECT sha256, version
FROM policies
WHERE version = :version OR version GLOB :version || '+*'
"""

_INSERT = """
INSERT INTO policies (version, yaml, sha256, applied_at, approver, signature)
VALUES (:version, :yaml, :sha256, :applied_at, :approver, :signature)
"""

_HISTORY = """
SELECT revision, version, applied_at, approver
FROM policies
ORDER BY revision DESC
"""
