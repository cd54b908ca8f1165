"""`vault_create` and `vault_write`, and what holds of every write (seeds 003 §2, §5; 000 §4; contract §1)."""

import os
import stat
from hashlib import sha256
from typing import Any

import pytest

from ..server.serving import Serve, serving
from ..workspaces import WorkspaceFolder
from .notes import Vault


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def test_a_file_is_created_with_the_folders_above_it(vault: Vault) -> None:
    assert vault.call("create", path="a/b/note.md", content="本文\n") == {
        "written_path": "a/b/note.md",
        "written_bytes": 7,
        "bytes_before": 0,
        "sha256": digest("本文\n".encode()),
    }
    assert vault.bytes("a/b/note.md") == "本文\n".encode()


def test_a_long_text_is_created_as_it_is(vault: Vault) -> None:
    content = "行である。\r\n" * 40_000
    vault.call("create", path="note.md", content=content)
    assert vault.bytes("note.md") == content.encode()


@pytest.mark.parametrize("there", ["file", "folder", "link"])
def test_what_exists_is_not_created(vault: Vault, there: str) -> None:
    vault.put("other.md", "他")
    path = vault.root / "note.md"
    if there == "folder":
        path.mkdir()
    elif there == "link":
        path.symlink_to("none.md")
    else:
        vault.put("note.md", "元")
    assert vault.code("create", path="note.md", content="新") == "conflict"
    assert vault.code("create", path="other.md/note.md", content="新") in ("conflict", "not_found")


def test_nothing_is_created_where_a_disk_is_not_mounted(workspace: WorkspaceFolder) -> None:
    away = workspace.root / "disk" / "notes"
    (workspace.root / "linked").symlink_to(away)
    with serving(workspace, VAULT_ROOT="linked") as server:
        error = server.refuse("vault_create", path="note.md", content="本文")
        assert (error["code"], away.parent.exists()) == ("forbidden", False)
        away.mkdir(parents=True)
        server.call("vault_create", path="note.md", content="本文")
    assert (away / "note.md").read_text() == "本文"


@pytest.mark.parametrize("path", ["x/", "a/x/", "x/.", "x//"])
def test_a_path_that_names_a_folder_is_no_file(vault: Vault, path: str) -> None:
    error = vault.refuse("create", path=path, content="本文")
    assert (error["code"], error["details"]["parameter"]) == ("invalid_path", "path")
    vault.put("x", "元")
    assert vault.code("write", path=path, content="本文", mode="append") == "invalid_path"
    assert vault.names() == ["x"]


def test_nothing_is_created_of_nothing(vault: Vault) -> None:
    error = vault.refuse("create", path="note.md", content="")
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", "content")


def test_a_text_that_would_be_read_as_something_else_is_refused(vault: Vault) -> None:
    assert vault.code("create", path="note.md", content="\ufeff本文") == "invalid_parameter"
    assert vault.code("create", path="note.md", content="a\x1b$B") == "invalid_parameter"
    assert vault.names() == []


def test_who_makes_a_file_in_utf_8_is_not_told_to_make_one(vault: Vault) -> None:
    message = vault.refuse("create", path="note.md", content="a\0b")["message"]
    assert "control characters" in message
    assert "a file in UTF-8" not in message


def test_appending_adds_and_overwriting_replaces(vault: Vault) -> None:
    vault.put("note.md", "一\n")
    appended = vault.call("write", path="note.md", content="二\n", mode="append")
    assert vault.bytes("note.md") == "一\n二\n".encode()
    assert appended == {
        "written_path": "note.md",
        "written_bytes": 4,
        "bytes_before": 4,
        "sha256": digest("一\n二\n".encode()),
    }
    overwritten = vault.call("write", path="note.md", content="三", mode="overwrite")
    assert vault.bytes("note.md") == "三".encode()
    assert (overwritten["written_bytes"], overwritten["bytes_before"]) == (3, 8)


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        ("- 一", "- 二", "- 一\n- 二"),
        ("- 一\r\n- 二", "- 三\n", "- 一\r\n- 二\r\n- 三\r\n"),
        ("一\r\n二\n三", "四", "一\r\n二\n三\n四"),
        ("- 一", "\n- 二", "- 一\n- 二"),
        ("- 一\r\n- 二", "\r\n- 三", "- 一\r\n- 二\r\n- 三"),
        ("- 一\n", "- 二", "- 一\n- 二"),
        ("- 一", "", "- 一"),
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "cp932", "iso2022_jp"])
def test_what_is_appended_begins_on_a_new_line(vault: Vault, before: str, content: str, after: str, codec: str) -> None:
    vault.put("note.md", before.encode(codec))
    answer = vault.call("write", path="note.md", content=content, mode="append")
    assert vault.bytes("note.md") == after.encode(codec)
    assert answer["written_bytes"] == len(vault.bytes("note.md")) - answer["bytes_before"]


