"""`morenashi status`: the index, the disk, the daemon and its clients; with a daemon and without."""

import contextlib
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

from morenashi.indexer.writer_lock import hold_writer_lock
from morenashi.server.edge.daemon.log import last_errors

from ..indexer.test_database import make_newer
from ..locks import HOLD, held_elsewhere
from ..workspaces import UNDECODABLE, WorkspaceFolder, eventually
from .daemons import Daemons


def facts(daemons: Daemons) -> dict[str, Any]:
    done = daemons.run("status", "--json")
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_a_daemon_is_shown_with_its_clients(running: Daemons) -> None:
    with running.raw() as server:
        server.initialise()
        # It may just have started, and not have seen the last client leave.
        assert eventually(lambda: has_settled(running.state(), server.process.pid))
        [daemon] = facts(running)["daemons"]
        assert [client["pid"] for client in daemon["clients"]] == [server.process.pid]
        assert [daemon["pid"]] == running.processes()
        assert daemon["rss_bytes"] > 10_000_000
        manuals = daemon["collections"]["manuals"]
        assert (manuals["is_writer"], manuals["watcher"], manuals["pending_files"]) == (True, "events", 0)
        text = running.run("status").stdout
        assert f"  client: process {server.process.pid}, for 0 minutes" in text
        assert "manuals: as the disk" in text


def test_of_a_daemon_that_follows_another_writer_it_is_not_said_what_it_watches(daemons: Daemons) -> None:
    with hold_writer_lock(daemons.folder.database), daemons.raw() as server:
        server.initialise()
        follows = "  manuals: follows another writer, 0 files pending, 0 in the queue\n"
        assert eventually(lambda: follows in daemons.run("status").stdout)


def test_who_keeps_the_index_and_has_no_socket_here_is_shown(daemons: Daemons) -> None:
    assert facts(daemons)["keepers"] == []
    with hold_writer_lock(daemons.folder.database):
        [keeper] = facts(daemons)["keepers"]
        assert keeper["pid"] == os.getpid()
        assert f"index: kept by process {os.getpid()} (" in daemons.run("status").stdout


def test_a_daemon_with_its_socket_elsewhere_is_called_one(daemons: Daemons, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    with daemons.raw() as server:
        server.initialise()
        assert eventually(lambda: daemons.state()["collections"]["manuals"]["is_writer"])
        [process] = daemons.processes()
        said = daemons.run("stop", XDG_RUNTIME_DIR=str(elsewhere))
    assert said.stdout == "no daemon runs\n"
    assert said.stderr.endswith(
        "keeps the index and is a daemon whose socket lies elsewhere (another XDG_RUNTIME_DIR, TMPDIR); "
        f"to end it: kill {process}\n"
    )


def test_a_daemon_that_a_service_started_from_a_folder_far_down_is_called_one(daemons: Daemons, tmp_path: Path) -> None:
    script = tmp_path / ("folder-" * 12) / "morenashi"
    script.parent.mkdir()
    script.write_text(HOLD, "utf-8")
    lock = daemons.folder.database.with_suffix(".lock")
    with held_elsewhere(lock, sys.executable, str(script), "daemon"):
        said = daemons.run("stop")
    assert "keeps the index and is a daemon whose socket lies elsewhere" in said.stderr


def has_settled(state: dict[str, Any], client: int) -> bool:
    """Whether a daemon keeps the indexes, has nothing to do, and serves this client alone."""
    indexes = [(one["is_writer"], one["pending_files"], one["queue"]) for one in state["collections"].values()]
    return set(indexes) == {(True, 0, 0)} and [one["pid"] for one in state["clients"]] == [client]


def test_without_a_daemon_the_index_is_compared_with_the_disk(daemons: Daemons) -> None:
    daemons.folder.write("guide/new.md", "# 新しい\n")
    told = facts(daemons)
    manuals = told["collections"]["manuals"]
    assert (manuals["documents"], manuals["generation"] > 0) == (4, True)
    assert (manuals["differing"], manuals["differing_names"]) == (1, ["guide/new.md"])
    assert (told["daemons"], told["last_errors"], told["memory"]) == ([], [], {"claims": 0, "policy": None})
    assert daemons.processes() == [], "to ask how it is starts nothing"


def test_what_is_not_indexed_is_not_said_to_be_as_the_disk(workspace: WorkspaceFolder) -> None:
    workspace.write("m/a.md", "# 題\n")
    workspace.write("m/b.md", UNDECODABLE)
    workspace.run("reindex")
    said = [line for line in workspace.run("status").stdout.splitlines() if line.startswith("manuals: ")]
    assert said[1:] == ["manuals: 1 not indexed: encoding", "manuals: all others are as on the disk"]


def test_a_workspace_without_an_index_is_told_so(workspace: WorkspaceFolder) -> None:
    done = workspace.run("status")
    assert (done.returncode, "there is no index yet" in done.stdout) == (0, True)
    assert "daemon: none runs" in done.stdout


def test_an_index_that_this_version_cannot_use_is_not_said_to_be_as_the_disk(workspace: WorkspaceFolder) -> None:
    workspace.write("m/a.md", "# 題\n")
    workspace.run("reindex")
    make_newer(workspace.database)
    manuals = json.loads(workspace.run("status", "--json").stdout)["collections"]["manuals"]
    assert "written by a newer Morenashi" in manuals["problem"]
    assert "differing" not in manuals


def test_an_index_of_an_older_version_is_called_that(workspace: WorkspaceFolder) -> None:
    workspace.write("m/a.md", "# 題\n")
    workspace.run("reindex")
    with contextlib.closing(sqlite3.connect(workspace.database, isolation_level=None)) as connection:
        connection.execute("UPDATE index_state SET value = '1:of-then' WHERE key = 'layout'")
        # What that version has called otherwise.
        connection.execute("ALTER TABLE documents RENAME COLUMN stamp_ns TO mtime_ns")
    manuals = json.loads(workspace.run("status", "--json").stdout)["collections"]["manuals"]
    assert manuals["problem"].startswith("another version made it; ")
    assert (manuals["documents"], "differing" in manuals) == (1, False)


def test_what_was_set_aside_is_not_of_the_index(workspace: WorkspaceFolder) -> None:
    workspace.write("m/a.md", "# 題\n")
    workspace.run("reindex")
    workspace.database.with_name(f"{workspace.database.name}.damaged-20260101T000000Z").write_bytes(bytes(10_000_000))
    manuals = json.loads(workspace.run("status", "--json").stdout)["collections"]["manuals"]
    assert manuals["size_bytes"] < 10_000_000


def test_a_folder_that_is_no_workspace_is_told_how_to_name_one(tmp_path: Path) -> None:
    done = WorkspaceFolder(tmp_path).run("status")
    assert done.returncode == 0
    assert f"no folder {tmp_path / 'manuals'}; `--workspace` names" in done.stdout
    named = WorkspaceFolder(tmp_path).run("status", MANUALS_ROOT="manual").stdout
    assert f"no folder {tmp_path / 'manual'}; MANUALS_ROOT names it" in named
    assert "--workspace" not in named


def test_the_last_errors_are_read_from_the_logs_end(workspace: WorkspaceFolder) -> None:
    log = workspace.root / "log"
    records = [{"level": "error" if number % 2 else "info", "number": number} for number in range(5_000)]
    log.write_text("".join(f"{json.dumps(record)}\n" for record in records) + "no JSON\n", "utf-8")
    errors = last_errors(log)
    assert errors[-1] == {"level": "error", "number": 4_999}
    assert 0 < len(errors) < 2_500
    assert last_errors(workspace.root / "none") == []
