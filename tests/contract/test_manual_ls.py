"""`manual_ls` (seed 004 §4): files by manual and path, a page at a time."""

import pytest

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder


def test_all_manuals_are_listed_by_manual_and_path(library: Serving) -> None:
    items = library.call("manual_ls")["items"]
    assert [(item["manual_id"], item["path"]) for item in items] == [
        ("english", "install.md"),
        ("手引き", "config/settings.json"),
        ("手引き", "guide.md"),
        ("規則", "rules.md"),
    ]


def test_a_file_says_what_it_is(library: Serving) -> None:
    items = library.call("manual_ls", manual_id="手引き")["items"]
    assert {item["path"]: item["file_type"] for item in items} == {"config/settings.json": "json", "guide.md": "md"}


def test_one_manual_is_listed_alone(library: Serving) -> None:
    body = library.call("manual_ls", manual_id="規則")
    assert body["items"] == [{"manual_id": "規則", "path": "rules.md", "file_type": "md"}]
    assert body["total"] == 1


def test_a_manual_that_is_not_there_is_not_found(library: Serving) -> None:
    error = library.refuse("manual_ls", manual_id="手引")
    assert error["code"] == "not_found"
    assert error["details"]["nearest"] == ["手引き"]


def test_paths_sort_as_whole_strings(workspace: WorkspaceFolder, serve: Serve) -> None:
    paths = ["b.md", "a/z.md", "a.md", "a-b.md", "B.md", "a/b/c.md", "あ.md", "10.md", "9.md"]
    for path in paths:
        workspace.write(f"m/{path}", "# 題\n")
    assert [item["path"] for item in serve().call("manual_ls")["items"]] == sorted(paths)


def test_pages_are_disjoint_and_complete(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(23):
        workspace.write(f"m/{number}.md", "# 題\n")
    manuals = serve()
    pages = [manuals.call("manual_ls", offset=offset, limit=10) for offset in (0, 10, 20)]
    assert [len(page["items"]) for page in pages] == [10, 10, 3]
    assert {page["total"] for page in pages} == {23}
    assert [item for page in pages for item in page["items"]] == manuals.call("manual_ls")["items"]


def test_a_page_says_where_it_lies(library: Serving) -> None:
    body = library.call("manual_ls", offset=1, limit=2)
    assert (body["offset"], body["limit"], body["total"]) == (1, 2, 4)


def test_a_page_behind_the_end_is_empty(library: Serving) -> None:
    body = library.call("manual_ls", offset=2_000_000_000)
    assert (body["items"], body["total"]) == ([], 4)


@pytest.mark.parametrize(("offset", "limit"), [(-1, 1), (0, 0), (0, -1), (2**31, 1), (0, 10**9)])
def test_an_impossible_page_is_refused(library: Serving, offset: int, limit: int) -> None:
    assert library.refuse("manual_ls", offset=offset, limit=limit)["code"] == "invalid_parameter"


def test_hidden_files_and_other_kinds_are_not_listed(workspace: WorkspaceFolder, serve: Serve) -> None:
    for path in ("m/x.md", "m/.hidden.md", "m/.git/y.md", "m/z.txt", "m/image.png", "m/no_ending"):
        workspace.write(path, "# 題\n")
    assert [item["path"] for item in serve().call("manual_ls")["items"]] == ["x.md"]


def test_a_file_that_cannot_be_decoded_is_listed(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/odd.md", b"\xff\x00\xfe broken \x81")
    assert [item["path"] for item in serve().call("manual_ls")["items"]] == ["odd.md"]
