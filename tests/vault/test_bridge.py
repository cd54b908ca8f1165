"""The bridge (contract §2): a manual's text into the vault; answers and logs never hold it."""

import json
import tracemalloc
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from morenashi.server import bridge, log
from morenashi.server.vault import changes

from ..server.serving import Serve, Serving, as_json, index_now, serving
from ..workspaces import WorkspaceFolder
from .notes import Vault

GUIDE = """# 規則

前文である。

## 第一条

申請は書面による。

### 細則

写しを添える。

## 第二条

期限は三十日とする。
"""
FIRST = "## 第一条\n\n申請は書面による。\n\n### 細則\n\n写しを添える。\n\n"
COPIED = {"start_line": 5, "end_line": 12}
TOOLS = ("bridge_copy_section", "bridge_copy_file")


@pytest.fixture
def folder(workspace: WorkspaceFolder) -> WorkspaceFolder:
    workspace.write("規則/guide.md", GUIDE)
    workspace.write("規則/steps.json", '{"手順": ["一", "二"]}\n')
    return workspace


@pytest.fixture
def vault(folder: WorkspaceFolder, serve: Serve) -> Vault:
    return Vault(folder.root / "vault", serve(ALLOW_FILE_SCOPE="true"))


def ref(line: int | None, path: str = "guide.md") -> dict[str, Any]:
    return {"target": "manual", "manual_id": "規則", "path": path} | ({"start_line": line} if line else {})


def copy_section(vault: Vault, line: int | None = 5, to: str = "a.md", mode: str = "overwrite", **more: Any) -> Any:
    answer = vault.serving.call("bridge_copy_section", from_ref=ref(line), to_path=to, mode=mode, **more)
    assert "書面" not in as_json(answer)
    return answer


def copy_file(vault: Vault, path: str, to: str = "a.md", mode: str = "overwrite", **more: Any) -> Any:
    arguments = {"manual_id": "規則", "from_path": path, "to_path": to, "mode": mode}
    return vault.serving.call("bridge_copy_file", **arguments, **more)


def test_a_section_is_copied_with_its_subsections(vault: Vault) -> None:
    answer = copy_section(vault, provenance=False)
    assert vault.bytes("a.md").decode() == FIRST
    assert answer == {
        "written_path": "a.md",
        "written_bytes": len(FIRST.encode()),
        "bytes_before": 0,
        "sha256": sha256(FIRST.encode()).hexdigest(),
        "written_sections": 2,
        "truncated": False,
        "next_cursor": None,
    }


@pytest.mark.parametrize("line", [5, 7])
def test_the_section_is_the_one_that_the_line_lies_in(vault: Vault, line: int) -> None:
    copy_section(vault, line, provenance=False)
    assert vault.bytes("a.md").decode() == FIRST


def test_a_new_markdown_file_says_where_its_text_is_from(vault: Vault) -> None:
    copy_section(vault)
    digest = sha256(FIRST.encode()).hexdigest()
    assert vault.bytes("a.md").decode() == (
        '---\nsource_manual_ids: ["規則"]\nsource_path: "guide.md"\nsource_lines: 5-12\n'
        f"source_sha256: {digest}\n---\n\n{FIRST}"
    )


def test_a_new_file_has_one_kind_of_line_end(folder: WorkspaceFolder, vault: Vault) -> None:
    folder.write("規則/crlf.md", "# 規則\r\n本文\r\n")
    vault.serving.call("bridge_copy_section", from_ref=ref(1, "crlf.md"), to_path="a.md", mode="append")
    lines = vault.bytes("a.md").split(b"\n")
    assert lines.pop() == b""
    assert len(lines) == 9
    assert all(line.endswith(b"\r") for line in lines)


def test_an_appended_text_says_it_in_a_comment_on_a_line_of_its_own(vault: Vault) -> None:
    vault.put("a.md", "# 下書き")
    answer = copy_section(vault, 13, mode="append")
    text = vault.bytes("a.md").decode()
    assert text.startswith(
        '# 下書き\n\n<!-- source_manual_ids: ["規則"]; source_path: "guide.md"; source_lines: 13-15;'
    )
    assert text.endswith(" -->\n\n## 第二条\n\n期限は三十日とする。\n")
    assert answer["written_bytes"] == len(text.encode()) - answer["bytes_before"]


