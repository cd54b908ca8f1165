"""A server that was set up for another folder says so: that nothing is found there says nothing of any manual."""

from typing import Any

import pytest

from ..server.serving import Serve, Serving, index_now, serving
from ..workspaces import WorkspaceFolder, eventually, without_permission

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("manual_list", {}),
    ("manual_ls", {}),
    ("manual_find", {"query": "休暇"}),
    ("manual_find", {"query": "休暇", "manual_id": "m"}),
    ("manual_toc", {"manual_id": "m"}),
    ("manual_read", {"ref": {"target": "manual", "manual_id": "m", "path": "x.md"}}),
]


def assert_every_call_says(why: str, manuals: Serving) -> None:
    for tool, arguments in CALLS:
        error = manuals.refuse(tool, **arguments)
        assert error["code"] == "not_found"
        assert error["message"].startswith(f"the server has no manuals: {why}")
        assert str(manuals.folder.root) not in str(error)


def test_without_a_folder_of_manuals_every_call_says_what_to_make(workspace: WorkspaceFolder) -> None:
    """In words for who chose a folder of documents in a dialog: he has seen no setting, and has no command."""
    workspace.manuals.rmdir()
    (workspace.root / "休暇.md").write_text("休暇\n")
    with serving(workspace) as manuals:
        assert_every_call_says(
            "the folder chosen as its workspace has no folder `manuals`; make it, and in it a folder with .md or .json "
            "files for each manual, or choose the folder that has it",
            manuals,
        )
        workspace.write("m/x.md", "休暇\n")
        assert eventually(lambda: not manuals.answer("manual_find", query="休暇").is_error)
        assert eventually(lambda: manuals.find("休暇").status == "found")


def test_a_folder_of_manuals_that_may_not_be_read_is_none(ordinary_workspace: WorkspaceFolder) -> None:
    ordinary_workspace.write("m/x.md", "休暇\n")
    with without_permission(ordinary_workspace.manuals), serving(ordinary_workspace) as manuals:
        assert_every_call_says("the folder `manuals` of its workspace may not be read", manuals)


def test_a_folder_of_manuals_that_a_setting_names_is_not_to_be_made(workspace: WorkspaceFolder) -> None:
    with serving(workspace, MANUALS_ROOT="books") as manuals:
        assert_every_call_says("the folder that MANUALS_ROOT names is not there, or may not be read", manuals)


def test_what_the_index_has_of_a_folder_that_is_away_is_listed_as_changed(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "休暇\n")
    index_now(workspace)
    workspace.manuals.rename(workspace.root / "away")
    with serving(workspace) as manuals:
        found = manuals.find("休暇")
        assert (found.status, found.summary["completeness"]["pending_files"]) == ("found", 1)


def test_a_folder_without_a_manual_is_searched_in_vain_and_a_gap_says_what_a_manual_is(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    (workspace.manuals / "beside.md").write_text("休暇\n")
    found = serve().find("休暇")
    assert found.status == "unknown"
    assert [action["params"]["kind"] for action in found.next_actions] == ["gaps"]
    [gap] = found.hits("gaps")
    assert "a manual is a folder of" in gap["gap_hint"]


@pytest.mark.parametrize("name", ["keihi", "no/manual", "../elsewhere"])
def test_a_wrong_default_manual_is_said_to_be_the_servers_own(
    workspace: WorkspaceFolder, serve: Serve, name: str
) -> None:
    workspace.write("keihi-ja/x.md", "休暇\n")
    manuals = serve(DEFAULT_MANUAL_ID=name)
    error = manuals.refuse("manual_find", query="休暇")
    assert (error["code"], error["details"]["parameter"]) == ("not_found", "manual_id")
    assert "DEFAULT_MANUAL_ID" in error["message"]
    if name == "keihi":
        assert error["details"]["nearest"] == ["keihi-ja"]
    assert manuals.find("休暇", manual_id="keihi-ja").status == "found"
