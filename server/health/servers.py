"""Servers that hold their place and serve nobody, places whose server is gone, and no place at all."""

from collections.abc import Iterator
from pathlib import Path

from morenashi.server.edge.daemon.control import (
    SilentServerError,
    ask_state,
    find_http_sockets,
    find_sockets,
    is_abandoned,
)
from morenashi.server.edge.daemon.place import NoPlaceError, find_place

from .findings import Finding, remove


def server_findings(root: str) -> Iterator[Finding]:
    """The daemons of a workspace and its servers over HTTP. Asking one that hangs takes a while.

    What a daemon that was killed leaves is taken over by the next one, and nothing to tell.
    """
    try:
        find_place(root)
    except NoPlaceError as error:
        yield _no_place(error)
    for path in find_sockets(root):
        yield from _silence(path, root, "its clients are served by processes of their own", "`morenashi stop`")
    for path in find_http_sockets(root):
        if is_abandoned(path):
            yield _leftover(path)
        else:
            yield from _silence(path, root, "its clients wait in vain", "a signal, KILL if need be")


def _no_place(error: NoPlaceError) -> Finding:
    return Finding(
        "no_place",
        "warning",
        f"there is no place for the daemon's socket: {error}",
        "each client is served by a process of its own, and `morenashi status` and `stop` see none of them",
        "make that folder yours alone (chmod 700) or remove it, or set XDG_RUNTIME_DIR to a folder of your own",
    )


def _silence(path: Path, root: str, consequence: str, end: str) -> Iterator[Finding]:
    try:
        ask_state(path, root)
    except SilentServerError as error:
        go_on = f"let it go on (kill -CONT {error.pid}), or " if error.is_stopped else ""
        yield Finding(
            "server_silent",
            "warning",
            f"the server at {path.name}: {error}",
            f"{consequence}, and if it keeps the index, nobody else can",
            f"{go_on}end it: {end}",
        )


def _leftover(path: Path) -> Finding:
    return Finding(
        "server_killed",
        "note",
        f"a server over HTTP was killed, and its socket {path.name} is left",
        "it is in nobody's way",
        "nothing; `morenashi doctor --fix` removes it",
        lambda: remove(path),
    )
