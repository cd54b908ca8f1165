"""A folder that becomes a link between the check and the use: seen by a guard that checks first, not by ours."""

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from morenashi.indexer.files import read_whole
from morenashi.server.errors import ToolError
from morenashi.server.paths import open_guarded

from ..examples import Rounds
from ..opened import read_report, watched_environment
from ..server.stdio import raw_server
from ..workspaces import WorkspaceFolder, eventually
from .attacked import assert_nothing_internal
from .paths import PARAMETERS, SECRET
from .schemas import with_parameter
from .swaps import check_then_open, swapping

PARTS = ("folder", "note.md")


@pytest.fixture
def outside(workspace: WorkspaceFolder) -> Path:
    """What is swapped in: the secret, by the name that a harmless text has in the manual and the vault."""
    place = workspace.root / "outside"
    for folder, text in (
        (place, SECRET),
        (workspace.manuals / "m" / "folder", "公開"),
        (workspace.root / "vault" / "folder", "公開"),
    ):
        folder.mkdir(parents=True)
        (folder / "note.md").write_text(f"# 題\n\n{text}\n", "utf-8")
    for root in (workspace.manuals / "m", workspace.root / "vault"):
        (root / "x.md").write_text("# 題\n\n公開\n", "utf-8")
    return place


def guarded(root: Path, parts: tuple[str, ...]) -> str:
    with open_guarded(root, parts, "path") as descriptor:
        return read_whole(descriptor)[0].decode()


def leaks(guard: Callable[[Path, tuple[str, ...]], str], root: Path, times: int) -> int:
    """How often a guard lets the secret out."""
    found = 0
    for _ in range(times):
        try:
            found += SECRET in guard(root, PARTS)
        except (OSError, ToolError):
            continue
    return found


def until(seconds: int) -> Iterator[None]:
    """Again and again, at least once."""
    deadline = time.monotonic() + seconds
    yield
    while time.monotonic() < deadline:
        yield


def test_a_guard_that_checks_first_leaks_and_ours_does_not(
    workspace: WorkspaceFolder, outside: Path, rounds: Rounds
) -> None:
    root = workspace.root / "vault"
    of_baseline = of_ours = 0
    with swapping(outside, root / "folder"):
        for _ in until(rounds(1, 30)):
            of_baseline += leaks(check_then_open, root, 100)
            of_ours += leaks(guarded, root, 100)
        assert of_baseline or eventually(lambda: leaks(check_then_open, root, 100), 60)
    assert of_ours == 0


def test_no_tool_reads_or_writes_behind_the_swap(workspace: WorkspaceFolder, outside: Path, rounds: Rounds) -> None:
    """Every tool that takes a path, while the index follows the changes: a process, watched in all that it opens."""
    report = workspace.root / "opened.txt"
    roots = [workspace.root / name for name in ("manuals", "vault", "data", "dictionaries")]
    calls = [
        (tool, with_parameter(base, tuple(names.split(".")), path))
        for kind, tools in PARAMETERS.items()
        if kind != "manual"
        for (tool, names), base in tools.items()
        for path in ("folder/note.md", "folder/new.md", "folder")
    ]
    settings = {"WATCH": "events", "ALLOW_FILE_SCOPE": "true", **watched_environment(report, *roots)}
    with raw_server(workspace, **settings) as server:
        server.initialise()
        ids = itertools.count(1)
        with swapping(outside, workspace.root / "vault" / "folder", workspace.manuals / "m" / "folder"):
            for _ in until(rounds(0, 30)):
                for tool, arguments in calls:
                    answer = server.call(next(ids), tool, **arguments)
                    assert "error" not in answer, (tool, arguments, answer)
                    assert SECRET not in str(answer)
        # Half of it: what was asked for is kept, with the trace of the search.
        for tool, arguments in (("vault_search", {"mode": "plain"}), ("manual_find", {}), ("vault_find", {})):
            found = server.call(next(ids), tool, query=SECRET[:2], **arguments)["result"]["structuredContent"]
            assert found.get("results", []) == []
            assert found.get("summary", {}).get("candidates", 0) == 0
        server.close_stdin()
    assert [path.name for path in outside.iterdir()] == ["note.md"]
    assert (outside / "note.md").read_text("utf-8") == f"# 題\n\n{SECRET}\n"
    for database in workspace.database.parent.iterdir():
        assert SECRET.encode() not in database.read_bytes(), database.name
    assert read_report(report) == []
    assert_nothing_internal(workspace, server.stderr.read_text("utf-8").partition("\n")[2])
