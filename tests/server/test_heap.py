"""The memory that a server's threads allocate from."""

import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from ..workspaces import WorkspaceFolder
from .library import fill
from .serving import index_now
from .stdio import raw_server

_HEAP_BYTES = 64 * 1024 * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_the_threads_of_a_server_have_no_heaps_of_their_own(workspace: WorkspaceFolder) -> None:
    index_now(fill(workspace))
    with raw_server(workspace) as server:
        server.initialise()
        server.call(1, "manual_find", query="印鑑")
        assert len(list(Path(f"/proc/{server.process.pid}/task").iterdir())) > 2
        assert own_heaps(server.process.pid) == []


def own_heaps(pid: int) -> list[int]:
    """Where the heaps begin that glibc gives to threads: 64 MB at a multiple of that, the end of it not in use."""
    maps = Path(f"/proc/{pid}/maps").read_text("utf-8")
    regions = [(int(start, 16), int(end, 16), mode) for start, end, mode in re.findall(r"(?m)^(\w+)-(\w+) (\S+)", maps)]
    return [
        start
        for (start, middle, used), (rest, end, unused) in pairwise(regions)
        if (used, unused) == ("rw-p", "---p") and middle == rest
        if start % _HEAP_BYTES == 0 and end - start == _HEAP_BYTES
    ]
