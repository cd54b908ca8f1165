"""The index follows the disk while the server runs: what is saved is found, what is gone is not."""

import contextlib
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import markdown_it
import pytest
from snowballstemmer.basestemmer import BaseStemmer

from morenashi.indexer import database
from morenashi.server.keeper import home

from ..databases import put_empty
from ..indexer.test_database import make_newer
from ..workspaces import UNDECODABLE, WorkspaceFolder, eventually
from .serving import Serving, serving, serving_indexed

# watchdog's own, when it meets a new folder twice; as an error it would end watchdog's thread.
pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")

OLD, NEW = "鍵言葉", "合図"


@pytest.fixture
def manuals(workspace: WorkspaceFolder) -> Iterator[Serving]:
    """A server that is told of changes, with one document in its index."""
    workspace.write("m/x.md", f"# 題\n\n{OLD}\n")
    with serving(workspace, WATCH="events") as manuals:
        assert eventually(lambda: is_found(manuals, OLD))
        yield manuals


def is_found(manuals: Serving, query: str, *paths: str) -> bool:
    """Whether the search finds the words in exactly these files, all of them as they are on disk."""
    found = manuals.find(query)
    return found.status == "found" and found.paths() == set(paths or {"x.md"})


def is_absent(manuals: Serving, query: str) -> bool:
    return manuals.find(query).status == "absent"


def test_what_was_there_before_is_found(manuals: Serving) -> None:
    assert manuals.find(OLD).places() == {("x.md", 3)}


