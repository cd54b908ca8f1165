"""What `morenashi trace` and `morenashi explain-miss` take. Imports nothing that takes time."""

import argparse


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
