"""What is a document on disk, and what is passed over."""

import os
import resource
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from morenashi.indexer.files import (
    MAX_DOCUMENT_BYTES,
    UNKNOWN_STAMP,
    is_settled,
    note_key,
    open_beneath,
    read_whole,
    settled_stamp,
    stamp_of,
)
from morenashi.indexer.listing import Listing, RootMissingError, list_manuals, list_one, list_vault

from ..workspaces import WorkspaceFolder, open_descriptors, wait_until_settled, without_permission
from .indexes import index


def keys(workspace: WorkspaceFolder) -> list[tuple[str, str]]:
    return [file.key for file in list_manuals(workspace.manuals).files]


def skipped(workspace: WorkspaceFolder) -> list[tuple[str, str]]:
    return list_manuals(workspace.manuals).skipped


def test_documents_of_all_manuals_are_listed_in_order(workspace: WorkspaceFolder) -> None:
    for path in ("b/x.md", "a/sub/deep/y.json", "a/x.markdown", "a/x.mdx", "a/X.MD"):
        workspace.write(path, "x")
    assert keys(workspace) == [
        ("a", "X.MD"),
        ("a", "sub/deep/y.json"),
        ("a", "x.markdown"),
        ("a", "x.mdx"),
        ("b", "x.md"),
    ]


def test_other_files_are_no_documents(workspace: WorkspaceFolder) -> None:
    for path in ("a/x.txt", "a/md", "a/x.md.bak", "a/.md"):
        workspace.write(path, "x")
    assert (keys(workspace), skipped(workspace)) == ([], [])


def test_hidden_files_and_folders_are_passed_over(workspace: WorkspaceFolder) -> None:
    for path in ("a/.hidden.md", "a/.git/x.md", ".trash/x.md"):
        workspace.write(path, "x")
    assert (keys(workspace), skipped(workspace)) == ([], [])


def test_a_document_beside_the_manuals_is_told(workspace: WorkspaceFolder) -> None:
    workspace.write("x.md", "x")
    assert (keys(workspace), skipped(workspace)) == ([], [("x.md", "outside_a_manual")])


def test_symbolic_links_are_passed_over_and_told(workspace: WorkspaceFolder) -> None:
    target = workspace.write("a/x.md", "x")
    (workspace.manuals / "a" / "link.md").symlink_to(target)
    (workspace.manuals / "a" / "dangling.md").symlink_to("nowhere")
    (workspace.manuals / "b").symlink_to(workspace.manuals / "a")
    assert keys(workspace) == [("a", "x.md")]
    assert skipped(workspace) == [("a/dangling.md", "symlink"), ("a/link.md", "symlink"), ("b", "symlink")]


def test_a_folder_and_a_pipe_with_a_documents_name_are_no_documents(workspace: WorkspaceFolder) -> None:
    workspace.write("a/folder.md/inner.md", "x")
    os.mkfifo(workspace.manuals / "a" / "pipe.md")
    assert keys(workspace) == [("a", "folder.md/inner.md")]


@pytest.mark.parametrize("name", [b"a/\xff.md", b"a/\xff/y.md", b"\xff/y.md"], ids=["file", "folder", "manual"])
def test_a_name_that_is_no_utf_8_is_passed_over_and_told(workspace: WorkspaceFolder, name: bytes) -> None:
    workspace.write("a/x.md", "x")
    try:
        workspace.write(os.fsdecode(name), "x")
    except OSError:
        pytest.skip("this file system refuses such names")
    assert keys(workspace) == [("a", "x.md")]
    assert [reason for _, reason in skipped(workspace)] == ["name_not_utf8"]