def test_a_name_cannot_end_the_comment(folder: WorkspaceFolder, vault: Vault) -> None:
    folder.write("規則/a-->b.md", "# 題\n\n本文\n")
    vault.put("a.md", "元\n")
    vault.serving.call("bridge_copy_section", from_ref=ref(1, "a-->b.md"), to_path="a.md", mode="append")
    assert vault.bytes("a.md").decode().count("-->") == 1


def test_other_files_hold_the_text_alone(vault: Vault) -> None:
    copy_section(vault, to="a.txt")
    assert vault.bytes("a.txt").decode() == FIRST
    copy_file(vault, "steps.json", to="a.json")
    assert json.loads(vault.bytes("a.json")) == {"手順": ["一", "二"]}


def test_an_existing_file_is_overwritten_in_its_own_way(vault: Vault) -> None:
    vault.put("a.md", "元の文である。\r\n".encode("cp932"))
    copy_section(vault, provenance=False)
    assert vault.bytes("a.md") == FIRST.replace("\n", "\r\n").encode("cp932")


def test_a_whole_markdown_file_needs_leave_twice(folder: WorkspaceFolder, vault: Vault) -> None:
    arguments = {"manual_id": "規則", "from_path": "guide.md", "to_path": "a.md", "mode": "overwrite"}
    assert vault.serving.refuse("bridge_copy_file", **arguments)["code"] == "forbidden"
    copy_file(vault, "guide.md", limits={"allow_file": True}, provenance=False)
    assert vault.bytes("a.md").decode() == GUIDE
    with serving(folder, WATCH="off") as client:
        assert client.refuse("bridge_copy_file", **arguments, limits={"allow_file": True})["code"] == "forbidden"


def test_a_json_file_needs_none_and_has_no_sections(vault: Vault) -> None:
    assert copy_file(vault, "steps.json", provenance=False)["truncated"] is False
    arguments = {"from_ref": ref(None, "steps.json"), "to_path": "b.md", "mode": "overwrite"}
    assert vault.serving.refuse("bridge_copy_section", **arguments)["code"] == "invalid_scope"


def test_what_one_of_the_tools_may_not_copy_names_the_other(vault: Vault) -> None:
    whole = {"manual_id": "規則", "from_path": "guide.md", "to_path": "a.md", "mode": "overwrite"}
    error = vault.serving.refuse("bridge_copy_file", **whole)
    assert (error["code"], error["details"]["parameter"]) == ("forbidden", "from_path")
    assert "bridge_copy_section" in error["message"]
    section = {"from_ref": ref(None, "steps.json"), "to_path": "a.md", "mode": "overwrite"}
    error = vault.serving.refuse("bridge_copy_section", **section)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_scope", "from_ref.path")
    assert "bridge_copy_file" in error["message"]
    error = vault.serving.refuse("bridge_copy_file", **whole | {"from_path": "none.md"})
    assert error["code"] == "not_found"
    assert vault.names() == []


@pytest.mark.parametrize(
    ("limits", "text", "sections"),
    [
        ({"max_sections": 1}, "## 第一条\n\n申請は書面による。\n\n", 1),
        ({"max_chars": 10}, "## 第一条\n\n申請", 1),
        ({"max_sections": 2}, FIRST, 2),
        ({"max_chars": 10_000_000}, FIRST, 2),
    ],
)
def test_what_limits_cut_is_said(vault: Vault, limits: dict[str, int], text: str, sections: int) -> None:
    answer = copy_section(vault, limits=limits, provenance=False)
    assert vault.bytes("a.md").decode() == text
    assert (answer["truncated"], answer["written_sections"]) == (text != FIRST, sections)


