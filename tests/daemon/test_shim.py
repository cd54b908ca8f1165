"""`morenashi serve`: a small process between a client and the workspace's daemon, started with it if need be."""

import contextlib
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest

from morenashi.indexer.config import Config
from morenashi.server.edge.daemon.hello import MOST_LINE_BYTES
from morenashi.server.edge.daemon.place import SETTINGS
from morenashi.server.edge.serve_options import read_serve_options

from ..limited_work import RunWithin
from ..server.stdio import RawServer
from ..workspaces import eventually
from .daemons import END_SECONDS, Daemons, is_zombie, python

MOST_RESIDENT_KB = 15_000

_SEND = """
import select, socket, threading
from morenashi.server.edge.daemon.hello import MOST_LINE_BYTES
from morenashi.server.edge.shim.link import Link

def read():
    while theirs.recv(1024 * 1024):
        pass

ours, theirs = socket.socketpair()
ours.setblocking(False)
threading.Thread(target=read, daemon=True).start()
link = Link(ours)
has_gone = link.send(b"x" * (MOST_LINE_BYTES - 1) + b"\\n")
while not has_gone:
    select.select([], [ours], [])
    has_gone = link.send()
"""


def test_clients_that_start_at_once_share_one_daemon(daemons: Daemons) -> None:
    """Ten, and nobody was there before. Then one more finds it running."""
    found: list[int] = []

    def find() -> None:
        with daemons.raw() as server:
            server.initialise()
            answer = server.call(1, "manual_find", query="印鑑")
            found.append(answer["result"]["structuredContent"]["summary"]["candidates"])
            assert server.close_stdin() == ("", 0)

    threads = [threading.Thread(target=find) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    find()
    assert found == [1] * 11
    assert (daemons.started, len(daemons.processes()), len(daemons.sockets)) == (1, 1, 1)


def test_nobody_else_can_reach_the_socket(running: Daemons) -> None:
    [path] = running.sockets
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()} == {0o600}


@pytest.mark.parametrize(
    "words",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b'{"morenashi": 1, "root": "/elsewhere", "session": "x"}\n',
        b'{"morenashi": 99}\n',
        b"\xff" * 70_000,
        b"",
    ],
)
def test_whoever_says_something_else_first_is_not_served(running: Daemons, words: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(running.sockets[0]))
        connection.settimeout(END_SECONDS)
        with contextlib.suppress(ConnectionError):
            connection.sendall(words)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""


def test_real_clients_are_served_each_in_a_session_of_its_own(running: Daemons) -> None:
    async def session() -> tuple[str, list[str]]:
        async with running.client() as client, running.client() as other:
            found = (await client.call_tool("manual_find", {"query": "印鑑"})).structured_content
            hits = (await other.call_tool("manual_hits", {"trace_id": found["trace_id"]})).structured_content
            read = await client.call_tool("manual_read", {"ref": hits["items"][0]["ref"], "scope": "section"})
            clients = (await anyio.to_thread.run_sync(running.state))["clients"]
            return str(read.structured_content["text"]), [each["session_id"] for each in clients]

    text, sessions = anyio.run(session)
    assert text == "### 必要な書類\n\n住民票と印鑑。\n\n"
    assert len(set(sessions)) == 2


def test_the_clients_process_is_small(running: Daemons) -> None:
    with running.raw() as server:
        server.initialise()
        server.call(1, "manual_find", query="申請")
        status = Path(f"/proc/{server.process.pid}/status").read_text("ascii")
        assert int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) <= MOST_RESIDENT_KB


def test_malformed_and_large_messages_end_nothing(running: Daemons) -> None:
    with running.raw() as server:
        server.initialise()
        assert server.process.stdin
        server.process.stdin.write("this is no JSON\n" + "[" * 20_000 + "\n{}\n\n")
        server.send("tools/call", 1, name="manual_find", arguments={"query": "\ud800"})
        server.send("tools/call", 2, name="manual_find", arguments={"query": "x" * 300_000})
        server.send("ping", 7)
        answers = [server.receive()]
        while answers[-1].get("id") != 7:
            answers.append(server.receive())
        assert "result" in answers[-1]
        assert [answer["error"]["code"] for answer in answers if answer.get("id") == 1] == [-32600], "nobody waits"


def test_a_message_that_is_too_long_is_said_to_be_passed_over_and_the_next_one_answered(running: Daemons) -> None:
    with running.raw() as server:
        server.initialise()
        assert server.process.stdin is not None
        server.process.stdin.write("x" * (2 * MOST_LINE_BYTES + 1) + "\n")
        assert "result" in server.call(1, "manual_find", query="印鑑")
        said = server.stderr.read_text("utf-8")
    assert said.count("is passed over and not answered") == 1


def test_the_longest_message_is_sent_in_linear_work(run_within: RunWithin) -> None:
    run_within(2, _SEND)


def test_many_calls_may_be_sent_before_an_answer_is_read(running: Daemons) -> None:
    """More than any pipe or socket holds, both ways; each is answered once."""
    with running.raw() as server:
        server.initialise()
        for request_id in range(1, 301):
            server.send("tools/call", request_id, name="manual_find", arguments={"x" * 1_000: 1})
        assert sorted(server.receive()["id"] for _ in range(300)) == list(range(1, 301))


