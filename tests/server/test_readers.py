"""Connections that are lent out belong to the file that is there now."""

import threading

import pytest

from morenashi.server.deadline import Deadline
from morenashi.server.readers import CONNECTIONS, Readers
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest

from ..databases import open_files, put_empty
from ..workspaces import WorkspaceFolder
from .serving import Serve


def test_a_connection_is_lent_again(workspace: WorkspaceFolder) -> None:
    put_empty(workspace.database)
    readers = Readers(workspace.database)
    first = readers.borrow()
    readers.give_back(first)
    assert readers.borrow() is first
    readers.give_back(first)
    readers.close()
    assert open_files(workspace.database) == []


def test_a_file_that_is_gone_is_not_kept_open(workspace: WorkspaceFolder) -> None:
    put_empty(workspace.database)
    readers = Readers(workspace.database)
    readers.give_back(readers.borrow())
    workspace.database.unlink()
    with pytest.raises(FileNotFoundError):
        readers.borrow()
    assert open_files(workspace.database) == []


def test_one_that_was_made_anew_is_read(workspace: WorkspaceFolder) -> None:
    put_empty(workspace.database)
    readers = Readers(workspace.database)
    before = readers.borrow()
    readers.give_back(before)
    workspace.database.rename(workspace.database.with_name("aside.db"))
    put_empty(workspace.database)
    after = readers.borrow()
    assert after is not before
    assert readers.inode(after) == workspace.database.stat().st_ino
    readers.give_back(after)
    readers.close()


def test_a_search_that_no_thread_could_complete_gives_its_connection_back_once(
    workspace: WorkspaceFolder, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The executor keeps what it refuses, and runs it once one of its threads is free."""
    workspace.write("a/x.md", "# 題\n\n本文\n")
    shelf = serve().workspace.manuals
    request = FindRequest(parse_query("本文", {}, {}), "本文", None, None, 50)
    start, gate = threading.Thread.start, threading.Event()

    def start_unless_refused(thread: threading.Thread) -> None:
        if thread.name.startswith("trace"):
            raise RuntimeError("can't start new thread")
        start(thread)

    shelf._completions.submit(gate.wait, 60)
    monkeypatch.setattr(threading.Thread, "start", start_unless_refused)
    with pytest.raises(RuntimeError):
        shelf.search(request, Deadline(60_000), lambda *_: None)
    monkeypatch.undo()
    gate.set()
    shelf.finish_traces()
    borrowed = [shelf._readers.borrow() for _ in range(CONNECTIONS)]
    assert len(set(borrowed)) == CONNECTIONS
    for connection in borrowed:
        shelf._readers.give_back(connection)
