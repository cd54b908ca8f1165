"""`vault_find`: everything the notes say, in numbers; what next; nothing of the manuals, nothing in the manuals."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from morenashi.server.search.question.query import parse_query
from morenashi.server.search.resuming import ask_again

from ..server.serving import Serving, as_json, ask_database, serving_indexed
from ..workspaces import WorkspaceFolder, eventually, make_workspace
from .notes import Vault

PLAN = "# 計画\n\n免除の申請は五月まで。\n\n## 期限\n\n期限は三十日とする。\n"


def note(vault: Vault, path: str, content: str | bytes) -> None:
    """A file that somebody else wrote, and that the index has heard of."""
    vault.put(path, content)
    vault.serving.workspace.vault_written(path)


def find(vault: Vault, query: str, **arguments: Any) -> dict[str, Any]:
    return vault.call("find", query=query, **arguments)


def hits(vault: Vault, found: dict[str, Any], kind: str = "candidates") -> list[dict[str, Any]]:
    return vault.serving.call("manual_hits", trace_id=found["trace_id"], kind=kind)["items"]


def places(vault: Vault, found: dict[str, Any]) -> set[tuple[str, int]]:
    return {(item["path"], item["start_line"]) for item in hits(vault, found)}


def test_a_note_is_found_by_its_name_alone(vault: Vault) -> None:
    vault.call("create", path="会議メモ.md", content="## 決定事項\n\n来月から始める。\n")
    found = find(vault, "会議メモ")
    assert places(vault, found) == {("会議メモ.md", 1)}
    assert found["summary"]["completeness"]["lines"]["matched"] == 0


def test_words_are_asked_for_near_each_other_in_notes_too(vault: Vault) -> None:
    vault.call("create", path="a.md", content="# 記録\n\nログインを禁止した。\n")
    vault.call("create", path="b.md", content="# 記録\n\nログイン。\n\n禁止。\n")
    assert places(vault, find(vault, "ログイン~禁止")) == {("a.md", 3)}


def test_a_note_is_found_right_after_it_was_written(vault: Vault) -> None:
    vault.call("create", path="plan.md", content=PLAN)
    found = find(vault, "免除")
    assert found["summary"]["completeness"]["status"] == "found"
    assert found["summary"]["completeness"]["lines"]["unexamined"] == 0
    assert found["summary"]["completeness"]["pending_files"] == 0
    assert places(vault, found) == {("plan.md", 3)}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("write", {"content": "別の文。\n", "mode": "overwrite"}), ("replace", {"find": "免除", "replace": "猶予"})],
)
def test_what_is_written_over_is_absent_at_once(vault: Vault, tool: str, arguments: dict[str, Any]) -> None:
    vault.call("create", path="plan.md", content=PLAN)
    vault.call(tool, path="plan.md", **arguments)
    assert find(vault, "免除")["summary"]["completeness"]["status"] == "absent"


def test_what_was_appended_is_found_at_once(vault: Vault) -> None:
    vault.call("create", path="plan.md", content=PLAN)
    vault.call("write", path="plan.md", content="猶予もある。\n", mode="append")
    assert places(vault, find(vault, "猶予")) == {("plan.md", 8)}


def test_without_a_vault_nothing_is_found_and_nothing_is_made(vault: Vault) -> None:
    found = find(vault, "免除")
    assert (found["summary"]["candidates"], found["summary"]["integration_status"]) == (0, "blocked")
    assert not vault.root.exists()


@pytest.mark.parametrize("name", ["a.md", "a.json", "a.txt", "a.tsv", "a.mmd", "a.yaml", "a", "a.rs"])
def test_whatever_holds_text_is_a_note(vault: Vault, name: str) -> None:
    vault.call("create", path=name, content='{"k": "免除"}\n')
    assert places(vault, find(vault, "免除")) == {(name, 1)}


@pytest.mark.parametrize("name", [".system/a.md", "．ＳＹＳＴＥＭ/a.md", ".hidden.md", "x.png", ".morenashi.tmp"])
def test_reserved_hidden_and_unfinished_files_are_none(vault: Vault, name: str) -> None:
    note(vault, name, "免除\n")
    vault.call("create", path="other.md", content="何もない\n")
    assert find(vault, "免除")["summary"]["completeness"]["status"] == "absent"


def test_a_file_that_is_no_text_is_listed_and_forbids_to_call_anything_absent(vault: Vault) -> None:
    note(vault, "odd.dat", bytes(range(256)) * 3)
    found = find(vault, "免除")
    assert found["summary"]["completeness"]["status"] == "unknown"
    assert [(item["path"], item["reason"]) for item in hits(vault, found, "unscanned")] == [("odd.dat", "encoding")]


def test_the_scope_narrows_to_a_folder_a_pattern_and_without_daily_notes(vault: Vault) -> None:
    for path in ("a/x.md", "a/y.txt", "a/b/z.md", "daily/2024-05-01.md", "top.md"):
        note(vault, path, "免除\n")

    def paths(**scope: Any) -> set[str]:
        return {path for path, _ in places(vault, find(vault, "免除", scope=scope))}

    assert paths() == {"a/x.md", "a/y.txt", "a/b/z.md", "daily/2024-05-01.md", "top.md"}
    assert paths(relative_dir="a") == {"a/x.md", "a/y.txt", "a/b/z.md"}
    assert paths(relative_dir="a", glob="*.md") == {"a/x.md", "a/b/z.md"}
    assert paths(glob="a/*.md") == {"a/x.md"}
    assert paths(daily=False) == {"a/x.md", "a/y.txt", "a/b/z.md", "top.md"}
    assert find(vault, "免除", scope={"glob": "*.csv"})["summary"]["scanned_files"] == 0


def test_notes_in_the_other_language_are_counted_in_the_scope_and_as_they_are_now(vault: Vault) -> None:
    note(vault, "a/返品.md", "# 返品\n\n返品は三十日以内。\n")
    note(vault, "b/refund.md", "# Refunds\n\nWithin thirty days.\n")
    counts = [find(vault, "返品", scope=scope)["summary"]["completeness"] for scope in ({}, {"relative_dir": "a"})]
    assert [one.get("other_language_files") for one in counts] == [1, None]
    note(vault, "b/refund.md", "# 返金\n\n三十日以内。\n")
    assert "other_language_files" not in find(vault, "返品")["summary"]["completeness"]


def test_counts_are_those_of_the_scope(vault: Vault) -> None:
    note(vault, "a/x.md", "免除\n二\n三\n")
    note(vault, "b/y.md", "免除\n二\n")
    lines = find(vault, "免除", scope={"relative_dir": "a"})["summary"]["completeness"]["lines"]
    assert lines == {"total": 3, "examined": 3, "matched": 1, "unexamined": 0}


@pytest.mark.parametrize(
    ("scope", "code"),
    [
        ({"relative_dir": "none"}, "not_found"),
        ({"relative_dir": "../manuals"}, "invalid_path"),
        ({"relative_dir": "/etc"}, "invalid_path"),
        ({"relative_dir": ".SYSTEM"}, "forbidden"),
        ({"glob": "/x"}, "invalid_parameter"),
        ({"glob": "a[b"}, None),
        ({"daily": "no"}, "invalid_parameter"),
        ({"folder": "a"}, "invalid_parameter"),
    ],
)
def test_a_wrong_scope_is_refused(vault: Vault, scope: dict[str, Any], code: str | None) -> None:
    note(vault, "a/x.md", "免除\n")
    result = vault.serving.answer("vault_find", query="免除", scope=scope)
    assert (result.structured_content or {}).get("code") == code


def test_refs_of_notes_name_the_vault_and_no_manual(vault: Vault) -> None:
    note(vault, "plan.md", PLAN)
    (item,) = hits(vault, find(vault, "期限"), "integrated_top")
    assert (item["ref"]["target"], item["ref"]["manual_id"]) == ("vault", None)
    assert (item["ref"]["path"], item["ref"]["start_line"], item["ref"]["title"]) == ("plan.md", 5, "期限")


def test_ranges_that_hold_nothing_of_it_are_gaps(vault: Vault) -> None:
    note(vault, "long.txt", "".join(f"{n:04d} {'あ' * 60}\n" for n in range(1, 101)).replace("0050 ", "0050 免除 "))
    found = find(vault, "免除")
    gaps = [item for item in hits(vault, found, "gaps") if item["gap_hint"].startswith("lines")]
    assert found["summary"]["gap_ranges_count"] == len(gaps) == 2
    assert gaps[0]["start_line"] == 1
    assert all(item["path"] == "long.txt" for item in gaps)


def test_next_calls_begin_with_a_scan_of_the_best_file(vault: Vault) -> None:
    note(vault, "plan.md", PLAN)
    found = find(vault, "免除の申請")
    assert found["next_actions"][0]["type"] == "vault_scan"
    assert found["next_actions"][0]["params"] == {"path": "plan.md", "chunk_lines": 80}
    for action in found["next_actions"]:
        if action["type"] != "stop":
            vault.serving.call(action["type"], **action["params"])


def test_nothing_there_is_a_reason_to_stop(vault: Vault) -> None:
    note(vault, "plan.md", PLAN)
    assert [action["type"] for action in find(vault, "量子")["next_actions"]] == ["stop"]


def test_what_a_cap_left_over_is_listed_and_taken_up_in_the_same_scope(vault: Vault) -> None:
    for n in range(12):
        note(vault, f"a/{n}.md", f"# 第{n}\n\n免除の話 {n}\n")
    note(vault, "b.md", "免除\n")
    found = find(vault, "免除", scope={"relative_dir": "a"}, budget={"max_candidates": 3})
    assert found["summary"]["cutoff_reason"] == "candidate_cap"
    seen, calls = {path for path, _ in places(vault, found)}, 1
    while again := [action for action in found["next_actions"] if action["type"] == "vault_find"]:
        found = vault.call("find", **again[0]["params"], budget={"max_candidates": 3})
        seen |= {path for path, _ in places(vault, found)}
        calls += 1
        assert calls < 20
    assert seen == {f"a/{n}.md" for n in range(12)}


def test_a_search_that_was_cut_names_the_terms_that_fill_it(vault: Vault) -> None:
    note(vault, "x.md", "".join(f"# {n}\n\n点検の手順。\n\n" for n in range(40)) + "# 題\n\n免震装置。\n")
    assert find(vault, "点検 免震装置", budget={"max_candidates": 20})["summary"]["cutoff_terms"] == ["点検"]


def test_a_trace_of_one_tool_is_not_taken_up_by_the_other(vault: Vault) -> None:
    note(vault, "plan.md", PLAN)
    trace_id = find(vault, "免除")["trace_id"]
    error = vault.serving.refuse("manual_find", query="免除", only_unscanned_from_trace_id=trace_id)
    assert (error["code"], error["message"].partition(": ")[2]) == (
        "not_found",
        "this trace is of vault_find; send it there",
    )


def test_whoever_pages_a_trace_that_is_gone_is_told_of_both_searches(vault: Vault) -> None:
    error = vault.serving.refuse("manual_hits", trace_id="tr_0")
    assert error["message"].endswith("call manual_find or vault_find again")


def test_manual_tools_see_nothing_of_the_vault(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "# 別\n\n何もない\n")
    with serving_indexed(workspace) as serving:
        vault = Vault(workspace.root / "vault", serving)
        note(vault, "plan.md", PLAN)
        assert find(vault, "免除")["summary"]["candidates"] == 1
        searched = serving.call("manual_find", query="免除")["summary"]
        assert (searched["candidates"], searched["completeness"]["status"]) == (0, "absent")
        assert serving.call("manual_list")["items"] == [{"manual_id": "m"}]
        assert [item["path"] for item in serving.call("manual_ls")["items"]] == ["x.md"]


MANUAL = (
    "# 規程\n\n免除の申請は第三条による。ただし、期限後はこの限りでない。\n\n## 第三条\n\n免除の期限は三十日とする。\n"
)
QUESTIONS = ("免除", "免除 期限", "第三条", "計画", "免除の申請の例外は", "どこにもない")


def test_manual_searches_answer_the_same_to_the_byte_whether_there_is_a_vault(tmp_path: Path) -> None:
    answers = []
    for name in ("without", "with"):
        folder = make_workspace(tmp_path / name)
        for n in range(6):
            folder.write(f"m/{n}.md", MANUAL.replace("三十日", f"{n}日"))
        folder.write("n/x.md", "# 計画\n\n[規程](../m/0.md) を見る。\n")
        if name == "with":
            (folder.root / "vault").mkdir()
        with serving_indexed(folder) as serving:
            if name == "with":
                for n in range(5):
                    note(Vault(folder.root / "vault", serving), f"{n}.md", PLAN + MANUAL * n)
            answers.append(
                [_whole_answer(serving, question, manual) for question in QUESTIONS for manual in (None, "m")]
            )
    assert answers[0] == answers[1]


def _whole_answer(serving: Serving, question: str, manual_id: str | None) -> str:
    """The answer with all its lists, as text, without what is new in every run."""
    body = serving.call("manual_find", query=question, manual_id=manual_id)
    kinds = ("candidates", "unscanned", "gaps", "conflicts", "integrated_top")
    lists = [serving.call("manual_hits", trace_id=body["trace_id"], kind=kind)["items"] for kind in kinds]
    return as_json([body, lists]).replace(body["trace_id"], "")


def test_a_search_in_the_vault_does_not_count_for_the_thresholds_of_manuals(vault: Vault) -> None:
    vault.call("create", path="plan.md", content=PLAN)
    found = find(vault, "免除")
    stored = "SELECT count(*) FROM traces WHERE id = ?"
    folder = vault.serving.folder
    assert eventually(lambda: ask_database(folder, stored, found["trace_id"]) == [(1,)])
    assert ask_database(folder, "SELECT count(*) FROM adaptive_statistics") == [(0,)]


def test_a_rest_of_thousands_of_places_in_one_note_is_taken_up_in_steps_by_their_number(vault: Vault) -> None:
    steps = [_steps_to_take_up_the_rest(vault, f"log-{sections}.md", sections) for sections in (1_000, 4_000)]
    assert 0 < steps[1] < 6 * steps[0]


def _steps_to_take_up_the_rest(vault: Vault, path: str, sections: int) -> int:
    """In instructions of SQLite's machine, by hundreds."""
    vault.call("create", path=path, content="".join(f"## {n}\n\n免除 {n}\n\n" for n in range(sections)))
    found = find(vault, "免除", scope={"glob": path})
    workspace = vault.serving.workspace
    rest = workspace.traces.find(found["trace_id"]).rest
    query = parse_query("免除", {}, {})
    taken = 0

    def count() -> None:
        nonlocal taken
        taken += 1

    def ask(connection: sqlite3.Connection) -> int:
        connection.set_progress_handler(count, 100)
        try:
            return len(ask_again(connection, rest, query).passages)
        finally:
            connection.set_progress_handler(None, 0)

    assert workspace.vault.ask(ask) == sections - 200
    return taken
