"""`vault_read` (seed 003 §3; contract §1)."""

from hashlib import sha256
from typing import Any

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder
from .notes import Vault

TEXT = "一行目\n二行目\n三行目\n"


@pytest.fixture
def note(vault: Vault) -> Vault:
    vault.put("note.md", TEXT)
    return vault


def test_a_range_of_lines_is_read_with_their_line_breaks(note: Vault) -> None:
    read = note.call("read", path="note.md", range={"start_line": 2, "end_line": 2})
    assert read == {
        "text": "二行目\n",
        "truncated": True,
        "returned_chars": 4,
        "applied_range": {"start_line": 2, "end_line": 2},
        "next_cursor": {"start_line": 3, "char_offset": 8, "version": sha256(TEXT.encode()).hexdigest()[:16]},
        "truncated_reason": "range_end",
        "applied": {"full": False, "max_chars": 12_000},
        "sha256": sha256(TEXT.encode()).hexdigest(),
    }


def test_a_note_that_is_not_there_is_not_found_with_the_nearest(vault: Vault) -> None:
    for name in ("notes/features.md", "notes/ecosystem.md"):
        vault.put(name, TEXT)
        vault.serving.workspace.vault_written(name)
    error = vault.refuse("read", path="notes/feature.md", full=True)
    assert (error["code"], error["details"]["nearest"][0]) == ("not_found", "notes/features.md")
    assert vault.refuse("scan", path="features.md")["details"]["nearest"][0] == "notes/features.md"
    assert vault.refuse("scan", path="全然違う.md")["details"]["nearest"] == []


MANUAL_PATHS = (
    ("read", {"path": "manuals/手引き/guide.md", "full": True}),
    ("scan", {"path": "manuals/手引き/guide.md"}),
    ("replace", {"path": "manuals/手引き/guide.md", "find": "a", "replace": "b"}),
    ("ls", {"path": "manuals/手引き"}),
    ("ls", {"path": "manuals"}),
    ("search", {"query": "文", "relative_dir": "manuals/手引き"}),
    ("find", {"query": "文", "scope": {"relative_dir": "manuals"}}),
    ("coverage", {"path": "manuals/手引き", "cited_ranges": []}),
)


@pytest.mark.parametrize(("tool", "arguments"), MANUAL_PATHS)
def test_whoever_names_a_manual_is_told_what_reads_it(
    workspace: WorkspaceFolder, serve: Serve, tool: str, arguments: dict[str, Any]
) -> None:
    workspace.write("手引き/guide.md", TEXT)
    vault = Vault(workspace.root / "vault", serve())
    vault.call("create", path="手引き/guide.md", content=TEXT)
    refused = vault.refuse(tool, **arguments)
    assert (refused["code"], "nearest" in refused["details"]) == ("not_found", False)
    assert "read by manual_read" in refused["message"]


def test_without_a_vault_nothing_is_near(vault: Vault) -> None:
    error = vault.refuse("read", path="note.md", full=True)
    assert (error["code"], "nearest" in error["details"]) == ("not_found", False)
    assert not vault.root.exists()


def test_a_range_to_the_end_is_not_truncated(note: Vault) -> None:
    read = note.call("read", path="note.md", range={"start_line": 2, "end_line": 99})
    assert (read["text"], read["truncated"], read["truncated_reason"]) == ("二行目\n三行目\n", False, "none")
    assert read["next_cursor"] == {"start_line": None, "char_offset": None, "version": None}
    assert read["applied_range"] == {"start_line": 2, "end_line": 3}


def test_full_reads_from_the_beginning(note: Vault) -> None:
    read = note.call("read", path="note.md", full=True)
    assert (read["text"], read["truncated_reason"], read["applied"]["full"]) == (TEXT, "none", True)


def test_full_decides_before_a_range(note: Vault) -> None:
    read = note.call("read", path="note.md", full=True, range={"start_line": 2, "end_line": 2})
    assert (read["text"], read["applied"]["full"]) == (TEXT, True)


def test_what_exceeds_the_ceiling_is_cut_and_goes_on_with_a_scan(vault: Vault) -> None:
    text = "".join(f"{number:05}\n" for number in range(3_000))
    vault.put("note.md", text)
    read = vault.call("read", path="note.md", full=True)
    assert (read["truncated_reason"], read["returned_chars"]) == ("max_chars", 12_000)
    rest = vault.call("scan", path="note.md", cursor=read["next_cursor"])
    assert read["text"] + rest["text"] == text


def test_fewer_characters_can_be_asked_for(note: Vault) -> None:
    read = note.call("read", path="note.md", full=True, limits={"max_chars": 5})
    assert (read["text"], read["next_cursor"]["char_offset"]) == ("一行目\n二", 5)
    assert read["next_cursor"]["start_line"] == 2


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({}, "range"),
        ({"full": False}, "range"),
        ({"full": 1}, "full"),
        ({"full": "true"}, "full"),
        ({"range": {}}, "range"),
        ({"range": {"start_line": 0}}, "range.start_line"),
        ({"range": {"start_line": True}}, "range.start_line"),
        ({"range": {"start_line": "1"}}, "range.start_line"),
        ({"range": {"end_line": False}}, "range.end_line"),
        ({"range": {"start_line": 2, "end_line": 1}}, "range"),
        ({"range": {"start_line": 4}}, "range.start_line"),
        ({"full": True, "limits": {"max_chars": 12_001}}, "limits.max_chars"),
        ({"full": True, "limits": {"max_chars": 0}}, "limits.max_chars"),
    ],
)
def test_what_is_no_range_is_refused_and_named(note: Vault, arguments: dict[str, Any], parameter: str) -> None:
    error = note.refuse("read", path="note.md", **arguments)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", parameter)


@pytest.mark.parametrize(("path", "code"), [("none.md", "not_found"), ("folder", "forbidden"), ("bin.md", "conflict")])
def test_what_is_no_text_is_refused(note: Vault, path: str, code: str) -> None:
    (note.root / "folder").mkdir()
    note.put("bin.md", b"\x89PNG\r\n\x1a\n\xff\xff\x00\x81")
    assert note.code("read", path=path, full=True) == code


def test_an_empty_file_is_read(vault: Vault) -> None:
    vault.put("empty.md", "")
    read = vault.call("read", path="empty.md", full=True)
    assert (read["text"], read["truncated"], read["returned_chars"]) == ("", False, 0)
