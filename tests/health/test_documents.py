"""Files and folders that the indexer cannot take as they are."""

import os
import time

from ..workspaces import WorkspaceFolder, without_permission
from .doctoring import codes, doctor, found


def test_a_folder_without_manuals_is_an_error(workspace: WorkspaceFolder) -> None:
    workspace.manuals.rmdir()
    report = doctor(workspace)
    assert (report["code"], codes(report, "error")) == (1, {"no_manuals"})
    assert found(report, "no_manuals")["what"] == f"{workspace.manuals} cannot be opened: No such file or directory"


def test_without_a_folder_of_manuals_the_documents_of_the_workspace_are_counted(workspace: WorkspaceFolder) -> None:
    workspace.manuals.rmdir()
    (workspace.root / "規程").mkdir()
    for path in ("就業規則.md", "規程/旅費.md"):
        (workspace.root / path).write_text("# 題\n", "utf-8")
    finding = found(doctor(workspace), "no_manuals")
    assert finding["what"].endswith("; 2 Markdown files in the workspace: 就業規則.md, 規程/旅費.md")
    assert "manuals/, where each manual has a folder of its own" in finding["advice"]


def test_a_workspace_without_a_document_is_told_where_to_put_one(workspace: WorkspaceFolder) -> None:
    workspace.write("outside.md", "# 題\n")
    assert "manuals/<any name>/" in found(doctor(workspace), "no_documents")["advice"]
    workspace.write("m/x.md", "# 題\n")
    assert "no_documents" not in codes(doctor(workspace))


def test_where_documents_lie_that_no_search_looks_at_is_said(workspace: WorkspaceFolder) -> None:
    for path in (
        "就業規則.md",
        "規程/旅費.MD",
        "vault/note.md",
        "data/x.md",
        "dictionaries/x.md",
        ".git/x.md",
        "x.txt",
    ):
        file = workspace.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text("# 題\n", "utf-8")
    finding = found(doctor(workspace), "no_documents")
    assert finding["severity"] == "note"
    assert finding["what"] == (
        "manuals: there is no document; 2 Markdown files beside manuals/: 就業規則.md, 規程/旅費.MD"
    )


def test_only_files_in_no_folder_of_their_own_are_more_than_a_note(workspace: WorkspaceFolder) -> None:
    workspace.write("就業規則.md", "# 題\n")
    report = doctor(workspace)
    assert (report["code"], codes(report, "warning")) == (1, {"no_documents"})
    workspace.write("m/x.md", "# 題\n")
    assert doctor(workspace)["code"] == 0


def test_long_files_without_headings_are_named(workspace: WorkspaceFolder) -> None:
    articles = "".join(f"**第{number}条（届出）**\r\n\r\n三日前までに届け出る。\r\n\r\n" for number in range(1, 30))
    workspace.write("m/bold.md", "# 就業規則\r\n\r\n" + articles)
    workspace.write("m/headings.md", articles.replace("**", "## "))
    workspace.write("m/underlined.md", articles.replace("**第", "第").replace("**", "\r\n---"))
    workspace.write("m/short.md", articles[:500])
    finding = found(doctor(workspace), "no_headings")
    assert finding["severity"] == "note"
    assert finding["what"] == "manuals: 1 file of more than 100 lines with one heading or none: m/bold.md"


def test_texts_of_formats_that_are_not_read_are_counted(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "# 題\n")
    workspace.write("m/logo.png", b"\x89PNG")
    assert "other_formats" not in codes(doctor(workspace))
    for path in ("m/a.rst", "m/deep/b.RST", "m/c.pdf", "m/.hidden/d.rst", "m/.e.rst", "m/f.mdx", "m/g.csv"):
        workspace.write(path, "# 題\n")
    finding = found(doctor(workspace), "other_formats")
    assert finding["severity"] == "note"
    assert finding["what"] == "manuals: 4 files of a format that is not read: .rst (2), .pdf (1), .csv (1)"
    assert "MDX" not in finding["advice"]


def test_what_the_indexer_cannot_read_is_named_with_its_reason(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "# 題\n")
    workspace.write("outside.md", "# 題\n")
    workspace.write("m/bad.md", b"\x81\x00\xff\xfe\x81" * 40)
    (workspace.manuals / "m" / "link.md").symlink_to(workspace.manuals / "m" / "x.md")
    with open(os.fsencode(workspace.manuals) + b"/m/\xff.md", "wb"):
        pass
    report = doctor(workspace)
    assert codes(report, "warning") == {"encoding", "name_not_utf8"}
    assert codes(report, "note") >= {"symlink", "outside_a_manual"}
    assert found(report, "outside_a_manual")["what"] == "manuals: 1 file outside of any manual: outside.md"
    assert found(report, "encoding")["what"].endswith("m/bad.md")


def test_files_that_are_no_valid_json_are_named_as_searched_all_the_same(workspace: WorkspaceFolder) -> None:
    workspace.write("m/whole.json", '{"届出": "三日前まで"}\n')
    workspace.write("m/half.json", '{"届出": "三日前')
    (workspace.root / "vault").mkdir()
    (workspace.root / "vault" / "graph.json").write_text("{nodes: []}\n", "utf-8")
    report = doctor(workspace)
    named = [finding["what"] for finding in report["findings"] if finding["code"] == "invalid_json"]
    assert named == [
        "manuals: 1 file with JSON that is not valid: m/half.json",
        "vault: 1 file with JSON that is not valid: graph.json",
    ]
    assert report["code"] == 0


def test_files_and_folders_without_permission_are_named(ordinary_workspace: WorkspaceFolder) -> None:
    folder = ordinary_workspace
    closed = folder.write("m/closed/x.md", "# 題\n").parent
    secret = folder.write("m/secret.md", "# 題\n")
    with without_permission(closed), without_permission(secret):
        report = doctor(folder)
    assert codes(report, "warning") == {"unreadable_folder", "unreadable"}


def test_time_stamps_in_the_future_are_named(healthy: WorkspaceFolder) -> None:
    path, ahead = healthy.manuals / "m" / "x.md", time.time() + 86_400
    os.utime(path, (ahead, ahead))
    report = doctor(healthy)
    assert codes(report, "warning") == {"from_the_future"}
