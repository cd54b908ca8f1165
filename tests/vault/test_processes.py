"""Several processes write to one vault, and some are killed: no write is lost, none is left half done."""

import contextlib
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ..examples import Rounds
from ..server.stdio import RawServer, raw_server
from ..workspaces import WorkspaceFolder, clean_environment

APPENDS, REPLACEMENTS, KILLS, SERVER_KILLS = 100, (10, 30), (4, 25), (2, 25)


class Pair:
    """Two server processes over the same vault, each with its own client."""

    def __init__(self, vault: Path, servers: tuple[RawServer, RawServer]) -> None:
        self.vault = vault
        self._servers = servers

    def new(self, name: str, content: bytes = b"") -> Path:
        """A note that no other test uses."""
        path = self.vault / name
        path.write_bytes(content)
        return path

    def answers(self, work: Callable[[int, RawServer], Any]) -> list[Any]:
        """What the two answer at the same time."""
        answers: list[Any] = [None, None]

        def run(number: int, server: RawServer) -> None:
            answers[number] = work(number, server)

        threads = [threading.Thread(target=run, args=each) for each in enumerate(self._servers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers


@pytest.fixture(scope="module")
def pair(shared_workspace: WorkspaceFolder) -> Iterator[Pair]:
    vault = shared_workspace.root / "vault"
    vault.mkdir()
    with raw_server(shared_workspace) as first, raw_server(shared_workspace) as second:
        for server in (first, second):
            server.initialise()
        yield Pair(vault, (first, second))


def body(answer: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = answer["result"]["structuredContent"]
    return content


@pytest.fixture
def note(workspace: WorkspaceFolder) -> Path:
    path = workspace.root / "vault" / "note.md"
    path.parent.mkdir()
    path.write_bytes(b"")
    return path


def test_appends_of_two_processes_are_all_there(pair: Pair) -> None:
    note = pair.new("appended.md")

    def append(number: int, server: RawServer) -> list[dict[str, Any]]:
        return [
            body(server.call(i + 1, "vault_write", path=note.name, content=f"{number}-{i}\n", mode="append"))
            for i in range(APPENDS)
        ]

    answers = pair.answers(append)
    assert [answer for part in answers for answer in part if "code" in answer] == []
    lines = note.read_text("utf-8").splitlines()
    assert sorted(lines) == sorted(f"{number}-{i}" for number in range(2) for i in range(APPENDS))
    for number in range(2):
        own = [line for line in lines if line.startswith(f"{number}-")]
        assert own == [f"{number}-{i}" for i in range(APPENDS)]


def test_two_that_replace_in_one_file_never_leave_it_empty_or_mixed(pair: Pair, rounds: Rounds) -> None:
    states = {word: (f"{word}である。\n" * 5_000).encode() for word in ("甲", "乙")}
    note, times = pair.new("replaced.md", states["甲"]), rounds(*REPLACEMENTS)
    seen: set[bytes] = set()
    stop = threading.Event()

    def watch() -> None:
        while not stop.is_set():
            seen.add(note.read_bytes())

    def replace(number: int, server: RawServer) -> list[int]:
        find, put = ("甲", "乙") if number else ("乙", "甲")
        arguments = {"path": note.name, "find": find, "replace": put, "max_replacements": 5_000}
        return [body(server.call(i + 1, "vault_replace", **arguments))["replacements"] for i in range(times)]

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        answers = pair.answers(replace)
    finally:
        stop.set()
        watching.join()
    assert seen <= set(states.values())
    assert {count for part in answers for count in part} <= {0, 5_000}


def test_of_two_that_expect_the_same_content_one_is_told_of_the_other(pair: Pair) -> None:
    note = pair.new("expected.md")
    before = sha256(note.read_bytes()).hexdigest()

    def write(number: int, server: RawServer) -> dict[str, Any]:
        arguments = {"path": note.name, "content": f"{number}\n", "mode": "overwrite", "if_hash": before}
        return body(server.call(1, "vault_write", **arguments))

    answers = pair.answers(write)
    assert sorted(answer.get("code", "") for answer in answers) == ["", "conflict"]
    assert note.read_text("utf-8") in ("0\n", "1\n")


def test_of_two_that_create_one_file_one_does(pair: Pair) -> None:
    def create(number: int, server: RawServer) -> list[dict[str, Any]]:
        return [body(server.call(i + 1, "vault_create", path=f"new-{i}.md", content=f"{number}\n")) for i in range(20)]

    for both in zip(*pair.answers(create), strict=True):
        assert sorted(answer.get("code", "") for answer in both) == ["", "conflict"]


def test_a_server_killed_at_any_moment_leaves_the_old_or_the_new_file(
    workspace: WorkspaceFolder, note: Path, rounds: Rounds
) -> None:
    line = "一行の文である。\n" * 2_000
    for round_number in range(rounds(*SERVER_KILLS)):
        note.write_text(line, "utf-8")
        with raw_server(workspace, WATCH="off") as server:
            server.initialise()
            server.call(1, "vault_write", path="note.md", content=line, mode="append")
            killer = threading.Timer(random.Random(round_number).uniform(0, 0.05), server.process.kill)
            killer.start()
            answered = 1
            # The pipe ends with the server, in the middle of a call; that the kill ended it is looked at below.
            with contextlib.suppress(BrokenPipeError, ValueError):
                while True:
                    server.call(answered + 1, "vault_write", path="note.md", content=line, mode="append")
                    answered += 1
            killer.join()
            assert server.process.wait(60) == -signal.SIGKILL
        # The write that was not answered any more may be there, too; but whole.
        assert note.read_text("utf-8") in (line * (answered + 1), line * (answered + 2))
    with raw_server(workspace, WATCH="off") as server:
        server.initialise()
        assert "code" not in body(server.call(1, "vault_create", path="after.md", content="後\n"))
    assert sorted(path.name for path in note.parent.iterdir()) == [".system", "after.md", "note.md"]


_WRITER = """
import sys
from pathlib import Path
from morenashi.server.paths import open_folder
from morenashi.server.vault.locking import hold_write_lock
from morenashi.server.vault.writing import NewContent, OpenFolder

vault, number = Path(sys.argv[1]), 0
print("ready", flush=True)
while True:
    number += 1
    with hold_write_lock(vault), open_folder(vault, (), "path") as descriptor:
        folder = OpenFolder(descriptor, "note.md")
        with folder.open_file() as old, NewContent(folder) as new:
            new.write([str(number % 10).encode() * 1000] * 300)
            new.replace(old)
"""


def test_a_writer_killed_at_any_moment_leaves_a_whole_file_and_no_lock(note: Path, rounds: Rounds) -> None:
    chance = random.Random(1)
    for _ in range(rounds(*KILLS)):
        command = [sys.executable, "-c", _WRITER, str(note.parent)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=clean_environment()) as writer:
            assert writer.stdout
            writer.stdout.readline()
            time.sleep(chance.uniform(0, 0.03))
            writer.send_signal(signal.SIGKILL)
        data = note.read_bytes()
        assert data == data[:1] * len(data)
        assert len(data) in (0, 300_000)
    assert {path.name for path in note.parent.iterdir()} <= {".system", "note.md", ".morenashi.tmp"}
