"""A database that breaks while the server runs is set aside, and the index is made anew from the files."""

import contextlib
import sqlite3
import threading
from dataclasses import fields
from pathlib import Path

import pytest

from morenashi.indexer import database
from morenashi.indexer.writer_lock import hold_writer_lock
from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.outcome import Outcome, Rescore
from morenashi.server.search.request import FindRequest
from morenashi.server.search.traces import Trace

from ..workspaces import WorkspaceFolder, eventually
from .serving import Serving, index_now, serving, serving_indexed

WORD = "鍵言葉"


@pytest.fixture
def indexed(workspace: WorkspaceFolder) -> WorkspaceFolder:
    for number in range(30):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n{WORD}\n" + "本文を書く。\n" * 200)
    index_now(workspace)
    return workspace


def overwrite(database: Path, start: int = 0) -> None:
    """Write over the file's pages, as a failing disk does."""
    with database.open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(start)
        file.write(b"\xa5" * (size - start))


def candidates(manuals: Serving, query: str) -> int | None:
    """How many there are; `None` where the answer is a refusal."""
    result = manuals.answer("manual_find", query=query)
    return None if result.is_error else result.structured_content["summary"]["candidates"]


def is_whole(manuals: Serving) -> bool:
    """Whether everything is found again; while the index is made anew, the answer may be a refusal."""
    return candidates(manuals, WORD) == 30


def set_aside(folder: WorkspaceFolder) -> list[Path]:
    return sorted(folder.database.parent.glob(f"{folder.database.name}.damaged-*"))


@pytest.mark.parametrize("start", [0, 4096, 20_000])
def test_everything_is_found_again(indexed: WorkspaceFolder, start: int) -> None:
    with serving(indexed) as manuals:
        overwrite(indexed.database, start)
        assert eventually(lambda: is_whole(manuals), 60)


def test_the_damaged_file_is_kept(indexed: WorkspaceFolder) -> None:
    with serving(indexed) as manuals:
        overwrite(indexed.database)
        assert eventually(lambda: is_whole(manuals), 60)
    assert set_aside(indexed) != []


def test_a_search_meanwhile_is_answered_or_refused_as_a_conflict(indexed: WorkspaceFolder) -> None:
    with serving(indexed) as manuals:
        overwrite(indexed.database, 4096)
        codes = set()

        def ask() -> bool:
            result = manuals.answer("manual_find", query=WORD)
            codes.add(result.structured_content.get("code"))
            return is_whole(manuals)

        assert eventually(ask, 60)
    assert codes <= {None, "conflict"}


def test_what_is_saved_afterwards_is_found(indexed: WorkspaceFolder) -> None:
    with serving(indexed) as manuals:
        overwrite(indexed.database)
        assert eventually(lambda: is_whole(manuals), 60)
        indexed.write("m/new.md", "後から書いた\n")
        assert eventually(lambda: manuals.find("後から書いた").paths() == {"new.md"})


def test_a_database_damaged_before_the_start_is_made_anew(indexed: WorkspaceFolder) -> None:
    overwrite(indexed.database)
    with serving(indexed) as manuals:
        assert eventually(lambda: is_whole(manuals), 60)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM index_state WHERE key = 'generation'",
        "UPDATE index_state SET value = 'a word' WHERE key = 'generation'",
    ],
)
def test_an_index_that_is_of_no_generation_is_made_anew(indexed: WorkspaceFolder, damage: str) -> None:
    with contextlib.closing(sqlite3.connect(indexed.database)) as connection, connection:
        connection.execute(damage)
    with serving(indexed) as manuals:
        assert eventually(lambda: is_whole(manuals), 60)


