"""What stands on the disk to hurt whoever lists it: folders in folders without end, files that are none."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from morenashi.indexer.files import MOST_LEVELS
from morenashi.indexer.listing import list_manuals, list_vault
from morenashi.indexer.watch import Watcher

from ..examples import Rounds
from ..server.serving import serving
from ..workspaces import WorkspaceFolder, eventually
from .paths import SECRET, make_traps

TOO_DEEP = MOST_LEVELS + 10
WITHOUT_END = 1_100
"""Beyond what a function may descend into by calling itself, as watchdog's do."""


@contextlib.contextmanager
def deep_folders(root: Path, levels: int) -> Iterator[None]:
    """A note, and folders in folders beside it, the innermost with another."""
    root.mkdir()
    (root / "x.md").write_text("# 題\n\n公開\n", "utf-8")
    with at_the_bottom(root, levels, make=True) as bottom:
        os.close(os.open("deep.md", os.O_CREAT | os.O_WRONLY, dir_fd=bottom))
    try:
        yield
    finally:
        # Whoever cleans up after the tests descends by calling itself.
        with at_the_bottom(root, levels, make=False) as folder:
            os.unlink("deep.md", dir_fd=folder)
            for _ in range(levels):
                above = os.open("..", os.O_RDONLY, dir_fd=folder)
                os.rmdir("d", dir_fd=above)
                os.dup2(above, folder)
                os.close(above)


@contextlib.contextmanager
def at_the_bottom(root: Path, levels: int, *, make: bool) -> Iterator[int]:
    """A descriptor of the innermost folder."""
    folder = os.open(root, os.O_RDONLY)
    try:
        for _ in range(levels):
            if make:
                os.mkdir("d", dir_fd=folder)
            inside = os.open("d", os.O_RDONLY, dir_fd=folder)
            os.dup2(inside, folder)
            os.close(inside)
        yield folder
    finally:
        os.close(folder)


def test_folders_that_lie_too_deep_are_passed_over_and_told(workspace: WorkspaceFolder) -> None:
    for root, list_all in ((workspace.manuals / "m", list_manuals), (workspace.root / "vault", list_vault)):
        with deep_folders(root, TOO_DEEP):
            listing = list_all(workspace.manuals if list_all is list_manuals else root)
            assert [file.path for file in listing.files] == ["x.md"]
            ((path, reason),) = listing.skipped
            assert (path.count("/"), reason) == (MOST_LEVELS, "unreadable_folder")


def test_folders_that_lie_too_deep_do_not_keep_the_others_from_being_served(workspace: WorkspaceFolder) -> None:
    with deep_folders(workspace.manuals / "m", TOO_DEEP), serving(workspace, WATCH="events") as served:
        assert eventually(lambda: served.find("公開").paths() == {"x.md"}, 60)
        workspace.write("m/new.md", "# 題\n\n新着\n")
        assert eventually(lambda: served.find("新着").paths() == {"new.md"}, 60)


def test_where_watchdog_cannot_descend_the_disk_is_compared(workspace: WorkspaceFolder, rounds: Rounds) -> None:
    if not rounds(0, 1):
        pytest.skip("so many folders take long: with --soak")
    with deep_folders(workspace.manuals / "m", WITHOUT_END):
        watcher = Watcher(workspace.manuals, lambda _: None, "events")
        try:
            assert watcher.mode == "polling"
        finally:
            watcher.stop()


def test_a_path_as_deep_as_is_listed_is_written_found_and_listed(workspace: WorkspaceFolder) -> None:
    with serving(workspace) as served:
        path = "d/" * (MOST_LEVELS - 1) + "x.md"
        served.call("vault_create", path=path, content="公開")
        assert [found["path"] for found in served.call("vault_search", query="公開")["results"]] == [path]
        assert served.call("vault_ls", path=path.rpartition("/")[0])["items"][0]["path"] == path
        assert served.refuse("vault_create", path=f"d/{path}", content="公開")["code"] == "invalid_path"


def test_pipes_sockets_devices_and_links_hold_nobody_up(workspace: WorkspaceFolder, rounds: Rounds) -> None:
    make_traps(workspace)
    for root in (workspace.manuals / "m", workspace.root / "vault"):
        os.mkfifo(root / "folder" / "pipe.json")
    assert workspace.run_program("reindex", timeout_seconds=60).returncode == 0
    listed = {file.path for file in list_manuals(workspace.manuals).files}
    assert listed == {"x.md", "folder/y.md", "hard.md"}
    if rounds(0, 1):
        finished = workspace.run_program("reindex", "--check", timeout_seconds=60)
        assert finished.returncode == 0, finished.stderr
        assert SECRET not in finished.stdout + finished.stderr
