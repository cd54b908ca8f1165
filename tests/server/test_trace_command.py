"""`morenashi trace`: a stored search can be seen, asked again and compared, from the command line."""

import contextlib
import json
import random
import sqlite3
import subprocess
from typing import Any

import pytest

from morenashi.indexer.writer_lock import hold_writer_lock
from morenashi.migrations import names

from ..indexer.test_database import make_newer
from ..workspaces import WorkspaceFolder
from .library import fill
from .serving import ask_database, serving_indexed

ANSWERED: dict[str, dict[str, Any]] = {
    "plain": {"query": "申請"},
    "a sentence": {"query": "申請の期限はいつまでですか、取消の方法は"},
    "one manual": {"query": "休暇 申請", "manual_id": "規則"},
    "an intent": {"query": "申請", "intent": "procedure"},
    "cut by its cap": {"query": "申請", "budget": {"max_candidates": 2}},
    "not widened": {"query": "窓口", "manual_id": "規則", "max_stage": 3},
    "nothing found": {"query": "宇宙船"},
}


def ask(folder: WorkspaceFolder, *calls: dict[str, Any], **settings: Any) -> list[str]:
    """Search, by a server that has ended; the traces' ids."""
    with serving_indexed(folder, **settings) as manuals:
        return [manuals.find(**call).trace_id for call in calls]


def write_database(folder: WorkspaceFolder, statement: str, *values: object) -> None:
    with contextlib.closing(sqlite3.connect(folder.database)) as connection, connection:
        connection.execute(statement, values)


def trace(folder: WorkspaceFolder, *arguments: str) -> subprocess.CompletedProcess[str]:
    return folder.run("trace", *arguments)


def diff(folder: WorkspaceFolder, trace_id: str) -> dict[str, Any]:
    """The difference as JSON; its exit code has to agree."""
    done = trace(folder, "diff", trace_id, "--json")
    report: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (0 if report["identical"] else 1), done.stderr
    return report


@pytest.fixture
def library(workspace: WorkspaceFolder) -> WorkspaceFolder:
    return fill(workspace)


def test_what_is_shown_and_what_is_replayed_are_the_same_bytes(library: WorkspaceFolder) -> None:
    ids = ask(library, *ANSWERED.values())
    assert len(set(ids)) == len(ANSWERED)
    for trace_id in ids:
        shown, replayed = trace(library, "show", trace_id, "--json"), trace(library, "replay", trace_id)
        assert (shown.returncode, replayed.returncode, replayed.stderr) == (0, 0, "")
        assert shown.stdout == replayed.stdout
        assert trace_id not in shown.stdout


def test_after_a_rebuild_the_replay_is_still_the_same(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["a sentence"])
    assert library.run("reindex", "--full").returncode == 0
    done = trace(library, "diff", trace_id)
    assert (done.returncode, done.stdout) == (0, "nothing differs\n")


def test_a_search_of_what_was_left_over_can_be_replayed(library: WorkspaceFolder) -> None:
    with serving_indexed(library) as manuals:
        first = manuals.find("申請", budget={"max_candidates": 2})
        rest = manuals.find("申請", only_unscanned_from_trace_id=first.trace_id)
        assert rest.summary["candidates"]
    assert diff(library, rest.trace_id)["identical"]


def test_what_took_up_a_trace_that_is_gone_cannot_be_replayed(library: WorkspaceFolder) -> None:
    with serving_indexed(library) as manuals:
        first = manuals.find("申請", budget={"max_candidates": 2})
        rest = manuals.find("申請", only_unscanned_from_trace_id=first.trace_id)
    write_database(library, "DELETE FROM traces WHERE id = ?", first.trace_id)
    for action in ("replay", "diff"):
        done = trace(library, action, rest.trace_id)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("morenashi: not_found: ")
        assert first.trace_id in done.stderr