def test_a_client_may_ask_for_the_new_protocol_and_shake_hands_in_the_old(running: Daemons) -> None:
    with running.raw() as server:
        server.discover()
        server.initialise()
        server.call(1, "manual_find", query="申請")


def test_a_client_has_the_toolsets_that_its_command_line_names(running: Daemons) -> None:
    with running.raw("--toolsets", "manual", "--read-only") as server:
        server.initialise()
        server.call(1, "manual_find", query="申請")
    with running.raw("--toolsets", "manual,tea") as server:
        assert server.process.wait(END_SECONDS) == 2
        assert "--toolsets: expected" in server.stderr.read_text("utf-8")


def test_the_daemon_forgets_a_client_that_is_killed(running: Daemons) -> None:
    with running.raw() as server:
        server.initialise()
        server.process.kill()
        assert eventually(lambda: not running.state()["clients"])


@pytest.mark.parametrize("options", [[], ["--standalone"]], ids=["shared", "alone"])
def test_the_process_ends_with_its_parent_though_stdin_stays_open(
    running: Daemons, tmp_path: Path, options: list[str]
) -> None:
    theirs, ours = os.pipe()
    code = (
        "import subprocess, sys, os; p = subprocess.Popen(sys.argv[1:], stdin=int(os.environ['IN']), "
        "stdout=subprocess.DEVNULL); print(p.pid, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, *running.folder.shared_command("serve", *options)]
    log = tmp_path / "stderr.log"
    with (
        log.open("wb") as stderr,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=running.environment(IN=str(theirs)),
            pass_fds=[theirs],
            text=True,
        ) as parent,
    ):
        assert parent.stdout
        process = int(parent.stdout.readline())
        os.close(theirs)
        if options:
            assert eventually(lambda: '"tool": "serve"' in log.read_text("utf-8"))
        else:
            assert eventually(lambda: process in [client["pid"] for client in running.state()["clients"]])
        parent.kill()
    assert eventually(lambda: is_zombie(process))
    os.close(ours)


def test_the_daemon_has_nothing_open_of_who_started_it(daemons: Daemons) -> None:
    """A pipe that a client forgot to close would otherwise have no end before the daemon has one."""
    reading, writing = os.pipe()
    with (
        subprocess.Popen(
            daemons.folder.shared_command("serve"),
            env=daemons.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[writing],
            text=True,
        ) as process,
        open(reading, "rb") as end,
    ):
        os.close(writing)
        RawServer(process, daemons.folder.root / "stderr.log").initialise()
        assert process.stdin
        process.stdin.close()
        assert process.wait(60) == 0
        assert len(daemons.processes()) == 1
        assert end.read() == b""


def test_the_process_ends_by_a_signal(running: Daemons) -> None:
    with running.raw() as server:
        server.initialise()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(END_SECONDS) == -signal.SIGTERM


def test_a_person_who_starts_it_at_a_terminal_is_told_what_it_is(running: Daemons) -> None:
    """A client has a pipe, and is told nothing."""
    ours, terminal = os.openpty()
    with subprocess.Popen(
        running.folder.shared_command("serve"),
        env=running.environment(),
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.close(terminal)
        assert process.stderr
        assert "morenashi init" in process.stderr.readline()
        os.close(ours)
        assert process.wait(60) == 0


def test_the_clients_process_imports_nothing_but_the_standard_library() -> None:
    serving = "import morenashi.server.entry, morenashi.server.edge.shim.shim"
    # A .pth file of an installed package may import what it likes.
    names = modules(serving) - modules("pass")
    assert names - sys.stdlib_module_names == {"morenashi"}
    assert not names & {"asyncio", "argparse", "subprocess", "threading", "hashlib", "pathlib", "dataclasses", "typing"}


def modules(code: str) -> set[str]:
    """The top-level modules that are there after some code."""
    names = python(f"{code}; import sys; print(*sys.modules)").split()
    return {name.partition(".")[0] for name in names}


def test_the_settings_that_name_a_daemon_are_all_there_are() -> None:
    """But those that `serve --http` alone reads, the workspace itself, and what changes no answer."""
    fields = {field.upper() for field in Config.model_fields if not field.startswith("http_")}
    assert set(SETTINGS) == fields - {"WORKSPACE_ROOT", "LOG_LEVEL"}


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ([], (None, None, False)),
        (["--workspace", "/x"], ("/x", None, False)),
        (["--workspace=/x", "--read-only", "--toolsets", "manual,vault"], ("/x", "manual,vault", True)),
    ],
)
def test_the_options_of_serve_are_read_without_argparse(
    arguments: list[str], meant: tuple[str | None, str | None, bool]
) -> None:
    options = read_serve_options(arguments)
    assert options is not None
    assert (options.workspace, options.toolsets, options.read_only) == meant


@pytest.mark.parametrize(
    "arguments",
    [
        *(["--standalone"], ["--http"], ["--help"], ["--workspace"], ["--workspace", "--x"], ["x"], ["--read-only=1"]),
        *(["--workspace="], ["--workspace", ""]),
    ],
)
def test_other_options_of_serve_are_left_to_argparse(arguments: list[str]) -> None:
    assert read_serve_options(arguments) is None
