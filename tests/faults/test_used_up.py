"""File descriptors and inotify watches run out while a server runs: it says so, and goes on when there are some."""

import resource
from pathlib import Path

import pytest

from morenashi.indexer.sync import BULK_BYTES

from ..examples import Rounds
from ..workspaces import WorkspaceFolder
from .servers import (
    Standalone,
    apply_policy,
    claims,
    differences,
    log_of,
    require_namespaces,
    soon,
    standalone,
    wait_until_indexed,
)

WORD = "鍵言葉"
FOLDERS = 12
AT = {"at": "2026-01-02T03:04:05Z"}


@pytest.fixture
def folder(workspace: WorkspaceFolder) -> WorkspaceFolder:
    workspace.write("a/x.md", f"# 題\n\n{WORD}\n")
    (workspace.root / "vault").mkdir()
    (workspace.root / "vault" / "note.md").write_text("始\n", "utf-8")
    return workspace


def found(server: Standalone, query: str) -> tuple[str, int]:
    """The status and the number of matched lines of a search, or the code of its refusal."""
    body = server.call(7, "manual_find", query=query)
    if "code" in body:
        return body["code"], 0
    completeness = body["summary"]["completeness"]
    return completeness["status"], completeness["lines"]["matched"]


def open_descriptors(server: Standalone) -> int:
    return max(int(path.name) for path in Path(f"/proc/{server.process.pid}/fd").iterdir()) + 1


def test_a_server_without_descriptors_refuses_and_goes_on(folder: WorkspaceFolder, rounds: Rounds) -> None:
    with standalone(folder) as server:
        apply_policy(server)
        wait_until_indexed(server)
        before = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (open_descriptors(server), before[1]))
        lines, kept, codes = ["始"], set(), set()
        folder.write("a/y.md", f"{WORD}\n")
        for number in range(rounds(5, 20)):
            body = server.call(3, "vault_write", path="note.md", content=f"{number}\n", mode="append")
            lines += [] if "code" in body else [str(number)]
            codes.add(body.get("code"))
            body = server.call(4, "pce_memory_upsert", text=f"決定{number}", provenance=AT)
            kept |= {body["data"]["id"]} if "data" in body else set()
            codes.add(found(server, WORD)[0])
        assert codes <= {None, "conflict", "found", "unknown"}
        assert "conflict" in codes
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, before)
        assert soon(lambda: found(server, WORD) == ("found", 2), 60)
        body = server.call(3, "vault_write", path="note.md", content="終\n", mode="append")
        assert "code" not in body
        assert (folder.root / "vault" / "note.md").read_text("utf-8").splitlines() == [*lines, "終"]
        assert claims(folder) >= kept
        assert soon(lambda: differences(folder) == [], 60)


def test_a_server_that_cannot_start_workers_indexes_all_the_same(folder: WorkspaceFolder, rounds: Rounds) -> None:
    """With some descriptors left a file can be read, and no worker, or only one, be started."""
    with standalone(folder, WATCH="polling") as server:
        wait_until_indexed(server)
        before = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        lines = 1
        for left in (5, 12, 0)[: rounds(2, 3)]:
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (open_descriptors(server) + left, before[1]))
            for number in range(3):
                # More than it indexes without workers.
                folder.write(f"{left}/{number}.md", f"# {WORD}\n" + f"本文{number}を書く。\n" * (BULK_BYTES // 40))
            lines += 3
            if left:
                assert soon(lambda: found(server, WORD) == ("found", lines))  # noqa: B023
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, before)
            assert soon(lambda: found(server, WORD) == ("found", lines)), left  # noqa: B023
            assert "code" not in server.call(3, "manual_list")


@pytest.mark.parametrize("watches", [1, 6])
def test_a_server_without_inotify_watches_polls_and_says_so(
    folder: WorkspaceFolder, watches: int, rounds: Rounds
) -> None:
    """One is not enough for the start; six are, but not for the folders that come later."""
    require_namespaces()
    if watches == 1 and rounds(0, 1) == 0:
        pytest.skip("only with --soak")
    command = f'echo {watches} > /proc/sys/user/max_inotify_watches && exec "$@"'
    prefix = ["unshare", "--map-root-user", "sh", "-c", command, "sh"]
    with standalone(folder, prefix) as server:
        wait_until_indexed(server)
        for number in range(FOLDERS):
            folder.write(f"a/{number}/x.md", f"{WORD}\n")
        assert soon(lambda: found(server, WORD) == ("found", 1 + FOLDERS), 20)
        assert soon(lambda: any("no inotify watches left" in str(line.get("notice")) for line in log_of(folder)))
        for number in range(FOLDERS):
            folder.write(f"a/{number}/x.md", f"{WORD}\n{WORD}\n")
        # Sooner than everything is compared anyway, which is twice a minute.
        assert soon(lambda: found(server, WORD) == ("found", 1 + 2 * FOLDERS), 20)
