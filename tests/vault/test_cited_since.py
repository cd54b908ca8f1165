"""`morenashi citations`: what has become of the lines that artifacts cite, without asking for each artifact."""

import json
import subprocess
from typing import Any

import pytest

from ..server.serving import Serve, ask_database
from ..workspaces import WorkspaceFolder, eventually
from .notes import Vault

GUIDE = "# 規則\n\n前文。\n\n## 申請\n\n申請は書面による。\n\n## 期限\n\n期限は三十日とする。\n"
TABLE = "| ID | 次 | source_lines |\n| --- | --- | --- |\n| M01 | 申請する | 7 |\n| M02 | 守る | 11 |\n"


@pytest.fixture
def vault(workspace: WorkspaceFolder, serve: Serve) -> Vault:
    """A table that was audited, and a copy that was not."""
    workspace.write("m/guide.md", GUIDE)
    vault = Vault(workspace.root / "vault", serve())
    vault.put("steps.md", TABLE)
    vault.serving.call("artifact_audit", artifact_path="steps.md", source_path="manuals/m/guide.md")
    ref = {"target": "manual", "manual_id": "m", "path": "guide.md", "start_line": 9}
    vault.serving.call("bridge_copy_section", from_ref=ref, to_path="copy.md", mode="overwrite")
    assert eventually(lambda: ask_database(workspace, "SELECT count(*) FROM citations") == [(2,)])
    return vault


def citations(workspace: WorkspaceFolder) -> tuple[int, Any]:
    done: subprocess.CompletedProcess[str] = workspace.run("citations", "--json")
    return done.returncode, json.loads(done.stdout)


def differing(workspace: WorkspaceFolder) -> list[tuple[str, int, str, int | None]]:
    code, report = citations(workspace)
    assert code == (1 if report["differing"] else 0)
    return [
        (one["artifact_path"], one["start_line"], one["state"], one.get("now", {}).get("start_line"))
        for one in report["differing"]
    ]


def test_what_holds_is_counted_and_nothing_else_said(workspace: WorkspaceFolder, vault: Vault) -> None:
    assert citations(workspace) == (0, {"cited": 3, "differing": []})


def test_what_moved_or_changed_is_said_of_every_artifact(workspace: WorkspaceFolder, vault: Vault) -> None:
    workspace.write("m/guide.md", "序。\n\n" + GUIDE.replace("三十日", "六十日"))
    assert differing(workspace) == [
        ("copy.md", 9, "changed", None),
        ("steps.md", 7, "moved", 9),
        ("steps.md", 11, "changed", None),
    ]
    assert workspace.run("citations").stdout.splitlines() == [
        "copy.md: manuals/m/guide.md:9-11 has changed",
        "steps.md: manuals/m/guide.md:7 has moved to 9",
        "steps.md: manuals/m/guide.md:11 has changed",
    ]
    # Nothing was renewed by that.
    assert len(differing(workspace)) == 3


def test_what_an_artifact_does_not_cite_any_more_is_not_said(workspace: WorkspaceFolder, vault: Vault) -> None:
    (workspace.manuals / "m/guide.md").unlink()
    assert [state for _, _, state, _ in differing(workspace)] == ["gone"] * 3
    vault.put("steps.md", TABLE.replace(" 11 ", " 3 "))
    (vault.root / "copy.md").unlink()
    assert differing(workspace) == [("steps.md", 7, "gone", None)]


def test_an_artifact_that_was_renamed_goes_on_citing_what_it_cited(workspace: WorkspaceFolder, vault: Vault) -> None:
    (vault.root / "図").mkdir()
    (vault.root / "steps.md").rename(vault.root / "図/手順 (改).md")
    vault.put("図/手順 (改).md", TABLE + "| M03 | 控える | 3 |\n")
    workspace.write("m/guide.md", "序。\n\n" + GUIDE.replace("三十日", "六十日"))
    told = [
        ("copy.md", 9, "changed", None),
        ("図/手順 (改).md", 7, "moved", 9),
        ("図/手順 (改).md", 11, "changed", None),
    ]
    assert differing(workspace) == told
    audit = {"artifact_path": "図/手順 (改).md", "source_path": "manuals/m/guide.md"}
    for new, same in ((1, 0), (0, 1)):
        found = vault.serving.call("artifact_audit", **audit)["citations"]
        assert [one["start_line"] for one in found["moved"] + found["changed"]] == [7, 11]
        assert (found["new"], found["same"]) == (new, same)
    assert eventually(lambda: ask_database(workspace, "SELECT count(*) FROM citations") == [(5,)])
    assert differing(workspace) == told


