"""A file is written over as it was read: what another program has done to it since is not lost (contract §1)."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from morenashi.server.paths import open_folder
from morenashi.server.vault.writing import NewContent, OpenFolder

from ..workspaces import wait_until_settled

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
        with folder.open_file() as file, NewContent(folder) as new:
            old = os.fstat(file)
            new.write([b"ours\n"])
            meddle(note, old)
            with pytest.raises(BlockingIOError):
                new.replace(old)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {note.name: MEANWHILE}
