"""Changes on disk become changes of the index."""

import contextlib
import os
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from watchdog.observers.api import EventEmitter

from morenashi.indexer.config import WatchMode
from morenashi.indexer.listing import list_one
from morenashi.indexer.sync import Observer
from morenashi.indexer.watch import Change, Watcher, _close_books

from ..examples import Rounds
from ..workspaces import WorkspaceFolder, eventually
from .indexes import OpenIndex, open_index, reading

# watchdog 7.1 warns when it comes to a new folder twice. An error, which warnings are here, ends its thread.
pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")


IN_ACCESS, IN_CLOSE_NOWRITE, IN_OPEN = 0x01, 0x10, 0x20


def watched_events() -> set[int]:
    """Of which events the kernel tells this process, by its inotify watches."""
    masks = set()
    for descriptor in Path("/proc/self/fdinfo").iterdir():
        with contextlib.suppress(FileNotFoundError):
            masks |= set(re.findall(r"^inotify .* mask:(\w+)", descriptor.read_text(), re.M))
    return {int(mask, 16) for mask in masks}


class Deliveries:
    """Everything that a watcher delivered."""

    def __init__(self) -> None:
        self.batches: list[frozenset[Change] | None] = []
        self.gate = threading.Event()

    def hold(self, batch: frozenset[Change] | None) -> None:
        """Take a batch and keep the watcher from going on until the gate is open."""
        self(batch)
        self.gate.wait()

    def __call__(self, batch: frozenset[Change] | None) -> None:
        self.batches.append(batch)

    @property
    def changes(self) -> set[Change]:
        return {change for batch in self.batches for change in batch or ()}

    @property
    def asked_for_everything(self) -> bool:
        return None in self.batches


@contextlib.contextmanager
def watching(
    workspace: WorkspaceFolder, deliver: Callable[[frozenset[Change] | None], None], mode: WatchMode = "events"
) -> Iterator[Watcher]:
    watcher = Watcher(workspace.config().manuals, deliver, mode)
    try:
        yield watcher
    finally:
        watcher.stop()


def note(watcher: Watcher, workspace: WorkspaceFolder, name: str) -> None:
    """What watchdog tells when a file is written."""
    watcher.note(False, str(workspace.manuals / "a" / name))


@pytest.fixture
def deliveries() -> Iterator[Deliveries]:
    found = Deliveries()
    yield found
    found.gate.set()


