"""What the commands take. Imports nothing that takes time."""

import argparse
import contextlib
from pathlib import Path


def add_serve_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi serve`."""
    parser.add_argument("--toolsets", help="manual, vault, memory, with commas between (default: all)")
    parser.add_argument("--read-only", action="store_true", help="without the tools that change something")
    parser.add_argument(
        "--http", metavar="[HOST:]PORT", nargs="?", const="8765", help="serve over HTTP (default: 127.0.0.1:8765)"
    )
    parser.add_argument(
        "--tokens", metavar="FILE", type=Path, help="who may call over HTTP (TOML; default: $HTTP_TOKENS)"
    )
    parser.add_argument("--standalone", action="store_true", help="serve in this process, without a daemon")


def add_reindex_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi reindex`."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--full", action="store_true", help="rebuild the whole index, seen whole or not at all")
    how.add_argument("--check", action="store_true", help="compare index and disk, repair nothing; 1 if they differ")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def add_init_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi init`."""
    # Not a default: it would hide --workspace.
    parser.add_argument(
        "workspace",
        metavar="FOLDER",
        nargs="?",
        default=argparse.SUPPRESS,
        help="the workspace to make (default: here)",
    )
    parser.add_argument("--client", metavar="NAME", help="print the block of this client alone")


def add_doctor_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi doctor`."""
    parser.add_argument("--fix", action="store_true", help="repair what can be repaired without losing anything")
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def add_daemon_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi daemon`."""
    parser.add_argument("--idle-seconds", type=_seconds, help="end after so long without clients (default: never)")
    # Held by the process that starts a daemon for its client, and inherited.
    parser.add_argument("--lock-fd", type=int, help=argparse.SUPPRESS)


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if (seconds := float(text)) >= 0:
            return seconds
    raise argparse.ArgumentTypeError(f"expected a number of seconds, 0 or more; got {text!r}")


def add_status_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi status`."""
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def add_trace_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of `morenashi trace` and their options."""
    actions = parser.add_subparsers(dest="action", required=True)
    for name, what in (
        ("list", "the stored traces, newest first"),
        ("show", "what a search was and found; --json: its canonical JSON"),
        ("replay", "ask the same of the present files and print the canonical JSON; nothing is stored"),
        ("diff", "which files changed since, and what is found otherwise now; 1 if anything differs"),
    ):
        action = actions.add_parser(name, help=what)
        if name != "list":
            action.add_argument("id", help="the trace's id, as manual_find answered it")
        if name != "replay":
            action.add_argument("--json", action="store_true", help="print JSON, on one line")
        # Not a default: it would hide what stands before the action.
        action.add_argument("--workspace", default=argparse.SUPPRESS, help="the workspace's folder")


def add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `morenashi explain-miss`."""
    parser.add_argument("place", metavar="PATH:LINE", help="manual_id/path, or a path on disk, and a line from 1 on")
    parser.add_argument("query", help="the question, as it was put to manual_find")
    parser.add_argument("--manual", help="the manual that was searched (default: as for manual_find)")
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def add_policy_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of `morenashi policy` and their options."""
    actions = parser.add_subparsers(dest="action", required=True)
    init = actions.add_parser("init", help="apply the default policy where none is in force")
    init.add_argument("--print", action="store_true", help="only print it, as a beginning for one's own")
    apply = actions.add_parser("apply", help="put a policy in force and say what that changes")
    diff = actions.add_parser("diff", help="say what applying a policy would change; 1 if anything")
    history = actions.add_parser("history", help="the policies that were applied, the latest first")
    for action in (apply, diff):
        action.add_argument("file", help="a YAML file, or - for stdin")
        action.add_argument("--signature", help="Ed25519 over the file, in base64, where POLICY_KEYS is set")
        action.add_argument("--approver", help="who answers for it")
    apply.add_argument("--expected-version", help="apply it only if this version is in force")
    for action in (init, apply, diff, history):
        # Not a default: it would hide what stands before the action.
        action.add_argument("--workspace", default=argparse.SUPPRESS, help="the workspace's folder")


def add_memory_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of `morenashi memory` and their options."""
    actions = parser.add_subparsers(dest="action", required=True)
    export = actions.add_parser("export", help="write all claims as JSON lines")
    read = actions.add_parser("import", help="read such lines; claims that are there already are left as they are")
    for action in (export, read):
        action.add_argument("file", nargs="?", default="-", help="a file, or - for stdout or stdin (default)")
    forget = actions.add_parser("forget", help="delete a claim for good, search all files for it, print a receipt")
    forget.add_argument("id", help="the claim's id")
    for action in (export, read, forget):
        action.add_argument("--workspace", default=argparse.SUPPRESS, help="the workspace's folder")


def add_audit_arguments(parser: argparse.ArgumentParser) -> None:
    """The action of `morenashi audit` and its options."""
    actions = parser.add_subparsers(dest="action", required=True)
    verify = actions.add_parser("verify", help="find a row that was changed, removed or moved; 1 if there is one")
    verify.add_argument(
        "--expect", metavar="HASH", help="a last hash that was printed before: the log has to go on from it"
    )
    verify.add_argument("--workspace", default=argparse.SUPPRESS, help="the workspace's folder")
