"""Reserved folders and hostile paths: no spelling gets around the policy or out of the vault (contract §1)."""

import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest

from ..server.serving import serving_indexed
from ..workspaces import WorkspaceFolder
from .notes import Vault

WRITES: list[tuple[str, dict[str, Any]]] = [
    ("create", {"content": "新"}),
    ("write", {"content": "新", "mode": "append"}),
    ("write", {"content": "新", "mode": "overwrite"}),
    ("replace", {"find": "元", "replace": "新"}),
]
SYSTEM = [
    ".system",
    ".System",
    ".SYSTEM",
    "．system",
    ".ｓystem",
    ".ſystem",
    ".sys\u200btem",
    ".s\u00adystem",
    ".sys\ufff9tem",
    "․system",
]
PROGRAMS = [".git", ".GIT", "．git", ".g\u200cit", "git~1", ".hg", ".obsidian", ".Obsidian", ".vscode", ".idea"]
PROGRAMS += [".devcontainer", ".claude", ".Claude", ".cursor", ".codex", ".gemini", ".mcp.json"]
DAILY = [
    "Daily",
    "DAILY",
    "ｄａｉｌｙ",
    "dai\u200bly",
    "ⓓaily",
    "artifacts/Daily",
    "Artifacts/daily",
    "ａrtifacts/daily",
]


@pytest.fixture(scope="module")
def refusing(shared_workspace: WorkspaceFolder) -> Iterator[Vault]:
    """A vault of which everything is refused: it does not come to be."""
    with serving_indexed(shared_workspace) as served:
        yield Vault(shared_workspace.root / "vault", served)


@pytest.mark.parametrize(("tool", "arguments"), WRITES)
@pytest.mark.parametrize("folder", SYSTEM, ids=ascii)
def test_the_servers_own_folder_is_written_by_nobody_else(
    refusing: Vault, tool: str, arguments: dict[str, Any], folder: str
) -> None:
    for path in (f"{folder}/x.md", f"./{folder}//deep/x.md", folder):
        assert refusing.code(tool, path=path, **arguments) == "forbidden"
    assert refusing.names() == []


@pytest.mark.parametrize(("tool", "arguments"), WRITES)
@pytest.mark.parametrize("folder", PROGRAMS, ids=ascii)
def test_what_another_program_would_run_is_not_written(
    refusing: Vault, tool: str, arguments: dict[str, Any], folder: str
) -> None:
    for path in (f"{folder}/config", f"notes/{folder}/plugins/x/main.js", folder):
        assert refusing.code(tool, path=path, **arguments) == "forbidden"
    assert refusing.names() == []


def test_what_another_program_would_run_is_read(vault: Vault) -> None:
    vault.put(".git/config", "[core]\n")
    assert vault.call("read", path=".git/config", full=True)["text"] == "[core]\n"
    assert [item["path"] for item in vault.call("ls", path=".git")["items"]] == [".git/config"]


@pytest.mark.parametrize(("tool", "arguments"), WRITES)
@pytest.mark.parametrize("folder", DAILY, ids=ascii)
def test_another_spelling_of_the_daily_folder_lets_nobody_in(
    refusing: Vault, tool: str, arguments: dict[str, Any], folder: str
) -> None:
    for name in ("2026-02-23.md", "x.md"):
        assert refusing.code(tool, path=f"{folder}/{name}", **arguments) == "forbidden"
    assert refusing.names() == []


@pytest.mark.parametrize("folder", ["daily", "artifacts/daily"])
def test_a_daily_note_is_created_once_and_then_only_grows(vault: Vault, folder: str) -> None:
    path = f"{folder}/2026-02-23.md"
    vault.call("create", path=path, content="一\n")
    assert vault.code("create", path=path, content="一\n") == "conflict"
    vault.call("write", path=path, content="二\n", mode="append")
    assert vault.code("write", path=path, content="三\n", mode="overwrite") == "forbidden"
    assert vault.code("replace", path=path, find="一", replace="三") == "forbidden"
    assert vault.bytes(path) == "一\n二\n".encode()


@pytest.mark.parametrize(
    "name",
    [
        "2026-02-30.md",
        "2026-2-3.md",
        "2026-02-23.txt",
        "2026-02-23.MD",
        "２０２６-02-23.md",
        "2026-02-23.md/x.md",
        "deep/2026-02-23.md",
        "x.md",
        "2026-02-23",
        "0000-01-01.md",
    ],
)
def test_what_is_no_day_is_no_daily_note(vault: Vault, name: str) -> None:
    assert vault.code("create", path=f"daily/{name}", content="本文") == "forbidden"
    vault.put(f"daily/{name}", "元")
    assert vault.code("write", path=f"daily/{name}", content="本文", mode="append") == "forbidden"


def test_the_daily_folders_name_is_no_files_name(vault: Vault) -> None:
    assert vault.code("create", path="daily", content="本文") == "forbidden"
    assert vault.code("create", path="artifacts/daily", content="本文") == "forbidden"


def test_names_that_only_resemble_are_free(vault: Vault) -> None:
    for path in (
        "daily.md",
        "dailynotes/x.md",
        "notes/daily/x.md",
        "notes/.system/x.md",
        ".systems/x.md",
        ".gitignore",
    ):
        vault.call("create", path=path, content="本文")