def test_files_that_are_read_make_no_events(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    workspace.write("a/x.md", "# 一\n")
    before = watched_events()
    with watching(workspace, deliveries):
        watched = watched_events() - before
    assert watched
    assert not {mask for mask in watched if mask & (IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE)}


def test_a_created_file_is_delivered(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries):
        workspace.write("a/y.md", "# 二\n")
        assert eventually(lambda: ("a", "y.md") in deliveries.changes)
    assert deliveries.changes == {("a", "y.md")}


def test_an_edited_file_is_delivered(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    workspace.write("a/sub/x.md", "# 一\n")
    with watching(workspace, deliveries):
        workspace.write("a/sub/x.md", "# 二\n")
        assert eventually(lambda: ("a", "sub/x.md") in deliveries.changes)


def test_a_deleted_file_is_delivered(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    file = workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries):
        file.unlink()
        assert eventually(lambda: ("a", "x.md") in deliveries.changes)


def test_a_renamed_file_is_delivered_under_both_names(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    file = workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries):
        file.rename(file.with_name("y.md"))
        assert eventually(lambda: {("a", "x.md"), ("a", "y.md")} <= deliveries.changes)


def test_a_file_saved_by_renaming_is_delivered(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    file = workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries):
        workspace.write("a/.x.md.tmp", "# 二\n").rename(file)
        assert eventually(lambda: ("a", "x.md") in deliveries.changes)
    assert deliveries.changes == {("a", "x.md")}


def test_a_file_moved_in_from_outside_is_delivered(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    kept = workspace.write("a/kept.md", "# 一\n")
    outside = workspace.root / "x.md"
    outside.write_text("# 二\n", "utf-8")
    with watching(workspace, deliveries):
        outside.rename(kept.with_name("x.md"))
        assert eventually(lambda: ("a", "x.md") in deliveries.changes)


def test_other_files_are_not_delivered(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries):
        for name in ("a/notes.txt", "a/.hidden.md", "beside.md"):
            workspace.write(name, "x")
        workspace.write("a/last.md", "# 終\n")
        assert eventually(lambda: ("a", "last.md") in deliveries.changes)
    assert deliveries.changes == {("a", "last.md")}


@pytest.mark.parametrize("change", ["create", "rename", "delete", "move in"])
def test_a_folder_that_changes_asks_for_everything(
    workspace: WorkspaceFolder, deliveries: Deliveries, change: str
) -> None:
    folder = workspace.write("a/sub/x.md", "# 一\n").parent
    outside = workspace.root / "outside"
    outside.mkdir()
    with watching(workspace, deliveries):
        if change == "create":
            workspace.write("b/x.md", "# 二\n")
        elif change == "rename":
            folder.rename(folder.with_name("other"))
        elif change == "delete":
            folder.joinpath("x.md").unlink()
            folder.rmdir()
        else:
            outside.rename(folder.with_name("outside"))
        assert eventually(lambda: deliveries.asked_for_everything)


@pytest.mark.parametrize("name", [b"a/\xff.md", b"\xff/x.md"], ids=["file", "manual"])
def test_a_file_whose_name_is_not_utf_8_asks_for_everything(
    workspace: WorkspaceFolder, deliveries: Deliveries, name: bytes
) -> None:
    file = workspace.write(os.fsdecode(name), "# 一\n")
    with watching(workspace, deliveries):
        file.write_text("# 二\n", "utf-8")
        assert eventually(lambda: deliveries.asked_for_everything)
    assert deliveries.changes == set()


def test_what_was_not_delivered_yet_is_waiting(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    with watching(workspace, deliveries.hold, "off") as watcher:
        note(watcher, workspace, "x.md")
        assert eventually(lambda: deliveries.changes == {("a", "x.md")})
        note(watcher, workspace, "y.md")
        # The first one, too, for as long as its delivery goes on.
        assert watcher.waiting == {("a", "x.md"), ("a", "y.md")}
        deliveries.gate.set()
        assert eventually(lambda: ("a", "y.md") in deliveries.changes)
        assert eventually(lambda: watcher.waiting == frozenset())


def test_a_burst_asks_for_everything(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    with watching(workspace, deliveries.hold, "off") as watcher:
        note(watcher, workspace, "x.md")
        assert eventually(lambda: deliveries.changes == {("a", "x.md")})
        for number in range(2_000):
            note(watcher, workspace, f"{number}.md")
        deliveries.gate.set()
        assert eventually(lambda: deliveries.batches[1:] == [None])


def test_polling_asks_for_everything_again_and_again(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    with watching(workspace, deliveries, "polling") as watcher:
        assert watcher.mode == "polling"
        assert eventually(lambda: deliveries.batches.count(None) >= 2)


def test_events_do_not_put_off_that_everything_is_compared(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    with watching(workspace, deliveries, "polling") as watcher:

        def is_compared_among_events() -> bool:
            note(watcher, workspace, f"{len(deliveries.batches)}.md")
            return deliveries.batches.count(None) >= 2

        assert eventually(is_compared_among_events, 20)
        assert deliveries.changes


def test_a_root_that_another_folder_takes_the_place_of_is_watched_anew(
    workspace: WorkspaceFolder, deliveries: Deliveries, tmp_path: Path
) -> None:
    """Moved away, as when a new edition is put in its place; and removed, when the next folder may get its number."""
    workspace.write("a/x.md", "# 一\n")
    exchanges: list[Callable[[], object]] = [
        lambda: workspace.manuals.rename(tmp_path / "moved"),
        lambda: shutil.rmtree(workspace.manuals),
    ]

    def is_heard(name: str) -> bool:
        workspace.write(f"a/{name}", "# 二\n")
        return ("a", name) in deliveries.changes

    with watching(workspace, deliveries):
        for number, take_away in enumerate(exchanges):
            take_away()
            (workspace.manuals / "a").mkdir(parents=True)
            assert eventually(partial(is_heard, f"{number}.md"), 20)


def test_folders_that_took_the_place_of_others_are_watched_as_what_they_are_now(
    workspace: WorkspaceFolder, deliveries: Deliveries, tmp_path: Path
) -> None:
    """A new edition is put where the old one was, and then has its name exchanged with another folder's."""
    workspace.write("a/deep/x.md", "# 一\n")
    workspace.write("b/x.md", "# 一\n")
    one, other, third = (workspace.manuals / name for name in ("a", "b", "c"))
    with watching(workspace, deliveries):
        shutil.copytree(one, third)
        for source, target in ((one, tmp_path / "old"), (third, one), (one, third), (other, one), (third, other)):
            source.rename(target)
        # watchdog waits half a second for the other half of what left the root.
        time.sleep(1)
        for path in ("a/y.md", "b/y.md", "b/deep/y.md"):
            assert eventually(lambda: is_heard(workspace, deliveries, path), 20), path  # noqa: B023


def test_a_root_is_watched_anew_also_when_its_folders_were_moved_about(
    workspace: WorkspaceFolder, deliveries: Deliveries, tmp_path: Path
) -> None:
    workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries):
        move_folders_about(workspace, deliveries, tmp_path)
        workspace.manuals.rename(tmp_path / "moved")
        workspace.manuals.mkdir()
        assert eventually(lambda: is_heard(workspace, deliveries, "a/z.md"), 20)


def test_watching_ends_also_when_folders_were_moved_about(
    workspace: WorkspaceFolder, deliveries: Deliveries, tmp_path: Path
) -> None:
    workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries) as watcher:
        move_folders_about(workspace, deliveries, tmp_path)
        assert watcher.mode == "events"
        assert watched_events()
    assert eventually(lambda: not watched_events())


@pytest.mark.parametrize(
    "books",
    [
        None,
        SimpleNamespace(),
        SimpleNamespace(_active_callbacks_by_watch={1: b"/a"}),
        SimpleNamespace(_lock=threading.Lock(), _active_callbacks_by_watch=[b"/a"]),
        SimpleNamespace(_lock=None, _active_callbacks_by_watch={1: b"/a"}),
    ],
)
def test_a_watchdog_that_keeps_its_books_otherwise_is_left_alone(books: object) -> None:
    """Its names are its own: another version may have none of them, or mean something else by them."""
    before = dict(vars(books)) if books else {}
    _close_books(cast(EventEmitter, SimpleNamespace(_inotify=books)))
    assert (dict(vars(books)) if books else {}) == before


def test_watching_ends_although_watchdog_misses_a_folder_in_its_books(
    workspace: WorkspaceFolder, deliveries: Deliveries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it would where they cannot be closed because another version calls them otherwise."""
    monkeypatch.setattr("morenashi.indexer.watch._close_books", lambda _: None)
    workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries) as watcher:
        for emitter in watcher._observer.emitters:
            emitter._inotify._active_callbacks_by_path.clear()  # type: ignore[attr-defined]
    assert not watcher._thread.is_alive()


def move_folders_about(workspace: WorkspaceFolder, deliveries: Deliveries, elsewhere: Path) -> None:
    """One leaves the root, and the next of its name is renamed: watchdog remembers two of one name, and forgets one."""
    for target, name in ((elsewhere / "a", "a/y.md"), (workspace.manuals / "b", "b/y.md")):
        (workspace.manuals / "a").rename(target)
        assert eventually(lambda: is_heard(workspace, deliveries, name), 20)  # noqa: B023


def is_heard(workspace: WorkspaceFolder, deliveries: Deliveries, path: str) -> bool:
    """Whether it is delivered that a document is written; asked again and again."""
    workspace.write(path, "# 二\n")
    folder, _, name = path.partition("/")
    return (folder, name) in deliveries.changes


def test_a_root_that_is_gone_is_looked_for(workspace: WorkspaceFolder, deliveries: Deliveries, tmp_path: Path) -> None:
    workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries):
        workspace.manuals.rename(tmp_path / "moved")
        assert eventually(lambda: deliveries.batches.count(None) > 1, 20)


def test_a_root_that_is_back_is_compared(workspace: WorkspaceFolder, deliveries: Deliveries, tmp_path: Path) -> None:
    """The same folder, as of a disk that is mounted again: no event tells of it."""
    workspace.write("a/x.md", "# 一\n")
    with watching(workspace, deliveries):
        workspace.manuals.rename(tmp_path / "moved")
        assert eventually(lambda: deliveries.batches.count(None) > 1, 20)
        (tmp_path / "moved").rename(workspace.manuals)
        compared = deliveries.batches.count(None)
        assert eventually(lambda: deliveries.batches.count(None) > compared, 20)


def test_a_watcher_that_is_off_hears_only_what_it_is_told(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    with watching(workspace, deliveries, "off") as watcher:
        assert watcher.mode == "off"
        watcher.rescan()
        assert eventually(lambda: deliveries.asked_for_everything)


def test_nothing_is_delivered_after_stopping(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    workspace.write("a/x.md", "# 一\n")
    goes_on = Deliveries()
    with watching(workspace, goes_on):
        with watching(workspace, deliveries):
            pass
        before = list(deliveries.batches)
        # By the time that another one has been told of the second, this one would have been of the first.
        for change in (("a", "y.md"), ("a", "z.md")):
            workspace.write("/".join(change), "# 二\n")
            assert eventually(partial(_is_delivered, goes_on, change))
    assert deliveries.batches == before


def _is_delivered(deliveries: Deliveries, change: Change) -> bool:
    return change in deliveries.changes


def test_a_missing_root_cannot_be_watched_by_events(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    workspace.manuals.rmdir()
    with pytest.raises(OSError, match="No such file"), watching(workspace, deliveries):
        pass


def test_a_root_that_cannot_be_watched_is_polled(workspace: WorkspaceFolder, deliveries: Deliveries) -> None:
    workspace.manuals.rmdir()
    with watching(workspace, deliveries, "auto") as watcher:
        assert watcher.mode == "polling"


@pytest.mark.parametrize("mode", ["events", "polling"])
def test_the_index_follows_every_kind_of_change(workspace: WorkspaceFolder, mode: WatchMode) -> None:
    workspace.write("a/sub/x.md", "# 一\n")
    with (
        open_index(workspace) as opened,
        reading(workspace) as reader,
        watching(workspace, follower(workspace, opened), mode),
    ):
        assert eventually(lambda: mode == "events" or titles(reader) == {"a/sub/x.md": "一"})
        workspace.write("b/new/y.md", "# 二\n")
        assert eventually(lambda: titles(reader).get("b/new/y.md") == "二")
        workspace.write("b/new/y.md", "# 三\n")
        assert eventually(lambda: titles(reader).get("b/new/y.md") == "三")
        (workspace.manuals / "b").rename(workspace.manuals / "c")
        assert eventually(lambda: titles(reader) == {"a/sub/x.md": "一", "c/new/y.md": "三"})
        (workspace.manuals / "c" / "new" / "y.md").rename(workspace.manuals / "c" / "z.md")
        (workspace.manuals / "a" / "sub" / "x.md").unlink()
        assert eventually(lambda: titles(reader) == {"c/z.md": "三"})


def test_the_index_follows_thousands_of_changes(workspace: WorkspaceFolder, rounds: Rounds) -> None:
    files = rounds(1_000, 10_000)
    with (
        open_index(workspace) as opened,
        reading(workspace) as reader,
        watching(workspace, follower(workspace, opened)),
    ):
        for number in range(files):
            workspace.write(f"a/{number % 50}/{number}.md", "x")
        query = "SELECT count(*) FROM documents"
        assert eventually(lambda: reader.execute(query).fetchone() == (files,), timeout_seconds=90)


def follower(workspace: WorkspaceFolder, opened: OpenIndex) -> Callable[[frozenset[Change] | None], None]:
    """Brings the index up to what was delivered."""

    def follow(batch: frozenset[Change] | None) -> None:
        if batch is None:
            opened.synchronise()
            return
        found = {change: list_one(workspace.manuals, *change) for change in batch}
        files = [file for file in found.values() if file]
        opened.synchroniser.apply(files, [change for change, file in found.items() if not file], Observer())

    return follow


def titles(reader: sqlite3.Connection) -> dict[str, str]:
    return dict(reader.execute("SELECT manual_id || '/' || path, title FROM toc").fetchall())
