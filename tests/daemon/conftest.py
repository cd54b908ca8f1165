"""Workspaces with daemons."""

from collections.abc import Iterator

import pytest

from ..server.library import fill
from ..server.serving import index_now
from ..workspaces import WorkspaceFolder, make_workspace
from .daemons import Daemons, make_daemons


@pytest.fixture
def daemons(workspace: WorkspaceFolder) -> Iterator[Daemons]:
    """An indexed library of manuals, and no daemon yet."""
    index_now(fill(workspace))
    with make_daemons(workspace) as made:
        yield made


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemons]:
    """The same with a daemon that runs, for tests that leave it as it is."""
    folder = make_workspace(tmp_path_factory.mktemp("running") / "workspace")
    index_now(fill(folder))
    with make_daemons(folder) as made:
        with made.raw() as server:
            server.initialise()
        yield made
        assert made.started == 1