def test_what_is_appended_to_an_empty_note_is_all_of_it(vault: Vault) -> None:
    vault.put("note.md", "")
    vault.call("write", path="note.md", content="- 一", mode="append")
    assert vault.bytes("note.md") == "- 一".encode()


@pytest.mark.parametrize("mode", ["append", "overwrite"])
@pytest.mark.parametrize("path", ["none.md", "folder/none.md"])
def test_only_what_exists_is_written(vault: Vault, mode: str, path: str) -> None:
    assert vault.code("write", path=path, content="本文", mode=mode) == "conflict"
    assert vault.code("replace", path=path, find="a", replace="b") == "not_found"
    assert vault.names() == []


def test_a_change_that_is_refused_makes_no_vault(vault: Vault) -> None:
    """The vault may be on a disk that is away: an empty one in its place would be all that is searched."""
    assert vault.code("write", path="note.md", content="本文", mode="append") == "conflict"
    assert vault.code("replace", path="note.md", find="a", replace="b") == "not_found"
    assert not vault.root.exists()


def test_a_folder_is_no_file_and_a_file_no_folder(vault: Vault) -> None:
    vault.put("folder/a.md", "本文")
    taken = vault.refuse("create", path="folder", content="本文")
    assert (taken["code"], taken["message"]) == ("conflict", "path: a folder has this name; take another one")
    for tool, arguments in (("write", {"content": "a", "mode": "append"}), ("replace", {"find": "a", "replace": "b"})):
        refused = vault.refuse(tool, path="folder", **arguments)
        assert (refused["code"], refused["message"]) == (
            "conflict",
            "path: this is a folder; vault_ls lists its files",
        )
    assert "vault_ls" in vault.refuse("read", path="folder", full=True)["message"]
    beneath = vault.refuse("create", path="folder/a.md/b.md", content="本文")
    assert (beneath["code"], beneath["message"]) == ("conflict", "path: folder/a.md is a file, no folder")


def test_a_file_to_change_that_is_not_there_is_named_with_the_nearest(vault: Vault) -> None:
    vault.call("create", path="plans/summer.md", content="計画\n")
    refused = vault.refuse("replace", path="Plans/SUMMER.md", find="計画", replace="案")
    assert (refused["code"], refused["details"]["nearest"]) == ("not_found", ["plans/summer.md"])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write", {"content": "新\n", "mode": "overwrite"}),
        ("write", {"content": "新\n", "mode": "append"}),
        ("replace", {"find": "一", "replace": "二"}),
    ],
)
def test_another_content_than_the_caller_has_seen_is_a_conflict(
    vault: Vault, tool: str, arguments: dict[str, Any]
) -> None:
    vault.put("note.md", "一\n")
    error = vault.refuse(tool, path="note.md", if_hash=digest("零\n".encode()), **arguments)
    assert (error["code"], error["details"]["sha256"]) == ("conflict", digest("一\n".encode()))
    assert vault.bytes("note.md") == "一\n".encode()
    vault.call(tool, path="note.md", if_hash=digest("一\n".encode()).upper(), **arguments)


def test_the_hash_may_be_that_of_the_text(vault: Vault) -> None:
    vault.put("note.md", "一行目である\r\n".encode("cp932"))
    read = vault.call("read", path="note.md", full=True)
    assert read["sha256"] == digest(vault.bytes("note.md"))
    vault.call("write", path="note.md", content="二", mode="append", if_hash=digest(read["text"].encode()))