def test_a_file_that_is_no_database_is_set_aside(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", f"{WORD}\n")
    workspace.database.parent.mkdir()
    workspace.database.write_text("this is no database, but somebody's notes\n" * 200, "utf-8")
    with serving(workspace) as manuals:
        assert eventually(lambda: manuals.find(WORD).status == "found")
    assert "somebody's notes" in set_aside(workspace)[0].read_text("utf-8")


def test_traces_survive_the_damage_of_the_index(indexed: WorkspaceFolder) -> None:
    with serving_indexed(indexed) as manuals:
        found = manuals.find(WORD)
    size = indexed.database.stat().st_size
    with serving(indexed, WATCH="off") as manuals:
        overwrite(indexed.database, size - 4096)
        assert eventually(lambda: is_whole(manuals), 60)
        assert manuals.call("manual_hits", trace_id=found.trace_id)["total"] == 30


def test_a_database_that_is_deleted_while_the_server_runs_is_made_anew(indexed: WorkspaceFolder) -> None:
    with serving(indexed) as manuals:
        for path in indexed.database.parent.glob("morenashi.db*"):
            path.unlink()
        assert eventually(lambda: is_whole(manuals), 45)


def test_a_database_that_is_deleted_the_moment_it_was_opened_is_made_anew(
    indexed: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_writer = database.open_writer

    def open_and_delete(path: Path, **options: bool) -> tuple[sqlite3.Connection, list[str]]:
        monkeypatch.undo()
        opened = open_writer(path, **options)
        for file in path.parent.glob("morenashi.db*"):
            file.unlink()
        return opened

    monkeypatch.setattr(database, "open_writer", open_and_delete)
    with serving(indexed) as manuals:
        assert eventually(lambda: is_whole(manuals), 45)


def test_a_database_that_is_replaced_while_the_server_runs_is_kept_up_to_date(
    indexed: WorkspaceFolder, tmp_path: Path
) -> None:
    """As by an older copy that somebody puts back: what changed since is indexed."""
    copy = tmp_path / "copy.db"
    with contextlib.closing(sqlite3.connect(indexed.database)) as present:
        present.execute("VACUUM INTO ?", (str(copy),))
    with serving(indexed) as manuals:
        indexed.write("m/0.md", "# 題\n\n後で書いた一行\n")
        assert eventually(lambda: candidates(manuals, "後で書いた一行") == 1)
        for part in ("-wal", "-shm"):
            indexed.database.with_name(f"{indexed.database.name}{part}").unlink()
        copy.replace(indexed.database)
        assert eventually(lambda: candidates(manuals, "後で書いた一行") == 1 and candidates(manuals, WORD) == 29)
        indexed.write("m/0.md", f"# 題\n\n{WORD}\n")
        assert eventually(lambda: is_whole(manuals))


def test_one_damage_is_repaired_at_most_once_however_many_searches_meet_it(indexed: WorkspaceFolder) -> None:
    with serving(indexed, WATCH="off") as manuals:
        manuals.find(WORD)
        # So that nothing is read from the write-ahead log.
        with contextlib.closing(sqlite3.connect(indexed.database)) as connection:
            assert eventually(lambda: connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
        overwrite(indexed.database, 4096)
        for _ in range(20):
            manuals.answer("manual_find", query=WORD)
        assert eventually(lambda: is_whole(manuals) and set_aside(indexed) != [], 60)
    names = {path.name.removesuffix("-wal").removesuffix("-shm") for path in set_aside(indexed)}
    assert len(names) == 1


def test_text_that_is_none_any_more_is_made_anew_and_said_nowhere(
    indexed: WorkspaceFolder, capfd: pytest.CaptureFixture[str]
) -> None:
    cut = f"{WORD}の題".encode()[:-1]
    with contextlib.closing(sqlite3.connect(indexed.database)) as connection, connection:
        connection.execute("UPDATE passage_texts SET text = CAST(? AS TEXT) WHERE id = 7", (cut,))
    checked = indexed.run("reindex", "--check")
    assert "Could not decode" in checked.stdout + checked.stderr
    assert WORD not in checked.stdout + checked.stderr
    with serving(indexed) as manuals:
        assert eventually(lambda: is_whole(manuals), 60)
    assert set_aside(indexed) != []
    assert WORD not in "".join(capfd.readouterr())
    assert indexed.run("reindex", "--check").returncode == 0


def test_one_who_follows_goes_on_when_the_writer_has_repaired_it(indexed: WorkspaceFolder) -> None:
    with contextlib.ExitStack() as writing_elsewhere:
        writing_elsewhere.enter_context(hold_writer_lock(indexed.database))
        with serving(indexed) as manuals:
            assert eventually(lambda: is_whole(manuals))
            overwrite(indexed.database)
            indexed.write("m/new.md", "後から書いた\n")
            # By then it has looked at the damaged file.
            assert not eventually(lambda: manuals.workspace.pending, 2.5)
            writing_elsewhere.close()
            assert eventually(lambda: is_whole(manuals), 60)


def test_damage_that_only_the_trace_meets_is_said_and_repaired(
    indexed: WorkspaceFolder, capfd: pytest.CaptureFixture[str]
) -> None:
    with contextlib.closing(sqlite3.connect(indexed.database)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'citations'").fetchone()[0]
    with serving_indexed(indexed) as manuals:
        # The writer looks for damage itself when it begins, and does this job afterwards.
        has_begun = threading.Event()
        manuals.workspace.manuals.keeper.submit(lambda _: None, has_begun.set)
        assert has_begun.wait(60)
        manuals.workspace.manuals._search_type = ReadsCitations
        with indexed.database.open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(b"\xa5" * size)
        found = manuals.find(WORD)
        refused = manuals.refuse("manual_hits", trace_id=found.trace_id)
        assert (refused["code"], refused["details"]) == ("conflict", {"parameter": "trace_id"})
        assert "search again" in refused["message"]
        assert manuals.refuse("manual_hits", trace_id=found.trace_id)["code"] in ("conflict", "not_found")
        assert eventually(lambda: set_aside(indexed) != [])
        assert eventually(lambda: is_whole(manuals), 60)
        assert manuals.find(WORD).hits() != []
    assert "the trace could not be completed: database disk image is malformed" in capfd.readouterr().err


class ReadsCitations(Search):
    """A search whose trace reads a page that its answer does not."""

    def run(self, request: FindRequest, deadline: Deadline) -> Outcome:
        outcome = super().run(request, deadline)
        return CitedOutcome(*(getattr(outcome, field.name) for field in fields(outcome)))


class CitedOutcome(Outcome):
    def complete(self, rescore: Rescore | None = None) -> Trace:
        self.found.index.connection.execute("SELECT * FROM citations").fetchall()
        return Outcome.complete(self, rescore)
