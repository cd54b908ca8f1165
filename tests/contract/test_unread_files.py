"""`completeness.unread_files`: what is no document is not examined, and `absent` says nothing of it."""

import json
from typing import Any

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder, eventually


@pytest.fixture
def mixed(workspace: WorkspaceFolder) -> WorkspaceFolder:
    workspace.write("a/x.md", "# 題\n\n点検する。\n")
    workspace.write("a/deep/guide.RST", "点検を省く。\n")
    workspace.write("a/guide.pdf", b"%PDF-1.7")
    workspace.write("a/logo.png", b"\x89PNG")
    workspace.write("a/.hidden.rst", "点検\n")
    workspace.write("b/y.md", "# 題\n\n別の文。\n")
    return workspace


def unread(serve: Serve, **asked: Any) -> list[int | None]:
    manuals = serve()
    found = (manuals.find(question, **asked).summary["completeness"] for question in ("点検", "どこにもない語"))
    return [completeness.get("unread_files") for completeness in found]


def test_files_in_other_formats_are_counted_and_leave_the_status_as_it_is(mixed: WorkspaceFolder, serve: Serve) -> None:
    del mixed
    completeness = serve().find("どこにもない語").summary["completeness"]
    assert (completeness["status"], completeness["unread_files"]) == ("absent", 2)


@pytest.mark.parametrize(("asked", "files"), [({"manual_id": "a"}, 2), ({"manual_id": "b", "max_stage": 3}, None)])
def test_those_of_the_manual_that_is_asked_are_counted(
    mixed: WorkspaceFolder, serve: Serve, asked: dict[str, Any], files: int | None
) -> None:
    del mixed
    assert unread(serve, **asked)[0] == files


def test_links_and_what_lies_in_no_manual_are_counted(mixed: WorkspaceFolder, serve: Serve) -> None:
    mixed.write("loose.md", "点検\n")
    mixed.write("loose.txt", "点検\n")
    (mixed.manuals / "b" / "link.md").symlink_to(mixed.manuals / "a" / "x.md")
    (mixed.manuals / "c").symlink_to(mixed.manuals / "a")
    assert unread(serve) == [6, 6]


def test_where_there_are_none_nothing_is_said(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("a/x.md", "# 題\n\n点検する。\n")
    workspace.write("a/logo.png", b"\x89PNG")
    assert unread(serve) == [None, None]


def test_what_has_come_is_counted_once_all_is_compared_again(mixed: WorkspaceFolder, serve: Serve) -> None:
    manuals = serve()
    mixed.write("a/more.docx", b"PK")
    manuals.workspace.manuals.keeper.look()
    assert eventually(lambda: manuals.find("点検").summary["completeness"]["unread_files"] == 3)


def test_reindex_names_their_formats(mixed: WorkspaceFolder) -> None:
    done = mixed.run("reindex")
    assert done.stdout.splitlines()[-1] == "neither Markdown nor JSON, not read: .rst (1), .pdf (1)"
    assert json.loads(mixed.run("reindex", "--json").stdout)["other_formats"] == {".rst": 1, ".pdf": 1}


def test_many_of_a_format_are_each_counted_in_every_manual(workspace: WorkspaceFolder, serve: Serve) -> None:
    for path in ("a/1.rst", "a/2.rst", "b/3.rst"):
        workspace.write(path, "点検\n")
    workspace.write("a/x.md", "# 題\n\n点検する。\n")
    workspace.write("b/y.md", "# 題\n\n別の文。\n")
    assert json.loads(workspace.run("reindex", "--json").stdout)["other_formats"] == {".rst": 3}
    manuals = serve()
    asked = [manuals.find("点検"), manuals.find("点検", manual_id="a", max_stage=3)]
    assert [found.summary["completeness"]["unread_files"] for found in asked] == [3, 2]
