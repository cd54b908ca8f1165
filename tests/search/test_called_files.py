"""A file whose name is a word that stands on no line is found by it: many a note has its title in no other place."""

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


def _write_minutes(workspace: WorkspaceFolder) -> None:
    workspace.write("m/会議メモ.md", "前書き。\n\n## 決定事項\n\n来月から始める。\n\n## 宿題\n\n見積もりを取る。\n")
    workspace.write("m/朝会.md", "# 朝会\n\n## 決定事項\n\n掃除は金曜日。\n")


def test_a_file_called_by_a_word_on_no_line_is_a_candidate_and_no_match(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    _write_minutes(workspace)
    found = serve().find("会議メモ")
    assert [(hit["path"], hit["start_line"]) for hit in found.hits("integrated_top")] == [("会議メモ.md", 1)]
    assert (found.summary["completeness"]["status"], found.summary["completeness"]["lines"]["matched"]) == ("absent", 0)
    assert (found.summary["gap_count"], found.summary["integration_status"]) == (0, "needs_followup")


def test_the_sections_of_such_a_file_come_before_those_of_others(workspace: WorkspaceFolder, serve: Serve) -> None:
    _write_minutes(workspace)
    found = serve().find("会議メモの決定事項")
    best = found.hits("integrated_top")[0]
    assert (best["path"], best["start_line"]) == ("会議メモ.md", 3)
    assert found.hits("gaps") == []


def test_the_name_of_a_file_may_go_on(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/release-checklist 2.md", "Tag the commit.\n")
    workspace.write("m/b.md", "Nothing to see.\n")
    assert [hit["path"] for hit in serve().find("release-checklist").hits("candidates")] == ["release-checklist 2.md"]


def test_a_file_is_found_by_its_name_beside_lines_of_others(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/退職.md", "手続を始める。\n")
    workspace.write("m/b.md", "退職の日まで使う。\n")
    found = serve().find("退職")
    assert {hit["path"] for hit in found.hits("candidates")} == {"b.md", "退職.md"}
    assert found.summary["completeness"]["lines"]["matched"] == 1


def test_the_name_of_a_file_adds_nothing_to_lines_of_its_own(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/退職.md", "手続を始める。\n\n## 期限\n\n退職の日まで使う。\n")
    assert [hit["start_line"] for hit in serve().find("退職").hits("candidates")] == [5]


def test_a_latin_word_is_a_whole_one_of_the_name(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/settings.md", "Nothing to see.\n")
    workspace.write("m/set up.md", "Nothing to say.\n")
    assert [hit["path"] for hit in serve().find("set").hits("candidates")] == ["set up.md"]


def test_only_files_of_the_manual_that_is_asked_for_are_meant(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/議事録.md", "来月から始める。\n")
    workspace.write("n/b.md", "掃除は金曜日。\n")
    assert serve().find("議事録", manual_id="n", max_stage=3).hits("candidates") == []


def test_of_many_files_that_are_called_so_twenty_are_candidates(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(25):
        workspace.write(f"m/議事録 {number}.md", "来月から始める。\n")
    assert len(serve().find("議事録").hits("candidates")) == 20
