"""A workspace that nothing is wrong with."""

import shutil
from pathlib import Path

import pytest

from morenashi.indexer.cli import synchronise

from ..server.memory.remembering import remembering
from ..workspaces import WorkspaceFolder, age, make_workspace


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceFolder:
    """A workspace with a manual, a note, a policy and a claim, indexed."""
    folder = make_workspace(tmp_path_factory.mktemp("model") / "workspace")
    folder.write("m/x.md", "".join(f"# 申請 {number}\n\n期限は{number}月末とする。\n" for number in range(40)))
    (folder.root / "vault").mkdir()
    (folder.root / "vault" / "note.md").write_text("# 覚え\n\n三月末\n", "utf-8")
    with remembering(folder) as memory:
        memory.remember("締切は三月末")
    age(folder.root)
    for kind in ("manuals", "vault"):
        synchronise(folder.config(), kind, full=False)
    return folder


@pytest.fixture
def healthy(model: WorkspaceFolder, tmp_path: Path) -> WorkspaceFolder:
    """A copy of it."""
    return WorkspaceFolder(Path(shutil.copytree(model.root, tmp_path / "workspace")))
