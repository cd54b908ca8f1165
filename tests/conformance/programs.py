"""Programs from npm that try the server. Where they are not installed, a test is skipped with a word."""

import functools
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import morenashi

from ..workspaces import WorkspaceFolder

HERE = Path(__file__).parent
LEAST_NODE = 22
_SECONDS = 120.0
_FOLDERS = [HERE / "node_modules" / ".bin", HERE / "agents" / "node_modules" / ".bin"]


def run(name: str, *arguments: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program of npm to its end, in an empty home of its own."""
    return subprocess.run(
        [find(name), *arguments],
        env=make_environment(home) | environment,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )


def serve_command(folder: WorkspaceFolder) -> list[str]:
    """How a program starts the server. Most hand on no environment: where our code is, goes along."""
    return ["env", f"PYTHONPATH={Path(morenashi.__file__).parents[1]}", *folder.command("serve")]


def find(name: str) -> str:
    """A program that `make conformance` has installed; the test is skipped where there is none, or no Node for it."""
    found = shutil.which(name, path=os.pathsep.join(map(str, _FOLDERS)))
    if found is None:
        pytest.skip(f"{name} is not installed: make conformance, for agents with AGENTS=1")
    if _node_version() < LEAST_NODE:
        pytest.skip(f"there is no Node {LEAST_NODE}: make conformance")
    return found


def make_environment(home: Path) -> dict[str, str]:
    """Nothing of who runs the tests but the path, with our Node first."""
    path = os.pathsep.join([*map(str, _FOLDERS), os.environ.get("PATH", "")])
    return {"HOME": str(home), "PATH": path}


@functools.cache
def _node_version() -> int:
    node = shutil.which("node", path=make_environment(HERE)["PATH"])
    if node is None:
        return 0
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return int(version.removeprefix("v").split(".")[0])