def test_the_name_of_unfinished_files_is_reserved(vault: Vault) -> None:
    assert vault.code("create", path="a/.morenashi.tmp", content="本文") == "forbidden"


def test_no_folder_takes_the_name_of_unfinished_files_from_the_writes_beside_it(vault: Vault) -> None:
    for path in (".morenashi.tmp/x.md", "a/.Morenashi.tmp/deep/x.md"):
        assert vault.code("create", path=path, content="本文") == "forbidden"
    vault.call("create", path="x.md", content="本文")
    assert vault.names() == ["x.md"]


HOSTILE = [
    "..",
    "../x.md",
    "a/../../x.md",
    "/etc/x.md",
    "//server/x.md",
    "\\\\server\\share\\x.md",
    "\\x.md",
    "a\\x.md",
    "..\\x.md",
    "C:\\x.md",
    "C:/x.md",
    "c:x.md",
    "x\x00.md",
    "x\n.md",
    "x\x1b.md",
    "x\x85.md",
    "CON",
    "con.md",
    "a/Aux.txt",
    "NUL.tar.md",
    "com1.md",
    "LPT¹.md",
    "nul .md",
    "CONIN$",
    "x.",
    "x.md.",
    "a./x.md",
    "x ",
    "a /x.md",
    "x\u3000",
    "...",
    ".",
    "./",
    "",
    "a" * 300,
]
TOOLS: list[tuple[str, dict[str, Any]]] = [*WRITES, ("read", {"full": True}), ("scan", {}), ("ls", {})]


@pytest.mark.parametrize("path", HOSTILE, ids=[ascii(path)[:40] for path in HOSTILE])
def test_a_hostile_path_is_refused_by_every_tool(refusing: Vault, path: str) -> None:
    root = refusing.root.parent
    before = sorted(root.rglob("*.md"))
    for tool, arguments in TOOLS:
        if tool == "ls" and path == ".":
            continue
        code = refusing.code(tool, path=path, **arguments)
        assert code in ("invalid_path", "out_of_scope") or (code, path) == ("invalid_parameter", "")
    assert sorted(root.rglob("*.md")) == before


@pytest.mark.parametrize("path", ["link/x.md", "link/deep/x.md", "link.md", "dangling.md"])
def test_links_are_not_followed(workspace: WorkspaceFolder, vault: Vault, path: str) -> None:
    outside = workspace.root / "outside"
    (outside / "deep").mkdir(parents=True)
    for name in ("x.md", "deep/x.md"):
        (outside / name).write_text("元", "utf-8")
    vault.put("note.md", "本文")
    (vault.root / "link").symlink_to(outside)
    (vault.root / "link.md").symlink_to(outside / "x.md")
    (vault.root / "dangling.md").symlink_to(outside / "none.md")
    for tool, arguments in TOOLS:
        assert vault.code(tool, path=path, **arguments) in ("out_of_scope", "conflict", "not_found")
    assert (outside / "x.md").read_text("utf-8") == (outside / "deep" / "x.md").read_text("utf-8") == "元"
    assert sorted(path.name for path in outside.iterdir()) == ["deep", "x.md"]


def test_a_note_is_found_in_another_unicode_form_and_not_made_twice(vault: Vault) -> None:
    decomposed = unicodedata.normalize("NFD", "ガイド.md")
    vault.put(decomposed, "一\n")
    assert vault.code("create", path="ガイド.md", content="新") == "conflict"
    assert vault.call("write", path="ガイド.md", content="二\n", mode="append")["written_path"] == decomposed
    assert vault.bytes(decomposed) == "一\n二\n".encode()


def test_letters_of_another_case_are_another_file(vault: Vault) -> None:
    vault.put("Note.md", "一\n")
    assert vault.code("read", path="note.md", full=True) == "not_found"


def test_a_name_that_is_a_stream_on_windows_is_not_written(vault: Vault) -> None:
    """Not even where it is a file's name like any other: the vault may be copied."""
    vault.put("x.md", "本文\n")
    vault.put("会議10:30.md", "本文\n")
    for path in ("x.md:stream", "x.md::$DATA", "folder:x/y.md", "会議10:30.md"):
        assert vault.code("create", path=path, content="新") == "invalid_path"
        assert vault.code("write", path=path, content="新", mode="append") == "invalid_path"
        assert vault.code("replace", path=path, find="本文", replace="新") == "invalid_path"
    assert vault.names() == ["x.md", "会議10:30.md"]


def test_a_note_whose_name_has_a_colon_is_read_where_there_is_one(vault: Vault) -> None:
    vault.put("会議:東京/10:30.md", "本文\n")
    assert vault.call("read", path="会議:東京/10:30.md", full=True)["text"] == "本文\n"
    assert vault.call("ls", path="会議:東京")["items"][0]["name"] == "10:30.md"
    assert vault.call("search", query="本文", relative_dir="会議:東京")["results"]
    assert vault.call("coverage", path="会議:東京/10:30.md", cited_ranges=[])["total_lines"] == 1
    assert vault.code("read", path="会議:東京/11:30.md", full=True) == "invalid_path"
