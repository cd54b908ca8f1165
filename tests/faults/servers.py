"""Servers in processes of their own that something happens to, and what must hold afterwards."""

import contextlib
import json
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from morenashi.indexer.check import check_index
from morenashi.indexer.collections import CollectionKind
from morenashi.indexer.database import open_reader
from morenashi.server.memory import audit_log

from ..server.memory.policies import EXAMPLE
from ..server.serving import index_now, serving
from ..server.stdio import RawServer, piped
from ..workspaces import WorkspaceFolder

_LONGEST_SECONDS = 3_600.0
_TRIAL_SECONDS = 20


class EndedError(Exception):
    """The server has ended in the middle of a call."""


class Standalone(RawServer):
    """A server of one client. Its log is appended to `stderr.log` of the workspace."""

    def call(self, request_id: int, tool: str, **arguments: Any) -> dict[str, Any]:
        """The body of an answer, success or error. Raises `EndedError`."""
        try:
            answer = super().call(request_id, tool, **arguments)
        except (BrokenPipeError, ValueError):
            raise EndedError from None
        body: dict[str, Any] = answer["result"]["structuredContent"]
        return body

    def kill(self) -> None:
        """SIGKILL; returns when the process is gone."""
        self.process.kill()
        self.process.wait()

    def notices(self) -> list[str]:
        """What the log says besides calls: its notices and errors."""
        return [str(line.get("notice") or line.get("error") or "") for line in self.log_lines()]


@contextlib.contextmanager
def standalone(folder: WorkspaceFolder, prefix: Sequence[str] = (), **settings: str) -> Iterator[Standalone]:
    """Start a server and shake hands; it is killed at the end if it still runs. `prefix` is a command that runs it."""
    stderr = folder.root / "stderr.log"
    with piped([*prefix, *folder.command("serve")], stderr, _LONGEST_SECONDS, "ab", settings) as process:
        server = Standalone(process, stderr)
        try:
            server.initialise()
            yield server
        finally:
            process.kill()
            assert process.stdin
            # What it did not read any more is still in the pipe's buffer.
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()


def fill(folder: WorkspaceFolder, word: str) -> WorkspaceFolder:
    """A manual that says a word, and a note, both indexed."""
    folder.write("a/x.md", f"# 題\n\n{word}\n")
    (folder.root / "vault").mkdir()
    (folder.root / "vault" / "note.md").write_text("始\n", "utf-8")
    index_now(folder)
    return folder


def apply_policy(server: Standalone) -> None:
    """Put the seed's example policy in force, so that there is a memory."""
    assert "error" not in server.call(1, "pce_memory_policy_apply", yaml=EXAMPLE)


def wait_until_indexed(server: Standalone) -> None:
    """Wait until the server says that nothing is pending in the manuals nor in the vault."""

    def is_done() -> bool:
        bodies = [server.call(2, tool, query="語") for tool in ("manual_find", "vault_find")]
        return all("code" not in body and not pending_files(body) for body in bodies)

    assert soon(is_done)


def soon(condition: Callable[[], object], seconds: float = 60.0) -> bool:
    """As `eventually`, for a condition that costs something: asked ten times a second."""
    deadline = time.monotonic() + seconds
    while not (is_true := bool(condition())) and time.monotonic() < deadline:
        time.sleep(0.1)
    return is_true


def assert_recovers(folder: WorkspaceFolder) -> None:
    """A server that comes afterwards makes the index equal to the disk by itself."""
    with serving(folder) as server:
        tools = ["manual_find", "vault_find"]
        assert soon(lambda: not any(pending_files(server.call(tool, query="語")) for tool in tools))
        assert differences(folder) == []


def pending_files(body: dict[str, Any]) -> int:
    """How many files a search has not seen as they are on disk."""
    return int(body["summary"]["completeness"]["pending_files"])


def differences(folder: WorkspaceFolder) -> list[str]:
    """What `reindex --check` would say of manuals and vault."""
    config = folder.config()
    found: list[str] = []
    kinds: tuple[CollectionKind, ...] = ("manuals", "vault") if config.vault.is_dir() else ("manuals",)
    for kind in kinds:
        report = check_index(config, kind)
        found += [*report.new, *report.changed, *report.gone, *report.faults]
    return found


def claims(folder: WorkspaceFolder) -> set[str]:
    """The ids of all claims. The chain of the audit log is followed on the way."""
    with contextlib.closing(open_reader(folder.database)) as reader:
        verdict = audit_log.verify(reader)
        assert verdict.problem is None, verdict
        return {row[0] for row in reader.execute("SELECT id FROM claims")}


def require_namespaces() -> None:
    """Skip where an ordinary user may not have a view of the system of their own."""
    command = ["unshare", "--map-root-user", "--mount", "true"]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_TRIAL_SECONDS)
    except FileNotFoundError:
        pytest.skip("util-linux's unshare is not installed")
    if done.returncode:
        pytest.skip(f"no namespaces here: {done.stderr.decode().strip()}")


def log_of(folder: WorkspaceFolder) -> list[dict[str, Any]]:
    """All lines that servers of this workspace have logged; a killed one may leave its last line cut."""
    lines = (folder.root / "stderr.log").read_text("utf-8", "replace").split("\n")
    found = []
    for line in lines:
        with contextlib.suppress(json.JSONDecodeError):
            found.append(json.loads(line))
    return found


def vault_lines(folder: WorkspaceFolder, name: str) -> list[str]:
    """The lines of a note."""
    path: Path = folder.root / "vault" / name
    return path.read_text("utf-8").splitlines() if path.exists() else []
