"""A vault on disk, served: files as bytes, calls through a real client."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..server.serving import Serve, Serving, serving
from ..workspaces import WorkspaceFolder


class Vault:
    """A vault and a client of the server over it. Paths are relative to the vault."""

    def __init__(self, root: Path, serving: Serving) -> None:
        self.root = root
        self.serving = serving

    def put(self, path: str, content: str | bytes) -> Path:
        """Write a file past the server, exactly as given."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def bytes(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        return self.serving.call(f"vault_{tool}", **arguments)

    def refuse(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        return self.serving.refuse(f"vault_{tool}", **arguments)

    def code(self, tool: str, /, **arguments: Any) -> str:
        return str(self.refuse(tool, **arguments)["code"])

    def chunks(self, path: str, **arguments: Any) -> list[dict[str, Any]]:
        """All chunks of a scan, followed through `next_cursor`."""
        chunks = [self.call("scan", path=path, **arguments)]
        while not chunks[-1]["eof"]:
            chunks.append(self.call("scan", path=path, cursor=chunks[-1]["next_cursor"], **arguments))
        return chunks

    def names(self) -> list[str]:
        """All files of the vault, hidden ones too, except the server's own."""
        paths = [path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file()]
        return sorted(path for path in paths if not path.startswith(".system/"))


@pytest.fixture
def vault(workspace: WorkspaceFolder, serve: Serve) -> Vault:
    """A vault that does not exist yet."""
    return Vault(workspace.root / "vault", serve())


@pytest.fixture(scope="module")
def kept_vault(shared_workspace: WorkspaceFolder) -> Iterator[Vault]:
    """One for all examples of a property: each writes its note anew."""
    with serving(shared_workspace, WATCH="off") as client:
        yield Vault(shared_workspace.root / "vault", client)
