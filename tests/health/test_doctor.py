"""`morenashi doctor`: what it says, leaves alone and repairs. Each kind of cause has a file of its own here."""

import fcntl

import pytest

from morenashi.indexer.vault_names import TEMPORARY_NAME
from morenashi.server.cli import main

from ..indexer.damages import break_index, lose_rows
from ..workspaces import WorkspaceFolder
from .doctoring import codes, doctor


def test_of_a_healthy_workspace_nothing_is_wrong(healthy: WorkspaceFolder) -> None:
    report = doctor(healthy)
    assert (report["code"], report["findings"], report["healthy"]) == (0, [], True)


def test_looking_changes_nothing(healthy: WorkspaceFolder) -> None:
    def content() -> dict[str, bytes]:
        files = [path for path in healthy.root.rglob("*") if path.is_file()]
        # SQLite makes and leaves these beside a database that is only read.
        return {str(path): path.read_bytes() for path in files if not path.name.endswith(("-wal", "-shm"))}

    before = content()
    doctor(healthy)
    assert content() == before


def test_a_new_workspace_is_not_ill(workspace: WorkspaceFolder) -> None:
    report = doctor(workspace)
    assert report["code"] == 0
    assert codes(report) == {"no_documents", "not_indexed"}
    assert not workspace.database.exists()


def test_every_finding_says_what_why_and_what_to_do(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", b"\x81\x00\xff\xfe\x81" * 40)
    for finding in doctor(workspace)["findings"]:
        assert all(finding[part] for part in ("what", "why", "advice"))
    done = workspace.run("doctor")
    text = done.stdout
    assert done.returncode == 1
    assert "warning  manuals: 1 file cannot be decoded: m/x.md\n  why: " in text
    assert "\n  do:  " in text


def test_a_repair_that_fails_says_why_and_the_others_are_done(healthy: WorkspaceFolder) -> None:
    (healthy.root / "dictionaries").mkdir()
    (healthy.root / "dictionaries" / "exceptions.txt").write_bytes(b"\xff\xff")
    healthy.write("m/new.md", "# 新\n")
    (healthy.root / "vault" / TEMPORARY_NAME).touch()
    report = doctor(healthy, fix=True)
    assert report["code"] == 1
    assert {each["code"]: bool(each["did"]) for each in report["repairs"]} == {"write_unfinished": True, "drift": False}
    assert "is not UTF-8" in next(each["failed"] for each in report["repairs"] if each["failed"])


def test_what_another_process_keeps_is_not_repaired(healthy: WorkspaceFolder) -> None:
    with healthy.database.with_suffix(".lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        break_index(healthy, lose_rows)
        report = doctor(healthy, fix=True)
    assert report["code"] == 3
    assert "end it first" in report["repairs"][0]["failed"]
    assert codes(report, "error") == {"index_wrong"}


def test_a_dictionary_in_another_encoding_is_named_and_not_with_a_traceback(
    healthy: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (healthy.root / "dictionaries").mkdir()
    (healthy.root / "dictionaries" / "synonyms.txt").write_bytes("甲, 乙\n丙, 丁\n".encode("cp932"))
    report = doctor(healthy)
    assert codes(report) == {"dictionary_unreadable"}
    monkeypatch.setenv("WORKSPACE_ROOT", str(healthy.root))
    assert main(["reindex"]) == 2
    assert "synonyms.txt is not UTF-8 (line 1)" in capsys.readouterr().err