def test_the_hash_of_an_answer_fits_the_next_call(vault: Vault) -> None:
    written = vault.call("create", path="note.md", content="一\n")
    for _ in range(3):
        written = vault.call("write", path="note.md", content="次\n", mode="append", if_hash=written["sha256"])
    replaced = vault.call("replace", path="note.md", find="一", replace="壱", if_hash=written["sha256"])
    assert replaced["sha256"] == digest(vault.bytes("note.md"))


def test_what_is_no_hash_is_the_hash_of_no_content(vault: Vault) -> None:
    vault.put("note.md", "一\n")
    assert vault.code("write", path="note.md", content="二", mode="append", if_hash="abc") == "conflict"


def test_a_write_protected_file_is_refused(ordinary_workspace: Any) -> None:
    with serving(ordinary_workspace, WATCH="off") as client:
        vault = Vault(ordinary_workspace.root / "vault", client)
        vault.put("note.md", "一\n").chmod(0o444)
        assert vault.code("write", path="note.md", content="二", mode="append") == "forbidden"
        assert vault.bytes("note.md") == "一\n".encode()


def test_a_vault_that_may_not_be_written_says_so(ordinary_workspace: Any) -> None:
    with serving(ordinary_workspace, WATCH="off") as client:
        vault = Vault(ordinary_workspace.root / "vault", client)
        vault.put("note.md", "一\n")
        vault.root.chmod(0o555)
        try:
            assert vault.code("create", path="new.md", content="二") == "forbidden"
        finally:
            vault.root.chmod(0o755)


def test_a_temporary_file_of_a_killed_write_goes_with_the_next_one(vault: Vault) -> None:
    vault.put("a/.morenashi.tmp", "半")
    vault.call("create", path="a/note.md", content="本文")
    assert vault.names() == ["a/note.md"]


def test_what_another_program_writes_meanwhile_is_not_written_over(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, fsync = vault.put("note.md", "一\n"), os.fsync

    def write_meanwhile(descriptor: int) -> None:
        fsync(descriptor)
        note.write_text("一\n他\n", "utf-8")

    monkeypatch.setattr(os, "fsync", write_meanwhile)
    assert vault.code("write", path="note.md", content="二\n", mode="append") == "conflict"
    assert vault.bytes("note.md") == "一\n他\n".encode()


def test_a_file_that_another_program_makes_meanwhile_is_not_written_over(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def make_meanwhile(descriptor: int) -> None:
        fsync(descriptor)
        # The last moment: its text is on the disk, its name is not.
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            vault.put("note.md", "他\n")

    monkeypatch.setattr(os, "fsync", make_meanwhile)
    assert vault.code("create", path="note.md", content="二\n") == "conflict"
    assert vault.bytes("note.md") == "他\n".encode()


def test_a_text_is_on_the_disk_before_it_takes_the_files_place(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.put("note.md", "一\n")
    vault.call("write", path="note.md", content="二\n", mode="append")
    fsync, rename = os.fsync, os.rename
    steps: list[str] = []

    def record_fsync(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def record_rename(*names: Any, **folders: Any) -> None:
        steps.append("rename")
        rename(*names, **folders)

    monkeypatch.setattr(os, "fsync", record_fsync)
    monkeypatch.setattr(os, "rename", record_rename)
    vault.call("write", path="note.md", content="三\n", mode="append")
    assert steps == ["file", "rename", "folder"]


def test_a_pipe_is_no_file_to_write(vault: Vault) -> None:
    vault.put("note.md", "一")
    os.mkfifo(vault.root / "pipe.md")
    for tool, arguments in (
        ("write", {"content": "x", "mode": "append"}),
        ("replace", {"find": "x", "replace": "y"}),
        ("read", {"full": True}),
    ):
        assert vault.code(tool, path="pipe.md", **arguments) in ("forbidden", "conflict")


@pytest.mark.parametrize("mode", ["append", "overwrite"])
def test_whoever_writes_to_a_manual_is_not_told_to_make_a_note_of_its_name(
    workspace: WorkspaceFolder, serve: Serve, mode: str
) -> None:
    workspace.write("手引き/guide.md", "一\n")
    vault = Vault(workspace.root / "vault", serve())
    refused = vault.refuse("write", path="manuals/手引き/guide.md", content="改訂\n", mode=mode)
    assert (refused["code"], "vault_create" in refused["message"]) == ("conflict", False)
    assert "no tool writes to a manual" in refused["message"]
