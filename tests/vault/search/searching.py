"""A vault that is searched, with files that the index knows and others that it has not heard of."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from ...server.serving import serving_indexed
from ...workspaces import WorkspaceFolder, wait_until_settled
from ..notes import Vault

TEXT = "# 規程\n\n申請期限は 2024-05-31 とする。\nDeadline: 2024-06-30\n\n免 除の申請は(第3条)による。\n"


def search(vault: Vault, query: str, **arguments: Any) -> list[tuple[str, int]]:
    return [(found["path"], found["line"]) for found in vault.call("search", query=query, **arguments)["results"]]


@pytest.fixture(scope="module")
def lasting(shared_workspace: WorkspaceFolder) -> Iterator[Vault]:
    """A server for all tests of the module."""
    root = shared_workspace.root / "vault"
    root.mkdir()
    with serving_indexed(shared_workspace) as served:
        yield Vault(root, served)


@pytest.fixture
def vault(lasting: Vault) -> Iterator[Vault]:
    """An empty vault, and an index of it that is empty, too."""
    yield lasting
    database = lasting.serving.folder.config().vault_database
    for path in lasting.root.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    with contextlib.closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        for (path,) in connection.execute("SELECT path FROM documents").fetchall():
            lasting.serving.workspace.vault_written(path)
        assert connection.execute("SELECT * FROM documents").fetchall() == []


def known(vault: Vault, path: str, content: str | bytes) -> None:
    """A file that the index knows."""
    wait_until_settled(vault.put(path, content))
    vault.serving.workspace.vault_written(path)


@pytest.fixture(params=["indexed", "unknown"])
def put(request: pytest.FixtureRequest, vault: Vault) -> Any:
    """Puts a file into the vault: one that the index knows, or one that it has not heard of."""
    return known if request.param == "indexed" else Vault.put
