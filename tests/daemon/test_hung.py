"""A daemon that lives and does nothing: its clients leave it, people are told, `morenashi stop` ends it."""

import fcntl
import json
import os
import signal
import socket
import subprocess
import threading
from pathlib import Path

import pytest

import morenashi
from morenashi.server.commands import stop as stop_command
from morenashi.server.edge.daemon import hello
from morenashi.server.edge.daemon.control import stop
from morenashi.server.edge.daemon.place import find_place
from morenashi.server.edge.shim.pulse import MOST_SILENT_SECONDS, Pulse
from morenashi.server.health.holders import is_held

from ..examples import Rounds
from ..workspaces import eventually, suspend
from .daemons import END_SECONDS, Daemons, stuck_daemon


def test_a_client_leaves_a_daemon_that_does_nothing_any_more(daemons: Daemons) -> None:
    """What only reads is done by another server; of what writes, the client is told."""
    (daemons.folder.root / "vault").mkdir()
    # Longer than a daemon that works is silent.
    with daemons.in_haste("server.edge.shim.pulse", "MOST_SILENT_SECONDS", 3.0).raw() as server:
        server.initialise()
        [process] = daemons.processes()
        suspend(process)
        server.send("tools/call", 1, name="manual_find", arguments={"query": "印鑑"})
        server.send("tools/call", 2, name="vault_create", arguments={"path": "a.md", "content": "x"})
        answers = {answer["id"]: answer for answer in (server.receive() for _ in range(2))}
        assert answers[1]["result"]["structuredContent"]["summary"]["candidates"] == 1
        assert answers[2]["error"]["data"] == {"code": "daemon_restarted", "retryable": False}
        assert "does not answer any more" in server.stderr.read_text("utf-8")
        assert server.call(3, "manual_list")["result"]
        assert server.close_stdin() == ("", 0)
    os.kill(process, signal.SIGCONT)


def test_a_daemon_says_that_it_lives(running: Daemons) -> None:
    """While nothing else is said, and between messages."""
    place = find_place(str(running.folder.root), running.environment())
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(place.socket)
        connection.settimeout(END_SECONDS)
        connection.sendall(hello.hello(place.root, "x", None, False))
        lines = connection.makefile("rb")
        assert b"reads" in lines.readline()
        assert lines.readline() == hello.BEAT


def test_a_daemon_that_was_stopped_is_shown_as_that_and_ended(daemons: Daemons) -> None:
    with daemons.raw() as server:
        server.initialise()
    [hung] = daemons.processes()
    suspend(hung)
    [daemon] = json.loads(daemons.run("status", "--json").stdout)["daemons"]
    assert (daemon["pid"], daemon["is_stopped"]) == (hung, True)
    told = daemons.run("doctor")
    assert told.returncode == 1
    assert f"process {hung} does not answer: it is stopped" in told.stdout
    assert f"kill -CONT {hung}" in told.stdout
    stopped = daemons.run("stop")
    assert stopped.stdout == "the daemon has ended\n1 did not answer and had to be killed\n", stopped.stderr
    assert (stopped.returncode, daemons.processes()) == (0, [])


def test_stop_kills_nobody_else_who_has_the_socket(daemons: Daemons, rounds: Rounds) -> None:
    """The process of this test, which answers nothing, and holds no lock of a daemon. Asking it takes a while."""
    for _ in range(rounds(0, 1)):
        with stuck_daemon(daemons):
            stopped = daemons.run("stop")
        assert (stopped.returncode, stopped.stdout) == (3, "")
        assert f"process {os.getpid()} does not answer; end its process" in stopped.stderr


def test_stop_does_not_wait_for_the_daemon_that_a_client_has_started_since(daemons: Daemons) -> None:
    """This process has the lock of the next one already when the first has ended."""
    place = find_place(str(daemons.folder.root), daemons.environment())
    ended = subprocess.Popen(["true"])
    ended.wait()

    def answer(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.makefile("rb").readline()
            connection.sendall(hello.answer({"pid": ended.pid, "clients": []}))

    with socket.socket(socket.AF_UNIX) as listener, Path(place.lock).open("w") as lock:
        listener.bind(place.socket)
        listener.listen(1)
        fcntl.flock(lock, fcntl.LOCK_EX)
        answering = threading.Thread(target=answer, args=(listener,))
        answering.start()
        stopped = stop(Path(place.socket), place.root, 5.0)
        answering.join()
    assert stopped is not None
    assert stopped.has_ended


def test_stop_does_not_say_that_none_runs_while_one_begins_or_ends(
    daemons: Daemons, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lock is held, and nobody listens yet, or any more."""
    monkeypatch.setattr(stop_command, "_PATIENCE_SECONDS", 0.05)
    with Path(find_place(str(daemons.folder.root), daemons.environment()).lock).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stopped = daemons.folder.run("stop", XDG_RUNTIME_DIR=str(daemons.runtime))
    assert (stopped.returncode, stopped.stdout) == (3, "")
    assert "has not ended after" in stopped.stderr


def test_stop_ends_a_daemon_that_does_not_listen_yet(daemons: Daemons) -> None:
    place = find_place(str(daemons.folder.root), daemons.environment())
    with daemons.raw():
        assert eventually(lambda: is_held(Path(place.lock)))
        stopped = stop(Path(place.socket), place.root, END_SECONDS)
    assert stopped is not None
    assert stopped.has_ended


def test_stop_goes_on_to_the_others_after_one_that_does_not_answer(daemons: Daemons, rounds: Rounds) -> None:
    for _ in range(rounds(0, 1)):
        with daemons.raw() as server, socket.socket(socket.AF_UNIX) as silent:
            server.initialise()
            [answering] = daemons.sockets
            silent.bind(str(answering.with_name(answering.name.replace(morenashi.__version__, "0.0.1"))))
            silent.listen()
            stopped = daemons.run("stop")
            assert stopped.stdout.startswith("the daemon has ended\n")
            assert (stopped.returncode, daemons.processes()) == (3, [])


def test_silence_counts_only_while_something_is_expected_and_this_process_runs() -> None:
    now = 0.0
    pulse = Pulse(now)

    def has_stopped_after(seconds: int, *, is_missed: bool = True) -> bool:
        nonlocal now
        for _ in range(seconds):
            now += 1
            stopped = pulse.has_stopped(now, is_missed=is_missed)
        return stopped

    assert not has_stopped_after(100, is_missed=False)
    assert not has_stopped_after(int(MOST_SILENT_SECONDS))
    pulse.felt()
    assert not has_stopped_after(int(MOST_SILENT_SECONDS))
    pulse.felt()
    now += 10_000
    assert not pulse.has_stopped(now, is_missed=True), "the machine slept, and the daemon with it"
    assert has_stopped_after(int(MOST_SILENT_SECONDS))
