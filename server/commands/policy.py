"""`morenashi policy`: applies the default policy or one from a file, shows what is in force and what was.

Exit codes as `reindex`; `diff` gives 1 if the file says otherwise than what is in force.
"""

import argparse
import sqlite3
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

from morenashi.indexer.config import Config
from morenashi.indexer.terminal import DIFFERENT, DONE, notice, show
from morenashi.server.errors import ToolError
from morenashi.server.memory import audit_log
from morenashi.server.memory.policies import Application, list_applied
from morenashi.server.memory.policy import Problem
from morenashi.server.memory.policy_tool import PolicyAnswer, apply_policy, check_policy, preview_policy

from .given_file import read_given
from .opening import open_memory, open_stored_index

_MOST_PROBLEMS = 10


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


def _init(config: Config, *, only_print: bool) -> int:
    if only_print:
        show(default_policy().rstrip())
        return DONE

    application = check_policy(default_policy(), config.policy_key_file)

    def begin(connection: sqlite3.Connection) -> PolicyAnswer:
        if list_applied(connection):
            raise ToolError("conflict", "a policy was applied already; `morenashi policy apply` replaces it")
        return _put_in_force(connection, application, None, "policy init")

    with open_memory(config) as writer:
        return _report(writer.write(begin))


def _apply(config: Config, arguments: argparse.Namespace) -> int:
    application, expected = _read(arguments, config.policy_key_file), arguments.expected_version
    with open_memory(config) as writer:
        return _report(
            writer.write(lambda connection: _put_in_force(connection, application, expected, "policy apply"))
        )


def _diff(config: Config, arguments: argparse.Namespace) -> int:
    # What is only looked at need not be signed yet; a signature that is there has to fit.
    application = _read(arguments, None if arguments.signature is None else config.policy_key_file)
    with open_stored_index(config) as connection:
        answer = preview_policy(connection, application, None)
    for change in answer.changes:
        show(change)
    return DIFFERENT if answer.changes else DONE


def _history(config: Config) -> int:
    with open_stored_index(config) as connection:
        applied = list_applied(connection)
    for revision, version, applied_at, approver in applied:
        show(f"{revision}  {version}  {applied_at}  {approver or '-'}")
    if not applied:
        notice("no policy was applied yet; `morenashi policy init` applies the default one")
    return DONE


def _put_in_force(
    connection: sqlite3.Connection, application: Application, expected: str | None, what: str
) -> PolicyAnswer:
    """Apply and log in the same transaction: no policy comes into force that the log does not know."""
    answer = apply_policy(connection, application, expected, datetime.now(UTC))
    audit_log.append(connection, audit_log.by_command(what, answer.version))
    return answer


def _report(answer: PolicyAnswer) -> int:
    for change in answer.changes:
        show(change)
    notice(f"version {answer.version} is in force")
    return DONE


def _read(arguments: argparse.Namespace, key_file: Path | None) -> Application:
    try:
        # Its line breaks stay as they are: it was signed with them.
        yaml = read_given(arguments.file).decode()
    except UnicodeDecodeError:
        raise ToolError("invalid_parameter", f"{arguments.file} is no text in UTF-8") from None
    try:
        return check_policy(yaml, key_file, arguments.signature, arguments.approver)
    except ToolError as error:
        raise ToolError(error.code, _in_lines(error), **error.details) from None


def _in_lines(error: ToolError) -> str:
    """Its first problems, a line each: else whoever wrote the policy would be told of one with every attempt."""
    problems = error.details.get("problems", [])
    total = error.details.get("problems_total", len(problems))
    lines = [error.message, *(str(Problem(**problem)) for problem in problems[1:_MOST_PROBLEMS])]
    return "\n".join([*lines, f"and {total - _MOST_PROBLEMS} more"] if total > _MOST_PROBLEMS else lines)
