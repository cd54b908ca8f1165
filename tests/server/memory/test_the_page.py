"""docs/memory.md, followed as it is printed: the commands that put a policy in force and change it."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from ...workspaces import WorkspaceFolder

PAGE = Path(__file__).parents[3] / "docs" / "memory.md"
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\S+")


def commands(page: str) -> Iterator[tuple[str, str]]:
    """Of the first two blocks, which are about policies, each command with what stands below it."""
    for block in CONSOLE.findall(page)[:2]:
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def says(answered: str, printed: str) -> bool:
    """Whether it is what is printed, in which `…` stands for lines that are left out; times are those of then."""
    parts = map(re.escape, TIME.sub("", printed).split("…\n"))
    return bool(re.fullmatch("(?:.+\n)+".join(parts), TIME.sub("", answered)))


def edit(policy: Path) -> None:
    """Make the second version of the page: a use less, a name more."""
    text = policy.read_text("utf-8").replace("version: 1.0.0", "version: 1.1.0").replace(", 'tool:*']", "]")
    policy.write_text(text + "redact_policies:\n  people: { names: ['山田 太郎'] }\n", "utf-8")


def test_every_command_of_the_page_on_policies_prints_what_is_printed(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace.root)
    for line, printed in commands(PAGE.read_text("utf-8")):
        command, _, file = line.partition(" > ")
        ran = workspace.run(*shlex.split(command)[1:])
        if file:
            Path(file).write_text(ran.stdout, "utf-8")
            edit(Path(file))
        else:
            assert says(ran.stdout + ran.stderr, printed), (command, ran.stdout, ran.stderr)
