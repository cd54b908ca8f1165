"""The audit hook itself sees what it is there for; and a server process, among traps, opens nothing outside."""

import os
import threading
from pathlib import Path

import pytest

from morenashi.indexer.listing import list_vault

from ..examples import Rounds
from ..opened import WATCH, read_report, watched_environment
from ..server.stdio import raw_server
from ..workspaces import WorkspaceFolder
from .paths import PARAMETERS, SECRET, TABLE, make_traps
from .schemas import with_parameter


def as_the_server(code: str, root: Path) -> list[str]:
    """What the hook says of code that passes for the server's, and runs in a thread as a call does."""
    thread = threading.Thread(target=exec, args=(code, {"__name__": "morenashi.pretended", "os": os, "root": root}))
    thread.start()
    thread.join()
    return WATCH.take()


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ("open", "os.close(os.open(root / 'outside.md', os.O_RDONLY))"),
        ("open", "os.close(os.open(root / 'vault/link.md', os.O_RDONLY))"),
        ("open", "os.close(os.open(root / 'vault/link-folder/x.md', os.O_RDONLY | os.O_NOFOLLOW))"),
        ("open", "os.close(os.open('/etc/passwd', os.O_RDONLY))"),
        ("open", "open(root / 'vault' / '..' / 'outside.md').close()"),
        ("os.listdir", "os.listdir(root / 'outside')"),
        ("os.scandir", "os.scandir(root / 'vault/link-folder').close()"),
        ("os.mkdir", "os.mkdir(root / 'outside/made')"),
        ("os.rename", "os.rename(root / 'vault/x.md', root / 'outside/moved.md')"),
        ("os.link", "os.link(root / 'vault/x.md', root / 'outside/linked.md')"),
        ("os.remove", "os.remove(root / 'outside/secret.md')"),
    ],
)
def test_the_hook_sees_what_is_opened_outside(workspace: WorkspaceFolder, event: str, code: str) -> None:
    make_traps(workspace)
    workspace.config()
    (found,) = as_the_server(code, workspace.root)
    assert found.startswith(f"{event} ")


@pytest.mark.parametrize(
    "code",
    [
        "os.close(os.open(root / 'vault/x.md', os.O_RDONLY))",
        "os.close(os.open('x.md', os.O_RDONLY | os.O_NOFOLLOW, dir_fd=os.open(root / 'vault', os.O_RDONLY)))",
        "os.listdir(root / 'vault/folder')",
        "os.rename(root / 'vault/x.md', root / 'vault/y.md')",
        "os.remove(root / 'vault/link.md')",
        "import imaplib",
    ],
)
def test_the_hook_leaves_the_roots_alone(workspace: WorkspaceFolder, code: str) -> None:
    make_traps(workspace)
    workspace.config()
    assert as_the_server(code, workspace.root) == []


def test_the_hook_leaves_the_tests_alone(workspace: WorkspaceFolder) -> None:
    make_traps(workspace)
    assert index_of(workspace.root / "outside") == {"x.md", "secret.md", "shared.md"}
    assert WATCH.take() == []


def index_of(folder: Path) -> set[str]:
    """Asks the server's own code of a folder outside, as tests of a part do."""
    return {file.path for file in list_vault(folder).files if file.path.isascii() and "/" not in file.path}


def test_a_server_process_among_traps_opens_nothing_outside(workspace: WorkspaceFolder, rounds: Rounds) -> None:
    """Every tool that takes a path, with paths of every kind."""
    if not rounds(0, 1):
        pytest.skip("with --soak; the swap race runs against a watched process, too")
    make_traps(workspace)
    report = workspace.root / "opened.txt"
    roots = [workspace.root / name for name in ("manuals", "vault", "data", "dictionaries")]
    with raw_server(workspace, WATCH="off", ALLOW_FILE_SCOPE="true", **watched_environment(report, *roots)) as server:
        server.initialise()
        number = 0
        for row in TABLE:
            # A lone surrogate makes the line no message (test_wire.py): it says nothing of paths.
            for path in (path for path in row.paths if "\ud800" not in path):
                for tools in PARAMETERS.values():
                    for (tool, names), base in tools.items():
                        number += 1
                        answer = server.call(number, tool, **with_parameter(base, tuple(names.split(".")), path))
                        assert SECRET not in str(answer)
        server.close_stdin()
    assert read_report(report) == []
