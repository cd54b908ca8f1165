"""Connections that are lent out belong to the file that is there now."""

import contextlib
from pathlib import Path

import pytest

from morenashi.server.readers import Readers

from ..databases import put_empty
from ..workspaces import WorkspaceFolder


def open_files(database: Path) -> list[str]:
    """What this process has open of a database, also of one that was deleted."""
    names = []
    for descriptor in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            names.append(str(descriptor.readlink()))
    return [name for name in names if name.startswith(str(database))]


def test_a_connection_is_lent_again(workspace: WorkspaceFolder) -> None:
    put_empty(workspace.database)
    readers = Readers(workspace.database)
    first = readers.borrow()
    readers.give_back(first)
    assert readers.borrow() is first
    readers.give_back(first)
    readers.close()
    assert open_files(workspace.database) == []


def test_a_file_that_is_gone_is_not_kept_open(workspace: WorkspaceFolder) -> None:
    put_empty(workspace.database)
    readers = Readers(workspace.database)
    readers.give_back(readers.borrow())
    workspace.database.unlink()
    with pytest.raises(FileNotFoundError):
        readers.borrow()
    assert open_files(workspace.database) == []


def test_one_that_was_made_anew_is_read(workspace: WorkspaceFolder) -> None:
    put_empty(workspace.database)
    readers = Readers(workspace.database)
    before = readers.borrow()
    readers.give_back(before)
    workspace.database.rename(workspace.database.with_name("aside.db"))
    put_empty(workspace.database)
    after = readers.borrow()
    assert after is not before
    assert readers.inode(after) == workspace.database.stat().st_ino
    readers.give_back(after)
    readers.close()
