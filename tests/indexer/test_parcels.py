"""What workers and their parent send each other."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.listing import list_manuals
from morenashi.indexer.parcels import Parcels
from morenashi.indexer.prepare import Preparer

from ..workspaces import WorkspaceFolder

SAMPLES = Path(__file__).parents[2] / "data" / "manuals"


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_values_arrive_in_order_however_large_they_are(ends: tuple[socket.socket, socket.socket]) -> None:
    values = [None, (1, "規程", b"\x00"), ["漏れなし" * 500_000, [("a", None)]], "", 2**70]
    ours, theirs = map(Parcels, ends)

    def send() -> None:
        for value in values:
            theirs.send(value)

    sender = Thread(target=send)
    sender.start()
    assert [ours.receive() for _ in values] == values
    sender.join()


def test_an_end_in_the_middle_of_a_value_is_the_end(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    theirs.sendall((100).to_bytes(8) + b"half")
    theirs.close()
    with pytest.raises(EOFError):
        Parcels(ours).receive()


@pytest.mark.skipif(os.cpu_count() == 1, reason="without a second processor there are no workers")
def test_files_come_from_the_workers_as_they_are_prepared_here(workspace: WorkspaceFolder) -> None:
    preparer = Preparer(SAMPLES, load_dictionaries(workspace.config().dictionaries).exceptions)
    files = list_manuals(SAMPLES).files
    gone = files[0]._replace(path="gone.md")
    same = preparer.prepare(files[0])
    assert same
    work = [(files[0], same.sha256), (gone, None), *((file, None) for file in files)]
    prepared = list(preparer.prepare_many(work, parallel=True))
    assert prepared == [(file, preparer.prepare(file, known, with_tokens=True)) for file, known in work]
    assert any(found.document.references for _, found in prepared if found)
