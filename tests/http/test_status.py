"""`morenashi status` and `doctor` know of servers over HTTP."""

import json
import signal
from collections.abc import Iterator
from typing import Any

import pytest

import morenashi

from ..workspaces import WorkspaceFolder, eventually
from .serving import HttpServer, http_server
from .tokens import ALL, READER


def shown(server: HttpServer) -> list[dict[str, Any]]:
    done = server.run("status", "--json")
    assert done.returncode == 0, done.stderr
    servers: list[dict[str, Any]] = json.loads(done.stdout)["http"]
    return servers


def found(server: HttpServer, *arguments: str) -> dict[str, dict[str, Any]]:
    """What doctor finds of servers, by code."""
    findings = json.loads(server.run("doctor", "--json", *arguments).stdout)["findings"]
    return {each["code"]: each for each in findings if each["code"].startswith("server_")}


@pytest.fixture
def alone(workspace: WorkspaceFolder) -> Iterator[HttpServer]:
    """A server that a test may do something to."""
    workspace.write("m/a.md", "# a\n")
    with http_server(workspace) as server:
        assert eventually(lambda: server.get("/healthz").status_code == 200)
        yield server


def test_a_server_is_shown_with_who_asked_lately(server: HttpServer) -> None:
    for token in (ALL, ALL, READER):
        server.call("manual_list", token)
    [told] = shown(server)
    assert (told["pid"], told["url"], told["version"]) == (server.process.pid, server.url, morenashi.__version__)
    assert min(told["clients"]["all"], told["clients"]["reader"]) >= 1
    assert told["collections"]["manuals"]["is_writer"]
    text = server.run("status").stdout
    assert f"http: {server.url}, {morenashi.__version__}, process {server.process.pid}, since" in text
    assert f"reader ({told['clients']['reader']})" in text
    assert not [token for token in (ALL, READER) if token in text]


def test_a_server_that_ends_takes_its_socket_along(alone: HttpServer) -> None:
    assert len(shown(alone)) == 1
    alone.process.send_signal(signal.SIGTERM)
    assert alone.process.wait(30) == 0
    assert (shown(alone), found(alone)) == ([], {})


def test_the_socket_of_a_server_that_was_killed_is_shown_by_doctor_alone(alone: HttpServer) -> None:
    alone.process.kill()
    alone.process.wait()
    assert shown(alone) == []
    assert found(alone)["server_killed"]["severity"] == "note"
    assert found(alone, "--fix") == {}
    assert list(alone.runtime.glob("*/*.http")) == []


def test_a_server_that_hangs_is_named(alone: HttpServer) -> None:
    alone.process.send_signal(signal.SIGSTOP)
    [told] = shown(alone)
    assert (told["pid"], told["is_stopped"]) == (alone.process.pid, True)
    assert f"kill -CONT {alone.process.pid}" in found(alone)["server_silent"]["advice"]