def test_a_folder_whose_name_is_no_utf_8_keeps_nothing_else_from_the_index(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 旅費\n")
    try:
        workspace.write(os.fsdecode(b"a/\xff/y.md"), "x")
    except OSError:
        pytest.skip("this file system refuses such names")
    assert index(workspace).documents == 1


def test_a_name_stays_as_it_is_on_disk(workspace: WorkspaceFolder) -> None:
    name = unicodedata.normalize("NFD", "ガイド.md")
    workspace.write(f"a/{name}", "x")
    assert keys(workspace) == [("a", name)]


def test_a_folder_that_may_not_be_listed_is_told(ordinary_workspace: WorkspaceFolder) -> None:
    document = ordinary_workspace.write("a/closed/x.md", "x")
    with without_permission(document.parent):
        listing = list_manuals(ordinary_workspace.manuals)
    assert listing.skipped == [("a/closed", "unreadable_folder")]
    gone = [("a", "closed/x.md"), ("a", "closed/deeper/y.md"), ("a", "closed.md"), ("b", "closed/x.md")]
    assert listing.without_unlisted(gone) == gone[2:]


def test_a_missing_root_is_said(workspace: WorkspaceFolder) -> None:
    workspace.manuals.rmdir()
    with pytest.raises(RootMissingError, match="manuals"):
        list_manuals(workspace.manuals)


def test_a_root_that_is_a_file_is_said(workspace: WorkspaceFolder) -> None:
    workspace.manuals.rmdir()
    workspace.manuals.write_text("x")
    with pytest.raises(RootMissingError):
        list_manuals(workspace.manuals)


def test_one_document_is_seen_as_in_the_listing(workspace: WorkspaceFolder) -> None:
    workspace.write("a/sub/x.md", "text")
    assert list_one(workspace.manuals, "a", "sub/x.md") == list_manuals(workspace.manuals).files[0]


@pytest.mark.parametrize(
    "path", ["gone.md", "no/such/x.md", "x.txt", ".hidden.md", "x.md/y.md", "link.md", "folder.md"]
)
def test_one_path_that_is_no_document_is_none(workspace: WorkspaceFolder, path: str) -> None:
    for present in ("a/x.md", "a/x.txt", "a/.hidden.md", "a/folder.md/y.md"):
        workspace.write(present, "x")
    (workspace.manuals / "a" / "link.md").symlink_to("x.md")
    assert list_one(workspace.manuals, "a", path) is None


def test_one_path_below_a_missing_root_cannot_be_told(workspace: WorkspaceFolder) -> None:
    workspace.manuals.rmdir()
    with pytest.raises(OSError, match="No such file"):
        list_one(workspace.manuals, "a", "x.md")


def test_nothing_is_opened_through_a_symbolic_link(workspace: WorkspaceFolder) -> None:
    outside = workspace.root / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("secret")
    (workspace.manuals / "a").mkdir()
    (workspace.manuals / "a" / "folder").symlink_to(outside)
    (workspace.manuals / "a" / "x.md").symlink_to(outside / "x.md")
    for parts in (("a", "folder", "x.md"), ("a", "x.md")):
        with pytest.raises(OSError), open_beneath(workspace.manuals, parts):
            pass


def test_nothing_stays_open_on_the_way_to_a_file(workspace: WorkspaceFolder) -> None:
    workspace.write("a/b/c/x.md", "x")
    (workspace.manuals / "a" / "b" / "link.md").symlink_to("c/x.md")
    before = open_descriptors()
    with open_beneath(workspace.manuals, ("a", "b", "c", "x.md")) as file:
        assert open_descriptors() - before == {file}
    for parts in (("a", "b", "none", "x.md"), ("a", "b", "link.md"), ("a", "b", "c", "x.md", "y.md")):
        with pytest.raises(OSError), open_beneath(workspace.manuals, parts):
            pass
    assert open_descriptors() == before


def test_a_file_is_read_with_its_time_stamp(workspace: WorkspaceFolder) -> None:
    file = workspace.write("a/x.md", "text")
    wait_until_settled(file)
    with open_beneath(workspace.manuals, ("a", "x.md")) as descriptor:
        assert read_whole(descriptor) == (b"text", stamp_of(file.stat()))


def test_a_file_that_is_larger_than_a_document_may_be_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "x.md").open("wb") as file:
        file.truncate(MAX_DOCUMENT_BYTES + 1)
    assert MAX_DOCUMENT_BYTES == 64 << 20
    with open_beneath(tmp_path, ("x.md",)) as descriptor, pytest.raises(OSError, match="larger than a document may be"):
        read_whole(descriptor)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("x.md", ("", "x.md")),
        ("pictures.png/x.md", ("", "pictures.png/x.md")),
        ("x.md/picture.png", None),
        ("folder/.hidden.md", None),
        (".system/x.md", None),
    ],
)
def test_what_a_note_is_depends_on_its_own_name_and_on_what_it_lies_in(path: str, key: tuple[str, str] | None) -> None:
    assert note_key(tuple(path.split("/"))) == key


