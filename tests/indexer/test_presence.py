"""Is something there? What cannot be told is no absence."""

from pathlib import Path

import pytest

from morenashi.indexer.presence import is_file, is_folder, is_there

from ..workspaces import WorkspaceFolder, without_permission


def test_each_kind_is_told_and_a_link_is_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "folder-link").symlink_to(".")
    names = ["file", "link", ".", "folder-link"]
    assert [is_there(tmp_path / name) for name in names] == [True] * 4
    assert [is_file(tmp_path / name) for name in names] == [True, True, False, False]
    assert [is_folder(tmp_path / name) for name in names] == [False, False, True, True]


@pytest.mark.parametrize("name", ["gone", "gone/x", "file/x", "dangling", "loop", "a\0b"])
def test_what_has_no_file_is_not_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("gone")
    (tmp_path / "loop").symlink_to("loop")
    assert (is_there(tmp_path / name), is_file(tmp_path / name), is_folder(tmp_path / name)) == (False, False, False)


def test_what_cannot_be_looked_at_is_not_called_absent(ordinary_workspace: WorkspaceFolder) -> None:
    with without_permission(ordinary_workspace.manuals):
        for ask in (is_there, is_file, is_folder):
            with pytest.raises(PermissionError):
                ask(ordinary_workspace.manuals / "x.md")
