"""Two versions of the program on one workspace: the older refuses a newer database, and the newer goes on."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from morenashi.migrations import names

from ..server.memory.policies import EXAMPLE
from ..server.serving import Serving, serving
from ..workspaces import WorkspaceFolder
from .servers import Standalone, claims, fill, soon, standalone

WORD = "鍵言葉"
AT = {"at": "2026-01-02T03:04:05Z"}
CHECKOUT = Path(__file__).parents[2]
STEP = "m9999_from_the_future"


@pytest.fixture
def folder(workspace: WorkspaceFolder) -> WorkspaceFolder:
    return fill(workspace, WORD)


@pytest.fixture
def newer(tmp_path: Path) -> dict[str, str]:
    """The setting that runs a version of the program that knows one step more and makes other tokens."""
    package = tmp_path / "newer" / "morenashi"
    shutil.copytree(CHECKOUT / "src" / "morenashi", package, ignore=shutil.ignore_patterns("__pycache__"))
    step = f'    "{names.STEPS[-1]}",\n'
    replace_in(package / "migrations" / "names.py", step, f'{step}    "{STEP}",\n')
    table = "def apply(db):\n    db.execute('CREATE TABLE of_the_future (id INTEGER)')\n"
    (package / "migrations" / f"{STEP}.py").write_text(table, "utf-8")
    replace_in(package / "indexer" / "schema.py", "INDEX_VERSION = ", "INDEX_VERSION = 1000 + ")
    return {"PYTHONPATH": str(package.parent)}


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


def steps(folder: WorkspaceFolder) -> set[str]:
    with closing(sqlite3.connect(folder.database)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM _sqlite_migrations")}


def is_found(server: Standalone) -> bool:
    body = server.call(6, "manual_find", query=WORD)
    return "code" not in body and body["summary"]["completeness"]["status"] == "found"


def is_refused(server: Serving, reason: str) -> bool:
    """Whether search and memory both say why they cannot be used."""
    found = server.answer("manual_find", query=WORD)
    kept = server.answer("pce_memory_upsert", text="古い版の決定", provenance=AT)
    return found.is_error and kept.is_error and reason in found.structured_content["message"]


def test_an_older_server_beside_a_newer_one_refuses_and_takes_nothing_over(
    folder: WorkspaceFolder, newer: dict[str, str]
) -> None:
    """The newer one waits for the older, takes the workspace over, and keeps it; what the older acknowledged stays."""
    with serving(folder) as older:
        older.call("pce_memory_policy_apply", yaml=EXAMPLE)
        kept = {older.call("pce_memory_upsert", text="先の決定", provenance=AT)["data"]["id"]}
        with standalone(folder, **newer) as newest:
            # As long as the older one runs, its database is not migrated, and the newer one does not misread it.
            assert "another version" in newest.call(2, "manual_find", query=WORD)["message"]
            assert STEP not in steps(folder)
            assert not older.answer("manual_find", query=WORD).is_error
            older.workspace.manuals.keeper.stop()
            assert soon(lambda: is_found(newest))
            kept.add(newest.call(3, "pce_memory_upsert", text="後の決定", provenance=AT)["data"]["id"])
            with serving(folder) as late:
                assert soon(lambda: is_refused(late, "newer Morenashi"))
                assert is_found(newest)
            newest.close_stdin()
    before = folder.database.read_bytes(), sorted(folder.database.parent.iterdir())
    with serving(folder) as alone:
        assert soon(lambda: is_refused(alone, "newer Morenashi"))
    assert (folder.database.read_bytes(), sorted(folder.database.parent.iterdir())) == before
    assert STEP in steps(folder)
    assert claims(folder) == kept
