"""What differs from the disk and has no name yet is looked for by each search: nothing is ready, and no list whole."""

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from morenashi.indexer.database import open_writer
from morenashi.indexer.schema import recreate_derived
from morenashi.indexer.sync import Summary, Synchroniser
from morenashi.indexer.writer_lock import hold_writer_lock
from morenashi.server.keeper import keeper as keepers
from morenashi.server.keeper.course import Course
from morenashi.server.keeper.tenure import Tenure

from ..workspaces import WorkspaceFolder, eventually
from .serving import Serving, index_now, serving, serving_indexed, serving_what_was_indexed

WORD = "鍵言葉"


@pytest.fixture
def indexed(workspace: WorkspaceFolder) -> WorkspaceFolder:
    """A folder of two manuals with three sections each."""
    for manual_id in ("m", "n"):
        workspace.write(f"{manual_id}/x.md", f"# 一\n{WORD}\n# 二\n{WORD}\n# 三\n{WORD}\n")
    return workspace


def pending_files(manuals: Serving, **arguments: Any) -> int:
    completeness = manuals.find(WORD, **arguments).summary["completeness"]
    return int(completeness["pending_files"])


def is_known(manuals: Serving) -> bool:
    """Whether everything is indexed."""
    return manuals.find(WORD).lines["examined"] == 12


@contextlib.contextmanager
def busy(manuals: Serving) -> Iterator[None]:
    """Keep the writer from all else for a while."""
    held, release = threading.Event(), threading.Event()

    def hold(_: sqlite3.Connection) -> None:
        held.set()
        release.wait()

    manuals.workspace.manuals.keeper.submit(hold)
    held.wait()
    try:
        yield
    finally:
        release.set()


def test_while_a_comparison_waits_for_its_turn_every_search_and_list_looks_at_the_disk(
    indexed: WorkspaceFolder,
) -> None:
    """A folder that was moved away names none of its files."""
    with serving(indexed, WATCH="polling") as manuals:
        assert eventually(lambda: is_known(manuals))
        with busy(manuals):
            (indexed.manuals / "n").rename(indexed.root / "away")
            manuals.workspace.manuals.keeper.look()
            found = manuals.find(WORD)
            assert "stop" not in {action["type"] for action in found.next_actions}
            assert [(item["reason"], item["ref"]["manual_id"]) for item in found.hits("unscanned")] == [
                ("changed_since_index", "n")
            ]
            assert manuals.call("manual_ls")["pending_files"] == 1
            # It goes on to the other manuals if it has too little.
            assert pending_files(manuals, manual_id="m") == 1


def test_an_index_that_is_made_anew_is_not_searched_as_if_there_were_no_documents(
    indexed: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After damage: the new one is empty until the disk has been listed, and the watcher watches already."""
    synchronise = Synchroniser.synchronise
    listing, go_on = threading.Event(), threading.Event()

    def wait(synchroniser: Synchroniser, **options: Any) -> Summary:
        listing.set()
        go_on.wait()
        return synchronise(synchroniser, **options)

    with serving(indexed, WATCH="events") as manuals:
        assert eventually(lambda: is_known(manuals))
        monkeypatch.setattr(Synchroniser, "synchronise", wait)
        keeper = manuals.workspace.manuals.keeper
        keeper.report(sqlite3.DatabaseError("the database is malformed"), None)
        try:
            assert listing.wait(60)
            assert pending_files(manuals) == 2
            assert manuals.call("manual_list")["pending_files"] == 2
        finally:
            go_on.set()


def test_an_index_that_another_process_makes_anew_is_compared_with_the_disk_at_once(
    indexed: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not when this one looks next for what that one has written."""
    monkeypatch.setattr(keepers, "_RETRY_SECONDS", 600.0)
    index_now(indexed)
    with hold_writer_lock(indexed.database), serving(indexed) as manuals:
        assert pending_files(manuals) == 0
        make_anew(indexed)
        assert pending_files(manuals) == 2


def test_an_index_that_is_made_anew_after_it_was_asked_what_is_pending_is_compared_once_more(
    indexed: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_what_was_indexed(indexed) as manuals:

        def ask(*_: object) -> frozenset[Any]:
            make_anew(indexed)
            return frozenset()

        monkeypatch.setattr(manuals.workspace.manuals.keeper, "pending_before_search", ask)
        assert pending_files(manuals) == 2


def make_anew(folder: WorkspaceFolder) -> None:
    """Empty the index, as who keeps it does for another dictionary of exceptions."""
    connection, _ = open_writer(folder.database, look_through=False)
    with contextlib.closing(connection):
        recreate_derived(connection)


def test_while_a_fault_keeps_the_index_from_being_written_changes_are_looked_for_all_the_same(
    indexed: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keepers, "_RETRY_SECONDS", 0.01)
    monkeypatch.setattr(Course, "pause_after_fault", lambda _: 600.0)
    with serving_indexed(indexed, WATCH="auto") as manuals:
        keeper = manuals.workspace.manuals.keeper
        assert eventually(lambda: keeper.state["watcher"] is not None and not keeper.pending)
        monkeypatch.setattr(Tenure, "_do", lambda *_: [][1])
        keeper.look()
        assert eventually(lambda: not keeper.state["is_writer"])
        indexed.write("m/y.md", f"{WORD}\n")
        assert eventually(lambda: pending_files(manuals) == 1, 20)
