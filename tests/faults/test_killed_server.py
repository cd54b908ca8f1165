"""A server is killed at any moment while its client writes and searches: nothing acknowledged is lost."""

import contextlib
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from morenashi.indexer.check import check_index

from ..examples import Rounds
from ..indexer.indexes import index
from ..workspaces import WorkspaceFolder, clean_environment
from .servers import (
    EndedError,
    Standalone,
    apply_policy,
    assert_recovers,
    claims,
    differences,
    standalone,
    vault_lines,
    wait_until_indexed,
)

ROUNDS = 1, 100
LONGEST_SECONDS = 1.5
BUILDING_SECONDS = 0.3, 4.0
DOCUMENTS = 12
WORD = "鍵言葉"


@dataclass
class Acknowledged:
    """What servers said they had done; what they were asked for last may be done, too."""

    lines: list[str] = field(default_factory=list)
    claims: set[str] = field(default_factory=set)
    searches: int = 0
    asked: int = 0

    def work(self, server: Standalone) -> None:
        """Append, remember and search, one call after the other, until the server is gone."""
        with contextlib.suppress(EndedError):
            while True:
                self.asked += 1
                line = f"追記{self.asked}"
                body = server.call(10, "vault_write", path="note.md", content=f"{line}\n", mode="append")
                assert "code" not in body, body
                self.lines.append(line)
                provenance = {"at": "2026-01-02T03:04:05Z"}
                body = server.call(11, "pce_memory_upsert", text=f"決定{self.asked}", provenance=provenance)
                assert "error" not in body, body
                self.claims.add(body["data"]["id"])
                body = server.call(12, "manual_find", query=WORD)
                assert body["summary"]["completeness"]["status"] == "found", body
                self.searches += 1


@contextlib.contextmanager
def changing(folder: WorkspaceFolder) -> Iterator[None]:
    """Change, make and remove manuals all the while."""
    stop = threading.Event()

    def change() -> None:
        chance = random.Random(2)
        while not stop.wait(0.01):
            path = folder.write(f"a/changing{chance.randrange(8)}.md", f"# 題\n\n{chance.randrange(10**6)}\n")
            if chance.random() < 0.2:
                path.unlink()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def assert_nothing_is_lost(folder: WorkspaceFolder, done: Acknowledged) -> None:
    lines = vault_lines(folder, "note.md")
    unanswered = set(lines) - set(done.lines)
    assert [line for line in lines if line not in unanswered] == done.lines
    assert all(line.startswith("追記") for line in unanswered)
    assert claims(folder) >= done.claims


def rewrite(folder: WorkspaceFolder, turn: int) -> None:
    """Change all manuals and notes but one, while no server runs."""
    for number in range(DOCUMENTS):
        folder.write(f"m/{number}.md", f"# {turn}\n\n" + f"{WORD}{turn}の宿泊料{number}。\n" * 100)
        (folder.root / "vault" / f"{number}.md").write_text(f"{turn}\n" * 50, "utf-8")


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(
    workspace: WorkspaceFolder, rounds: Rounds, capfd: pytest.CaptureFixture[str]
) -> None:
    (workspace.root / "vault").mkdir()
    (workspace.root / "vault" / "note.md").touch()
    workspace.write("a/x.md", f"# 題\n\n{WORD}\n")
    chance, done, kills = random.Random(1), Acknowledged(), rounds(*ROUNDS)
    for turn in range(kills):
        rewrite(workspace, turn)
        with standalone(workspace) as server:
            apply_policy(server)
            if turn % 2:
                wait_until_indexed(server)
                assert differences(workspace) == []
            assert_nothing_is_lost(workspace, done)
            with changing(workspace):
                killer = threading.Timer(chance.uniform(0, LONGEST_SECONDS), server.kill)
                killer.start()
                done.work(server)
                killer.join()
    assert_recovers(workspace)
    assert_nothing_is_lost(workspace, done)
    said = (workspace.root / "stderr.log").read_text("utf-8", "replace") + capfd.readouterr().err
    assert said.count("was killed") >= kills
    assert workspace.run("audit", "verify").returncode == 0


def test_an_index_that_was_being_built_is_finished_after_a_kill(workspace: WorkspaceFolder, rounds: Rounds) -> None:
    chance = random.Random(3)
    for number in range(rounds(40, 800)):
        workspace.write(f"a/{number % 20}/{number}.md", f"# {number}\n" + f"旅費規程{number}の宿泊料。\n" * 300)
    for _ in range(rounds(1, 100)):
        shutil.rmtree(workspace.database.parent, ignore_errors=True)
        command = workspace.command("reindex")
        with subprocess.Popen(command, env=clean_environment(), stdout=subprocess.DEVNULL) as process:
            time.sleep(chance.uniform(*BUILDING_SECONDS))
            process.kill()
        index(workspace)
        assert check_index(workspace.config()).is_clean
