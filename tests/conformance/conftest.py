"""A small workspace for strangers to look at."""

from pathlib import Path

import pytest

from ..server.serving import serving_indexed
from ..workspaces import WorkspaceFolder, make_workspace


@pytest.fixture(scope="session", autouse=True)
def _is_asked_for(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--conformance"):
        pytest.skip("takes a minute, and programs from npm: make conformance")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceFolder:
    folder = make_workspace(tmp_path_factory.mktemp("tried") / "workspace")
    folder.write("手引き/guide.md", "# 申請\n\n窓口で行う。\n")
    (folder.root / "vault").mkdir()
    (folder.root / "vault" / "note.md").write_text("申請のメモ\n", "utf-8")
    # Without these, there is no active context to be read.
    assert folder.run("policy", "init").returncode == 0
    with serving_indexed(folder) as manuals:
        manuals.call("pce_memory_activate", q="申請")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home for a program."""
    home = tmp_path / "home"
    home.mkdir()
    return home
