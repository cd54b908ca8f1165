"""A workspace with daemons, for one test."""

from collections.abc import Iterator

import pytest

from ..server.library import fill
from ..server.serving import index_now
from ..workspaces import WorkspaceFolder
from .daemons import Daemons, make_daemons


@pytest.fixture
def daemons(workspace: WorkspaceFolder) -> Iterator[Daemons]:
    """An indexed library of manuals, and no daemon yet."""
    index_now(fill(workspace))
    with make_daemons(workspace) as made:
        yield made
