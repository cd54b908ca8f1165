"""`morenashi stop`: ends the daemons of a workspace when they have finished what they do.

One that does not answer is killed. Exit codes: 0 none runs any more; 3 one still does.
"""

import argparse

from morenashi.indexer.config import Config
from morenashi.indexer.terminal import BUSY, DONE, fail, notice, show
from morenashi.indexer.writer_lock import writer_lock_of
from morenashi.server.edge.daemon.control import SilentServerError, Stopped, find_places, stop
from morenashi.server.health.findings import counted
from morenashi.server.health.holders import find_holders, is_held

from .elsewhere import remark_on

_PATIENCE_SECONDS = 30.0

# One that another login started, or a service.
_ELSEWHERE = "is a daemon whose socket lies elsewhere (another XDG_RUNTIME_DIR, TMPDIR)"


def run(_: argparse.Namespace, config: Config) -> int:
    """End those of all versions and settings, and say which clients start one again when they next ask."""
    stopped: list[Stopped] = []
    running: list[str] = []
    for path in find_places(str(config.root)):
        try:
            result = stop(path, str(config.root), _PATIENCE_SECONDS)
        except SilentServerError as error:
            running.append(f"a daemon still runs: {error}; end its process")
            continue
        if result is not None and result.has_ended:
            stopped.append(result)
        elif result is not None:
            running.append(f"{path.name} has not ended after {_PATIENCE_SECONDS:g} seconds")
    if running:
        if stopped:
            show("\n".join(_describe(stopped)))
        return fail("; ".join(running), BUSY)
    show("\n".join(_describe(stopped)))
    if not stopped and (remark := remark_on(config) or _remark_on_keeper(config)):
        notice(remark)
    return DONE


def _remark_on_keeper(config: Config) -> str | None:
    """Of a server over HTTP, or of one client alone: whoever wants the index to himself has to end it, too."""
    lock = writer_lock_of(config.database)
    if not is_held(lock):
        return None
    if holders := find_holders(lock):
        who = ", ".join(map(str, holders))
        what = _ELSEWHERE if any(each.is_daemon for each in holders) else "is no daemon"
        return f"{who} keeps the index and {what}; to end it: kill {' '.join(str(each.pid) for each in holders)}"
    return "another process keeps the index and is no daemon; end it where it was started"


def _describe(stopped: list[Stopped]) -> list[str]:
    lines = [{0: "no daemon runs", 1: "the daemon has ended"}.get(len(stopped), f"{len(stopped)} daemons have ended")]
    if killed := sum(each.was_killed for each in stopped):
        lines.append(f"{killed} did not answer and had to be killed")
    if clients := sorted(pid for each in stopped for pid in each.clients):
        who = counted(len(clients), "client")
        lines.append(f"{who} will start one again on asking for something: process {', '.join(map(str, clients))}")
    return lines