def test_artifacts_whose_folder_was_moved_go_on_with_their_own_citations(
    workspace: WorkspaceFolder, vault: Vault
) -> None:
    workspace.write("m/guide.md", GUIDE.replace("三十日", "六十日"))
    # Of the same lines, of which it knows another text.
    vault.put("later.md", TABLE)
    audit = {"source_path": "manuals/m/guide.md"}
    vault.serving.call("artifact_audit", artifact_path="later.md", **audit)
    assert eventually(lambda: ask_database(workspace, "SELECT count(*) FROM citations") == [(4,)])
    for name in ("steps.md", "later.md"):
        (vault.root / name).unlink()
        vault.put(f"業務/{name}", TABLE)
    told = [("copy.md", 9, "changed", None), ("業務/steps.md", 11, "changed", None)]
    assert differing(workspace) == told
    for name, changed in (("steps.md", 1), ("later.md", 0)):
        found = vault.serving.call("artifact_audit", artifact_path=f"業務/{name}", **audit)["citations"]
        assert (len(found["changed"]), found["new"]) == (changed, 0)


def test_a_copy_of_an_artifact_that_is_still_there_cites_anew(workspace: WorkspaceFolder, vault: Vault) -> None:
    vault.put("写し.md", TABLE)
    workspace.write("m/guide.md", "序。\n\n" + GUIDE)
    body = vault.serving.call("artifact_audit", artifact_path="写し.md", source_path="manuals/m/guide.md")
    assert (body["citations"]["new"], body["citations"]["moved"]) == (2, [])


def test_a_source_that_was_renamed_is_cited_by_its_new_name(workspace: WorkspaceFolder, vault: Vault) -> None:
    (workspace.manuals / "m/guide.md").unlink()
    workspace.write("m/規則.md", "序。\n\n" + GUIDE.replace("三十日", "六十日"))
    body = vault.serving.call("artifact_audit", artifact_path="steps.md", source_path="manuals/m/規則.md")
    assert body["citations"]["new"] == 0
    assert [one["now"]["start_line"] for one in body["citations"]["moved"]] == [9]
    assert eventually(lambda: ask_database(workspace, "SELECT count(*) FROM citations") == [(4,)])
    assert differing(workspace) == [
        ("copy.md", 9, "gone", None),
        ("steps.md", 7, "moved", 9),
        ("steps.md", 11, "changed", None),
    ]


def test_what_was_corrected_as_the_command_says_is_not_said_to_have_moved_on(
    workspace: WorkspaceFolder, vault: Vault
) -> None:
    """Each passage is followed by the next one as far below as all have moved: 7 stands at 9 now, 9 at 11."""
    (vault.root / "copy.md").unlink()
    vault.put("rules.md", TABLE.replace(" 11 ", " 9 "))
    audit = {"artifact_path": "rules.md", "source_path": "manuals/m/guide.md"}
    vault.serving.call("artifact_audit", **audit)
    assert eventually(lambda: ask_database(workspace, "SELECT count(*) FROM citations") == [(4,)])
    workspace.write("m/guide.md", "序。\n\n" + GUIDE)
    others = [("steps.md", 7, "moved", 9), ("steps.md", 11, "moved", 13)]
    assert differing(workspace) == [("rules.md", 7, "moved", 9), ("rules.md", 9, "moved", 11), *others]
    vault.put("rules.md", TABLE.replace(" 7 ", " 9 "))
    assert differing(workspace) == others
    for new, same in ((2, 0), (0, 2)):
        found = vault.serving.call("artifact_audit", **audit)["citations"]
        assert (found["moved"], found["new"], found["same"]) == ([], new, same)
