"""Paths that lead elsewhere: refused by their form, or by what stands on the disk when they are opened."""

import os
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from morenashi.indexer.files import MOST_LEVELS
from morenashi.server.errors import ToolError
from morenashi.server.paths import parse_relative_path

from ..workspaces import WorkspaceFolder, eventually
from .serving import Serve, Serving, as_json, serving_indexed

SECRET = "門外不出"
ESCAPES = {"invalid_path", "out_of_scope", "not_found"}

HOSTILE_PATHS = [
    "..",
    "../",
    "../outside.md",
    "../../outside.md",
    "../../../../../../etc/passwd",
    "a/../../outside.md",
    "a/../../../outside.md",
    "./../outside.md",
    "folder/..",
    "folder/../../n/secret.md",
    "....//outside.md",
    "..\\outside.md",
    "..\\..\\outside.md",
    "folder\\..\\..\\..\\outside.md",
    "/etc/passwd",
    "/outside.md",
    "//etc/passwd",
    "///outside.md",
    "\\etc\\passwd",
    "\\\\server\\share\\x.md",
    "//server/share/x.md",
    "\\\\?\\C:\\x.md",
    "C:\\x.md",
    "C:/x.md",
    "C:x.md",
    "c:outside.md",
    "file:///etc/passwd",
    "x.md\x00.txt",
    "\x00",
    "x\x00/../../outside.md",
    "x.md\n",
    "x\r.md",
    "x\x1b[2J.md",
    "x\x7f.md",
    "x\x85.md",
    ".",
    "./",
    "/",
    "",
    " ",
    "~",
    "~/outside.md",
    "~root/x.md",
    "$HOME/outside.md",
    "%2e%2e/outside.md",
    "..%2foutside.md",
    "．．/outside.md",
    "‥/outside.md",
    "x.md/y.md",
    "folder",
    "folder/",
    "x.MD/../x.md",
    "a" * 300 + ".md",
    "a/" * 1_500 + "x.md",
    "あ" * 200 + ".md",
    "link.md",
    "link-folder/secret.md",
    "link-folder/deep/secret.md",
    "link-to-link.md",
    "loop.md",
    "dangling.md",
    "fifo.md",
    ".hidden.md",
    ".git/x.md",
]
HOSTILE_MANUALS = [
    "..",
    ".",
    "../outside",
    "/",
    "/etc",
    "m/../n",
    "m/..",
    "\\",
    "C:",
    "m\x00",
    "link",
    "outside",
    "m/folder",
]


@pytest.fixture
def swapped(workspace: WorkspaceFolder, serve: Serve) -> Serving:
    """A manual beside secrets, in which files and folders may be exchanged."""
    write_secrets(workspace)
    return serve()


@pytest.fixture(scope="module")
def guarded(shared_workspace: WorkspaceFolder) -> Iterator[Serving]:
    """The same, of which the tests only read."""
    write_secrets(shared_workspace)
    with serving_indexed(shared_workspace, ALLOW_FILE_SCOPE="true") as manuals:
        yield manuals


def write_secrets(workspace: WorkspaceFolder) -> None:
    """A manual, files outside of it, and links of all kinds that lead to them."""
    outside = workspace.root / "outside"
    (outside / "deep").mkdir(parents=True)
    for path in (outside / "secret.md", outside / "deep" / "secret.md", workspace.root / "outside.md"):
        path.write_text(f"# 題\n\n{SECRET}\n", "utf-8")
    workspace.write("outside.md", f"{SECRET}\n")
    workspace.write("m/x.md", "# 題\n\n本文\n")
    workspace.write("m/folder/y.md", "# 題\n\n本文\n")
    workspace.write("m/.hidden.md", f"{SECRET}\n")
    workspace.write("m/.git/x.md", f"{SECRET}\n")
    manual = workspace.manuals / "m"
    (manual / "link.md").symlink_to(outside / "secret.md")
    (manual / "link-folder").symlink_to(outside)
    (manual / "link-to-link.md").symlink_to("link.md")
    (manual / "loop.md").symlink_to("loop.md")
    (manual / "dangling.md").symlink_to(outside / "none.md")
    (workspace.manuals / "link").symlink_to(outside)
    os.mkfifo(manual / "fifo.md")


