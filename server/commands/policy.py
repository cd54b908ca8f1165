"""`morenashi policy`: applies the default policy or one from a file, shows what is in force and what was.

Exit codes as `reindex`; `diff` gives 1 if the file says otherwise than what is in force.
"""

import argparse
import contextlib
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TypeVar

from morenashi.indexer.config import Config
from morenashi.indexer.database import BUSY_TIMEOUT_MS, WorkspaceBusyError, hold_writer_lock, open_writer, transaction
from morenashi.indexer.terminal import DIFFERENT, DONE, notice, show
from morenashi.server.errors import ToolError
from morenashi.server.memory import audit_log
from morenashi.server.memory.policies import list_applied, load_current
from morenashi.server.memory.policy_tool import PolicyAnswer, apply_policy

from .opening import open_stored_index

T = TypeVar("T")


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Run an action; what fails is raised as `ToolError`."""
    if arguments.action == "init":
        return _init(config, only_print=arguments.print)
    if arguments.action == "apply":
        return _apply(config, arguments)
    if arguments.action == "diff":
        return _diff(config, arguments)
    return _history(config)


def default_policy() -> str:
    """The YAML of the policy that a workspace can begin with."""
    return (resources.files("morenashi.server.memory") / "default_policy.yaml").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class _Call:
    yaml: str
    dry_run: bool = False
    validate_only: bool = False
    expected_version: str | None = None
    signature: str | None = None
    approver: str | None = None


@dataclass(frozen=True, slots=True)
class _Database:
    """One connection for questions and for writing."""

    connection: sqlite3.Connection

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        return question(self.connection)

    def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        with transaction(self.connection):
            return job(self.connection)


def _init(config: Config, *, only_print: bool) -> int:
    if only_print:
        show(default_policy().rstrip())
        return DONE
    with _open(config) as database:
        if load_current(database.connection) is not None:
            raise ToolError("conflict", "a policy is in force already; `morenashi policy apply` replaces it")
        return _report(_put_in_force(database, config, _Call(default_policy()), "policy init"))


def _apply(config: Config, arguments: argparse.Namespace) -> int:
    call = _Call(
        _read(arguments.file),
        expected_version=arguments.expected_version,
        signature=arguments.signature,
        approver=arguments.approver,
    )
    with _open(config) as database:
        return _report(_put_in_force(database, config, call, "policy apply"))


def _diff(config: Config, arguments: argparse.Namespace) -> int:
    call = _Call(_read(arguments.file), dry_run=True, signature=arguments.signature, approver=arguments.approver)
    with open_stored_index(config) as connection:
        answer = apply_policy(_Database(connection), call, config.policy_key_file, datetime.now(UTC))
    for change in answer.changes:
        show(change)
    return DIFFERENT if answer.changes else DONE


def _history(config: Config) -> int:
    with open_stored_index(config) as connection:
        for revision, version, applied_at, approver in list_applied(connection):
            show(f"{revision}  {version}  {applied_at}  {approver or '-'}")
    return DONE


def _put_in_force(database: _Database, config: Config, call: _Call, what: str) -> PolicyAnswer:
    """Apply and log in one transaction: no policy comes into force that the log does not know."""
    with transaction(database.connection):
        answer = apply_policy(database, call, config.policy_key_file, datetime.now(UTC))
        audit_log.append(database.connection, audit_log.by_command(what, answer.version))
    return answer


def _report(answer: PolicyAnswer) -> int:
    for change in answer.changes:
        show(change)
    notice(f"version {answer.version} is in force")
    return DONE


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise ToolError("not_found", f"{file} cannot be read as a text in UTF-8") from None


@contextlib.contextmanager
def _open(config: Config) -> Iterator[_Database]:
    """The database for writing: ours if nobody keeps it, else beside the server that does, a short transaction long."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(hold_writer_lock(config.database))
            connection, notices = open_writer(config.database)
            for text in notices:
                notice(text)
        except WorkspaceBusyError:
            timeout = BUSY_TIMEOUT_MS / 1000
            connection = sqlite3.connect(config.database, isolation_level=None, timeout=timeout)
        yield _Database(stack.enter_context(contextlib.closing(connection)))
