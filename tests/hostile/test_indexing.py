"""What stands on the disk to hurt whoever lists it: folders in folders without end, files that are none."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from morenashi.indexer.files import MOST_LEVELS, list_manuals, list_vault

from ..server.serving import serving
from ..workspaces import WorkspaceFolder, eventually
from .paths import SECRET, make_traps

Rounds = Callable[[int, int], int]
LEVELS = 1_500


def make_deep(folder: Path, levels: int = LEVELS) -> None:
    """Folders in folders, beyond what a path may say and what a function may descend into by calling itself."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=descriptor)
        deeper = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = deeper
    os.close(os.open("deep.md", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)


@pytest.fixture
def deep(workspace: WorkspaceFolder) -> Iterator[WorkspaceFolder]:
    """A manual and a vault with a note, and folders in folders beside it."""
    for root in (workspace.manuals / "m", workspace.root / "vault"):
        make_deep(root / "a")
        (root / "x.md").write_text("# 題\n\n公開\n", "utf-8")
    yield workspace
    # Whoever cleans up after the tests descends by calling itself.
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10 * LEVELS)
    try:
        for root in (workspace.manuals, workspace.root / "vault"):
            shutil.rmtree(root)
    finally:
        sys.setrecursionlimit(limit)


def test_folders_without_end_are_passed_over_and_told(deep: WorkspaceFolder) -> None:
    for listing in (list_manuals(deep.manuals), list_vault(deep.root / "vault")):
        assert [file.path for file in listing.files] == ["x.md"]
        ((path, reason),) = listing.skipped
        assert (path.count("/"), reason) == (MOST_LEVELS, "unreadable_folder")


@pytest.mark.parametrize("watch", ["events", "polling"])
def test_folders_without_end_are_watched_as_far_as_they_are_listed(deep: WorkspaceFolder, watch: str) -> None:
    with serving(deep, WATCH=watch) as served:
        assert eventually(lambda: served.find("公開").paths() == {"x.md"})
        assert served.call("vault_find", query="公開")["summary"]["candidates"] == 1
        assert [found["path"] for found in served.call("vault_search", query="公開")["results"]] == ["x.md"]
        deep.write("m/new.md", "# 題\n\n新着\n")
        assert eventually(lambda: served.find("新着").paths() == {"new.md"})


def test_a_path_as_deep_as_is_listed_is_written_found_and_listed(workspace: WorkspaceFolder) -> None:
    with serving(workspace) as served:
        path = "d/" * (MOST_LEVELS - 1) + "x.md"
        served.call("vault_create", path=path, content="公開")
        assert [found["path"] for found in served.call("vault_search", query="公開")["results"]] == [path]
        assert served.call("vault_ls", path=path.rpartition("/")[0])["items"][0]["path"] == path
        assert served.refuse("vault_create", path=f"d/{path}", content="公開")["code"] == "invalid_path"


def test_pipes_sockets_devices_and_links_hold_nobody_up(workspace: WorkspaceFolder) -> None:
    make_traps(workspace)
    for root in (workspace.manuals / "m", workspace.root / "vault"):
        os.mkfifo(root / "folder" / "pipe.json")
    assert workspace.run("reindex", timeout_seconds=60).returncode == 0
    listed = {file.path for file in list_manuals(workspace.manuals).files}
    assert listed == {"x.md", "folder/y.md", "hard.md"}
    finished = workspace.run("reindex", "--check", timeout_seconds=60)
    assert finished.returncode == 0, finished.stderr
    assert SECRET not in finished.stdout + finished.stderr
