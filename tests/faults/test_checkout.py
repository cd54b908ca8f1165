"""`git checkout` changes thousands of files at once, in manuals and notes, while a server runs."""

import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from ..examples import Rounds
from ..server.serving import serving
from ..workspaces import WorkspaceFolder
from .servers import assert_recovers, differences, pending_files, soon

FILES = 120, 10_000
BRANCHES = ("one", "two")


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=one"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def make_repository(folder: WorkspaceFolder, files: int) -> None:
    """Two branches: nearly every file has another text in the second, some are not there, some only there."""
    git(folder.root, "init")
    (folder.root / ".gitignore").write_text("data/\nvault/.system/\n", "utf-8")
    for branch in BRANCHES:
        for root in (folder.manuals / "m", folder.root / "vault"):
            shutil.rmtree(root, ignore_errors=True)
            for number in range(files // 2):
                name = number if number % 10 else f"{branch}{number}"
                path = root / str(number % 50) / f"{name}.md"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"# {number}\n\n枝{branch}の文{number}\n", "utf-8")
        git(folder.root, "checkout", "-b", branch) if branch != "one" else None
        git(folder.root, "add", "--all")
        git(folder.root, "commit", "--message", branch)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_index_follows_a_checkout(workspace: WorkspaceFolder, rounds: Rounds) -> None:
    files = rounds(*FILES)
    make_repository(workspace, files)
    with serving(workspace) as server:

        def has_followed(branch: str) -> bool:
            """Both indexes hold the branch that is checked out, and nothing waits."""
            for tool in ("manual_find", "vault_find"):
                body = server.call(tool, query=f"枝{branch}の文{files // 2 - 1}")
                if pending_files(body) or body["summary"]["completeness"]["status"] != "found":
                    return False
            return True

        assert soon(lambda: has_followed("two"), 300)
        for branch in ("one", "two", "one"):
            git(workspace.root, "checkout", branch)
            assert soon(partial(has_followed, branch), 300)
            assert soon(lambda: differences(workspace) == [], 60)
    assert_recovers(workspace)
