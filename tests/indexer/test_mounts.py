"""Which file systems send no events for what other machines write."""

from pathlib import Path

import pytest

from morenashi.indexer.mounts import is_silent


@pytest.mark.parametrize(
    ("kind", "silent"),
    [
        *((kind, True) for kind in "nfs nfs4 cifs smb3 smbfs 9p vboxsf fuse fuse.sshfs virtiofs drvfs".split()),
        *((kind, False) for kind in "ext4 tmpfs fuseblk".split()),
    ],
)
def test_some_file_systems_are_silent(tmp_path: Path, kind: str, silent: bool) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"rootfs / ext4 rw 0 0\nserver:/x {tmp_path} {kind} rw 0 0\nother {tmp_path}/deeper nfs4 rw 0 0\n"
    )
    assert is_silent(tmp_path / "manuals", mounts) is silent


@pytest.mark.parametrize("in_order", [1, -1])
def test_the_innermost_mount_decides_whichever_comes_first(tmp_path: Path, in_order: int) -> None:
    mounts = tmp_path / "mounts"
    lines = ["a / nfs4 rw 0 0\n", f"b {tmp_path} ext4 rw 0 0\n", f"c {tmp_path}x nfs4 rw 0 0\n"]
    mounts.write_text("".join(lines[::in_order]))
    assert not is_silent(tmp_path, mounts)
    assert is_silent(tmp_path.parent, mounts)


def test_a_mount_point_with_a_blank_is_understood(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"a / ext4 rw 0 0\nb {tmp_path}/my\\040share nfs4 rw 0 0\n")
    assert is_silent(tmp_path / "my share" / "manuals", mounts)


@pytest.mark.parametrize("sign", ["\r", "\f", "\x85", "\u2028"])
def test_a_mount_point_with_what_only_python_takes_for_the_end_of_a_line_is_understood(
    tmp_path: Path, sign: str
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"a / ext4 rw 0 0\nb {tmp_path}/my{sign}share nfs4 rw 0 0\n", "utf-8")
    assert is_silent(tmp_path / f"my{sign}share" / "manuals", mounts)


def test_other_mount_points_may_be_in_any_encoding(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_bytes(b"a /\xff nfs4 rw 0 0\n" + f"b {tmp_path} nfs4 rw 0 0\n".encode())
    assert is_silent(tmp_path, mounts)


def test_of_two_mounts_at_one_place_the_later_one_counts(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"a {tmp_path} nfs4 rw 0 0\nb {tmp_path} ext4 rw 0 0\n")
    assert not is_silent(tmp_path, mounts)


def test_without_a_table_of_mounts_nothing_is_silent(tmp_path: Path) -> None:
    assert not is_silent(tmp_path, tmp_path / "none")
    (tmp_path / "empty").touch()
    assert not is_silent(tmp_path, tmp_path / "empty")
