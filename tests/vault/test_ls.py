"""`vault_ls` (seed 003 §6): one level, folders first, nothing that is no file or folder."""

import os
import unicodedata

from ..server.serving import serving
from ..workspaces import WorkspaceFolder
from .notes import Vault


def test_a_folder_is_listed_folders_first_then_by_name(vault: Vault) -> None:
    for path in ("b.md", "a.md", "z/deep.md", "y/x/deep.md"):
        vault.put(path, "本文")
    assert vault.call("ls") == {
        "base_path": None,
        "items": [
            {"name": "y", "path": "y", "kind": "dir", "size_bytes": None},
            {"name": "z", "path": "z", "kind": "dir", "size_bytes": None},
            {"name": "a.md", "path": "a.md", "kind": "file", "size_bytes": 6},
            {"name": "b.md", "path": "b.md", "kind": "file", "size_bytes": 6},
        ],
    }


def test_paths_are_relative_to_the_vault(vault: Vault) -> None:
    vault.put("y/x/deep.md", "本文")
    listed = vault.call("ls", path="y/x")
    assert listed["base_path"] == "y/x"
    assert [item["path"] for item in listed["items"]] == ["y/x/deep.md"]


def test_links_pipes_and_unfinished_files_are_left_out(vault: Vault) -> None:
    vault.put("a.md", "本文")
    vault.put(".morenashi.tmp", "半")
    (vault.root / "link.md").symlink_to(vault.root / "a.md")
    (vault.root / "folder").symlink_to(vault.root)
    os.mkfifo(vault.root / "pipe.md")
    assert [item["name"] for item in vault.call("ls")["items"]] == ["a.md"]


def test_a_vault_that_does_not_exist_is_empty(vault: Vault) -> None:
    assert vault.call("ls") == {"base_path": None, "items": []}


def test_a_vault_that_is_a_file_is_not_called_empty(vault: Vault) -> None:
    vault.root.write_text("no folder")
    for tool, arguments in (
        ("ls", {}),
        ("read", {"path": "a.md", "full": True}),
        ("create", {"path": "a.md", "content": "x"}),
    ):
        refused = vault.refuse(tool, **arguments)
        assert (refused["code"], "its root is no folder" in refused["message"]) == ("forbidden", True)


def test_the_older_name_of_the_parameter_is_taken(vault: Vault) -> None:
    vault.put("y/a.md", "本文")
    assert vault.call("ls", relative_dir="y") == vault.call("ls", path="y")


def test_both_names_at_once_are_refused(vault: Vault) -> None:
    assert vault.code("ls", path="y", relative_dir="y") == "invalid_parameter"


def test_a_file_is_no_folder(vault: Vault) -> None:
    vault.put("a.md", "本文")
    vault.put("y/b.md", "本文")
    assert vault.code("ls", path="none") == "not_found"
    for path, file in (("a.md", "a.md"), ("y/b.md", "y/b.md"), ("a.md/z", "a.md")):
        refused = vault.refuse("ls", path=path)
        assert (refused["code"], refused["message"]) == ("not_found", f"path: {file} is a file, no folder")


def test_a_folder_that_is_not_there_is_not_found_with_the_nearest(vault: Vault) -> None:
    for path in ("計画/会議/a.md", "Notes/b.md"):
        vault.call("create", path=path, content="本文\n")
    for path, nearest in (("notes", "Notes"), ("会議", "計画/会議")):
        for refused in (vault.refuse("ls", path=path), vault.refuse("search", query="文", relative_dir=path)):
            assert (refused["code"], refused["details"]["nearest"][0]) == ("not_found", nearest)


def test_a_folder_is_found_in_another_unicode_form(vault: Vault) -> None:
    composed, decomposed = "ガイド", unicodedata.normalize("NFD", "ガイド")
    vault.put(f"{decomposed}/a.md", "本文")
    assert composed != decomposed
    assert vault.call("ls", path=composed)["base_path"] == decomposed


def test_a_large_folder_is_listed_in_pages_that_say_how_many_items_there_are(vault: Vault) -> None:
    for path in ("b.md", "a.md", "z/deep.md", "c.md", "d.md"):
        vault.put(path, "本文")
    pages = [vault.call("ls", offset=offset, limit=2) for offset in (0, 2, 4, 6)]
    assert [[item["name"] for item in page["items"]] for page in pages] == [
        ["z", "a.md"],
        ["b.md", "c.md"],
        ["d.md"],
        [],
    ]
    assert [page["total"] for page in pages] == [5] * 4
    assert "total" not in vault.call("ls", limit=5)
    assert vault.code("ls", limit=0) == "invalid_parameter"


def test_a_folder_that_may_be_listed_and_not_entered_is_refused(ordinary_workspace: WorkspaceFolder) -> None:
    folder = ordinary_workspace.root / "vault" / "y"
    with serving(ordinary_workspace, WATCH="off") as served:
        vault = Vault(ordinary_workspace.root / "vault", served)
        vault.put("y/a.md", "本文")
        folder.chmod(0o400)
        try:
            assert vault.code("ls", path="y") == "forbidden"
            assert [item["name"] for item in vault.call("ls")["items"]] == ["y"]
        finally:
            folder.chmod(0o700)
