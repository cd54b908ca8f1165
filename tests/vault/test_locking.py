"""The lock of a vault: who does not get it is told so, in the words of the contract, and nobody waits for ever."""

import errno
import fcntl
from pathlib import Path
from types import SimpleNamespace

import pytest

from morenashi.server.errors import ToolError
from morenashi.server.vault import locking
from morenashi.server.vault.locking import hold_write_lock, write_lock_of

from ..workspaces import open_descriptors


def code_of_a_write(vault: Path) -> str:
    with pytest.raises(ToolError) as refused, hold_write_lock(vault):
        pass
    return refused.value.code


def test_whoever_waits_too_long_for_another_write_is_told_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locking, "_MOST_SECONDS", 0.02)
    with hold_write_lock(tmp_path):
        # Within one process it is a lock of its own that threads wait for.
        assert code_of_a_write(tmp_path) == "conflict"
    with write_lock_of(tmp_path).open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert code_of_a_write(tmp_path) == "conflict"
    with hold_write_lock(tmp_path):
        pass


def test_a_disk_that_keeps_no_locks_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def refuse(descriptor: int, _: int) -> None:
        asked.append(descriptor)
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", refuse)
    before = open_descriptors()
    assert code_of_a_write(tmp_path) == "conflict"
    assert len(asked) == 1
    assert open_descriptors() <= before


def test_a_lock_is_made_behind_no_link(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    write_lock_of(vault).parent.mkdir(parents=True)
    write_lock_of(vault).symlink_to(outside)
    assert code_of_a_write(vault) == "out_of_scope"
    assert not outside.exists()


def test_a_write_that_fails_lets_go_of_the_lock(tmp_path: Path) -> None:
    before = open_descriptors()
    with pytest.raises(ValueError, match="failed"), hold_write_lock(tmp_path):
        raise ValueError("failed")
    with hold_write_lock(tmp_path):
        pass
    assert open_descriptors() <= before


def test_whoever_may_not_write_is_not_told_of_a_file_that_he_has_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise OSError(errno.EROFS, "read-only")

    # Of the lock alone: what is opened on the way to it is opened by others.
    monkeypatch.setattr(locking, "os", SimpleNamespace(open=refuse))
    with pytest.raises(ToolError) as refused, hold_write_lock(tmp_path):
        pass
    assert (refused.value.code, refused.value.details) == ("forbidden", {"parameter": "path"})
    assert refused.value.message.startswith("path: the vault may not be written")
