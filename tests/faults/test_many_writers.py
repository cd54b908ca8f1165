"""Several servers write to one workspace, and some are killed: no write that was acknowledged is lost."""

import random
import threading
from dataclasses import dataclass, field

from ..examples import Rounds
from ..workspaces import WorkspaceFolder
from .servers import (
    EndedError,
    Standalone,
    apply_policy,
    assert_recovers,
    claims,
    soon,
    standalone,
    vault_lines,
)

PROCESSES, WRITES = (1, 8), (8, 5_000)
PAUSE_SECONDS = 3.0, 8.0
AT = {"at": "2026-01-02T03:04:05Z"}


@dataclass
class Writer:
    """A client that writes until so many writes were acknowledged, to a new server whenever its own has ended."""

    folder: WorkspaceFolder
    number: int
    lines: list[str] = field(default_factory=list)
    claims: set[str] = field(default_factory=set)
    server: Standalone | None = None
    asked: int = 0
    failure: BaseException | None = None

    @property
    def note(self) -> str:
        return f"{self.number}.md"

    @property
    def acknowledged(self) -> int:
        return len(self.lines) + len(self.claims)

    def run(self, writes: int) -> None:
        """Write; what goes wrong is kept for the test."""
        try:
            while self.acknowledged < writes:
                with standalone(self.folder) as self.server:
                    self._write_until_killed(writes)
        except BaseException as error:  # noqa: BLE001 - the test's thread raises it
            self.failure = error
        finally:
            self.server = None

    def _write_until_killed(self, writes: int) -> None:
        assert self.server
        try:
            while self.acknowledged < writes:
                self.asked += 1
                if self.asked % 2:
                    self._append(self.server, f"{self.number}-{self.asked}")
                else:
                    self._remember(self.server, f"書き手{self.number}の決定{self.asked}")
        except EndedError:
            assert self.server.process.wait() < 0, "it was not killed"

    def _append(self, server: Standalone, line: str) -> None:
        body = server.call(1, "vault_write", path=self.note, content=f"{line}\n", mode="append")
        assert "code" not in body, body
        self.lines.append(line)

    def _remember(self, server: Standalone, text: str) -> None:
        body = server.call(2, "pce_memory_upsert", text=text, provenance=AT)
        assert "error" not in body, body
        self.claims.add(body["data"]["id"])


def kill_now_and_then(writers: list[Writer], stop: threading.Event) -> None:
    chance = random.Random(6)
    while not stop.wait(chance.uniform(*PAUSE_SECONDS)):
        server = chance.choice(writers).server
        if server is not None:
            server.process.kill()


def test_no_acknowledged_write_of_many_processes_is_lost(workspace: WorkspaceFolder, rounds: Rounds) -> None:
    workspace.write("a/x.md", "# 題\n")
    writers = [Writer(workspace, number) for number in range(rounds(*PROCESSES))]
    (workspace.root / "vault").mkdir()
    for writer in writers:
        (workspace.root / "vault" / writer.note).touch()
    with standalone(workspace) as server:
        apply_policy(server)
        threads = [threading.Thread(target=writer.run, args=[rounds(*WRITES)]) for writer in writers]
        stop = threading.Event()
        killer = threading.Thread(target=kill_now_and_then, args=[writers, stop])
        for thread in (*threads, killer):
            thread.start()
        # The one that keeps the index is killed first; in a short run it is the only one.
        soon(lambda: any(writer.acknowledged for writer in writers))
        server.kill()
        for thread in threads:
            thread.join()
        stop.set()
        killer.join()
    assert [writer.failure for writer in writers if writer.failure] == []
    for writer in writers:
        lines = vault_lines(workspace, writer.note)
        acknowledged = set(writer.lines)
        assert [line for line in lines if line in acknowledged] == writer.lines
        assert all(line.startswith(f"{writer.number}-") for line in lines)
    assert claims(workspace) >= set().union(*(writer.claims for writer in writers))
    assert_recovers(workspace)
