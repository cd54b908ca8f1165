"""The verbs of the program and what they take. Imports nothing that takes time."""

import argparse
import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from .client_blocks import CLIENTS

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""The verbs of the program, or the actions of a verb."""

_SCOPES = ("session", "project", "principle")
_HASH = re.compile(r"[0-9A-Fa-f]{64}")


def add_verbs(commands: Commands) -> None:
    """All verbs, in the order in which `--help` lists them."""
    for name, (what, add_arguments) in _VERBS.items():
        verb = _add_command(commands, name, what)
        where = verb.add_mutually_exclusive_group()
        _add_workspace(where)
        if name == "init":
            _add_folder(where)
        if add_arguments is not None:
            add_arguments(verb)


def _add_command(commands: Commands, name: str, what: str) -> argparse.ArgumentParser:
    """A verb or an action of one. Its own `--help` begins with what the list of all says of it."""
    return commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")


def _add_workspace(arguments: "argparse._ActionsContainer", default: str | None = None) -> None:
    """The option that all commands have. An action's default hides what stands before it, unless it is suppressed."""
    arguments.add_argument(
        "--workspace",
        metavar="FOLDER",
        type=_folder,
        default=default,
        help="the workspace's folder (default: $WORKSPACE_ROOT, else here)",
    )


def _add_folder(arguments: "argparse._ActionsContainer") -> None:
    """The same without its name."""
    # Not a default: it would hide --workspace.
    arguments.add_argument(
        "workspace",
        metavar="FOLDER",
        type=_folder,
        nargs="?",
        default=argparse.SUPPRESS,
        help="the workspace to make (default: here)",
    )


def _folder(text: str) -> str:
    """A script whose variable is not set means no folder at all, least of all the current one."""
    if text:
        return text
    raise argparse.ArgumentTypeError("expected a folder, got an empty text; leave it out to mean the default")


def _add_serve_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi serve`."""
    parser.add_argument("--toolsets", metavar="NAMES", help="manual, vault, memory, with commas between (default: all)")
    parser.add_argument("--read-only", action="store_true", help="without the tools that change something")
    parser.add_argument(
        "--http", metavar="[HOST:]PORT", nargs="?", const="8765", help="serve over HTTP (default: 127.0.0.1:8765)"
    )
    parser.add_argument(
        "--tokens", metavar="FILE", type=Path, help="who may call over HTTP (TOML; default: $HTTP_TOKENS)"
    )
    parser.add_argument("--standalone", action="store_true", help="serve in this process, without a daemon")


def _add_reindex_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi reindex`."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--full", action="store_true", help="rebuild the whole index, seen whole or not at all")
    how.add_argument("--check", action="store_true", help="compare index and disk, repair nothing; 1 if they differ")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def _add_init_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi init`."""
    names = ", ".join(client.key for client in CLIENTS)
    parser.add_argument("--client", metavar="NAME", help=f"print the block of this client alone: {names}")


def _add_doctor_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi doctor`."""
    parser.add_argument("--fix", action="store_true", help="repair what can be repaired without losing anything")
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def _add_daemon_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi daemon`."""
    parser.add_argument(
        "--idle-seconds", metavar="N", type=_seconds, help="end after so long without clients (default: never)"
    )
    # Held by the process that starts a daemon for its client, and inherited.
    parser.add_argument("--lock-fd", type=int, help=argparse.SUPPRESS)


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if (seconds := float(text)) >= 0:
            return seconds
    raise argparse.ArgumentTypeError(f"expected a number of seconds, 0 or more; got {text!r}")


def _add_status_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi status` and `morenashi citations`."""
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def _add_trace_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of `morenashi trace` and their options."""
    actions = parser.add_subparsers(dest="action", required=True)
    for name, what in (
        ("list", "the stored traces, newest first"),
        ("show", "what a search was and found; --json: its canonical JSON"),
        ("replay", "ask the same of the present files and print the canonical JSON; nothing is stored"),
        ("diff", "which files changed since, and what is found otherwise now; 1 if anything differs"),
    ):
        action = _add_command(actions, name, what)
        if name != "list":
            action.add_argument("id", metavar="ID", help="the trace's id, as manual_find answered it")
        if name != "replay":
            action.add_argument("--json", action="store_true", help="print JSON, on one line")
        _add_workspace(action, argparse.SUPPRESS)


def _add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi explain-miss`."""
    parser.add_argument("place", metavar="PATH:LINE", help="manual_id/path, or a path on disk, and a line from 1 on")
    parser.add_argument("query", metavar="QUERY", help="the question, as it was put to manual_find")
    parser.add_argument("--manual", metavar="ID", help="the manual that was searched (default: as for manual_find)")
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def _add_policy_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of `morenashi policy` and their options."""
    actions = parser.add_subparsers(dest="action", required=True)
    init = _add_command(actions, "init", "apply the default policy where none is in force")
    init.add_argument("--print", action="store_true", help="only print it, as a beginning for one's own")
    apply = _add_command(actions, "apply", "put a policy in force and say what that changes")
    diff = _add_command(actions, "diff", "say what applying a policy would change; 1 if anything")
    history = _add_command(actions, "history", "the policies that were applied, the latest first")
    for action in (apply, diff):
        action.add_argument("file", metavar="FILE", help="a YAML file, or - for stdin")
        action.add_argument(
            "--signature", metavar="BASE64", help="Ed25519 over the file, in base64, where POLICY_KEYS is set"
        )
        action.add_argument("--approver", metavar="NAME", help="who answers for it")
    apply.add_argument("--expected-version", metavar="VERSION", help="apply it only if this version is in force")
    for action in (init, apply, diff, history):
        _add_workspace(action, argparse.SUPPRESS)


