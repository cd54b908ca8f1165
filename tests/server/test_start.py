"""What a server imports before its first answer, and what it leaves to the first use."""

import subprocess
import sys

import pytest

from ..workspaces import WorkspaceFolder, age, clean_environment

# Each takes as long as a search or more, or megabytes.
LATER = {
    "cryptography",
    "httpx2",
    "markdown_it",
    "mcp.client",
    "mcp.server.mcpserver",
    "morenashi.indexer.references.find_references",
    "morenashi.indexer.prepare",
    "morenashi.server.artifacts.mermaid",
    "morenashi.server.memory.redaction",
    "rapidfuzz",
    "snowballstemmer",
    "sqlite_utils",
    "tqdm",
    "uvicorn",
    "yaml",
}
_FORK = """
import os, sys
from morenashi.server.imports import import_for_good
import_for_good("stdio")
for program in sys.argv[1:]:
    work = os.fork()
    if not work:
        try:
            exec(program, {"__name__": "__main__"})
            print(end="\\0", flush=True)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    if code := os.waitstatus_to_exitcode(os.waitpid(work, 0)[1]):
        sys.exit(code)
"""
AFTER_IMPORTS = {
    "models of messages": """
from morenashi.server.edge.outputs import ManualFindOutput
from mcp_types._v2026_07_28 import CallToolResult
print(ManualFindOutput.__pydantic_complete__, CallToolResult.__pydantic_complete__)
""",
    "list of tools": """
from morenashi.server.edge.registry import TOOLS
for tool in TOOLS.values(): tool.wire()
print(*{tool.output.__pydantic_complete__ for tool in TOOLS.values()})
""",
    "new database": """
import pathlib, sys, tempfile
from morenashi.indexer.database import open_writer
with tempfile.TemporaryDirectory() as folder:
    open_writer(pathlib.Path(folder, "new.db"))[0].close()
print("sqlite_utils" in sys.modules)
""",
    "all names": """
import mcp, uvicorn
print(mcp.Client.__name__, mcp.server.MCPServer.__name__, uvicorn.__name__)
""",
    "while another loads": """
import sys, threading, mcp
other = threading.Thread(target=lambda: mcp.Client)
other.start()
while other.is_alive() and "mcp.client" not in sys.modules: pass
print(mcp.Client.__name__)
other.join()
""",
    "without a part": """
import sys, mcp
sys.modules["mcp.client.client"] = None
for _ in range(2):
    try:
        from mcp import Client
    except ImportError as error:
        print(error.name)
del sys.modules["mcp.client.client"]
from mcp import Client
print(Client.__name__)
""",
}
ANSWER = """
import sys
from morenashi.indexer.config import read_config
from morenashi.server.deadline import Deadline
from morenashi.server.imports import import_for_good
edge = import_for_good("stdio")
from morenashi.server.edge.registry import find_tool
from morenashi.server.workspace import Workspace
workspace = Workspace(read_config())
answer = find_tool("manual_find").answer(workspace, {"query": "鍵言葉"}, Deadline(60_000))
print(answer.body["summary"]["completeness"]["status"], *sys.modules)
workspace.close()
"""


@pytest.fixture
def indexed(workspace: WorkspaceFolder) -> WorkspaceFolder:
    workspace.write("m/x.md", "# 題\n\n鍵言葉\n")
    # A file that has just been written is read once more, beside the first search.
    age(workspace.root)
    assert workspace.run("reindex").returncode == 0
    return workspace


@pytest.fixture(scope="module")
def printed() -> dict[str, list[str]]:
    """What each program prints in a process of its own that has the imports. To import takes longer than all else."""
    command = [sys.executable, "-c", _FORK, *AFTER_IMPORTS.values()]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
    return dict(zip(AFTER_IMPORTS, map(str.split, done.stdout.split("\0")), strict=False))


def after(code: str, workspace: WorkspaceFolder) -> list[str]:
    environment = clean_environment() | {"WORKSPACE_ROOT": str(workspace.root)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_an_indexed_workspace_is_searched_before_the_parsers_are_imported(indexed: WorkspaceFolder) -> None:
    status, *modules = after(ANSWER, indexed)
    assert status == "found"
    assert not LATER & set(modules)


def test_the_models_of_messages_are_built_when_they_are_used(printed: dict[str, list[str]]) -> None:
    assert printed["models of messages"] == ["False", "False"]


def test_the_list_of_tools_needs_no_models_of_answers(printed: dict[str, list[str]]) -> None:
    assert printed["list of tools"] == ["False"]


def test_a_new_database_needs_nothing_that_takes_older_ones_on(printed: dict[str, list[str]]) -> None:
    assert printed["new database"] == ["False"]


def test_the_packages_of_the_library_have_all_their_names_for_whoever_asks(printed: dict[str, list[str]]) -> None:
    assert printed["all names"] == ["Client", "MCPServer", "uvicorn"]


def test_who_asks_for_a_name_while_another_thread_loads_the_package_waits(printed: dict[str, list[str]]) -> None:
    assert printed["while another loads"] == ["Client"]


def test_what_a_package_fails_for_is_said_whenever_it_is_asked(printed: dict[str, list[str]]) -> None:
    assert printed["without a part"] == ["mcp.client.client", "mcp.client.client", "Client"]


MANY_AT_ONCE = """
import threading
from morenashi.server.edge.registry import TOOLS
from morenashi.server.edge.validate import parse_arguments
from morenashi.server.errors import ToolError

def parse(model, barrier):
    barrier.wait()
    try:
        parse_arguments(model, {"no_such_parameter": 1})
    except ToolError as error:
        refused.append(error.code)

refused = []
for tool in TOOLS.values():
    barrier = threading.Barrier(8)
    threads = [threading.Thread(target=parse, args=(tool.input, barrier)) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print(len(refused) - 8 * len(TOOLS), *set(refused))
"""


def test_the_first_calls_may_come_at_once(indexed: WorkspaceFolder) -> None:
    assert after(MANY_AT_ONCE, indexed) == ["0", "invalid_parameter"]
