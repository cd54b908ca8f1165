"""A server with the seed's example policy, and what tests do with it again and again."""

import contextlib
import hashlib
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from ...workspaces import WorkspaceFolder
from ..serving import Serving, ask_database, serving
from .policies import EXAMPLE

AT = "2026-01-02T03:04:05Z"


@dataclass(repr=False)
class Remembering:
    """Calls of the memory tools; each gives the `data` of a success, or the `error` of a refusal."""

    server: Serving

    def remember(self, text: str, **arguments: Any) -> str:
        """Upsert; the claim's id."""
        arguments.setdefault("provenance", {"at": AT})
        return self.server.call("pce_memory_upsert", text=text, **arguments)["data"]["id"]

    def search(self, query: str, **arguments: Any) -> dict[str, Any]:
        return self.server.call("pce_memory_search", query=query, **arguments)["data"]

    def activate(self, q: str, **arguments: Any) -> dict[str, Any]:
        return self.server.call("pce_memory_activate", q=q, **arguments)["data"]

    def judge(self, claim_id: str, signal: str, **arguments: Any) -> dict[str, Any]:
        return self.server.call("pce_memory_feedback", claim_id=claim_id, signal=signal, **arguments)["data"]

    def refuse(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.server.refuse(f"pce_memory_{tool}", **arguments)["error"]

    def found(self, query: str, **arguments: Any) -> list[str]:
        """The ids that a search gives, the best first."""
        return [item["claim"]["id"] for item in self.search(query, **arguments)["items"]]

    def active(self, q: str, **arguments: Any) -> list[str]:
        """The ids of an active context's first page."""
        return [item["claim"]["id"] for item in self.activate(q, **arguments)["claims"]]

    def texts(self, query: str, **arguments: Any) -> list[str]:
        return [item["claim"]["text"] for item in self.search(query, **arguments)["items"]]

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of the database, through plain sqlite3."""
        return ask_database(self.server.folder, query, *values)

    def file_bytes(self) -> bytes:
        """All bytes of the database's files. Read by another process: closing them here would end SQLite's locks."""
        folder = self.server.folder.database.parent
        files = sorted(folder.glob(f"{self.server.folder.database.name}*"))
        return subprocess.run(["cat", *files], capture_output=True, check=True).stdout


@contextlib.contextmanager
def remembering(folder: WorkspaceFolder, policy: str = EXAMPLE, **settings: Any) -> Iterator[Remembering]:
    """Serve a folder's memory under a policy."""
    with serving(folder, **{"WATCH": "off", **settings}) as server:
        server.call("pce_memory_policy_apply", yaml=policy)
        yield Remembering(server)


@pytest.fixture
def memory(workspace: WorkspaceFolder) -> Iterator[Remembering]:
    """Memory under the seed's example policy."""
    with remembering(workspace) as opened:
        yield opened


@pytest.fixture
def open_memory(workspace: WorkspaceFolder) -> Iterator[Callable[..., Remembering]]:
    """The same with another policy or settings."""
    with contextlib.ExitStack() as stack:
        yield lambda policy=EXAMPLE, **settings: stack.enter_context(remembering(workspace, policy, **settings))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def remember_many(memory: Remembering, count: int, **arguments: Any) -> list[str]:
    return [
        memory.remember(f"規約{number}: 関数{number}の命名は動詞から始める", **arguments) for number in range(count)
    ]
