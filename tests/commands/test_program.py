"""The verbs as programs. Most tests run them in their own process; here both say the same."""

import pytest

from ..server.library import fill
from ..server.memory.remembering import remembering
from ..workspaces import WorkspaceFolder


@pytest.fixture(scope="module")
def used(shared_workspace: WorkspaceFolder) -> WorkspaceFolder:
    """A workspace with a search, a policy and a claim."""
    with remembering(fill(shared_workspace)) as memory:
        memory.remember("締切は三月末")
        memory.server.workspace.wait_until_ready()
        memory.server.find("申請")
    return shared_workspace


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("reindex --check", 0),
        ("trace show tr_unknown", 2),
        ("explain-miss 規則/rules.md:9 届出", 1),
        ("policy history", 0),
        ("memory list", 0),
        ("memory export", 0),
        (f"audit verify --expect {64 * 'f'}", 1),
        ("status", 0),
        ("doctor", 0),
    ],
)
def test_the_program_says_what_the_tests_hear(used: WorkspaceFolder, line: str, code: int) -> None:
    heard, said = used.run(*line.split()), used.run_program(*line.split())
    assert (said.returncode, said.stdout, said.stderr) == (heard.returncode, heard.stdout, heard.stderr)
    assert said.returncode == code
    assert said.stdout + said.stderr
