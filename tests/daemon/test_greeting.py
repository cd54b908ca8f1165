"""Who is greeted on a socket of ours: this user's processes that mean this workspace, and say so soon."""

import tempfile
from pathlib import Path

import anyio
import pytest

from morenashi.server.edge import local_socket
from morenashi.server.edge.daemon import hello
from morenashi.server.edge.local_socket import accept_all
from morenashi.server.edge.wire import Lines

ROOT = "/workspace"


def is_greeted(said: bytes) -> bool:
    """Whether somebody is, who says this first and then waits for the connection to end."""
    greeted = []

    async def greet(lines: Lines, _: object, pid: int | None) -> None:
        greeted.append(pid)

    async def talk() -> None:
        with tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp") as folder:
            path = Path(folder) / "socket"
            async with await anyio.create_unix_listener(path) as listener, anyio.create_task_group() as tasks:
                tasks.start_soon(accept_all, listener, ROOT, greet, tasks)
                async with await anyio.connect_unix(path) as stream:
                    with anyio.fail_after(30), pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                        if said:
                            await stream.send(said)
                        await stream.receive()
                tasks.cancel_scope.cancel()

    anyio.run(talk)
    return bool(greeted)


def test_who_means_this_workspace_is_greeted_and_nobody_else() -> None:
    assert is_greeted(hello.control(ROOT, "status"))
    assert not is_greeted(hello.control("/elsewhere", "status"))
    assert not is_greeted(b"GET / HTTP/1.1\r\n\r\n")


def test_another_user_is_not_greeted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the folder of the socket let them in."""
    monkeypatch.setattr(local_socket, "peer_of", lambda _: (1, 65_534))
    assert not is_greeted(hello.control(ROOT, "status"))


def test_who_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_socket, "_HELLO_SECONDS", 0.05)
    assert not is_greeted(b"")
