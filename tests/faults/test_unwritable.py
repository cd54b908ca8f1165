"""A database folder that may not be written: the server says so, answers what it can, and goes on when it may."""

import argparse
import contextlib
import errno
import fcntl
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from morenashi.indexer import cli

from ..server.serving import Serving, serving
from ..workspaces import WorkspaceFolder, without_permission
from .servers import differences, fill, soon

WORD = "鍵言葉"


@pytest.fixture
def folder(ordinary_workspace: WorkspaceFolder) -> WorkspaceFolder:
    return fill(ordinary_workspace, WORD)


@contextlib.contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing can be made, changed or removed in a folder."""
    paths = [folder, *folder.iterdir()]
    modes = [path.stat().st_mode for path in paths]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        yield
    finally:
        for path, mode in zip(paths, modes, strict=True):
            path.chmod(mode)


def is_found(server: Serving, query: str) -> bool:
    result = server.answer("manual_find", query=query)
    return not result.is_error and result.structured_content["summary"]["completeness"]["status"] == "found"


def test_a_server_that_starts_on_a_read_only_folder_says_so_and_goes_on_later(
    folder: WorkspaceFolder, capfd: pytest.CaptureFixture[str]
) -> None:
    data = folder.database.parent
    with contextlib.ExitStack() as stack:
        with read_only(data):
            server = stack.enter_context(serving(folder))
            refusal = server.refuse("manual_find", query=WORD)
            assert refusal["code"] == "conflict"
            assert "cannot be written: Permission denied" in refusal["message"]
            assert str(folder.root) not in refusal["message"]
            # What is written to the vault needs no index.
            server.call("vault_write", path="note.md", content="続\n", mode="append")
        assert soon(lambda: is_found(server, WORD))
        assert (folder.root / "vault" / "note.md").read_text("utf-8") == "始\n続\n"
        assert soon(lambda: differences(folder) == [])
    said = capfd.readouterr().err
    assert "cannot be written" in said
    assert "the index is written again" in said


def test_a_server_whose_folder_becomes_read_only_goes_on(folder: WorkspaceFolder) -> None:
    with serving(folder) as server:
        assert soon(lambda: is_found(server, WORD))
        with read_only(folder.database.parent):
            folder.write("a/y.md", f"{WORD}\n合図\n")
            assert soon(lambda: is_found(server, "合図"))
            server.call("vault_write", path="note.md", content="続\n", mode="append")
    with serving(folder) as server:
        assert soon(lambda: is_found(server, "合図"))
        assert soon(lambda: differences(folder) == [])


def test_a_server_whose_folder_may_not_be_entered_any_more_says_so_and_goes_on_later(folder: WorkspaceFolder) -> None:
    with serving(folder) as server:
        assert soon(lambda: is_found(server, WORD))
        with without_permission(folder.database.parent):
            for tool in ("manual_find", "vault_find"):
                refusal = server.refuse(tool, query=WORD)
                assert refusal["code"] == "conflict"
                assert "Permission denied" in refusal["message"]
                assert str(folder.root) not in refusal["message"]
        assert soon(lambda: is_found(server, WORD))


def test_a_vault_in_a_folder_that_may_not_be_entered_keeps_nobody_from_the_manuals(folder: WorkspaceFolder) -> None:
    elsewhere = folder.write("../elsewhere/vault/note.md", f"{WORD}\n").parents[1]
    with contextlib.ExitStack() as stack:
        with without_permission(elsewhere):
            server = stack.enter_context(serving(folder, VAULT_ROOT=str(elsewhere / "vault")))
            assert soon(lambda: is_found(server, WORD))
            status = server.call("vault_find", query=WORD)["summary"]["completeness"]["status"]
            assert status == "unknown"
            for tool, arguments in (("vault_ls", {}), ("vault_create", {"path": "new.md", "content": "新"})):
                assert server.refuse(tool, **arguments)["code"] == "forbidden"
            resources = server.portal.call(server.client.list_resources).resources
            assert {str(resource.uri).partition(":")[0] for resource in resources} == {"memory", "manual"}
        assert soon(lambda: server.call("vault_find", query=WORD)["summary"]["candidates"] == 1)


@contextlib.contextmanager
def read_only_disk(folder: Path) -> Iterator[None]:
    """A folder is mounted on itself, for reading."""
    try:
        done = subprocess.run(["mount", "--bind", str(folder), str(folder)], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if done.returncode:
        pytest.skip("only root may mount")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_is_read_only_is_called_that(workspace: WorkspaceFolder) -> None:
    """And not a folder without permission: nobody need look at its mode."""
    workspace.write("a/x.md", "# 題\n")
    assert workspace.run("reindex").returncode == 0
    with read_only_disk(workspace.root):
        done = workspace.run("reindex")
    assert done.returncode == 2
    assert done.stderr == "morenashi: the folder of morenashi.db cannot be written: Read-only file system\n"


def test_reindex_on_a_read_only_folder_says_so(folder: WorkspaceFolder, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = argparse.Namespace(check=False, full=False, json=False)
    with read_only(folder.database.parent):
        assert cli.run(arguments, folder.config()) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.fixture
def without_locks(workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch) -> WorkspaceFolder:
    """A workspace on a disk of another machine that keeps no locks."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    workspace.write("m/x.md", f"{WORD}\n")
    (workspace.root / "vault").mkdir()
    workspace.run("reindex")
    monkeypatch.setattr(fcntl, "flock", refuse)
    return workspace


def test_reindex_where_nothing_can_be_locked_says_so(without_locks: WorkspaceFolder) -> None:
    ended = without_locks.run("reindex")
    assert ended.returncode == 2
    assert "morenashi.lock cannot be locked: No locks available" in ended.stderr


def test_a_write_where_nothing_can_be_locked_is_refused(without_locks: WorkspaceFolder) -> None:
    with serving(without_locks) as server:
        refusal = server.refuse("vault_create", path="note.md", content="始\n")
    assert (refusal["code"], "No locks available" in refusal["message"]) == ("conflict", True)


def test_the_doctor_examines_a_workspace_where_nothing_can_be_locked(without_locks: WorkspaceFolder) -> None:
    assert without_locks.run("doctor").returncode in (0, 1)
