"""The clock jumps, forwards and back, while a server runs: what is new stays, what is written is found."""

import importlib.util
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from ..examples import Rounds
from ..server.serving import ask_database
from ..workspaces import WorkspaceFolder
from .servers import (
    Standalone,
    apply_policy,
    assert_recovers,
    claims,
    soon,
    standalone,
    vault_lines,
    wait_until_indexed,
)

ROUNDS = 1, 100
KEPT_TRACES = 3
Tell = Callable[[int], None]


def library() -> Path:
    """libfaketime's library, which answers for the system when a program asks for the time."""
    found = importlib.util.find_spec("libfaketime")
    path = Path(found.origin).parent / "vendor/libfaketime/src/libfaketime.so.1" if found and found.origin else None
    if path is None or not path.exists():
        pytest.skip("libfaketime is not installed")
    return path


def tidy_up() -> None:
    """The library shares memory by the number of its process. That of a killed one stays, and keeps the next process
    that gets this number from starting."""
    for shared in Path("/dev/shm").glob("*faketime_s*_*"):
        if not Path("/proc", shared.name.rpartition("_")[2]).exists():
            shared.unlink(missing_ok=True)


@pytest.fixture
def clocked(workspace: WorkspaceFolder) -> Iterator[tuple[Standalone, Tell]]:
    """A server whose clock goes by as many days as it is told."""
    rate = workspace.root / "clock"
    rate.write_text("+0d\n", "utf-8")
    workspace.write("a/x.md", "# 題\n\n鍵言葉\n")
    (workspace.root / "vault").mkdir()
    (workspace.root / "vault" / "note.md").touch()
    settings = {
        "LD_PRELOAD": str(library()),
        "FAKETIME_TIMESTAMP_FILE": str(rate),
        "FAKETIME_CACHE_DURATION": "1",
        "DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
        "TRACE_MAX_KEEP": str(KEPT_TRACES),
    }
    tidy_up()
    with standalone(workspace, **settings) as server:
        apply_policy(server)
        wait_until_indexed(server)

        def tell(days: int) -> None:
            # Replaced, so that it is never read half written.
            new = rate.with_suffix(".new")
            new.write_text(f"{days:+d}d\n")
            new.replace(rate)
            # The library looks into the file every second or two.
            assert soon(lambda: goes_by(server, days))

        yield server, tell


def goes_by(server: Standalone, days: int) -> bool:
    """Whether the server's clock is so many days ahead."""
    server.call(2, "manual_list")
    told = datetime.fromisoformat(server.log_lines()[-1]["ts"]) - datetime.now(UTC)
    return abs(told - timedelta(days=days)) < timedelta(hours=1)


def pages(server: Standalone, trace_id: str) -> bool:
    return "code" not in server.call(5, "manual_hits", trace_id=trace_id)


def is_found(server: Standalone, query: str) -> bool:
    return bool(server.call(6, "manual_find", query=query)["summary"]["completeness"]["status"] == "found")


def assert_latest_context_is_that_of_the_latest_call(server: Standalone, tell: Tell) -> None:
    for text in ("旅費は月末", "会議は水曜"):
        server.call(4, "pce_memory_upsert", text=text, scope="principle", provenance={"at": "2026-01-02T03:04:05Z"})
    tell(300)
    assert len(server.call(5, "pce_memory_activate", q="旅費")["data"]["claims"]) == 1
    tell(0)
    assert len(server.call(6, "pce_memory_activate", q="会議")["data"]["claims"]) == 1
    server.send("resources/read", 7, uri="memory://active-context")
    assert "会議は水曜" in server.receive()["result"]["contents"][0]["text"]


def test_whatever_the_clock_says_what_is_new_is_there(
    workspace: WorkspaceFolder, clocked: tuple[Standalone, Tell], rounds: Rounds
) -> None:
    server, tell = clocked
    chance, kept, lines = random.Random(7), set(), []
    for number in range(rounds(*ROUNDS)):
        # First into the future, then back from it.
        for days in (chance.randrange(1, 400), -chance.randrange(400)):
            tell(days)
            workspace.write("a/new.md", f"新しい文{number}{'前' if days < 0 else '後'}\n")
            assert soon(lambda: is_found(server, f"新しい文{number}{'前' if days < 0 else '後'}"))  # noqa: B023
            assert "code" not in server.call(3, "vault_write", path="note.md", content=f"{number}\n", mode="append")
            lines.append(str(number))
            provenance = {"at": "2026-01-02T03:04:05Z"}
            body = server.call(4, "pce_memory_upsert", text=f"決定{number}{days}", provenance=provenance)
            kept.add(body["data"]["id"])
            newest = [server.call(7, "manual_find", query="鍵言葉")["trace_id"] for _ in range(KEPT_TRACES)][-1]
            assert pages(server, newest)
            # Another search's record is committed after its own: then it is read from the database.
            assert soon(partial(is_stored, workspace, newest))
            assert pages(server, newest)
    assert_latest_context_is_that_of_the_latest_call(server, tell)
    assert claims(workspace) >= kept
    assert vault_lines(workspace, "note.md") == lines
    server.close_stdin()
    assert_recovers(workspace)


def is_stored(folder: WorkspaceFolder, trace_id: str) -> bool:
    return ask_database(folder, "SELECT count(*) FROM traces WHERE id = ?", trace_id) == [(1,)]
