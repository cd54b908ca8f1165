"""A folder that becomes a link between the check and the use: seen by a guard that checks first, not by ours."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from morenashi.indexer.files import read_whole
from morenashi.server.errors import ToolError
from morenashi.server.paths import open_guarded

from ..server.serving import index_now, serving
from ..workspaces import WorkspaceFolder, eventually
from .attacked import Attacked, assert_nothing_internal
from .paths import PARAMETERS, SECRET
from .schemas import with_parameter
from .swaps import check_then_open, swapping

Rounds = Callable[[int, int], int]
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


def test_no_tool_reads_or_writes_behind_the_swap(
    workspace: WorkspaceFolder, outside: Path, rounds: Rounds, capfd: pytest.CaptureFixture[str]
) -> None:
    """Every tool that takes a path, while the index follows the changes."""
    index_now(workspace)
    with serving(workspace, WATCH="events", ALLOW_FILE_SCOPE="true") as served:
        server = Attacked(served, {})
        calls = [
            (tool, with_parameter(base, tuple(names.split(".")), path))
            for kind, tools in PARAMETERS.items()
            if kind != "manual"
            for (tool, names), base in tools.items()
            for path in ("folder/note.md", "folder/new.md", "folder")
        ]
        with swapping(outside, workspace.root / "vault" / "folder", workspace.manuals / "m" / "folder"):
            for _ in until(rounds(1, 30)):
                for tool, arguments in calls:
                    assert SECRET not in str(server.send(tool, arguments))
        # Half of it: what was asked for is kept, with the trace of the search.
        assert served.find(SECRET[:2]).hits() == []
        assert served.call("vault_search", query=SECRET[:2], mode="plain")["results"] == []
    assert [path.name for path in outside.iterdir()] == ["note.md"]
    assert (outside / "note.md").read_text("utf-8") == f"# 題\n\n{SECRET}\n"
    for database in workspace.database.parent.iterdir():
        assert SECRET.encode() not in database.read_bytes(), database.name
    assert_nothing_internal(workspace, capfd.readouterr().err)
