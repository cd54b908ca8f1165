"""The daemon is killed while real clients read and write: readers notice nothing, and of a write that may not have been
done the client is told; none that was acknowledged is lost."""

import fcntl
import json
import random
import signal
import socket
import sys
import termios
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from os import kill
from time import sleep
from typing import Any, BinaryIO

from morenashi.server.edge.daemon import hello

from ..examples import Rounds
from ..server.stdio import RawServer
from ..workspaces import eventually, suspend
from .daemons import END_SECONDS, Daemons, feigned_daemon, state_of

FEW, MANY = 1, 100


@dataclass
class Seen:
    """What the clients were answered."""

    found: int = 0
    acknowledged: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    wrong: list[Any] = field(default_factory=list)


def read(server: RawServer, seen: Seen, stopping: threading.Event) -> None:
    number = 0
    while not stopping.is_set():
        number += 1
        answer = server.call(number, "manual_find", query="印鑑")
        if answer.get("result", {}).get("structuredContent", {}).get("summary", {}).get("candidates") == 1:
            seen.found += 1
        elif answer.get("error", {}).get("data") != {"code": "daemon_restarted", "retryable": True}:
            # A search may be told to ask again if two daemons in a row were killed under it.
            seen.wrong.append(answer)


def write(server: RawServer, seen: Seen, stopping: threading.Event) -> None:
    number = 0
    while not stopping.is_set():
        number += 1
        path = f"note-{number}.md"
        answer = server.call(number, "vault_create", path=path, content=f"text {number}\n")
        if answer.get("result", {}).get("structuredContent", {}).get("written_path") == path:
            seen.acknowledged.append(path)
        elif answer.get("error", {}).get("data") == {"code": "daemon_restarted", "retryable": False}:
            seen.unknown.append(path)
        else:
            seen.wrong.append(answer)


def test_clients_outlive_their_daemon(daemons: Daemons, rounds: Rounds) -> None:
    vault = daemons.folder.root / "vault"
    vault.mkdir()
    chance, seen, stopping = random.Random(7), Seen(), threading.Event()
    with daemons.raw() as reader, daemons.raw() as writer:
        for server in (reader, writer):
            server.initialise()
        work = [
            threading.Thread(target=read, args=(reader, seen, stopping)),
            threading.Thread(target=write, args=(writer, seen, stopping)),
        ]
        for thread in work:
            thread.start()
        for _ in range(rounds(FEW, MANY)):
            before = seen.found, len(seen.acknowledged)
            assert eventually(lambda: seen.found > before[0] and len(seen.acknowledged) > before[1], END_SECONDS)  # noqa: B023
            sleep(chance.uniform(0, 0.1))
            daemons.kill()
        last = len(seen.acknowledged)
        assert eventually(lambda: len(seen.acknowledged) > last, END_SECONDS), "nobody writes any more"
        stopping.set()
        for thread in work:
            thread.join(END_SECONDS)
        assert not any(thread.is_alive() for thread in work), "somebody waits for ever"
    assert seen.wrong == []
    assert [path for path in seen.acknowledged if not (vault / path).read_text("utf-8").startswith("text")] == []
    assert len(seen.unknown) <= rounds(FEW, MANY)


def test_a_call_of_a_daemon_that_hangs_and_is_killed_is_answered(daemons: Daemons) -> None:
    """The daemon is stopped in its tracks, so that both calls are surely under way."""
    (daemons.folder.root / "vault").mkdir()
    with daemons.raw() as server:
        server.initialise()
        [process] = daemons.processes()
        suspend(process)
        server.send("tools/call", 1, name="manual_find", arguments={"query": "印鑑"})
        server.send("tools/call", 2, name="vault_create", arguments={"path": "a.md", "content": "x"})
        server.send("tools/list", 3)
        assert eventually(lambda: has_passed_on(server), END_SECONDS)
        with suppress(ProcessLookupError):
            kill(process, signal.SIGKILL)
        answers = {answer["id"]: answer for answer in (server.receive() for _ in range(3))}
        assert answers[1]["result"]["structuredContent"]["summary"]["candidates"] == 1
        assert answers[2]["error"]["data"] == {"code": "daemon_restarted", "retryable": False}
        assert answers[3]["result"]["tools"]
        assert not (daemons.folder.root / "vault" / "a.md").exists(), "it was never begun, and not done again"
    assert (daemons.started, len(daemons.sockets)) == (2, 1), "the socket that was left was taken over"


def test_what_a_session_begins_with_is_said_once_to_each_daemon(daemons: Daemons) -> None:
    """One that takes nothing any more after its welcome leaves nothing over for the next."""
    said: list[str] = []

    def welcome(connection: socket.socket) -> None:
        connection.sendall(hello.welcome(["manual_list"], [], "info"))

    def shake_hands(connection: socket.socket, lines: BinaryIO) -> None:
        welcome(connection)
        request = json.loads(lines.readline())
        connection.sendall(b'{"jsonrpc":"2.0","id":%d,"result":{}}\n' % request["id"])
        lines.readline()

    def die(connection: socket.socket, lines: BinaryIO) -> None:
        connection.shutdown(socket.SHUT_RD)
        welcome(connection)

    def listen(connection: socket.socket, lines: BinaryIO) -> None:
        welcome(connection)
        while said[-1:] != ["tools/list"]:
            said.append(json.loads(lines.readline())["method"])

    with feigned_daemon(daemons, [shake_hands, die, listen]), daemons.raw() as server:
        server.initialise()
        server.send("tools/list", 1)
        assert eventually(lambda: "tools/list" in said, END_SECONDS)
    assert said == ["initialize", "notifications/initialized", "tools/list"]


def has_passed_on(server: RawServer) -> bool:
    """Whether the client's process has taken up all that was sent, and waits for more."""
    assert server.process.stdin
    unread = int.from_bytes(fcntl.ioctl(server.process.stdin, termios.FIONREAD, bytes(4)), sys.byteorder)
    return unread == 0 and state_of(server.process.pid) == "S"