def test_the_hard_limits_hold_without_limits(folder: WorkspaceFolder, serve: Serve) -> None:
    folder.write("規則/long.md", "# 題\n" + "長い文である。\n" * 5_000)
    vault = Vault(folder.root / "vault", serve())
    arguments = {"from_ref": ref(1, "long.md"), "to_path": "a.md", "mode": "overwrite", "provenance": False}
    answer = vault.serving.call("bridge_copy_section", **arguments)
    assert (answer["truncated"], len(vault.bytes("a.md").decode())) == (True, 20_000)


def goes_on(answer: dict[str, Any]) -> dict[str, Any]:
    """What the next call takes to append what was left."""
    return {"mode": "append", "cursor": answer["next_cursor"]}


def test_a_file_longer_than_the_limit_is_copied_whole_by_its_cursor(folder: WorkspaceFolder, vault: Vault) -> None:
    text = json.dumps([{"番号": n, "文": "長い文である。"} for n in range(2_000)], ensure_ascii=False)
    folder.write("規則/long.json", text)
    answer = copy_file(vault, "long.json", to="long.json")
    calls = 1
    while answer["truncated"]:
        answer = copy_file(vault, "long.json", to="long.json", **goes_on(answer))
        calls += 1
    assert vault.bytes("long.json").decode() == text
    assert calls == 1 + len(text) // 20_000
    assert answer["next_cursor"] is None


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("limits", [{"max_chars": 1}, {"max_chars": 3}, {"max_chars": 10}, {"max_sections": 1}])
def test_the_parts_of_a_cut_section_are_its_text(
    folder: WorkspaceFolder, vault: Vault, line_end: str, limits: dict[str, int]
) -> None:
    folder.write("規則/guide.md", GUIDE.replace("\n", line_end))
    answer = copy_section(vault, 5, to="a.txt", limits=limits)
    sections = answer["written_sections"]
    while answer["truncated"]:
        answer = copy_section(vault, 5, to="a.txt", limits=limits, **goes_on(answer))
        sections += answer["written_sections"]
    assert vault.bytes("a.txt").decode() == FIRST.replace("\n", line_end)
    assert sections == 2


def test_only_the_beginning_has_a_note_of_its_source(vault: Vault) -> None:
    answer = copy_section(vault, limits={"max_chars": 10})
    copy_section(vault, **goes_on(answer))
    text = vault.bytes("a.md").decode()
    assert text.endswith(f"---\n\n{FIRST}")
    assert "<!--" not in text


def test_a_cursor_goes_on_only_with_what_it_is_of(folder: WorkspaceFolder, vault: Vault) -> None:
    cursor = copy_section(vault, limits={"max_chars": 10})["next_cursor"]
    before = vault.bytes("a.md")

    def refuse(line: int = 5, to: str = "a.md", mode: str = "append", at: str = cursor) -> tuple[str, str]:
        error = vault.serving.refuse("bridge_copy_section", from_ref=ref(line), to_path=to, mode=mode, cursor=at)
        return error["code"], error["details"]["parameter"]

    assert refuse(mode="overwrite") == ("invalid_parameter", "mode")
    assert refuse(at="10") == ("invalid_parameter", "cursor")
    assert refuse(to="b.md") == ("conflict", "to_path")
    assert refuse(line=13) == ("conflict", "cursor")
    folder.write("規則/guide.md", "# 前\n\n" + GUIDE)
    assert refuse() == ("conflict", "cursor")
    assert vault.bytes("a.md") == before
    assert vault.names() == ["a.md"]


def test_a_section_is_found_as_the_file_is_now(folder: WorkspaceFolder, vault: Vault) -> None:
    folder.write("規則/guide.md", "# 前\n\n新しい。\n\n" + GUIDE)
    copy_section(vault, 9, provenance=False)
    assert vault.bytes("a.md").decode() == FIRST