def refusal(manuals: Serving, manual_id: str, path: str, **arguments: Any) -> dict[str, Any]:
    error = manuals.refuse("manual_read", ref=manuals.ref(manual_id, path), **arguments)
    assert SECRET not in as_json(error)
    return error


@pytest.mark.parametrize("path", HOSTILE_PATHS, ids=[ascii(path)[:40] for path in HOSTILE_PATHS])
def test_a_hostile_path_is_refused_and_the_parameter_named(guarded: Serving, path: str) -> None:
    # A pipe is a file in scope, which nobody may read; an empty path is no path at all.
    also = {"fifo.md": {"forbidden"}, "": {"invalid_parameter"}}.get(path, set())
    error = refusal(guarded, "m", path)
    assert error["code"] in ESCAPES | also
    assert error["details"]["parameter"] == "ref.path"


@pytest.mark.parametrize("scope", ["snippet", "section", "sections", "file"])
@pytest.mark.parametrize("path", ["../../outside.md", "/etc/passwd", "link.md", "link-folder/secret.md"])
def test_it_is_refused_in_every_scope(guarded: Serving, path: str, scope: str) -> None:
    error = refusal(guarded, "m", path, scope=scope, limits={"allow_file": True})
    assert error["code"] in ESCAPES


@pytest.mark.parametrize("manual_id", HOSTILE_MANUALS, ids=ascii)
@pytest.mark.parametrize("tool", ["manual_ls", "manual_toc", "manual_excepts", "manual_find", "manual_read"])
def test_a_hostile_manual_is_refused(guarded: Serving, tool: str, manual_id: str) -> None:
    arguments: dict[str, Any] = {"manual_id": manual_id}
    if tool == "manual_find":
        arguments["query"] = SECRET
    if tool == "manual_read":
        arguments = {"ref": guarded.ref(manual_id, "secret.md")}
    assert guarded.refuse(tool, **arguments)["code"] in ESCAPES


def test_nothing_behind_a_link_or_hidden_is_found(guarded: Serving) -> None:
    assert guarded.find(SECRET).hits() == []


def test_nothing_behind_a_link_or_hidden_is_listed(guarded: Serving) -> None:
    assert {item["path"] for item in guarded.call("manual_ls")["items"]} == {"x.md", "folder/y.md"}


def test_a_harmless_path_is_still_read(guarded: Serving) -> None:
    for path in ("x.md", "./x.md", "folder/./y.md", "folder//y.md", "folder/y.md/"):
        assert guarded.read(guarded.ref("m", path, 3))["text"] == "本文\n"


def test_a_file_swapped_for_a_link_is_not_followed(workspace: WorkspaceFolder, swapped: Serving) -> None:
    ref = swapped.find("本文").hits()[0]["ref"]
    path = workspace.manuals / "m" / ref["path"]
    path.unlink()
    path.symlink_to(workspace.root / "outside.md")
    assert swapped.refuse("manual_read", ref=ref)["code"] == "out_of_scope"


def test_a_folder_swapped_for_a_link_is_not_followed(workspace: WorkspaceFolder, swapped: Serving) -> None:
    folder = workspace.manuals / "m" / "folder"
    shutil.rmtree(folder)
    (workspace.root / "outside" / "y.md").write_text(f"{SECRET}\n", "utf-8")
    folder.symlink_to(workspace.root / "outside")
    assert refusal(swapped, "m", "folder/y.md")["code"] == "out_of_scope"


def test_a_manual_swapped_for_a_link_is_not_followed(workspace: WorkspaceFolder, swapped: Serving) -> None:
    (workspace.manuals / "m").rename(workspace.root / "away")
    (workspace.root / "outside" / "x.md").write_text(f"{SECRET}\n", "utf-8")
    (workspace.manuals / "m").symlink_to(workspace.root / "outside")
    assert refusal(swapped, "m", "x.md")["code"] == "out_of_scope"


