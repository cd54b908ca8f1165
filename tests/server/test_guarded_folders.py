"""What the guard of paths opens: how it is spelled on the disk, what stays open, what is said where it cannot be."""

import errno
import unicodedata
from pathlib import Path

import pytest

from morenashi.server.errors import ToolError
from morenashi.server.paths import open_folder, open_guarded, parse_relative_path, refusal, spell_as_on_disk

from ..workspaces import open_descriptors

COMPOSED = ("が", "ぎ", "ぐ", "げ.md")
DECOMPOSED = tuple(unicodedata.normalize("NFD", part) for part in COMPOSED)


def make_file(root: Path, parts: tuple[str, ...]) -> None:
    root.joinpath(*parts[:-1]).mkdir(parents=True)
    root.joinpath(*parts).write_text("x", "utf-8")


def test_each_folder_on_the_way_is_spelled_as_on_the_disk(tmp_path: Path) -> None:
    make_file(tmp_path, DECOMPOSED)
    assert spell_as_on_disk(tmp_path, COMPOSED) == DECOMPOSED


def test_what_is_not_there_stays_as_it_was_given(tmp_path: Path) -> None:
    make_file(tmp_path, DECOMPOSED)
    assert spell_as_on_disk(tmp_path, (*COMPOSED[:2], "new", "が.md")) == (*DECOMPOSED[:2], "new", "が.md")


def test_nothing_stays_open_of_what_the_guard_has_opened(tmp_path: Path) -> None:
    make_file(tmp_path, DECOMPOSED)
    before = open_descriptors()
    spell_as_on_disk(tmp_path, COMPOSED)
    with open_guarded(tmp_path, DECOMPOSED, "path") as file:
        assert open_descriptors() - before == {file}
    with open_folder(tmp_path, DECOMPOSED[:-1], "path"), open_folder(tmp_path, ("new", "one"), "path", create=True):
        pass
    with pytest.raises(ToolError), open_folder(tmp_path, DECOMPOSED, "path"):
        pass
    assert open_descriptors() <= before


def test_a_folder_is_made_only_where_it_is_to_be(tmp_path: Path) -> None:
    with pytest.raises(ToolError), open_folder(tmp_path, ("new",), "path"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EACCES, "forbidden"),
        (errno.EPERM, "forbidden"),
        (errno.EROFS, "forbidden"),
        (errno.ENAMETOOLONG, "invalid_path"),
        (errno.ELOOP, "out_of_scope"),
        (errno.ENOENT, "not_found"),
        (errno.ENOTDIR, "not_found"),
        (errno.ENXIO, "not_found"),
        (errno.EIO, "conflict"),
    ],
)
def test_whatever_keeps_a_file_from_being_opened_has_its_code(tmp_path: Path, number: int, code: str) -> None:
    assert refusal(OSError(number, "as the system says it"), tmp_path, ("x.md",), "path").code == code


def test_a_root_that_may_not_be_opened_has_a_name_in_the_message(tmp_path: Path) -> None:
    refused = refusal(OSError(errno.EACCES, "as the system says it"), tmp_path, (), "path")
    assert (refused.code, refused.details) == ("forbidden", {"parameter": "path"})
    assert refused.message.startswith("path: its root may not be opened")


def test_half_a_character_is_in_no_path() -> None:
    with pytest.raises(ToolError, match="path: expected"):
        parse_relative_path("a\udc80.md", "path")
