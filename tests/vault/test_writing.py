"""A file is written over as it was read: what another program has done to it since is not lost (contract §1), nor what
it has beside its text.
"""

import errno
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from morenashi.server.paths import open_folder
from morenashi.server.vault.writing import NewContent, OpenFolder

from ..workspaces import NOBODY, WorkspaceFolder, open_descriptors, wait_until_settled

BEFORE, MEANWHILE = b"before\n", b"theirs\n"


def _replace(note: Path, _: os.stat_result) -> None:
    other = note.with_name("other.md")
    other.write_bytes(MEANWHILE)
    other.replace(note)


def _edit(note: Path, _: os.stat_result) -> None:
    note.write_bytes(MEANWHILE)


def _edit_and_set_back_the_time_stamp(note: Path, old: os.stat_result) -> None:
    note.write_bytes(MEANWHILE)
    os.utime(note, ns=(old.st_atime_ns, old.st_mtime_ns))


@pytest.mark.parametrize("meddle", [_replace, _edit, _edit_and_set_back_the_time_stamp])
def test_what_another_program_has_written_since_stays(
    tmp_path: Path, meddle: Callable[[Path, os.stat_result], None]
) -> None:
    note = tmp_path / "note.md"
    note.write_bytes(BEFORE)
    wait_until_settled(note)
    with open_folder(tmp_path, (), "path") as descriptor:
        folder = OpenFolder(descriptor, note.name)
        with folder.open_file() as old, NewContent(folder) as new:
            new.write([b"ours\n"])
            meddle(note, old.status)
            with pytest.raises(BlockingIOError):
                new.replace(old)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {note.name: MEANWHILE}


@pytest.fixture
def without_hard_links(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(request.param, "as such a disk says it")

    monkeypatch.setattr(os, "link", refuse)


def _create(note: Path) -> None:
    with open_folder(note.parent, (), "path") as descriptor, NewContent(OpenFolder(descriptor, note.name)) as new:
        new.write([b"ours\n"])
        new.become()


@pytest.mark.parametrize("without_hard_links", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS], indirect=True)
@pytest.mark.usefixtures("without_hard_links")
def test_on_a_disk_without_hard_links_a_note_is_made_and_none_is_written_over(tmp_path: Path) -> None:
    _create(tmp_path / "new.md")
    (tmp_path / "note.md").write_bytes(BEFORE)
    (tmp_path / "link.md").symlink_to("none.md")
    for name in ("note.md", "link.md"):
        with pytest.raises(FileExistsError):
            _create(tmp_path / name)
    assert (tmp_path / "link.md").is_symlink()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == {
        "new.md": b"ours\n",
        "note.md": BEFORE,
    }


@pytest.mark.parametrize("without_hard_links", [errno.EIO], indirect=True)
@pytest.mark.usefixtures("without_hard_links")
def test_a_disk_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="as such a disk says it"):
        _create(tmp_path / "note.md")
    assert list(tmp_path.iterdir()) == []


def test_nothing_stays_open_of_what_was_written(tmp_path: Path) -> None:
    before = open_descriptors()
    _create(tmp_path / "note.md")
    _overwrite(tmp_path / "note.md")
    assert open_descriptors() <= before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_note_stays_its_owners(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_bytes(BEFORE)
    os.chown(note, 4711, 4712)
    _overwrite(note)
    assert (note.stat().st_uid, note.stat().st_gid) == (4711, 4712)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_note_that_somebody_else_owns_stays_with_its_group(ordinary_workspace: WorkspaceFolder) -> None:
    note, groups = ordinary_workspace.root / "note.md", os.getgroups()
    note.write_bytes(BEFORE)
    os.seteuid(0)
    note.chmod(0o660)
    os.chown(note, 4711, 4712)
    os.setgroups([4712])
    os.seteuid(NOBODY)
    try:
        _overwrite(note)
    finally:
        os.seteuid(0)
        os.setgroups(groups)
        os.seteuid(NOBODY)
    status = note.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (NOBODY, 4712, 0o660)


def _overwrite(note: Path) -> None:
    with open_folder(note.parent, (), "path") as descriptor:
        folder = OpenFolder(descriptor, note.name)
        with folder.open_file() as old, NewContent(folder) as new:
            new.write([b"ours\n"])
            new.replace(old)
    assert note.read_bytes() == b"ours\n"


def _set_attribute(path: Path, name: str, value: bytes) -> None:
    if not hasattr(os, "setxattr"):
        pytest.skip("Python shows no extended attributes on this system")
    try:
        os.setxattr(path, name, value)
    except OSError as error:
        if error.errno != errno.ENOTSUP:
            raise
        pytest.skip("the temporary folder's file system has no extended attributes")


def test_what_people_and_programs_have_attached_to_a_note_stays(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_bytes(BEFORE)
    attached = {"user.xdg.tags": "経費,旅費".encode(), "user.empty": b""}
    for name, value in attached.items():
        _set_attribute(note, name, value)
    _overwrite(note)
    own = [name for name in os.listxattr(note) if name.startswith("user.")]
    assert {name: os.getxattr(note, name) for name in own} == attached


ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
_NOBODY_IN_PARTICULAR = 0xFFFFFFFF


def _access_list(group: int, mask: int, named: int) -> bytes:
    """As Linux stores it: owner rw, the user 4711 `named`, the group, the mask, others nothing."""
    entries = [(1, 6, _NOBODY_IN_PARTICULAR), (2, named, 4711), (4, group, _NOBODY_IN_PARTICULAR)]
    entries += [(16, mask, _NOBODY_IN_PARTICULAR), (32, 0, _NOBODY_IN_PARTICULAR)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def test_who_else_may_use_a_note_may_use_it_afterwards_and_its_group_no_more_than_before(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_bytes(BEFORE)
    _set_attribute(note, ACCESS, _access_list(group=0, mask=6, named=6))
    _overwrite(note)
    assert os.getxattr(note, ACCESS) == _access_list(group=0, mask=6, named=6)


def test_a_folders_default_list_opens_no_note_that_was_made_before_it(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_bytes(BEFORE)
    note.chmod(0o640)
    _set_attribute(tmp_path, DEFAULT, _access_list(group=4, mask=6, named=6))
    _overwrite(note)
    assert ACCESS not in os.listxattr(note)
    assert note.stat().st_mode & 0o777 == 0o640