def test_an_edited_file_is_found_by_its_new_text(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("m/x.md", f"# 題\n\n\n{NEW}\n")
    assert eventually(lambda: is_found(manuals, NEW))
    assert manuals.find(NEW).places() == {("x.md", 4)}


def test_an_edited_file_is_no_longer_found_by_its_old_text(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("m/x.md", f"# 題\n\n{NEW}\n")
    assert eventually(lambda: is_absent(manuals, OLD))


def test_without_a_watcher_the_call_that_is_proposed_finds_what_was_changed(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", f"# 題\n\n{OLD}\n")
    workspace.write("m/gone.md", f"# 題\n\n{OLD}\n")
    with serving_indexed(workspace) as manuals:
        workspace.write("m/x.md", f"# 題\n\n{NEW}\n")
        workspace.write("m/new.md", f"# 題\n\n{NEW}\n")
        (workspace.manuals / "m" / "gone.md").unlink()
        first = manuals.find(NEW)
        again = {"type": "manual_find", "params": {"query": NEW}}
        assert again in [{key: action[key] for key in again} for action in first.next_actions]
        assert eventually(lambda: is_found(manuals, NEW, "x.md", "new.md"))
        assert manuals.find(NEW).summary["completeness"]["pending_files"] == 0
        assert is_absent(manuals, OLD)


def test_a_file_replaced_as_editors_do_is_found(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("m/.x.md.tmp", f"# 題\n\n{NEW}\n").replace(workspace.manuals / "m" / "x.md")
    assert eventually(lambda: is_found(manuals, NEW))


def test_an_edit_that_keeps_the_size_is_noticed(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("m/x.md", f"# 題\n\n{OLD[::-1]}\n")
    assert eventually(lambda: is_found(manuals, OLD[::-1]))


def test_a_new_file_is_found(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("m/deep/new/y.md", f"{NEW}\n")
    assert eventually(lambda: is_found(manuals, NEW, "deep/new/y.md"))


def test_a_new_manual_is_listed_and_found(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("n/y.json", f'{{"a": "{NEW}"}}')
    assert eventually(lambda: is_found(manuals, NEW, "y.json"))
    assert manuals.call("manual_list") == {"items": [{"manual_id": "m"}, {"manual_id": "n"}]}


def test_a_file_whose_name_is_not_utf_8_keeps_no_other_from_being_found(
    workspace: WorkspaceFolder, manuals: Serving
) -> None:
    # As an archive of Windows leaves it: 第一章.md in CP932.
    workspace.write(os.fsdecode("m/第一章.md".encode("cp932")), f"# 題\n\n{NEW}\n")
    assert eventually(lambda: manuals.find(NEW).status == "unknown")
    workspace.write("m/y.md", f"# 題\n\n{NEW}\n")
    assert eventually(lambda: is_found(manuals, NEW, "y.md"))


def test_a_deleted_file_is_no_longer_found(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("m/y.md", f"{NEW}\n")
    assert eventually(lambda: is_found(manuals, NEW, "y.md"))
    (workspace.manuals / "m" / "y.md").unlink()
    assert eventually(lambda: is_absent(manuals, NEW))
    assert [item["path"] for item in manuals.call("manual_ls")["items"]] == ["x.md"]


def test_a_renamed_file_is_found_under_its_new_name(workspace: WorkspaceFolder, manuals: Serving) -> None:
    (workspace.manuals / "m" / "x.md").rename(workspace.manuals / "m" / "y.md")
    assert eventually(lambda: is_found(manuals, OLD, "y.md"))


def test_a_renamed_folder_is_found_under_its_new_name(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("m/before/y.md", f"{NEW}\n")
    assert eventually(lambda: is_found(manuals, NEW, "before/y.md"))
    (workspace.manuals / "m" / "before").rename(workspace.manuals / "m" / "after")
    assert eventually(lambda: is_found(manuals, NEW, "after/y.md"))


def test_a_deleted_manual_is_no_longer_listed(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("n/y.md", f"{NEW}\n")
    assert eventually(lambda: is_found(manuals, NEW, "y.md"))
    shutil.rmtree(workspace.manuals / "n")
    assert eventually(lambda: manuals.call("manual_list") == {"items": [{"manual_id": "m"}]})


def test_a_folder_moved_in_from_elsewhere_is_found(workspace: WorkspaceFolder, manuals: Serving) -> None:
    elsewhere = workspace.root / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "y.md").write_text(f"{NEW}\n", "utf-8")
    elsewhere.rename(workspace.manuals / "n")
    assert eventually(lambda: is_found(manuals, NEW, "y.md"))


def test_a_file_that_becomes_undecodable_is_unscanned(workspace: WorkspaceFolder, manuals: Serving) -> None:
    workspace.write("m/x.md", UNDECODABLE)
    assert eventually(lambda: [row[0] for row in manuals.find(OLD).unscanned()] == ["encoding"])


def test_a_file_that_the_parser_fails_on_is_unscanned_and_later_changes_are_found(
    workspace: WorkspaceFolder, manuals: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markdown_it.MarkdownIt, "parse", lambda *_: [][1])
    workspace.write("m/x.md", f"# 題\n\n{NEW}\n")
    assert eventually(lambda: [row[0] for row in manuals.find(OLD).unscanned()] == ["unreadable"])
    monkeypatch.undo()
    workspace.write("m/x.md", f"# 題\n\n{NEW}\n\n")
    assert eventually(lambda: is_found(manuals, NEW))


def test_a_fault_while_the_index_is_written_is_no_end_of_it(
    workspace: WorkspaceFolder, manuals: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile what the index has is searched, and what it lacks is named or read from the disk."""
    monkeypatch.setattr(BaseStemmer, "stemWord", lambda *_: [][1])
    # With an ending that the stemmer looks at, and not among the words whose stems are known by now.
    workspace.write("m/new.md", f"# 題\n\n{NEW}: zyxwvutings\n")
    assert eventually(lambda: not manuals.workspace.manuals.keeper.state["is_writer"])
    assert is_found(manuals, OLD)
    assert not is_absent(manuals, NEW)
    monkeypatch.undo()
    assert eventually(lambda: is_found(manuals, NEW, "new.md"))
    assert eventually(lambda: manuals.find(NEW).summary["completeness"]["pending_files"] == 0)


def test_many_files_saved_at_once_are_all_found(workspace: WorkspaceFolder, manuals: Serving) -> None:
    for number in range(300):
        workspace.write(f"n/{number}.md", f"{NEW} {number}\n")
    names = {f"{number}.md" for number in range(300)}
    assert eventually(lambda: manuals.find(NEW, budget={"max_candidates": 1_000}).paths() == names)
    assert eventually(lambda: manuals.find(NEW).summary["completeness"]["pending_files"] == 0)


def test_the_index_equals_the_disk_after_a_storm(workspace: WorkspaceFolder, manuals: Serving) -> None:
    for number in range(60):
        path = workspace.write(f"m/{number % 7}.md", f"{NEW}{number}\n")
        if number % 5 == 0:
            path.unlink()
        if number % 11 == 0 and path.exists():
            path.rename(path.with_name(f"moved{number}.md"))
    on_disk = {os.fsdecode(path.name) for path in (workspace.manuals / "m").iterdir()}
    assert eventually(lambda: {item["path"] for item in manuals.call("manual_ls")["items"]} == on_disk)
    assert eventually(lambda: manuals.find("どこにもない語").status == "absent")


def test_changes_are_noticed_without_events_too(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", f"{OLD}\n")
    gone = workspace.write("m/gone.md", "消える行\n")
    with serving(workspace, WATCH="polling") as manuals:
        assert eventually(lambda: is_found(manuals, OLD))
        gone.unlink()
        workspace.write("m/x.md", f"{NEW}\n")
        workspace.write("m/y.md", "増える行\n")
        assert eventually(lambda: is_found(manuals, NEW))
        assert eventually(lambda: is_found(manuals, "増える", "y.md"))
        assert eventually(lambda: is_absent(manuals, "消える"))


def test_what_is_heard_of_together_with_a_new_folder_counts_as_changed_until_the_writer_comes_to_it(
    workspace: WorkspaceFolder, manuals: Serving
) -> None:
    keeper = manuals.workspace.manuals.keeper
    busy, gate = threading.Event(), threading.Event()

    def keep_busy(_: sqlite3.Connection) -> None:
        busy.set()
        gate.wait()

    keeper.submit(keep_busy)
    busy.wait()
    tenure = keeper._tenure
    assert tenure is not None
    (workspace.manuals / "n").mkdir()
    workspace.write("m/y.md", f"{NEW}\n")
    try:
        assert eventually(lambda: ("m", "y.md") in keeper.pending)
        # Because of the folder, the writer is asked to compare everything.
        assert eventually(lambda: not tenure.heard_of)
        assert ("m", "y.md") in keeper.pending
    finally:
        gate.set()
    assert eventually(lambda: is_found(manuals, NEW, "y.md") and not keeper.pending)


def test_a_link_that_appears_is_not_followed(workspace: WorkspaceFolder, manuals: Serving) -> None:
    outside = workspace.root / "outside.md"
    outside.write_text(f"{NEW}\n", "utf-8")
    (workspace.manuals / "m" / "link.md").symlink_to(outside)
    workspace.write("m/y.md", "この後で見る\n")
    assert eventually(lambda: is_found(manuals, "この後で見る", "y.md"))
    assert is_absent(manuals, NEW)


def test_changes_made_while_no_server_ran_are_found_at_the_start(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", f"{OLD}\n")
    with serving(workspace) as manuals:
        assert eventually(lambda: is_found(manuals, OLD))
    workspace.write("m/x.md", f"{NEW}\n")
    with serving(workspace) as manuals:
        assert eventually(lambda: is_found(manuals, NEW))
        assert eventually(lambda: is_absent(manuals, OLD))


def test_a_root_that_comes_later_is_noticed(workspace: WorkspaceFolder) -> None:
    workspace.manuals.rmdir()
    with serving(workspace) as manuals:
        assert manuals.refuse("manual_list")["code"] == "not_found"
        workspace.write("m/x.md", f"{NEW}\n")
        assert eventually(lambda: is_found(manuals, NEW))


@pytest.mark.parametrize("watch", ["auto", "off"])
@pytest.mark.parametrize("is_beside_another", [False, True])
def test_while_the_root_is_away_no_line_counts_as_examined_and_nothing_as_absent(
    workspace: WorkspaceFolder, watch: str, is_beside_another: bool
) -> None:
    """As after a disk was not mounted, or with a wrong MANUALS_ROOT. The index is kept, and counts as changed."""
    workspace.write("m/x.md", f"{OLD}\n")
    with serving(workspace) as manuals:
        assert eventually(lambda: is_found(manuals, OLD))
    away = workspace.manuals.rename(workspace.root / "away")
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(serving(workspace, WATCH=watch))
        manuals = stack.enter_context(serving(workspace, WATCH=watch)) if is_beside_another else first
        assert manuals.find(NEW).status == "unknown"
        for query in (OLD, NEW):
            completeness = manuals.call("manual_find", query=query)["summary"]["completeness"]
            assert (completeness["pending_files"], completeness["lines"]["examined"]) == (1, 0)
        away.rename(workspace.manuals)
        assert eventually(lambda: is_found(manuals, OLD))
        assert eventually(lambda: is_absent(manuals, NEW))


def test_a_root_that_goes_away_takes_nothing_out_of_the_index(workspace: WorkspaceFolder, manuals: Serving) -> None:
    away = workspace.manuals.rename(workspace.root / "away")
    assert eventually(lambda: not workspace.manuals.exists())
    away.rename(workspace.manuals)
    assert eventually(lambda: is_found(manuals, OLD))


def test_a_workspace_that_is_moved_away_is_said_to_be_gone(
    workspace: WorkspaceFolder, manuals: Serving, tmp_path: Path
) -> None:
    workspace.root.rename(tmp_path / "moved")
    keeper = manuals.workspace.manuals.keeper
    keeper.look()
    assert eventually(lambda: keeper.failure is not None)
    assert keeper.failure == "the workspace's folder is not there; `morenashi init` makes one"


def test_what_is_submitted_to_a_keeper_that_has_ended_is_not_kept(workspace: WorkspaceFolder) -> None:
    put_empty(workspace.database)
    make_newer(workspace.database)
    (workspace.root / "vault").mkdir()
    (workspace.root / "vault" / "n.md").write_text("# 題\n", "utf-8")
    with serving(workspace) as manuals:
        keeper = manuals.workspace.manuals.keeper
        assert eventually(lambda: keeper.failure is not None and not keeper.is_writer)
        manuals.call("vault_read", path="n.md", full=True)
        assert (keeper.state["queue"], keeper.state["is_writer"]) == (0, False)


def test_a_database_that_is_replaced_just_when_it_is_opened_is_opened_anew(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old file is gone before it is looked at: what is indexed in it would be found by nobody."""
    workspace.write("m/x.md", f"# 題\n\n{OLD}\n")
    put_empty(workspace.database)
    coming = workspace.database.with_name("coming.db")
    put_empty(coming)
    open_writer = database.open_writer

    def replacing(path: Path, **options: bool) -> tuple[sqlite3.Connection, list[str]]:
        opened = open_writer(path, **options)
        if coming.exists():
            for companion in ("-wal", "-shm"):
                path.with_name(f"{path.name}{companion}").unlink(missing_ok=True)
            coming.replace(path)
        return opened

    monkeypatch.setattr(database, "open_writer", replacing)
    with serving(workspace, WATCH="events") as manuals:
        assert eventually(lambda: is_found(manuals, OLD), 20)


@pytest.mark.parametrize("has_come", ["manuals", "data"])
def test_nothing_is_made_in_a_folder_that_is_just_put_in_the_place_of_the_workspace(
    workspace: WorkspaceFolder, manuals: Serving, tmp_path: Path, has_come: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy may be under way, and have `data/` to come, or what lies in it."""
    monkeypatch.setattr(home, "_SETTLED_SECONDS", 1.5)
    put_in_place = time.monotonic()
    workspace.root.rename(tmp_path / "moved")
    (workspace.root / has_come).mkdir(parents=True)
    workspace.write("m/x.md", f"# 題\n\n{NEW}\n")
    assert eventually(lambda: any(workspace.root.glob("data/*")), 20)
    assert time.monotonic() - put_in_place > 1
    # Until the index is made there, every search is told that it is not.
    assert eventually(lambda: not manuals.answer("manual_find", query=NEW).is_error, 20)
    assert eventually(lambda: is_found(manuals, NEW), 20)