@pytest.mark.parametrize(("where", "step"), [(bridge, "_sections"), (changes, "create")])
def test_a_manual_that_is_written_meanwhile_is_a_conflict(
    folder: WorkspaceFolder, vault: Vault, monkeypatch: pytest.MonkeyPatch, where: ModuleType, step: str
) -> None:
    """Once it is open: while what is copied is chosen, or while it is copied, of a file that is read in two blocks."""
    long = "前文\n" * 9_000 + "## 第一条\n" + "本文\n" * 1_000
    folder.write("規則/guide.md", long)
    go_on = getattr(where, step)

    def write_meanwhile(*arguments: Any) -> Any:
        folder.write("規則/guide.md", long + "付則\n")
        return go_on(*arguments)

    monkeypatch.setattr(where, step, write_meanwhile)
    arguments = {"from_ref": ref(9_001), "to_path": "a.md", "mode": "append", "provenance": False}
    refusal = vault.serving.refuse("bridge_copy_section", **arguments)
    assert refusal["code"] == "conflict"
    assert refusal["message"] == "from_ref.path: the file is being written; try again"
    assert vault.names() == []


@pytest.mark.parametrize(
    ("to", "mode", "code"),
    [
        ("../a.md", "overwrite", "invalid_path"),
        ("/a.md", "append", "invalid_path"),
        (".System/a.md", "append", "forbidden"),
        ("daily/a.md", "append", "forbidden"),
        ("daily/2026-02-23.md", "overwrite", "forbidden"),
        ("a.md", "replace", "invalid_parameter"),
    ],
)
def test_the_target_passes_the_guards_of_writing(vault: Vault, to: str, mode: str, code: str) -> None:
    vault.put("daily/2026-02-23.md", "元\n")
    sources: tuple[dict[str, Any], ...] = ({"from_ref": ref(5)}, {"manual_id": "規則", "from_path": "steps.json"})
    for tool, source in zip(TOOLS, sources, strict=True):
        assert vault.serving.refuse(tool, **source, to_path=to, mode=mode)["code"] == code
    assert vault.names() == ["daily/2026-02-23.md"]


@pytest.mark.parametrize(
    ("path", "line", "code"),
    [
        ("none.md", 1, "not_found"),
        ("../x.md", 1, "invalid_path"),
        ("x.txt", 1, "invalid_path"),
        ("guide.md", 99, "not_found"),
    ],
)
def test_the_source_passes_the_guards_of_reading(vault: Vault, path: str, line: int, code: str) -> None:
    arguments = {"from_ref": ref(line, path), "to_path": "a.md", "mode": "overwrite"}
    assert vault.serving.refuse("bridge_copy_section", **arguments)["code"] == code
    assert vault.names() == []


def test_the_log_counts_and_does_not_quote(vault: Vault, capfd: pytest.CaptureFixture[str]) -> None:
    log.set_log_level("info")
    capfd.readouterr()
    copy_section(vault)
    (line,) = [json.loads(line) for line in capfd.readouterr().err.splitlines() if "bridge_copy_section" in line]
    assert set(line) - {"ts", "level", "tool", "ok", "elapsed_ms"} == {
        "written_path",
        "mode",
        "written_bytes",
        "truncated",
        "written_sections",
    }
    assert "書面" not in str(line)


def test_a_section_of_five_megabytes_is_never_held_whole(workspace: WorkspaceFolder) -> None:
    text = "# 題\n\n" + "申請は、所定の書面によって行うものとする。\n\n" * 80_000
    workspace.write("規則/large.md", text)
    index_now(workspace)
    with serving(workspace, HARD_MAX_CHARS="10000000", WATCH="off") as client:
        client.workspace.wait_until_ready()
        _copy_measured(client, workspace.root / "vault", text)


