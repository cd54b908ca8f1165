"""The server connects to nothing, unless an endpoint for embeddings is configured."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..workspaces import clean_environment

ROOT = Path(__file__).parents[2]

# In a process of its own: such a hook stays for as long as its process.
PROGRAM = """
import json, socket, sys
from pathlib import Path

seen = []
def hook(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"):
        seen.append(event)
sys.addaudithook(hook)

from tests.server.memory.remembering import remembering
from tests.workspaces import make_workspace

folder = make_workspace(Path(sys.argv[1]) / "workspace")
folder.write("m/x.md", "# 申請の期限")
(folder.root / "vault").mkdir()
with remembering(folder) as memory:
    memory.server.find("申請")
    memory.server.call("vault_create", path="note.md", content="申請")
    memory.server.call("vault_find", query="申請")
    memory.remember("申請は三月まで")
    memory.search("申請")
    memory.activate("申請")
served = sorted(set(seen))
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("127.0.0.1", 9))
print(json.dumps({"served": served, "connected": seen[len(served):]}))
"""


@pytest.fixture(scope="module")
def connections(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What reaches for the network while a server works, and when something does."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path_factory.mktemp("network"))]
    done = subprocess.run(command, cwd=ROOT, env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_without_an_endpoint_no_connection_is_made(connections: dict[str, list[str]]) -> None:
    assert connections["served"] == []


def test_one_that_is_made_would_be_seen(connections: dict[str, list[str]]) -> None:
    assert connections["connected"] == ["socket.connect"]
