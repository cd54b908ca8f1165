"""`morenashi stop`: ends the daemons of a workspace when they have finished what they do.

Exit codes: 0 none runs any more; 3 one still does.
"""

import argparse

from morenashi.indexer.config import Config
from morenashi.indexer.terminal import BUSY, DONE, fail, show
from morenashi.server.edge.daemon_control import SilentDaemonError, find_sockets, stop

_PATIENCE_SECONDS = 30.0


def run(_: argparse.Namespace, config: Config) -> int:
    """End those of all versions and settings. A client that still asks for something starts a new one."""
    ended = 0
    for path in find_sockets(str(config.root)):
        try:
            has_ended = stop(path, str(config.root), _PATIENCE_SECONDS)
            if has_ended is False:
                return fail(f"{path.name} has not ended after {_PATIENCE_SECONDS:g} seconds", BUSY)
            ended += has_ended is not None
        except SilentDaemonError as error:
            return fail(f"a daemon does not answer: {error}; end its process", BUSY)
    show({0: "no daemon runs", 1: "the daemon has ended"}.get(ended, f"{ended} daemons have ended"))
    return DONE
