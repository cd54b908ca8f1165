"""Commands whose user is refused the workspace, or what lies in it."""

import importlib

import pytest

from ..workspaces import WorkspaceFolder, without_permission

LINES = [
    "status",
    "doctor",
    "reindex",
    "reindex --check",
    "trace list",
    "explain-miss m/a.md:1 届出",
    "policy history",
    "memory list",
    "memory export",
    "audit verify",
]

# The ordinary user may not be able to read what a verb imports only when it is run.
for name in ("indexer.cli", "server.cli", *(f"server.commands.{line.split()[0].replace('-', '_')}" for line in LINES)):
    if name != "server.commands.reindex":
        importlib.import_module(f"morenashi.{name}")


@pytest.mark.parametrize("line", [*LINES, "init", "daemon", "serve --standalone"])
def test_a_workspace_that_may_not_be_entered_is_named(ordinary_workspace: WorkspaceFolder, line: str) -> None:
    with without_permission(ordinary_workspace.root):
        done = ordinary_workspace.run(*line.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"morenashi: {ordinary_workspace.root} may not be entered")


@pytest.mark.parametrize(
    "line", ["status", "reindex --check", "trace list", "policy history", "memory export", "audit verify"]
)
def test_a_folder_of_data_that_may_not_be_entered_is_said(ordinary_workspace: WorkspaceFolder, line: str) -> None:
    ordinary_workspace.database.parent.mkdir()
    ordinary_workspace.database.touch()
    with without_permission(ordinary_workspace.database.parent):
        done = ordinary_workspace.run(*line.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"morenashi: forbidden: {ordinary_workspace.database.parent}/")