def test_replaying_stores_nothing(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    counts = "SELECT (SELECT count(*) FROM traces), (SELECT count(*) FROM adaptive_statistics)"
    before = ask_database(library, counts)
    trace(library, "replay", trace_id)
    trace(library, "diff", trace_id)
    assert ask_database(library, counts) == before == [(1, 1)]


def test_a_trace_is_shown_with_its_places_and_reasons(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, {"query": "申請 どこにもない語", "budget": {"max_candidates": 2}})
    shown = trace(library, "show", trace_id).stdout
    (place, score) = ask_database(
        library, "SELECT manual_id || '/' || path || ':' || start_line, score FROM trace_hits"
    )[0]
    for expected in (trace_id, "申請 どこにもない語", place, f"{score:.4f}", "body", "candidate_cap", "normalized"):
        assert expected in shown
    assert not any(text in shown for text in ("窓口", "三十日", "印鑑", "システム"))


def test_an_expired_trace_is_shown_and_said_to_be_so(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    write_database(library, "UPDATE traces SET created_at = '2020-01-01T00:00:00.000000+00:00'")
    assert "expired" in trace(library, "show", trace_id).stdout
    assert diff(library, trace_id)["identical"]


def test_traces_are_listed_newest_first(library: WorkspaceFolder) -> None:
    ids = ask(library, ANSWERED["plain"], ANSWERED["nothing found"], {"query": "申請\n\n期限"})
    listed = json.loads(trace(library, "list", "--json").stdout)
    assert [row["trace_id"] for row in listed] == ids[::-1]
    assert [line.split()[0] for line in trace(library, "list").stdout.splitlines()] == ids[::-1]


def test_of_each_trace_it_is_listed_whether_manuals_or_the_vault_were_searched(library: WorkspaceFolder) -> None:
    with serving_indexed(library) as served:
        for tool in ("manual_find", "vault_find"):
            served.call(tool, query="申請")
    listed = json.loads(trace(library, "list", "--json").stdout)
    assert [(row["tool"], row["manual_id"]) for row in listed] == [("vault_find", None), ("manual_find", None)]
    assert [line.split()[2] for line in trace(library, "list").stdout.splitlines()] == ["vault_find", "manual_find"]


@pytest.mark.parametrize("action", ["show", "replay", "diff"])
def test_an_unknown_trace_is_not_found(library: WorkspaceFolder, action: str) -> None:
    ask(library, ANSWERED["plain"])
    done = trace(library, action, "tr_unknown")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("morenashi: not_found: ")


def test_without_a_database_nothing_is_made(library: WorkspaceFolder) -> None:
    assert trace(library, "replay", "tr_unknown").returncode == 2
    assert not library.database.exists()


def test_a_newer_database_ends_with_four(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    make_newer(library.database)
    assert [trace(library, action, trace_id).returncode for action in ("show", "replay", "diff")] == [4, 4, 4]


def test_a_workspace_whose_manuals_are_away_ends_with_two(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    library.manuals.rename(library.root / "away")
    assert trace(library, "show", trace_id).returncode == 0
    assert trace(library, "diff", trace_id).returncode == 2


def test_the_candidates_that_came_went_and_moved_are_named(library: WorkspaceFolder) -> None:
    library.write("手引き/z.md", "# 申請\n\n申請、申請。\n")
    (trace_id,) = ask(library, ANSWERED["plain"])
    (library.manuals / "手引き/z.md").unlink()
    library.write("手引き/neu.md", "# 申請\n\n申請と申請と申請。\n")
    report = diff(library, trace_id)
    assert (report["files"]["added"], report["files"]["removed"]) == (["手引き/neu.md"], ["手引き/z.md"])
    assert [item["path"] for item in report["candidates"]["added"]] == ["neu.md"]
    assert [item["path"] for item in report["candidates"]["removed"]] == ["z.md"]
    assert "申請と申請" not in trace(library, "diff", trace_id).stdout


def test_a_changed_number_of_the_summary_is_named(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    library.write("手引き/neu.md", "無関係\n")
    report = diff(library, trace_id)
    assert report["summary"]["scanned_files"][1] - report["summary"]["scanned_files"][0] == 1
    done = trace(library, "diff", trace_id)
    assert done.stdout.splitlines()[0] == "added: 手引き/neu.md"


def test_a_file_that_was_only_touched_is_not_named(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    for path in library.manuals.rglob("*.md"):
        path.touch()
    assert diff(library, trace_id)["identical"]


def test_after_random_edits_exactly_those_files_are_named(workspace: WorkspaceFolder, seed: int) -> None:
    chance = random.Random(seed)
    names = [f"{manual}/{number}.md" for manual in "ab" for number in range(6)]
    present = {name: f"# 題{name}\n\n申請 {chance.random()}\n" for name in chance.sample(names, 8)}
    for name, text in present.items():
        workspace.write(name, text)
    (trace_id,) = ask(workspace, {"query": "申請", "manual_id": "a"})
    for _ in range(3):
        now = edit(workspace, chance, names, present)
        files = diff(workspace, trace_id)["files"]
        assert files == {
            "added": sorted(now.keys() - present.keys()),
            "changed": sorted(name for name in now.keys() & present.keys() if now[name] != present[name]),
            "removed": sorted(present.keys() - now.keys()),
        }


def edit(folder: WorkspaceFolder, chance: random.Random, names: list[str], present: dict[str, str]) -> dict[str, str]:
    """Write, restore or delete some files; what is there then."""
    for name in chance.sample(names, 5):
        text = chance.choice([None, present.get(name), f"# 題\n\n申請 {chance.random()}\n"])
        if text is None:
            (folder.manuals / name).unlink(missing_ok=True)
        else:
            folder.write(name, text)
    return {name: (folder.manuals / name).read_text("utf-8") for name in names if (folder.manuals / name).exists()}


def test_the_thresholds_of_then_are_used(library: WorkspaceFolder) -> None:
    for number in range(4):
        library.write(f"規則/{number}.md", f"# 窓口{number}\n")
    (trace_id,) = ask(library, {"query": "窓口", "manual_id": "規則"})
    stored = "UPDATE traces SET parameters = json_set(parameters, '$.in_force.thresholds.candidate_low', ?)"
    for candidate_low, is_widened in ((3, False), (6, True)):
        write_database(library, stored, candidate_low)
        replayed = json.loads(trace(library, "replay", trace_id).stdout)
        assert replayed["summary"]["scope_expanded"] is is_widened
        assert replayed["parameters"]["in_force"]["thresholds"]["candidate_low"] == candidate_low


def test_other_dictionaries_are_said(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    (library.root / "dictionaries").mkdir()
    (library.root / "dictionaries" / "synonyms.txt").write_text("住民票, 戸籍\n", "utf-8")
    report = diff(library, trace_id)
    assert list(report["conditions"]) == ["in_force.dictionaries"]
    assert (report["files"], report["candidates"]) == ({"added": [], "changed": [], "removed": []}, {})


def test_another_version_of_the_program_is_said(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    write_database(library, "UPDATE traces SET parameters = json_set(parameters, '$.in_force.program', '0.0.1')")
    assert diff(library, trace_id)["conditions"]["in_force.program"][0] == "0.0.1"


def test_a_search_that_the_clock_ended_is_said_not_to_be_repeatable(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    write_database(
        library,
        "INSERT INTO trace_unscanned VALUES (?, 'time_budget', '[[\"規則\", \"a.md\", [[1, 2]]]]', 1, 2)",
        trace_id,
    )
    report = diff(library, trace_id)
    assert "time budget" in report["remarks"][0]
    assert report["unscanned"] == {"time_budget": {"places": [1, 0], "lines": [2, 0]}}
    assert "time budget" in trace(library, "replay", trace_id).stderr


def test_of_a_trace_from_an_older_version_no_files_are_named(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    write_database(library, "UPDATE traces SET parameters = '{}'")
    report = diff(library, trace_id)
    assert report["files"] is None
    assert "older version" in report["remarks"][0]


def test_what_a_server_of_an_older_version_keeps_is_read_when_that_has_ended(library: WorkspaceFolder) -> None:
    """Not before: to run `reindex` is no help while it keeps the index."""
    ask(library, ANSWERED["plain"])
    write_database(library, "DELETE FROM _sqlite_migrations WHERE name = ?", names.STEPS[-1])
    done = trace(library, "list")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.index("morenashi stop") < done.stderr.index("morenashi reindex")


def test_while_a_server_keeps_the_index_it_is_read_as_it_stands(library: WorkspaceFolder) -> None:
    (trace_id,) = ask(library, ANSWERED["plain"])
    with hold_writer_lock(library.database):
        assert diff(library, trace_id)["identical"]
        library.write("手引き/neu.md", "# 申請\n")
        report = diff(library, trace_id)
    assert not any(report["files"].values())
    assert "手引き/neu.md" in report["remarks"][0]
    assert report["summary"]["completeness.pending_files"] == [0, 1]
