"""`absent` is never said while the needle is on disk, whatever fails: faults × 25 queries each, 200 with --soak."""

import contextlib
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..examples import Rounds
from ..indexer.damages import SILENT, Damage, break_index
from ..server.serving import Serving, index_now, serving, serving_indexed, serving_what_was_indexed
from ..workspaces import WorkspaceFolder, eventually

QUERIES = (25, 200)
FILES = 20
SHORT = {"time_ms": 1, "max_candidates": 1}
NOWHERE = "どこにもない語"
_SCRIPTS = [
    "税法届規約申請期限消費納付者",
    "アカサタナハマヤラワンー",
    "あかさたなはまやらわん",
    "abcdef01234",
    "𠮷𡈽𩸽々〆",
]


class Haystack:
    """Files of a manual, and needles: strings of two to eight characters that stand in no file yet."""

    def __init__(self, folder: WorkspaceFolder, seed: int, needles: int) -> None:
        self.folder = folder
        self.chosen = random.Random(seed)
        self.needles = sorted({self._needle() for _ in range(2 * needles)})
        self.chosen.shuffle(self.needles)
        self.needles = self.needles[:needles]
        for number in range(FILES):
            sections = (f"# 題{n}\n\n本文の{n}行目を書く。\n\n" for n in range(20))
            folder.write(f"m/{number}.md", "".join(sections))

    def hide(self, *, new_files: bool = False) -> list[Path]:
        """Put every needle into a line of some file. Returns the files."""
        touched = set()
        for number, needle in enumerate(self.needles):
            name = f"new{number % FILES}.md" if new_files and number % 2 else f"{number % FILES}.md"
            path = self.folder.manuals / "m" / name
            with path.open("a", encoding="utf-8") as file:
                file.write(f"前の語{needle}後の語。\n\n")
            touched.add(path)
        return sorted(touched)

    def _needle(self) -> str:
        script = self.chosen.choice(_SCRIPTS)
        between = self.chosen.choice(["", "", "", "・", "-"])
        parts = ["".join(self.chosen.choices(script, k=self.chosen.randint(1, 4))) for _ in range(2)]
        return between.join(parts)


def said(manuals: Serving, query: str, **arguments: Any) -> str:
    """The status of a search, or that it was refused for the time being."""
    result = manuals.answer("manual_find", query=query, **arguments)
    if result.is_error:
        assert result.structured_content["code"] == "conflict"
        return "refused"
    return result.structured_content["summary"]["completeness"]["status"]


def ask_all(manuals: Serving, queries: list[str], **arguments: Any) -> Counter[str]:
    statuses = Counter(said(manuals, query, **arguments) for query in queries)
    assert sum(statuses.values()) == len(queries)
    return statuses


@pytest.fixture
def haystack(workspace: WorkspaceFolder, rounds: Rounds) -> Haystack:
    return Haystack(workspace, 7, rounds(*QUERIES))


def test_without_a_fault_it_is_found_and_what_is_nowhere_is_absent(haystack: Haystack) -> None:
    haystack.hide()
    with serving_indexed(haystack.folder) as manuals:
        assert ask_all(manuals, haystack.needles) == {"found": len(haystack.needles)}
        assert said(manuals, NOWHERE) == "absent"


@pytest.mark.parametrize("manual_id", [None, "m"])
def test_what_is_there_is_never_absent_in_a_stale_index(haystack: Haystack, manual_id: str | None) -> None:
    with serving_what_was_indexed(haystack.folder) as manuals:
        haystack.hide(new_files=True)
        assert ask_all(manuals, haystack.needles, manual_id=manual_id) == {"unknown": len(haystack.needles)}


@pytest.mark.parametrize("watch", ["events", "polling"])
def test_what_is_there_is_never_absent_in_files_that_are_being_saved(haystack: Haystack, watch: str) -> None:
    index_now(haystack.folder)
    with serving(haystack.folder, WATCH=watch) as manuals:
        assert eventually(lambda: said(manuals, NOWHERE) == "absent")
        statuses: Counter[str] = Counter()
        for number, needle in enumerate(haystack.needles):
            haystack.folder.write(f"m/{number % FILES}.md", f"# 題\n\n{needle}\n")
            statuses[said(manuals, needle)] += 1
        assert statuses["absent"] == 0


def test_what_is_there_is_never_absent_with_a_cut_budget(haystack: Haystack) -> None:
    haystack.hide()
    with serving_indexed(haystack.folder) as manuals:
        assert ask_all(manuals, haystack.needles, budget=SHORT)["absent"] == 0


