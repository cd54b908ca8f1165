"""Files that cannot be indexed as they should be: kept in view, never a reason to stop."""

import random
from typing import Any

import markdown_it
import pytest

from morenashi.indexer.files import MAX_DOCUMENT_BYTES

from ..workspaces import WorkspaceFolder, age, without_permission
from .indexes import OpenIndex, assert_full_text_is_sound, index, open_index

NO_TEXT = random.Random(1).randbytes(2000)


def states(opened: OpenIndex) -> list[tuple[str, str]]:
    return opened.rows("SELECT path, status FROM documents ORDER BY path")


def passages(opened: OpenIndex) -> int:
    return int(opened.value("SELECT count(*) FROM passages"))


def test_an_undecodable_file_is_listed_and_warned_of(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", NO_TEXT)
    workspace.write("a/y.md", "# 一\n")
    with open_index(workspace) as opened:
        summary = opened.synchronise()
        assert states(opened) == [("x.md", "encoding"), ("y.md", "indexed")]
        assert passages(opened) == 1
    assert [(warning.path, warning.reason) for warning in summary.warnings] == [("a/x.md", "encoding")]


def test_an_undecodable_file_is_not_read_at_every_run(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", NO_TEXT)
    age(workspace.manuals)
    index(workspace)
    summary = index(workspace)
    assert (summary.unchanged, len(summary.warnings)) == (1, 1)


def test_a_file_that_loses_its_text_loses_its_passages(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\nただし\n## 二\n")
    index(workspace)
    workspace.write("a/x.md", NO_TEXT)
    with open_index(workspace) as opened:
        opened.synchronise()
        assert (states(opened), passages(opened)) == ([("x.md", "encoding")], 0)
        assert opened.value("SELECT count(*) FROM sections") == 0
        assert opened.value("SELECT count(*) FROM exception_terms") == 0
        assert_full_text_is_sound(opened)


def test_a_file_that_gets_its_text_is_indexed(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", NO_TEXT)
    index(workspace)
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        summary = opened.synchronise()
        assert states(opened) == [("x.md", "indexed")]
    assert summary.warnings == []


def test_a_file_that_is_too_large_is_listed_and_warned_of(workspace: WorkspaceFolder) -> None:
    with workspace.write("a/x.md", "").open("r+b") as file:
        file.truncate(MAX_DOCUMENT_BYTES + 1)
    with open_index(workspace) as opened:
        summary = opened.synchronise()
        assert (states(opened), passages(opened)) == ([("x.md", "too_large")], 0)
    assert [(warning.path, warning.reason) for warning in summary.warnings] == [("a/x.md", "too_large")]


def test_invalid_json_is_indexed_as_text_and_warned_of(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.json", '{"旅費": 1,}')
    with open_index(workspace) as opened:
        summary = opened.synchronise()
        assert (states(opened), passages(opened)) == ([("x.json", "indexed")], 1)
    assert [(warning.path, warning.reason) for warning in summary.warnings] == [("a/x.json", "invalid_json")]


def test_json_nested_without_end_is_indexed_as_text(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.json", "[" * 100_000)
    assert [warning.reason for warning in index(workspace).warnings] == ["invalid_json"]


def test_an_unreadable_file_is_listed_and_warned_of(ordinary_workspace: WorkspaceFolder) -> None:
    file = ordinary_workspace.write("a/x.md", "# 一\n")
    with without_permission(file), open_index(ordinary_workspace) as opened:
        summary = opened.synchronise()
        assert states(opened) == [("x.md", "unreadable")]
    assert [(warning.path, warning.reason) for warning in summary.warnings] == [("a/x.md", "unreadable")]


def test_a_file_that_can_be_read_again_is_indexed(ordinary_workspace: WorkspaceFolder) -> None:
    file = ordinary_workspace.write("a/x.md", "# 一\n")
    age(ordinary_workspace.manuals)
    with open_index(ordinary_workspace) as opened:
        with without_permission(file):
            opened.synchronise()
        summary = opened.synchronise()
        assert states(opened) == [("x.md", "indexed")]
    assert summary.warnings == []


def test_documents_of_a_folder_that_may_not_be_listed_stay(ordinary_workspace: WorkspaceFolder) -> None:
    file = ordinary_workspace.write("a/closed/x.md", "# 一\n")
    with open_index(ordinary_workspace) as opened:
        opened.synchronise()
        with without_permission(file.parent):
            summary = opened.synchronise()
        assert states(opened) == [("closed/x.md", "indexed")]
    assert [(warning.path, warning.reason) for warning in summary.warnings] == [("a/closed", "unreadable_folder")]


def test_a_manual_that_may_not_be_listed_stays(ordinary_workspace: WorkspaceFolder) -> None:
    ordinary_workspace.write("a/x.md", "# 一\n")
    with open_index(ordinary_workspace) as opened:
        opened.synchronise()
        with without_permission(ordinary_workspace.manuals / "a"):
            opened.synchronise()
        assert states(opened) == [("x.md", "indexed")]


def test_an_empty_file_is_a_document_without_lines(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "")
    with open_index(workspace) as opened:
        assert opened.synchronise().warnings == []
        assert opened.rows("SELECT status, lines FROM documents") == [("indexed", 0)]


def test_a_file_that_the_parser_fails_on_is_warned_of_and_the_others_are_indexed(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse = markdown_it.MarkdownIt.parse

    def parse_unless_broken(self: markdown_it.MarkdownIt, text: str, *further: Any) -> Any:
        return parse(self, text, *further) if "壊" not in text else [][1]

    monkeypatch.setattr(markdown_it.MarkdownIt, "parse", parse_unless_broken)
    workspace.write("a/x.md", "# 壊\n\n本文\n")
    workspace.write("a/y.md", "# 一\n")
    with open_index(workspace) as opened:
        summary = opened.synchronise()
        assert states(opened) == [("x.md", "unreadable"), ("y.md", "indexed")]
        assert opened.value("SELECT lines FROM documents WHERE path = 'x.md'") == 3
    (warning,) = summary.warnings
    assert (warning.path, warning.reason, warning.detail) == (
        "a/x.md",
        "unreadable",
        "it cannot be parsed: IndexError",
    )
