"""A full disk: writes are refused, searches go on; when there is room again, everything is as it was acknowledged."""

import argparse
import contextlib
import os
import random
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from morenashi.indexer import cli

from ..examples import Rounds
from ..server.memory.policies import EXAMPLE
from ..server.serving import Serving, ask_database, serving
from ..workspaces import WorkspaceFolder, make_workspace
from .servers import claims, differences, soon, vault_lines

WORD = "鍵言葉"
DISK_BYTES = 8_000_000
AT = {"at": "2026-01-02T03:04:05Z"}
_STORED = "SELECT count(*) FROM traces WHERE id = ?"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[WorkspaceFolder]:
    """A workspace on a small file system of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(disk)]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if done.returncode:
        pytest.skip("only root may mount a small file system")
    try:
        yield make_workspace(disk / "workspace")
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


@contextlib.contextmanager
def filled(folder: WorkspaceFolder, bytes_left: int) -> Iterator[None]:
    """Fill the disk up but for some bytes."""
    filler = folder.root / "filler"
    with filler.open("wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(b"\0" * 4096)
        os.ftruncate(file.fileno(), max(file.tell() - bytes_left, 0))
        try:
            yield
        finally:
            filler.unlink()


def write_until_refused(server: Serving, number: int, done: list[str], kept: set[str]) -> None:
    """Append and remember until both have been refused; what was acknowledged is noted."""
    refused: set[str] = set()
    for turn in range(2_000):
        line = f"{number}-{turn}-" + "x" * 2_000
        result = server.answer("vault_write", path="note.md", content=f"{line}\n", mode="append")
        if result.is_error:
            assert result.structured_content["code"] == "conflict"
            refused.add("vault")
        else:
            done.append(line)
        result = server.answer("pce_memory_upsert", text=f"決定{number}-{turn}" + "y" * 2_000, provenance=AT)
        if result.is_error:
            assert result.structured_content["error"]["code"] == "UPSERT_FAILED"
            refused.add("memory")
        else:
            kept.add(result.structured_content["data"]["id"])
        if refused == {"vault", "memory"}:
            return
    raise AssertionError(f"the disk is not full: {refused}")


def is_found(server: Serving, path: str) -> bool:
    return path in server.find(WORD).paths()


def is_stored(folder: WorkspaceFolder, trace_id: str) -> bool:
    return ask_database(folder, _STORED, trace_id) == [(1,)]


def test_a_full_disk_loses_nothing_acknowledged(
    small_disk: WorkspaceFolder, rounds: Rounds, capfd: pytest.CaptureFixture[str]
) -> None:
    chance, done, kept = random.Random(5), list[str](), set[str]()
    vault = small_disk.root / "vault"
    vault.mkdir()
    (vault / "note.md").touch()
    small_disk.write("a/x.md", f"# 題\n\n{WORD}\n")
    many = rounds(1, 20)
    with serving(small_disk) as server:
        server.call("pce_memory_policy_apply", yaml=EXAMPLE)
        assert soon(lambda: server.find(WORD).status == "found")
    for number in range(many):
        with serving(small_disk) as server:
            assert soon(lambda: server.find(WORD).status == "found")
            later = small_disk.root / f"{number}.md"
            later.write_text(f"{WORD}\n" + f"旅費規程{number}。\n" * 4_000, "utf-8")
            with filled(small_disk, chance.randrange(100_000)):
                later.rename(small_disk.manuals / "a" / later.name)
                write_until_refused(server, number, done, kept)
                # Searches go on, and say what they cannot know.
                during = server.find(WORD)
                assert during.summary["candidates"] >= 1
            assert soon(partial(is_found, server, f"{number}.md"), 60)
            server.call("vault_write", path="note.md", content=f"{number}-終\n", mode="append")
            done.append(f"{number}-終")
            kept.add(server.call("pce_memory_upsert", text=f"後の決定{number}", provenance=AT)["data"]["id"])
            assert vault_lines(small_disk, "note.md") == done
            assert claims(small_disk) >= kept
            assert soon(partial(is_stored, small_disk, during.trace_id))
        assert differences(small_disk) == []
        # Room for the next round.
        (small_disk.manuals / "a" / f"{number}.md").unlink()
        (vault / "note.md").write_text("", "utf-8")
        done.clear()
    assert "disk is full" in capfd.readouterr().err


def test_reindex_on_a_full_disk_says_so_and_goes_on_later(
    small_disk: WorkspaceFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    small_disk.write("a/x.md", "".join(f"旅費規程{n}の宿泊料{n * 7}。\n" for n in range(6_000)))
    arguments = argparse.Namespace(check=False, full=False, json=False)
    with filled(small_disk, 100_000):
        assert cli.run(arguments, small_disk.config()) == 2
    assert "full" in capsys.readouterr().err
    assert cli.run(arguments, small_disk.config()) == 0
    assert differences(small_disk) == []