def test_what_is_read_of_a_file_that_never_rests_belongs_to_no_time_stamp() -> None:
    # Of those in /proc no size is ever what was read.
    with open_beneath(Path("/proc/self"), ("status",)) as descriptor:
        data, stamp_ns = read_whole(descriptor)
    assert data.startswith(b"Name:")
    assert stamp_ns == UNKNOWN_STAMP


@pytest.mark.parametrize("list_root", [list_manuals, list_vault])
def test_a_root_that_can_be_opened_and_not_listed_is_said_and_is_not_empty(
    workspace: WorkspaceFolder, list_root: Callable[[Path], Listing]
) -> None:
    """With one descriptor left: to list a folder takes a second one. All documents would count as gone."""
    workspace.write("a/x.md", "x")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.open(workspace.manuals, os.O_RDONLY)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free + 1, before[1]))
    try:
        with pytest.raises(RootMissingError, match="Too many open files"):
            list_root(workspace.manuals)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_folder_is_not_read_as_a_file(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "text")
    with open_beneath(workspace.manuals, ("a",)) as descriptor, pytest.raises(OSError, match="not a regular file"):
        read_whole(descriptor)


def test_a_folder_that_may_be_listed_and_not_entered_is_passed_over_alone(ordinary_workspace: WorkspaceFolder) -> None:
    ordinary_workspace.write("a/x.md", "text")
    folder = ordinary_workspace.write("b/closed/x.md", "text").parent
    folder.chmod(0o444)
    try:
        assert keys(ordinary_workspace) == [("a", "x.md")]
        assert skipped(ordinary_workspace) == [("b/closed", "unreadable_folder")]
    finally:
        folder.chmod(0o755)


def test_a_folder_that_goes_while_all_are_listed_is_no_closed_one(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.write("a/x.md", "x")
    going, open_by_system = workspace.manuals / "a" / "going", os.open
    going.mkdir()

    def remove_and_open(path: str, *flags: int, **place: int) -> int:
        if path == "going":
            going.rmdir()
        return open_by_system(path, *flags, **place)

    monkeypatch.setattr(os, "open", remove_and_open)
    listing = list_manuals(workspace.manuals)
    assert not going.exists()
    assert ([file.path for file in listing.files], listing.skipped) == (["x.md"], [])


@pytest.mark.parametrize(
    ("stamp_seconds", "is_settled_after_seconds"), [(100.5, {0.01: False, 0.02: True}), (100, {1.99: False, 2: True})]
)
def test_a_time_stamp_of_a_whole_second_settles_when_the_tick_of_coarse_file_systems_is_over(
    monkeypatch: pytest.MonkeyPatch, stamp_seconds: float, is_settled_after_seconds: dict[float, bool]
) -> None:
    for seconds, expected in is_settled_after_seconds.items():
        now_ns = round((stamp_seconds + seconds) * 1e9)
        monkeypatch.setattr("time.time_ns", lambda now_ns=now_ns: now_ns)
        stamp_ns = round(stamp_seconds * 1e9)
        assert is_settled(stamp_ns) is expected
        assert settled_stamp(stamp_ns) == (stamp_ns if expected else UNKNOWN_STAMP)
