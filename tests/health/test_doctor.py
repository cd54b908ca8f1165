"""`morenashi doctor`: what it says, leaves alone and repairs. Each kind of cause has a file of its own here."""

import fcntl
from pathlib import Path

import pytest

from morenashi.indexer import dictionaries
from morenashi.indexer.config import ConfigError
from morenashi.indexer.dictionary_files import DictionaryFile
from morenashi.indexer.vault_names import TEMPORARY_NAME

from ..indexer.damages import break_index, lose_rows
from ..workspaces import WorkspaceFolder, without_permission
from .doctoring import codes, doctor, found


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
    assert codes(report) == {"no_documents", "not_indexed", "no_policy"}
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


def test_what_to_do_about_a_workspace_elsewhere_says_that_it_is_elsewhere(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = f"add to these commands: --workspace {workspace.root}"
    assert elsewhere in workspace.run("doctor").stdout
    monkeypatch.chdir(workspace.root)
    assert elsewhere not in workspace.run("doctor").stdout


def test_a_repair_that_fails_says_why_and_the_others_are_done(
    healthy: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> DictionaryFile:
        raise ConfigError(f"{path} cannot be read: Input/output error")

    monkeypatch.setattr(dictionaries, "read_dictionary", fail)
    healthy.write("m/new.md", "# 新\n")
    (healthy.root / "vault" / TEMPORARY_NAME).touch()
    report = doctor(healthy, fix=True)
    assert report["code"] == 1
    assert {each["code"]: bool(each["did"]) for each in report["repairs"]} == {"write_unfinished": True, "drift": False}
    assert "exceptions.txt cannot be read" in next(each["failed"] for each in report["repairs"] if each["failed"])


def test_what_another_process_keeps_is_not_repaired(healthy: WorkspaceFolder) -> None:
    with healthy.database.with_suffix(".lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        break_index(healthy, lose_rows)
        report = doctor(healthy, fix=True)
    assert report["code"] == 3
    assert "end it first" in report["repairs"][0]["failed"]
    assert codes(report, "error") == {"index_wrong"}


@pytest.mark.parametrize(
    ("name", "well_formed", "idle"),
    [
        ("synonyms.txt", "有休, 年休\n有休、年休 # 読点でも\n", "単独\n甲 乙\n"),
        ("okurigana.txt", "取(り)消(し)\n取（り）扱\n", "取り消し\n取(り消し\n"),
        ("verbs.txt", "締める, 決算\n見る、閲覧\n", "締める\n, 決算\n"),
        ("exceptions.txt", '[caution]\n要注意{|です}\n!要注意人物\n"除"\n', "[注意]\n適用{しない\n"),
    ],
)
def test_lines_of_a_dictionary_that_are_not_as_expected_are_named(
    healthy: WorkspaceFolder, name: str, well_formed: str, idle: str
) -> None:
    own = healthy.root / "dictionaries" / name
    own.parent.mkdir()
    own.write_text(well_formed, "utf-8")
    assert "dictionary_idle" not in codes(doctor(healthy))
    own.write_text(f"# 注釈\n\n{well_formed}{idle}", "utf-8")
    first = 3 + well_formed.count("\n")
    said = found(doctor(healthy), "dictionary_idle")["what"]
    assert said == f"dictionaries/{name}: 2 lines not as expected: {first}, {first + 1}"


def test_a_dictionary_of_another_name_is_named(healthy: WorkspaceFolder) -> None:
    (healthy.root / "dictionaries").mkdir()
    (healthy.root / "dictionaries" / "synonym.txt").write_text("有休, 年休\n", "utf-8")
    assert "synonym.txt" in found(doctor(healthy), "dictionary_unknown")["what"]


def test_dictionaries_that_are_no_folder_are_named(healthy: WorkspaceFolder) -> None:
    own = healthy.root / "dictionaries"
    own.write_text("有休, 年休\n", "utf-8")
    assert found(doctor(healthy), "dictionary_passed_over")["what"] == f"{own} is no folder"


def test_a_dictionary_that_is_no_file_is_named(healthy: WorkspaceFolder) -> None:
    own = healthy.root / "dictionaries"
    (own / "synonyms.txt").mkdir(parents=True)
    assert found(doctor(healthy), "dictionary_passed_over")["what"] == "dictionaries/synonyms.txt is no file"


def test_a_dictionary_behind_a_link_that_leads_nowhere_is_named(healthy: WorkspaceFolder) -> None:
    own = healthy.root / "dictionaries"
    own.mkdir()
    (own / "verbs.txt").symlink_to(own / "away.txt")
    assert found(doctor(healthy), "dictionary_passed_over")["what"] == "dictionaries/verbs.txt is no file"


def test_a_dictionary_in_another_encoding_is_taken_and_named(healthy: WorkspaceFolder) -> None:
    (healthy.root / "dictionaries").mkdir()
    (healthy.root / "dictionaries" / "synonyms.txt").write_bytes("甲, 乙\n丙, 丁\n".encode("cp932"))
    report = doctor(healthy)
    assert (report["code"], codes(report)) == (0, {"dictionary_encoding"})
    assert found(report, "dictionary_encoding")["what"] == "dictionaries/synonyms.txt is read as cp932"


def test_lines_of_a_dictionary_that_cannot_be_read_are_named_and_not_as_idle(healthy: WorkspaceFolder) -> None:
    (healthy.root / "dictionaries").mkdir()
    (healthy.root / "dictionaries" / "synonyms.txt").write_bytes("甲, 乙\n丙, \n".encode() + b"\x93\xfa, \xff\n")
    report = doctor(healthy)
    assert found(report, "dictionary_broken")["what"] == "dictionaries/synonyms.txt: 1 line cannot be read: 3"
    assert found(report, "dictionary_idle")["what"].endswith("1 line not as expected: 2")


def test_a_dictionary_that_may_not_be_read_is_named_and_not_with_a_traceback(
    ordinary_workspace: WorkspaceFolder,
) -> None:
    own = ordinary_workspace.root / "dictionaries" / "synonyms.txt"
    own.parent.mkdir()
    own.touch()
    with without_permission(own):
        assert "dictionary_unreadable" in codes(doctor(ordinary_workspace), "error")
        done = ordinary_workspace.run("reindex")
    assert (done.returncode, done.stderr) == (2, f"morenashi: {own} cannot be read: Permission denied\n")
