"""A search is taken up after files have changed: what was left over is searched as it is now."""

import pytest

from ..server.serving import Found, Serve, Serving
from ..workspaces import WorkspaceFolder
from .resumed import index_again, is_consistent, resume

SECTIONS = [f"# 題{n}\n\n鍵言葉\n\n" for n in range(8)]


@pytest.fixture
def manuals(workspace: WorkspaceFolder, serve: Serve) -> Serving:
    workspace.write("m/a.md", "".join(SECTIONS))
    return serve()


def first(manuals: Serving) -> Found:
    found = manuals.find("鍵言葉", budget={"max_candidates": 2})
    assert found.lines["unexamined"] > 0
    return found


def titles(found: Found) -> set[str]:
    return {item["ref"]["title"] for item in found.hits()}


def test_lines_that_have_moved_are_found_where_they_are_now(manuals: Serving, workspace: WorkspaceFolder) -> None:
    found = first(manuals)
    workspace.write("m/a.md", "書き足した行。\n" * 200 + "".join(SECTIONS))
    index_again(manuals)
    rest = resume(found, "鍵言葉")
    assert titles(rest) == {f"題{n}" for n in range(8)}
    assert rest.lines["total"] == 200 + 32
    assert is_consistent(rest)


def test_a_file_that_is_gone_has_no_lines_any_more(manuals: Serving, workspace: WorkspaceFolder) -> None:
    found = first(manuals)
    workspace.write("m/b.md", "# 別\n\n鍵言葉\n")
    (workspace.manuals / "m" / "a.md").unlink()
    index_again(manuals)
    rest = resume(found, "鍵言葉")
    assert rest.lines == {"total": 0, "examined": 0, "matched": 0, "unexamined": 0}
    assert rest.hits() == []


def test_a_file_that_is_not_indexed_yet_is_listed_whole(manuals: Serving, workspace: WorkspaceFolder) -> None:
    found = first(manuals)
    workspace.write("m/a.md", "# 別\n\n鍵言葉\n")
    rest = resume(found, "鍵言葉")
    assert [row[0] for row in rest.unscanned()] == ["changed_since_index"]
    assert is_consistent(rest)


def test_a_new_file_that_was_not_indexed_yet_is_searched_to_its_end(
    manuals: Serving, workspace: WorkspaceFolder
) -> None:
    workspace.write("m/new.md", "".join(f"# 新{n}\n\n鍵言葉\n\n" for n in range(8)))
    found = manuals.find("鍵言葉")
    assert [row[0] for row in found.unscanned()] == ["changed_since_index"]
    index_again(manuals)
    rest = resume(found, "鍵言葉")
    assert titles(rest) == {f"新{n}" for n in range(8)}
    assert (rest.lines["total"], rest.lines["unexamined"]) == (32, 0)


def test_a_file_that_did_not_change_is_taken_up_where_it_was_left(manuals: Serving, workspace: WorkspaceFolder) -> None:
    found = first(manuals)
    workspace.write("m/b.md", "# 別\n\n鍵言葉\n")
    index_again(manuals)
    rest = resume(found, "鍵言葉")
    assert rest.lines["total"] == found.lines["unexamined"]
    assert titles(found).isdisjoint(titles(rest))
    assert rest.paths() == {"a.md"}


def test_a_file_that_has_changed_and_is_not_asked_for_again_is_not_listed(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "".join(SECTIONS))
    workspace.write("m/b.md", "# 別\n\n関係のない文。\n")
    manuals = serve()
    found = first(manuals)
    workspace.write("m/b.md", "# 別\n\nほかの文。\n")
    rest = resume(found, "鍵言葉")
    assert (rest.unscanned(), rest.lines["total"]) == ([], found.lines["unexamined"])
