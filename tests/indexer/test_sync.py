"""The index follows the disk."""

import contextlib
import os
import sqlite3
import time
import unicodedata
from pathlib import Path
from typing import Any, Literal

import markdown_it
import pytest

from morenashi.indexer.files import DiskFile, open_beneath, read_whole
from morenashi.indexer.index_state import read_fact
from morenashi.indexer.listing import RootMissingError
from morenashi.indexer.sync import Observer

from ..workspaces import WorkspaceFolder, age, without_permission
from .indexes import OpenIndex, content, index, open_index, reading


def paths(opened: OpenIndex) -> list[str]:
    return [row[0] for row in opened.rows("SELECT manual_id || '/' || path FROM documents ORDER BY 1")]


def text_of(opened: OpenIndex, path: str) -> str:
    rows = opened.rows("SELECT text FROM lines WHERE manual_id || '/' || path = ? ORDER BY line", path)
    return "\n".join(row[0] for row in rows)


def add_exception_term(workspace: WorkspaceFolder, term: str) -> None:
    (workspace.root / "dictionaries").mkdir()
    (workspace.root / "dictionaries" / "exceptions.txt").write_text(f"{term}\n", "utf-8")


def test_the_first_run_adds_everything(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n本文\n## 二\n")
    workspace.write("b/y.json", "{}\n")
    summary = index(workspace)
    assert (summary.added, summary.changed, summary.removed, summary.unchanged) == (2, 0, 0, 0)
    assert (summary.documents, summary.sections, summary.lines) == (2, 3, 4)
    assert summary.bytes_indexed == len("# 一\n本文\n## 二\n".encode()) + 3
    assert summary.warnings == []


def test_a_run_that_is_stopped_counts_what_it_wrote(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        assert opened.synchronise(should_stop=lambda: True).added == 0
        assert opened.synchronise().added == 1


def test_a_large_file_is_parsed_while_others_may_write(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Blanks make a file large, and are read at once.
    for name, size in (("a", 1), ("b", 600_000), ("c", 1), ("d", 600_000)):
        workspace.write(f"m/{name}.md", "- 項目\n" + " " * size)
    parse = markdown_it.MarkdownIt.parse
    was_writing: dict[int, bool] = {}

    with open_index(workspace) as opened:

        def parse_and_look(parser: markdown_it.MarkdownIt, text: str, *more: Any) -> Any:
            was_writing[len(text)] = was_writing.get(len(text), False) or opened.connection.in_transaction
            return parse(parser, text, *more)

        monkeypatch.setattr(markdown_it.MarkdownIt, "parse", parse_and_look)
        assert opened.synchronise().added == 4
    assert was_writing[max(was_writing)] is False


def test_a_second_run_changes_nothing(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    age(workspace.manuals)
    with open_index(workspace) as opened:
        opened.synchronise()
        generation = opened.value("SELECT value FROM index_state WHERE key = 'generation'")
        summary = opened.synchronise()
        assert opened.value("SELECT value FROM index_state WHERE key = 'generation'") == generation
    assert (summary.added, summary.changed, summary.unchanged, summary.bytes_indexed) == (0, 0, 1, 0)


def test_a_run_that_finds_nothing_waits_for_nobody(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    age(workspace.manuals)
    with open_index(workspace) as opened, reading(workspace) as reader:
        opened.synchronise()
        reader.execute("BEGIN")
        before = reader.execute("SELECT * FROM index_state").fetchall()
        log = workspace.database.with_name(f"{workspace.database.name}-wal")
        size = log.stat().st_size
        opened.connection.execute("PRAGMA busy_timeout = 1")
        with contextlib.closing(sqlite3.connect(workspace.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert opened.synchronise().unchanged == 1
        assert (log.stat().st_size, size > 0) == (size, True)
        assert reader.execute("SELECT * FROM index_state").fetchall() == before


def test_every_batch_of_changes_is_a_new_generation(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        generations = [opened.value(_GENERATION)]
        for number in range(3):
            workspace.write("a/x.md", f"# {number}\n")
            opened.synchronise()
            generations.append(opened.value(_GENERATION))
    assert list(map(int, generations)) == [0, 1, 2, 3]


def test_a_file_whose_time_lies_ahead_is_looked_at_again_and_nothing_is_written(workspace: WorkspaceFolder) -> None:
    ahead = time.time_ns() + 3_600_000_000_000
    os.utime(workspace.write("a/x.md", "# 一\n"), ns=(ahead, ahead))
    with open_index(workspace) as opened:
        opened.synchronise()
        generation, rows = opened.value(_GENERATION), opened.connection.total_changes
        summary = opened.synchronise()
        assert (summary.changed, summary.unchanged) == (0, 1)
        assert (opened.value(_GENERATION), opened.connection.total_changes) == (generation, rows)


def test_a_file_that_still_cannot_be_read_is_no_change(ordinary_workspace: WorkspaceFolder) -> None:
    with (
        without_permission(ordinary_workspace.write("a/x.md", "# 一\n")),
        open_index(ordinary_workspace) as opened,
    ):
        assert opened.synchronise().added == 1
        generation = opened.value(_GENERATION)
        summary = opened.synchronise()
        assert (summary.changed, summary.unchanged, len(summary.warnings)) == (0, 1, 1)
        assert opened.value(_GENERATION) == generation


def test_a_changed_file_is_indexed_anew(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 古い\n")
    index(workspace)
    workspace.write("a/x.md", "# 新しい\n")
    with open_index(workspace) as opened:
        assert opened.synchronise().changed == 1
        assert text_of(opened, "a/x.md") == "# 新しい"


def test_a_change_that_keeps_the_size_is_noticed(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 甲\n")
    age(workspace.manuals)
    index(workspace)
    workspace.write("a/x.md", "# 乙\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        assert text_of(opened, "a/x.md") == "# 乙"


def test_another_file_of_the_same_size_and_time_stamp_is_noticed(workspace: WorkspaceFolder) -> None:
    """As an image with reproducible time stamps has it, or `cp -p`, or a backup that is put back."""
    long_ago = 1_700_000_000_123_456_789
    with open_index(workspace) as opened:
        for text in ("# 甲\n", "# 乙\n"):
            file = workspace.write("new.md", text)
            os.utime(file, ns=(long_ago, long_ago))
            (workspace.manuals / "a").mkdir(exist_ok=True)
            age(workspace.manuals, 0)
            file.replace(workspace.manuals / "a" / "x.md")
            age(workspace.manuals, 0)
            opened.synchronise()
        assert text_of(opened, "a/x.md") == "# 乙"


def test_a_file_saved_again_within_a_tick_of_the_clock_is_noticed(workspace: WorkspaceFolder) -> None:
    # A time stamp ahead of the clock stands for the present one, which another save may get too.
    now = time.time_ns() + 60_000_000_000
    with open_index(workspace) as opened:
        for text in ("# 甲", "# 甲", "# 乙"):
            os.utime(workspace.write("a/x.md", text), ns=(now, now))
            opened.synchronise()
        assert text_of(opened, "a/x.md") == "# 乙"


@pytest.mark.parametrize("saved_first", ["# 一\n", "# 二\n"])
def test_a_file_saved_again_within_the_tick_in_which_it_was_read_is_noticed(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch, saved_first: str
) -> None:
    """However long it takes until what was read is written to the index."""
    file = workspace.write("a/x.md", "# 一\n")
    stamp_ns = 1_700_000_000_500_000_000
    now_ns = [stamp_ns + 1]

    def read_and_save_again(descriptor: int) -> tuple[bytes, int]:
        found = read_whole(descriptor)
        file.write_text("# 三\n", "utf-8")
        now_ns[0] += 1_000_000_000
        return found

    with open_index(workspace) as opened:
        opened.synchronise()
        file.write_text(saved_first, "utf-8")
        monkeypatch.setattr("time.time_ns", lambda: now_ns[0])
        for module in ("files", "listing"):
            monkeypatch.setattr(f"morenashi.indexer.{module}.stamp_of", lambda _: stamp_ns)
        monkeypatch.setattr("morenashi.indexer.prepare.read_whole", read_and_save_again)
        opened.synchronise()
        opened.synchronise()
        assert text_of(opened, "a/x.md") == "# 三"


def test_a_new_time_stamp_alone_costs_no_indexing(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    age(workspace.manuals)
    with open_index(workspace) as opened:
        opened.synchronise()
        before = content(opened)
        age(workspace.manuals, 60)
        summary = opened.synchronise()
        assert (summary.changed, summary.unchanged, summary.bytes_indexed) == (0, 1, 0)
        assert content(opened) == before
        assert opened.synchroniser.difference().changed == []


def test_a_deleted_file_is_dropped(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    gone = workspace.write("a/y.md", "# 二\n")
    index(workspace)
    gone.unlink()
    with open_index(workspace) as opened:
        assert opened.synchronise().removed == 1
        assert paths(opened) == ["a/x.md"]


def test_a_renamed_file_is_under_its_new_name_only(workspace: WorkspaceFolder) -> None:
    file = workspace.write("a/x.md", "# 一\n")
    index(workspace)
    file.rename(file.with_name("y.md"))
    with open_index(workspace) as opened:
        opened.synchronise()
        assert paths(opened) == ["a/y.md"]


def test_a_renamed_manual_moves_its_documents(workspace: WorkspaceFolder) -> None:
    workspace.write("a/sub/x.md", "# 一\n")
    index(workspace)
    (workspace.manuals / "a").rename(workspace.manuals / "b")
    with open_index(workspace) as opened:
        opened.synchronise()
        assert paths(opened) == ["b/sub/x.md"]


def test_a_file_that_became_a_link_is_dropped_and_told(workspace: WorkspaceFolder) -> None:
    file = workspace.write("a/x.md", "# 一\n")
    index(workspace)
    file.rename(workspace.root / "x.md")
    file.symlink_to(workspace.root / "x.md")
    with open_index(workspace) as opened:
        summary = opened.synchronise()
        assert paths(opened) == []
    assert [(warning.path, warning.reason) for warning in summary.warnings] == [("a/x.md", "symlink")]


@pytest.mark.parametrize("left", [None, "link", "folder"])
def test_a_file_that_goes_after_it_was_listed_is_no_unreadable_document(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch, left: str | None
) -> None:
    def take_away_and_open(root: Path, parts: tuple[str, ...]) -> contextlib.AbstractContextManager[int]:
        file = root.joinpath(*parts)
        file.unlink()
        if left == "link":
            file.symlink_to("elsewhere.md")
        elif left == "folder":
            file.mkdir()
        return open_beneath(root, parts)

    workspace.write("a/changed.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        workspace.write("a/changed.md", "# 二\n")
        workspace.write("a/new.md", "# 三\n")
        monkeypatch.setattr("morenashi.indexer.prepare.open_beneath", take_away_and_open)
        summary = opened.synchronise()
        assert paths(opened) == []
        assert (summary.added, summary.changed, summary.removed, summary.warnings) == (0, 0, 1, [])


def test_a_file_that_cannot_be_read_as_the_root_is_gone_stays_in_view(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.write("a/x.md", "# 一\n")

    def take_root_away_and_open(root: Path, parts: tuple[str, ...]) -> contextlib.AbstractContextManager[int]:
        root.rename(root.with_name("elsewhere"))
        return open_beneath(root, parts)

    monkeypatch.setattr("morenashi.indexer.prepare.open_beneath", take_root_away_and_open)
    with open_index(workspace) as opened:
        opened.synchronise()
        assert opened.rows("SELECT path, status FROM documents") == [("x.md", "unreadable")]


def test_an_empty_folder_of_manuals_is_an_empty_index(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n").unlink()
    assert index(workspace).documents == 0


def test_a_missing_folder_of_manuals_leaves_the_index_as_it_is(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    index(workspace)
    workspace.manuals.rename(workspace.root / "away")
    with open_index(workspace) as opened:
        for full in (False, True):
            with pytest.raises(RootMissingError):
                opened.synchronise(full=full)
            assert paths(opened) == ["a/x.md"]


def test_without_the_root_another_dictionary_takes_nothing_out_of_the_index(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    index(workspace)
    workspace.manuals.rename(workspace.root / "away")
    add_exception_term(workspace, "[exclusion]\n別段の")
    with open_index(workspace) as opened:
        with pytest.raises(RootMissingError):
            opened.synchronise()
        assert paths(opened) == ["a/x.md"]


def test_what_nobody_can_list_is_noted_before_the_last_file_is_indexed(workspace: WorkspaceFolder) -> None:
    """From then on no file is pending, and what was not found would be called absent."""
    workspace.write("a/x.md", "# 一\n")
    workspace.write(os.fsdecode("a/第一章.md".encode("cp932")), "# 一\n")
    noted = []

    class Noting(Observer):
        def committed(self, keys: list[Any], size_bytes: int) -> None:
            noted.append(read_fact(opened.connection, "unlisted"))

    with open_index(workspace) as opened:
        opened.synchronise(observer=Noting())
    assert noted == ["1"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_kept_as_on_disk_and_found_in_any_form(
    workspace: WorkspaceFolder, form: Literal["NFC", "NFD"]
) -> None:
    name = unicodedata.normalize(form, "ガイド/第ガ章.md")
    workspace.write(f"a/{name}", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        assert opened.rows("SELECT path, path_nfc FROM documents") == [(name, "ガイド/第ガ章.md")]
        assert opened.synchronise().added == 0


def test_two_forms_of_one_name_are_two_documents(workspace: WorkspaceFolder) -> None:
    for form in ("NFC", "NFD"):
        workspace.write("a/" + unicodedata.normalize(form, "ガ.md"), f"# {form}\n")
    if len(list((workspace.manuals / "a").iterdir())) < 2:
        pytest.skip("this file system takes both forms for one name")
    with open_index(workspace) as opened:
        opened.synchronise()
        assert len(paths(opened)) == 2


def test_a_full_run_gives_the_same_index(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\nただし\n")
    workspace.write("a/y.json", "{")
    with open_index(workspace) as opened:
        opened.synchronise()
        before = content(opened)
        summary = opened.synchronise(full=True)
        assert content(opened) == before
    assert summary.added == 2


@pytest.mark.parametrize("full", [False, True])
def test_a_changed_dictionary_rebuilds_the_index(workspace: WorkspaceFolder, full: bool) -> None:
    workspace.write("a/x.md", "# 一\n特例とする。\n")
    age(workspace.manuals)
    index(workspace, full=full)
    add_exception_term(workspace, "特例")
    with open_index(workspace) as opened:
        opened.synchronise()
        assert opened.rows("SELECT line, term FROM exception_terms") == [(2, "特例")]


def test_a_dictionary_changed_after_an_interruption_holds_for_everything(workspace: WorkspaceFolder) -> None:
    class Interruption(Observer):
        def committed(self, keys: list[tuple[str, str]], size_bytes: int) -> None:
            raise KeyboardInterrupt

    workspace.write("a/x.md", "# 一\n特例とする。\n")
    with pytest.raises(KeyboardInterrupt):
        index(workspace, observer=Interruption())
    add_exception_term(workspace, "特例")
    with open_index(workspace) as opened:
        opened.synchronise()
        assert opened.rows("SELECT line, term FROM exception_terms") == [(2, "特例")]


def test_a_stopped_run_is_taken_up_by_the_next(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise(should_stop=lambda: True)
        assert paths(opened) == []
        opened.synchronise()
        assert paths(opened) == ["a/x.md"]


def test_an_interrupted_full_run_leaves_the_index_as_it_was(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n")
    with open_index(workspace) as opened:
        opened.synchronise()
        before = content(opened)
        workspace.write("a/x.md", "# 二\n")
        with pytest.raises(KeyboardInterrupt):
            opened.synchronise(full=True, should_stop=lambda: True)
        assert content(opened) == before


def test_an_observer_hears_of_every_document(workspace: WorkspaceFolder) -> None:
    class Notes(Observer):
        def __init__(self) -> None:
            self.announced: set[tuple[str, str]] = set()
            self.done: list[tuple[str, str]] = []
            self.size_bytes = 0

        def started(self, files: list[DiskFile], gone: list[tuple[str, str]]) -> None:
            self.announced |= {file.key for file in files} | set(gone)

        def committed(self, keys: list[tuple[str, str]], size_bytes: int) -> None:
            self.done += keys
            self.size_bytes += size_bytes

    workspace.write("a/gone.md", "# 一\n")
    index(workspace)
    (workspace.manuals / "a" / "gone.md").unlink()
    workspace.write("a/new.md", "# 二\n")
    notes = Notes()
    index(workspace, observer=notes)
    assert notes.announced == set(notes.done) == {("a", "gone.md"), ("a", "new.md")}
    assert notes.size_bytes == len("# 二\n".encode())


_GENERATION = "SELECT value FROM index_state WHERE key = 'generation'"