def _copy_measured(client: Serving, vault: Path, text: str) -> None:
    vault.mkdir(exist_ok=True)
    # A hidden file is not indexed: how much of it the index holds meanwhile is not the bridge's.
    arguments = {"from_ref": ref(1, "large.md"), "to_path": ".large.txt", "mode": "overwrite"}
    tracemalloc.start()
    try:
        answer = client.call("bridge_copy_section", **arguments)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert answer["written_bytes"] == len(text.encode()) > 5_000_000
    assert (vault / ".large.txt").read_bytes() == text.encode()
    assert peak_bytes < len(text.encode())


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize(("to_path", "mode"), [("new.md", "overwrite"), ("a.md", "append")])
def test_what_stands_in_a_copy_rests_on_what_was_copied_as_long_as_nobody_changes_it(
    folder: WorkspaceFolder, vault: Vault, to_path: str, mode: str, line_break: str
) -> None:
    folder.write("規則/x.md", "# 題\n\n## 手順\n\n1. 受け付ける\n2. 審査する\n".replace("\n", line_break))
    vault.serving.call("bridge_copy_section", from_ref=ref(3, "x.md"), to_path=to_path, mode=mode)

    def rootless() -> list[str]:
        body = vault.serving.call("artifact_audit", artifact_path=to_path, source_path="manuals/規則/x.md")
        return [finding["node_id"] for finding in body["findings"] if finding["kind"] == "rootless_node"]

    assert rootless() == []
    vault.serving.call("vault_write", path=to_path, content="3. 通知する\n", mode="append")
    assert rootless() == ["3"]
    vault.serving.call("vault_replace", path=to_path, find="審査する", replace="承認する")
    assert rootless() == ["1", "2", "3"]


def test_an_audit_of_copies_says_what_they_cover_and_whether_the_manual_still_says_so(
    folder: WorkspaceFolder, vault: Vault
) -> None:
    folder.write("規則/b.md", GUIDE)
    copy_section(vault, 5)
    vault.serving.call("bridge_copy_section", from_ref=ref(13, "b.md"), to_path="a.md", mode="append")
    sources = ("manuals/規則/guide.md", "manuals/規則/b.md")
    audits = [vault.serving.call("artifact_audit", artifact_path="a.md", source_path=source) for source in sources]
    assert [body["coverage_ratio"] for body in audits] == [8 / 15, 3 / 15]
    assert [(body["citations"]["new"], body["citations"]["elsewhere"]) for body in audits] == [(1, 1), (1, 1)]
    folder.write("規則/guide.md", GUIDE.replace("書面", "電子の書面"))
    again = vault.serving.call("artifact_audit", artifact_path="a.md", source_path=sources[0])
    assert again["citations"]["changed"] == [{"start_line": 5, "end_line": 12}]


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("書面", "電子の書面", {"changed": [COPIED]}),
        ("前文", "序\n\n前文", {"moved": [COPIED | {"now": {"start_line": 7, "end_line": 13}}]}),
        ("三十日", "二十日", None),
    ],
)
def test_a_first_audit_of_a_copy_says_what_has_become_of_its_source_since_it_was_copied(
    folder: WorkspaceFolder, vault: Vault, old: str, new: str, verdict: dict[str, Any] | None
) -> None:
    copy_section(vault, 5)
    vault.serving.call("vault_write", path="a.md", content="\n\n# 続き\n", mode="append")
    folder.write("規則/guide.md", GUIDE.replace(old, new))
    arguments = {"artifact_path": "a.md", "source_path": "manuals/規則/guide.md"}
    for unchanged in ({"new": 1}, {"same": 1}):
        citations = vault.serving.call("artifact_audit", **arguments)["citations"]
        assert {name: value for name, value in citations.items() if value} == (verdict or unchanged)
    assert vault.serving.call("artifact_audit", renew=True, **arguments)["citations"]["new"] == 1
    assert vault.serving.call("artifact_audit", **arguments)["citations"]["same"] == 1


def test_a_copy_that_ends_inside_a_line_is_of_the_lines_as_they_are(folder: WorkspaceFolder, vault: Vault) -> None:
    arguments = {"from_ref": ref(5), "to_path": "a.md", "mode": "overwrite", "limits": {"max_chars": 15}}
    assert vault.serving.call("bridge_copy_section", **arguments)["truncated"]
    citations = vault.serving.call("artifact_audit", artifact_path="a.md", source_path="manuals/規則/guide.md")
    assert (citations["citations"]["new"], citations["citations"]["changed"]) == (1, [])
