"""A memory with a claim in each state that there is, for who looks at it at a terminal."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from ...workspaces import WorkspaceFolder
from .remembering import AT, Remembering, remembering


class Remembered(NamedTuple):
    """A memory with a claim in each state that there is, by that."""

    folder: WorkspaceFolder
    ids: dict[str, str]

    def listed(self, *options: str, **settings: str) -> list[dict[str, Any]]:
        done = self.folder.run("memory", "list", "--json", *options, **settings)
        assert (done.returncode, done.stderr) == (0, "")
        claims: list[dict[str, Any]] = json.loads(done.stdout)
        return claims


def _set_time(memory: Remembering, claim: str, column: str) -> None:
    query = f"UPDATE claims SET {column} = ? WHERE id = ?"  # noqa: S608 - a name from below
    memory.server.workspace.memory.write(lambda connection: connection.execute(query, (AT, claim)))


@pytest.fixture(scope="module")
def remembered(shared_workspace: WorkspaceFolder) -> Iterator[Remembered]:
    with remembering(shared_workspace) as memory:
        ids = {"replaced": memory.remember("受付は三階")}
        ids["outdated"] = memory.remember("受付は一階に移った", replaces=[ids["replaced"]], scope="principle")
        memory.judge(ids["outdated"], "outdated")
        ids["kept"] = memory.remember("朝会は毎朝十時に会議室で行う")
        ids["merged"] = memory.remember("朝会は毎朝十時に会議室で行います")
        memory.judge(ids["merged"], "duplicate")
        ids["expired"] = memory.remember("名札は受付にある", kind="task", scope="session")
        _set_time(memory, ids["expired"], "updated_at")
        ids["stale"] = memory.remember("締切は\n三月\x1b[31m末")
        _set_time(memory, ids["stale"], "stale_since")
        ids["pii"] = memory.remember("窓口は yamada@example.com")
        yield Remembered(shared_workspace, ids)
