"""`manual_list` (seed 004 §4): the ids of the manuals, sorted."""

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder


def test_manuals_come_in_order_of_their_ids(workspace: WorkspaceFolder, serve: Serve) -> None:
    for manual_id in ("規則", "b", "a-2", "A", "あ", "a10", "a9"):
        workspace.write(f"{manual_id}/x.md", "# 題\n")
    ids = [item["manual_id"] for item in serve().call("manual_list")["items"]]
    assert ids == sorted(["規則", "b", "a-2", "A", "あ", "a10", "a9"])


def test_a_manual_is_named_once_however_many_files_it_has(workspace: WorkspaceFolder, serve: Serve) -> None:
    for name in ("x.md", "y.md", "deep/z.json"):
        workspace.write(f"a/{name}", "{}")
    assert serve().call("manual_list") == {"items": [{"manual_id": "a"}]}


def test_a_workspace_without_manuals_has_an_empty_list(serve: Serve) -> None:
    assert serve().call("manual_list") == {"items": []}


def test_a_file_beside_the_manuals_is_no_manual(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("README.md", "# 題\n")
    workspace.write("a/x.md", "# 題\n")
    assert serve().call("manual_list") == {"items": [{"manual_id": "a"}]}


def test_the_same_list_comes_twice(library: Serving) -> None:
    assert library.call("manual_list") == library.call("manual_list")
