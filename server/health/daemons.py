"""Daemons that hold their place and serve nobody."""

from collections.abc import Iterator

from morenashi.server.edge.daemon_control import SilentDaemonError, ask_state, find_sockets

from .findings import Finding


def daemon_findings(root: str) -> Iterator[Finding]:
    """Those of a workspace that do not answer. Asking one that hangs takes a while."""
    for path in find_sockets(root):
        try:
            ask_state(path, root)
        except SilentDaemonError as error:
            go_on = f"let it go on (kill -CONT {error.pid}), or " if error.is_stopped else ""
            yield Finding(
                "daemon_silent",
                "warning",
                f"the daemon at {path.name}: {error}",
                "its clients are served by processes of their own, and if it keeps the index, nobody else can",
                f"{go_on}end it: `morenashi stop`",
            )
