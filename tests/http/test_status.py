"""`morenashi status` and `doctor` know of servers over HTTP."""

import json
import os
import signal
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

import morenashi
from morenashi.server.edge.daemon.control import SilentServerError, ask_state, find_http_sockets
from morenashi.server.edge.daemon.place import find_place
from morenashi.server.edge.http.state import tell_state
from morenashi.server.health.findings import Finding
from morenashi.server.health.servers import server_findings

from ..workspaces import WorkspaceFolder, eventually, suspend
from .serving import HttpServer, http_server
from .tokens import ALL, READER


def sockets(server: HttpServer) -> list[Path]:
    return find_http_sockets(str(server.folder.root))


def found(server: HttpServer) -> list[Finding]:
    return list(server_findings(str(server.folder.root)))


@pytest.fixture
def alone(workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpServer]:
    """A server that a test may do something to, where this process looks for it, too."""
    with http_server(workspace) as server:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(server.runtime))
        assert eventually(lambda: sockets(server))
        yield server


def test_a_server_is_shown_with_who_asked_lately(server: HttpServer) -> None:
    for token in (ALL, ALL, READER):
        server.call("manual_list", token)
    [told] = json.loads(server.run("status", "--json").stdout)["http"]
    assert (told["pid"], told["url"], told["version"]) == (server.process.pid, server.url, morenashi.__version__)
    assert min(told["clients"]["all"], told["clients"]["reader"]) >= 1
    assert told["collections"]["manuals"]["is_writer"]
    text = server.run("status").stdout
    assert f"http: {server.url}, {morenashi.__version__}, process {server.process.pid}, since" in text
    assert f"reader ({told['clients']['reader']})" in text
    assert not [token for token in (ALL, READER) if token in text]


def test_stop_says_which_server_it_does_not_end_and_how_to(server: HttpServer) -> None:
    said = server.run("stop")
    assert (said.returncode, said.stdout) == (0, "no daemon runs\n")
    assert f"process {server.process.pid} (" in said.stderr
    assert said.stderr.endswith(f"keeps the index and is no daemon; to end it: kill {server.process.pid}\n")


def test_a_server_that_ends_takes_its_socket_along(alone: HttpServer) -> None:
    [path] = sockets(alone)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    state = ask_state(path, str(alone.folder.root))
    assert state is not None
    assert (state["pid"], found(alone)) == (alone.process.pid, [])
    alone.process.send_signal(signal.SIGTERM)
    assert alone.process.wait(30) == 0
    assert sockets(alone) == []


@pytest.mark.parametrize("suffix", [".new", ".http"])
def test_a_server_that_cannot_have_a_socket_serves_without(
    suffix: str, workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(workspace.root)
    with tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp") as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        # What stands in its way is no socket that was left.
        obstacle = Path(find_place(root).http_socket(os.getpid())).with_suffix(suffix)
        obstacle.mkdir()
        anyio.run(tell_state, root, dict)
        assert [path for path in obstacle.parent.iterdir() if path.is_socket()] == []
    assert "`morenashi status` will not show this server" in capsys.readouterr().err


def test_a_server_that_hangs_is_named_and_what_it_leaves_when_killed_is_removed(alone: HttpServer) -> None:
    suspend(alone.process.pid)
    [path], root = sockets(alone), str(alone.folder.root)
    with pytest.raises(SilentServerError) as silent:
        ask_state(path, root)
    assert (silent.value.pid, silent.value.is_stopped) == (alone.process.pid, True)
    [hung] = found(alone)
    assert (hung.code, hung.severity) == ("server_silent", "warning")
    assert f"kill -CONT {alone.process.pid}" in hung.advice
    os.kill(alone.process.pid, signal.SIGKILL)
    alone.process.wait()
    assert ask_state(path, root) is None
    [left] = found(alone)
    assert (left.code, left.severity) == ("server_killed", "note")
    assert left.repair
    assert path.name in left.repair()
    assert found(alone) == []