def test_a_json_file_swapped_for_a_link_gives_no_pointer_away(workspace: WorkspaceFolder, serve: Serve) -> None:
    path = workspace.write("m/x.json", '{"a": "本文"}')
    secret = workspace.root / "secret.json"
    secret.write_text(as_json({SECRET: "本文"}), "utf-8")
    found = serve().find("本文")
    path.unlink()
    path.symlink_to(secret)
    assert SECRET not in as_json(found.hits())


def test_a_file_that_is_swapped_again_and_again_is_never_read_from_outside(
    workspace: WorkspaceFolder, swapped: Serving
) -> None:
    path, stop = workspace.manuals / "m" / "folder", threading.Event()
    (workspace.root / "outside" / "y.md").write_text(f"{SECRET}\n", "utf-8")

    def swap() -> None:
        while not stop.is_set():
            path.rename(path.with_name("kept"))
            path.symlink_to(workspace.root / "outside")
            path.unlink()
            path.with_name("kept").rename(path)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        answers = [swapped.answer("manual_read", ref=swapped.ref("m", "folder/y.md")) for _ in range(300)]
    finally:
        stop.set()
        swapping.join()
    assert SECRET not in as_json([answer.structured_content for answer in answers])
    assert {answer.structured_content.get("code") for answer in answers} <= {None, "out_of_scope", "not_found"}


def test_a_root_that_is_a_link_is_the_users_choice(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "本文\n")
    workspace.manuals.rename(workspace.root / "elsewhere")
    workspace.manuals.symlink_to(workspace.root / "elsewhere")
    manuals = serve()
    assert eventually(lambda: manuals.find("本文").status == "found")
    assert manuals.read(manuals.ref("m", "x.md"))["text"] == "本文\n"


DEVICES = ["con", "prn", "aux", "nul", "conin$", "conout$"]
DEVICES += [f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"]


@pytest.mark.parametrize("form", ["{}", "{}.md", "{}.tar.md", "{} .md", "folder/{}.md", "{}/x.md"])
def test_no_file_is_called_as_a_device_is_on_some_system(form: str) -> None:
    for device in (*DEVICES, *map(str.upper, DEVICES)):
        with pytest.raises(ToolError) as refused:
            parse_relative_path(form.format(device), "path")
        assert refused.value.code == "invalid_path"


@pytest.mark.parametrize("path", ["console.md", "com.md", "com10.md", "nullable.md", "lpt-x.md", "x.con", "x con.md"])
def test_a_name_that_only_resembles_a_devices_is_taken(path: str) -> None:
    assert parse_relative_path(path, "path") == (path,)


@pytest.mark.parametrize("path", ["con.md", "a:b.md", "C:x.md", "a\\b.md", "\\x.md", "x.", "x ", "a./x.md"])
def test_what_is_there_by_a_name_that_means_something_else_elsewhere_may_be_named(path: str) -> None:
    assert parse_relative_path(path, "path", lambda name: name == path) == tuple(path.split("/"))
    with pytest.raises(ToolError):
        parse_relative_path(path, "path", lambda name: name != path)


@pytest.mark.parametrize(
    "path", ["/x.md", "\\\\x.md", "C:/x.md", "C:\\x.md", "C:", "../x.md", "a/../x.md", "a\\..\\x.md", "x\n", "", "./"]
)
def test_what_is_no_relative_path_is_none_whatever_is_there(path: str) -> None:
    with pytest.raises(ToolError) as refused:
        parse_relative_path(path, "path", lambda name: True)
    assert refused.value.code == "invalid_path"


def test_a_path_goes_as_deep_as_folders_may_lie() -> None:
    assert len(parse_relative_path("a/" * (MOST_LEVELS - 1) + "x.md", "path")) == MOST_LEVELS
    with pytest.raises(ToolError):
        parse_relative_path("a/" * MOST_LEVELS + "x.md", "path")


@pytest.mark.parametrize("uri", ["vault://notes/a.md", "manual://guide/a.md", "file://notes/a.md"])
def test_a_uri_is_refused_as_one(uri: str) -> None:
    with pytest.raises(ToolError, match=r"a URI is no path: .* without [a-z]+://$") as refused:
        parse_relative_path(uri, "path")
    assert refused.value.code == "invalid_path"
