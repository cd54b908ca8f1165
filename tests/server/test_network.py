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
import json, sys
from pathlib import Path

seen = []
def hook(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"):
        seen.append(event)
sys.addaudithook(hook)

from tests.server.memory.remembering import remembering
from tests.workspaces import eventually, make_workspace

def listen(name, **settings):
    seen.clear()
    folder = make_workspace(Path(sys.argv[1]) / name)
    folder.write("m/x.md", "# 申請の期限")
    (folder.root / "vault").mkdir()
    with remembering(folder, **settings) as memory:
        memory.server.find("申請")
        memory.server.call("vault_create", path="note.md", content="申請")
        memory.server.call("vault_find", query="申請")
        memory.remember("申請は三月まで")
        memory.search("申請")
        memory.activate("申請")
        if settings:
            eventually(lambda: seen)
    return sorted(set(seen))

endpoint = {"MEMORY_EMBEDDING_URL": "http://127.0.0.1:9/v1", "MEMORY_EMBEDDING_MODEL": "none"}
print(json.dumps({"without": listen("without"), "with": listen("with", **endpoint)}))
"""


@pytest.fixture(scope="module")
def connections(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The kinds of network events while a server works, without an endpoint and with one."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path_factory.mktemp("network"))]
    done = subprocess.run(command, cwd=ROOT, env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_without_an_endpoint_no_connection_is_made(connections: dict[str, list[str]]) -> None:
    assert connections["without"] == []


def test_with_one_it_is_connected_to(connections: dict[str, list[str]]) -> None:
    """What would be seen if there were anything to see."""
    assert "socket.connect" in connections["with"]
