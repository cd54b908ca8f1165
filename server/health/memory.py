"""Agent memory: is a policy in force, is the audit log whole, can claims and keys be read; records from the future."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from morenashi.indexer.config import Config
from morenashi.server.memory import audit_log
from morenashi.server.memory.exporting import find_unreadable
from morenashi.server.memory.ids import to_stored
from morenashi.server.memory.policies import load_current
from morenashi.server.memory.policy import PolicyError
from morenashi.server.memory.signature import KeyFileError, read_keys

from .findings import Finding, counted, listed

NO_POLICY = Finding(
    "no_policy",
    "note",
    "no policy is in force",
    "agent memory refuses everything until one is applied",
    "`morenashi policy init`, if you want memory",
)


def memory_findings(connection: sqlite3.Connection) -> Iterator[Finding]:
    """What is wrong with what the database keeps beside the index."""
    yield from _policy_findings(connection)
    verdict = audit_log.verify(connection)
    if verdict.problem is not None:
        yield Finding(
            "audit_broken",
            "error",
            f"the audit log, row {verdict.number}: {verdict.problem}",
            "somebody wrote to it past this program, or rows were lost with a damaged page",
            "compare it with a backup (data/*.backup-*); nothing here mends a chain, that is its purpose",
        )
    if unreadable := find_unreadable(connection):
        yield Finding(
            "claims_unreadable",
            "error",
            f"{counted(len(unreadable), 'claim')} with a provenance, entity or relation that is no JSON any more: "
            f"{listed(unreadable)}",
            "a disk failed, or somebody wrote to them past this program; answers and exports leave that out",
            "mend the rows of `claim_evidence`, `entities` or `relations` with sqlite3, from a backup "
            "(data/*.backup-*); or `morenashi memory forget ID`, and have the claim said again",
        )
    latest = to_stored(datetime.now(UTC) + timedelta(minutes=1))
    (ahead,) = connection.execute(_AHEAD, {"latest": latest}).fetchone()
    if ahead:
        yield Finding(
            "records_from_the_future",
            "warning",
            f"{counted(ahead, 'record')} of searches and memory with a time stamp in the future",
            "the clock was ahead, or is behind now; such traces expire late",
            "look at the clock of this machine",
        )


def key_findings(config: Config) -> Iterator[Finding]:
    """Whether those who may sign a policy are known."""
    if config.policy_key_file is None:
        return
    try:
        read_keys(config.policy_key_file)
    except KeyFileError as error:
        yield Finding(
            "keys_unreadable",
            "error",
            str(error),
            "no policy can be applied until it can be read",
            "a line is a name and an Ed25519 public key in base64",
        )


def _policy_findings(connection: sqlite3.Connection) -> Iterator[Finding]:
    try:
        applied = load_current(connection)
    except PolicyError as error:
        yield Finding(
            "policy_unusable",
            "error",
            f"the stored policy is not taken by this version: {error}",
            "nothing is in force, so memory refuses everything",
            "mend it and apply it: `morenashi policy apply FILE`",
        )
        return
    if applied is None:
        yield NO_POLICY


_AHEAD = """
SELECT (SELECT count(*) FROM traces WHERE created_at > :latest)
  + (SELECT count(*) FROM audit_log WHERE at > :latest)
  + (SELECT count(*) FROM policies WHERE applied_at > :latest)
"""
