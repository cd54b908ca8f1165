"""The error vocabulary (seed 001 §7.1, seed 004 §5), each code where the seeds name it."""

from typing import Any

import pytest

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder

MD = {"target": "manual", "manual_id": "手引き", "path": "guide.md"}
JSON = {"target": "manual", "manual_id": "手引き", "path": "config/settings.json"}
CASES: list[tuple[str, str, dict[str, Any], str]] = [
    ("a stage outside the vocabulary", "manual_find", {"query": "x", "max_stage": 2}, "invalid_parameter"),
    ("an empty query", "manual_find", {"query": ""}, "invalid_parameter"),
    ("no query", "manual_find", {}, "invalid_parameter"),
    ("a trace to resume", "manual_find", {"query": "x", "only_unscanned_from_trace_id": "tr_0"}, "not_found"),
    ("a trace to page", "manual_hits", {"trace_id": "tr_0"}, "not_found"),
    ("a kind outside the vocabulary", "manual_hits", {"trace_id": "tr_0", "kind": "all"}, "invalid_parameter"),
    ("a manual to search", "manual_find", {"query": "x", "manual_id": "none"}, "not_found"),
    ("a manual to list", "manual_ls", {"manual_id": "none"}, "not_found"),
    ("a manual to read", "manual_read", {"ref": {**MD, "manual_id": "none"}}, "not_found"),
    ("a file to read", "manual_read", {"ref": {**MD, "path": "none.md"}}, "not_found"),
    ("a line to read", "manual_read", {"ref": {**MD, "start_line": 10**9}}, "not_found"),
    ("an absolute path", "manual_read", {"ref": {**MD, "path": "/guide.md"}}, "invalid_path"),
    ("a path out of the manual", "manual_read", {"ref": {**MD, "path": "../規則/rules.md"}}, "invalid_path"),
    ("a manual out of the root", "manual_ls", {"manual_id": ".."}, "invalid_path"),
    ("a whole Markdown file", "manual_read", {"ref": MD, "scope": "file"}, "forbidden"),
    ("a section of JSON", "manual_read", {"ref": JSON, "scope": "section"}, "invalid_scope"),
    ("sections of JSON", "manual_read", {"ref": JSON, "scope": "sections"}, "invalid_scope"),
    ("a cursor that no longer fits", "manual_read", {"ref": MD, "cursor": {"char_offset": 10**6}}, "conflict"),
]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"), [case[1:] for case in CASES], ids=[f"{case[0]}: {case[3]}" for case in CASES]
)
def test_a_refusal_has_the_code_of_its_kind(library: Serving, tool: str, arguments: dict[str, Any], code: str) -> None:
    assert library.refuse(tool, **arguments)["code"] == code


@pytest.mark.parametrize(("tool", "arguments"), [case[1:3] for case in CASES], ids=[case[0] for case in CASES])
def test_a_message_is_short_and_says_what_to_do(library: Serving, tool: str, arguments: dict[str, Any]) -> None:
    message = library.refuse(tool, **arguments)["message"]
    assert 10 < len(message) < 300
    assert "Traceback" not in message
    assert str(library.folder.root) not in message


def test_a_refusal_of_a_parameter_names_it(library: Serving) -> None:
    for _, tool, arguments, code in CASES:
        if code == "invalid_parameter":
            details = library.refuse(tool, **arguments)["details"]
            assert {"parameter", "expected"} <= set(details)


def test_a_folder_that_is_called_like_a_document_is_named_as_one(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# A\n")
    (workspace.manuals / "m" / "folder.md").mkdir()
    served = serve()
    ref = {"target": "manual", "manual_id": "m", "path": "folder.md"}
    refused = served.refuse("manual_read", ref=ref)
    assert (refused["code"], refused["message"]) == (
        "forbidden",
        "ref.path: this is a folder; manual_ls lists its files",
    )