def _add_memory_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of `morenashi memory` and their options."""
    actions = parser.add_subparsers(dest="action", required=True)
    listing = _add_command(actions, "list", "list claims, the last one that was said first, as MEMORY_ALLOW sees them")
    for option, name, words in (
        ("--scope", "scope", _SCOPES),
        ("--kind", "kind", ("fact", "preference", "task", "policy_hint")),
        ("--class", "boundary_class", ("public", "internal", "pii", "secret")),
        ("--state", "state", ("stale", "replaced", "merged", "expired", "outdated")),
    ):
        what = f"only those of this {option[2:]}: {', '.join(words)}"
        listing.add_argument(option, dest=name, metavar="NAME", choices=words, help=what)
    listing.add_argument("--json", action="store_true", help="print JSON, on one line")
    explain = _add_command(actions, "explain", "say why a claim is not recalled for a question; 1 if it is not")
    explain.add_argument("id", metavar="ID", help="the claim's id")
    explain.add_argument("question", metavar="QUESTION", help="what pce_memory_activate is asked")
    explain.add_argument(
        "--scope",
        metavar="NAME",
        action="append",
        choices=_SCOPES,
        help=f"one that is asked: {', '.join(_SCOPES)}; or all",
    )
    explain.add_argument("--json", action="store_true", help="print JSON, on one line")
    export = _add_command(actions, "export", "write all claims as JSON lines")
    read = _add_command(actions, "import", "read such lines; claims that are there already are left as they are")
    for action, stream in ((export, "stdout"), (read, "stdin")):
        action.add_argument("file", metavar="FILE", nargs="?", default="-", help=f"a file (default: {stream})")
    forget = _add_command(actions, "forget", "delete a claim for good, search all files for it, print a receipt")
    forget.add_argument("id", metavar="ID", help="the claim's id")
    for action in (listing, explain, export, read, forget):
        _add_workspace(action, argparse.SUPPRESS)


def _add_audit_arguments(parser: argparse.ArgumentParser) -> None:
    """The action of `morenashi audit` and its options."""
    actions = parser.add_subparsers(dest="action", required=True)
    verify = _add_command(actions, "verify", "find a row that was changed, removed or moved; 1 if there is one")
    verify.add_argument(
        "--expect", metavar="HASH", type=_hash, help="a last hash that was printed before: the log has to go on from it"
    )
    _add_workspace(verify, argparse.SUPPRESS)


def _hash(text: str) -> str:
    if _HASH.fullmatch(text):
        return text.lower()
    raise argparse.ArgumentTypeError(f"expected a hash as it was printed, 64 hexadecimal digits; got {text!r}")


_VERBS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None] | None]] = {
    "init": ("make a workspace, print what a client needs to be told", _add_init_arguments),
    "doctor": ("find what is wrong with a workspace, say what to do about it", _add_doctor_arguments),
    "serve": ("serve over MCP, through the workspace's daemon, or over HTTP", _add_serve_arguments),
    "daemon": ("run the workspace's daemon in the foreground", _add_daemon_arguments),
    "status": ("say how the index, its daemon and its clients are", _add_status_arguments),
    "stop": ("end the workspace's daemons when they have finished what they do", None),
    "reindex": ("bring the index up to date with the files", _add_reindex_arguments),
    "trace": ("show stored searches, ask them again, say what differs now", _add_trace_arguments),
    "explain-miss": ("say why a line was not among the candidates of a question", _add_explain_arguments),
    "citations": ("say which lines that artifacts cite have moved, changed or gone", _add_status_arguments),
    "policy": ("apply a policy for agent memory, show what is in force", _add_policy_arguments),
    "memory": (
        "list agent memory, say why a claim is not recalled, move it, forget a claim for good",
        _add_memory_arguments,
    ),
    "audit": ("verify the log of memory's calls", _add_audit_arguments),
}
