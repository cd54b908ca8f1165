"""The `morenashi` command: `serve`, which every client launches, at once; every other verb through cli.py.

Imports nothing but the standard library before it knows which.
"""

import gc
import os
import sys

# First of all: what comes next takes longer than some parents live.
from . import parent  # noqa: F401

# Both libraries look for plugins in the metadata of every installed package, at each start, and use none.
_WITHOUT_PLUGINS = {"PYDANTIC_DISABLE_PLUGINS": "__all__", "OTEL_PYTHON_CONTEXT": "contextvars_context"}

COLLECT_AT = (50_000, 20, 100)
"""Searches and indexing make many objects and no cycles: to look at every 700th took a tenth of the time."""


def main(arguments: list[str] | None = None) -> int:
    """Run a verb and return the exit code."""
    if arguments is None and sys.getfilesystemencoding() != "utf-8":
        _begin_again_with_utf8()
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        from morenashi.indexer.terminal import INTERRUPTED, fail

        return fail("interrupted", INTERRUPTED)


def _begin_again_with_utf8() -> None:
    """Names of files are UTF-8, whatever the locale says: two clients of a workspace may have two, and the index would
    have a manual by another name with each.
    """
    os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def _run(given: list[str]) -> int:
    _open_standard_streams(answers_on_stdout=given[:1] == ["serve"])
    if given[:1] == ["serve"] and (code := _serve(given[1:])) is not None:
        return code
    for name, value in _WITHOUT_PLUGINS.items():
        os.environ.setdefault(name, value)
    # What is imported stays: the garbage collector need not look at it, neither while it grows nor afterwards.
    gc.disable()
    from . import cli

    gc.freeze()
    gc.set_threshold(*COLLECT_AT)
    gc.enable()
    return cli.main(given)


def _open_standard_streams(*, answers_on_stdout: bool) -> None:
    """Whoever started this may have closed them: then sockets and files would get their numbers, and be spoken to."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        if name == "stdout" and answers_on_stdout:
            _open_unread(number)
        else:
            # The lowest number that is free.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        setattr(sys, name, open(number, "r" if name == "stdin" else "w", closefd=False))  # noqa: SIM115


def _open_unread(number: int) -> None:
    """A pipe that has lost its reader: a server sees that there is nobody to answer, as when its client has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    os.dup2(writing, number)
    os.close(writing)


def _serve(arguments: list[str]) -> int | None:
    """Connect the client with the workspace's daemon; `None` if that is not what is asked for, or not possible."""
    import socket

    from .edge.serve_options import read_serve_options

    options = read_serve_options(arguments)
    if options is None or not hasattr(socket, "AF_UNIX"):
        return None
    from .edge.shim import shim

    return shim.run(options)