@pytest.mark.parametrize("damage", SILENT.values(), ids=SILENT)
def test_what_is_there_is_never_absent_in_full_text_tables_that_were_damaged_before_the_start(
    haystack: Haystack, damage: Damage
) -> None:
    haystack.hide()
    index_now(haystack.folder)
    break_index(haystack.folder, damage)
    with serving(haystack.folder, WATCH="off") as manuals:
        assert ask_all(manuals, haystack.needles)["absent"] == 0


@pytest.mark.parametrize("damage", SILENT.values(), ids=SILENT)
def test_what_is_there_is_never_absent_in_full_text_tables_that_are_damaged_again_and_again(
    haystack: Haystack, damage: Damage
) -> None:
    haystack.hide()
    with serving_indexed(haystack.folder) as manuals:
        statuses: Counter[str] = Counter()
        for number, needle in enumerate(haystack.needles):
            if number % (len(haystack.needles) // 4) == 0:
                # FTS5 refuses to delete what is not there.
                with contextlib.suppress(sqlite3.DatabaseError):
                    break_index(haystack.folder, damage)
            statuses[said(manuals, needle)] += 1
        assert statuses["absent"] == 0
        assert statuses["found"] >= len(haystack.needles) // 2


@pytest.mark.parametrize("lost", ["id > 10", "id = 10", "id = 1", "id > 1"])
def test_what_is_there_is_never_absent_in_full_text_tables_that_lost_rows_of_their_shadows(
    haystack: Haystack, lost: str
) -> None:
    haystack.hide()
    with serving_indexed(haystack.folder) as manuals:
        break_index(haystack.folder, lambda c: c.execute(f"DELETE FROM pairs_data WHERE {lost}"))  # noqa: S608
        assert ask_all(manuals, haystack.needles)["absent"] == 0
        assert eventually(lambda: said(manuals, haystack.needles[0]) == "found")


def test_what_is_there_is_never_absent_in_files_that_may_not_be_read(
    ordinary_workspace: WorkspaceFolder, rounds: Rounds
) -> None:
    haystack = Haystack(ordinary_workspace, 8, rounds(*QUERIES))
    for path in haystack.hide():
        path.chmod(0)
    ordinary_workspace.write("m/open.md", "本文\n")
    with serving_indexed(ordinary_workspace) as manuals:
        assert ask_all(manuals, haystack.needles) == {"unknown": len(haystack.needles)}


def test_what_is_there_is_never_absent_as_a_term_of_one_character(haystack: Haystack) -> None:
    haystack.needles[6:] = [chr(0x5000 + 7 * number) for number in range(len(haystack.needles) - 6)]
    haystack.needles[:6] = "ヴゑqÅ〆☆"
    haystack.hide()
    with serving_indexed(haystack.folder) as manuals:
        assert ask_all(manuals, haystack.needles) == {"found": len(haystack.needles)}
        assert ask_all(manuals, haystack.needles, budget=SHORT)["absent"] == 0


@contextlib.contextmanager
def locked(folder: WorkspaceFolder) -> Iterator[None]:
    """Somebody else writes to the database, and does not come to an end."""
    with contextlib.closing(sqlite3.connect(folder.database, timeout=20, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.parametrize("watch", ["events", "polling", "off"])
def test_what_is_there_is_never_absent_in_a_locked_database(haystack: Haystack, watch: str) -> None:
    index_now(haystack.folder)
    with serving(haystack.folder, WATCH=watch) as manuals:
        assert eventually(lambda: said(manuals, NOWHERE) == "absent")
        with locked(haystack.folder):
            haystack.hide(new_files=True)
            assert ask_all(manuals, haystack.needles) == {"unknown": len(haystack.needles)}
        if watch != "off":
            assert eventually(lambda: said(manuals, haystack.needles[0]) == "found")


def test_what_is_there_is_never_absent_in_a_database_that_was_locked_for_longer_than_the_writer_waits(
    haystack: Haystack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("morenashi.indexer.database.BUSY_TIMEOUT_MS", 100)
    index_now(haystack.folder)
    with serving(haystack.folder, WATCH="events") as manuals:
        assert eventually(lambda: said(manuals, NOWHERE) == "absent")
        with locked(haystack.folder):
            haystack.hide()
            statuses = ask_all(manuals, haystack.needles)
            assert statuses["absent"] == 0
        assert eventually(lambda: said(manuals, haystack.needles[0]) == "found")
        assert eventually(lambda: said(manuals, NOWHERE) == "absent")
